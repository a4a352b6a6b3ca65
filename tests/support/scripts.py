"""Python scripts run in a process of their own."""

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
