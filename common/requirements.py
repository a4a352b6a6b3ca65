"""One sentence instead of a traceback when a command line lacks the packages it needs."""

from __future__ import annotations

import sys
from importlib.util import find_spec


def leave_if_missing(*packages: str) -> None:
    """Leave with status 2 if `python3 -m ...` is starting and one of the packages is not installed.

    To be called where a package of command lines is imported first, before the import that would fail. Who imports it from
    a program of his own gets the usual ModuleNotFoundError, from the import itself.
    """
    # While Python looks for the module to run, its name is not known yet: sys.argv[0] is '-m'.
    missing = [package for package in packages if find_spec(package) is None]
    if missing and sys.argv[:1] == ["-m"]:
        sys.stderr.write(f"This needs {' and '.join(missing)}: pip install -e . (or run it with .venv/bin/python).\n")
        raise SystemExit(2)
