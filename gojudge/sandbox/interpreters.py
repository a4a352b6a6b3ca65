"""Which files a Python interpreter needs to run. It is asked once, so that a sandbox can show these and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

from gojudge.errors import SandboxError

_ASK = (
    "import json, site, sys; print(json.dumps([list(sys.version_info[:2]), sys.executable, sys.base_prefix, "
    "sys.base_exec_prefix, site.getsitepackages()]))"
)


@dataclass(frozen=True)
class Interpreter:
    """executable: with links resolved; prefixes: folders with its standard library; site: folders with installed packages."""

    executable: Path
    prefixes: tuple[Path, ...]
    site: tuple[Path, ...]


@cache
def interpreter(command: str = "") -> Interpreter:
    """Return what an interpreter needs. command: '' for the one we run under. Raises SandboxError if it cannot be used."""
    command = command or sys.executable
    try:
        done = subprocess.run(
            [command, "-I", "-c", _ASK], capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.DEVNULL
        )
        version, executable, prefix, exec_prefix, site = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise SandboxError(f"expected a Python interpreter, got {command!r}: {error}") from error
    if tuple(version) < (3, 11):
        raise SandboxError(f"expected Python 3.11 or later, but {command!r} is {version[0]}.{version[1]}")
    folders = tuple(Path(path) for path in site if os.path.isdir(path))
    # Python looks for its library relative to its executable, which is started here with links resolved.
    prefixes = [place for path in (prefix, exec_prefix) for place in (Path(path), Path(path).resolve())]
    return Interpreter(Path(executable).resolve(), tuple(dict.fromkeys(prefixes)), folders)


@cache
def packages_of_others(site: Path) -> tuple[Path, ...]:
    """Return what lies in a folder of packages that we are installed in, without our own modules."""
    ours = {
        file.parts[0] for found in distributions(name="go-competition-harness", path=[str(site)]) for file in found.files or ()
    }
    return tuple(path for path in sorted(site.iterdir()) if path.name not in ours)
