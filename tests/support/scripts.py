"""Python scripts run in a process of their own, tests without compiled kernels, and programs that are a script of the shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.waiting import PATIENCE

ROOT = Path(__file__).parents[2]


def run_script(script: str, *arguments: str, **environment: str) -> str:
    """What a script prints; warnings are errors, and it must end well."""
    command = [sys.executable, "-W", "error", "-c", script, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_uncompiled(*tests: str) -> None:
    """Run tests, slow ones too, with kernels as plain Python: their promises cost little there where few moves are played."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    # Whoever measures what tests reach, or chooses among them, means the tests of this process.
    environment = {name: text for name, text in environment.items() if not name.startswith(("PYTEST_", "PLANTED_"))}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout


def script(path: Path, text: str) -> None:
    """Write a program that the shell runs."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
