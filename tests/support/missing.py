"""What tests need and a machine may lack: such tests are skipped, and the last line of a run counts them.

What is missing is told as a sentence, with the command that installs it: 'there is no gcc here (apt-get install gcc)'. '' means
that nothing is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

_MARK = "missing here: "


def needs(why_not: str) -> pytest.MarkDecorator:
    """Skip a test, or all of a file, if something is missing."""
    return pytest.mark.skipif(bool(why_not), reason=_MARK + why_not)


def skip_if(why_not: str) -> None:
    """Skip the test that calls this if something is missing."""
    if why_not:
        pytest.skip(_MARK + why_not)


def no_program(name: str, debian: str = "") -> str:
    """Return what to say if a program is not on the path. debian: the package that has it, '' for one of the same name."""
    return "" if shutil.which(name) else f"there is no {name} here (apt-get install {debian or name})"


def no_package(name: str, major: int = 0, extra: str = "test") -> str:
    """Return what to say if no Python package of this name, or only one older than this major version, is installed.

    extra: the extra of ours that has it; '' if none has.
    """
    try:
        if int(version(name).split(".")[0]) >= major:
            return ""
    except PackageNotFoundError:
        pass
    what = f'-e ".[{extra}]"' if extra else name
    return f"{name} {f'{major} or newer ' if major else ''}is not installed (pip install {what})"


def node_environment() -> dict[str, str]:
    """Return the environment in which node finds what `npm install -g` has installed, and what NODE_PATH names."""
    known = os.environ.get("NODE_PATH")
    done = subprocess.run(["npm", "root", "-g"], capture_output=True, text=True) if shutil.which("npm") else None
    places = [place for place in (known, done.stdout.strip() if done else "") if place]
    return {**os.environ, "NODE_PATH": os.pathsep.join(places)}


def no_node_module(name: str) -> str:
    """Return what to say if node cannot load a module of this name, or there is no node."""
    why_not = no_program("node", "nodejs")
    if why_not:
        return why_not
    done = subprocess.run(["node", "-e", f"require('{name}')"], env=node_environment(), capture_output=True)
    return f"node does not know {name} (npm install -g {name})" if done.returncode else ""


def no_clone(variable: str, file: str, place: str) -> str:
    """Return what to say if an environment variable does not name a clone of `place` that has this file."""
    if (Path(os.environ.get(variable, "")) / file).is_file():
        return ""
    return f"{variable} names no clone with {file} (git clone {place})"


def last_line(skipped: Iterable[pytest.TestReport]) -> str:
    """Return how many of these tests were skipped for what is missing, one line; '' if none was."""
    reasons = [report.longrepr[2].removeprefix("Skipped: ") for report in skipped if isinstance(report.longrepr, tuple)]
    counts = Counter(reason.removeprefix(_MARK) for reason in reasons if reason.startswith(_MARK))
    return "; ".join(f"{count} skipped: {why_not}" for why_not, count in counts.most_common())
