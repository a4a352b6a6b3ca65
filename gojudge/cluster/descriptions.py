"""What a worker says of its machine, and why it may not be used.

A submission's limits are seconds of CPU time, so they mean the same only on machines of the same speed. A factor for each
machine cannot mend that: how much faster one is than another depends on the program. So nothing is converted. Whoever is not
nearly as fast as the machine that started the run is refused, as is who is much faster, since players that think for as long as
they may would be stronger there. What is measured is work like a submission's, in seconds of CPU time; the best of many short
tries, which other programs on the machine disturb least. They still disturb it: a core whose twin is busy computes at little
more than half its speed. So workers on the machine that started the run are not measured against it.
"""

from __future__ import annotations

import hashlib
import os
import platform
import time
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gojudge.cluster.replies import NonsenseError
from gojudge.errors import SandboxError

BOUND = 1.5
"""How many times as fast or as slow another machine may be."""

_TRIES = 20
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_ROOT = Path(__file__).resolve().parents[2]
_ROOMS = ("goban", "gojudge", "golearn", "players", "tournament", "go.py", "my_player.py", "my_player_table.bin")
_SUFFIXES = (".py", ".bin", ".db", ".npz")


@dataclass(frozen=True)
class Description:
    """A machine, as a worker on it sees it.

    host: its name. cores: that the worker may use. tier: of the best sandbox there, '' if there is none; why_not: then the
    reason, one line. seconds: CPU time of a fixed piece of work. place: a name of the folder in which the worker keeps
    submissions, the same for all who share it. versions: name -> version of what must be the same everywhere. machine: what no
    other machine has, the same for all containers on it; '' if that is not known.
    """

    host: str
    cores: int
    tier: str
    why_not: str
    seconds: float
    place: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    machine: str = ""


def describe(python: str = "", *, sandboxed: bool = True, place: str = "") -> Description:
    """Describe this machine. python: the interpreter of submissions, '' for ours. sandboxed: whether sandboxes are needed."""
    tier, why_not = _best_sandbox(python) if sandboxed else ("", "")
    return Description(platform.node()[:100], _cores(), tier, why_not, speed(), place, versions(), _machine())


def _best_sandbox(python: str) -> tuple[str, str]:
    from gojudge.sandbox.launching import interpreter
    from gojudge.sandbox.tiers import best_tier

    try:
        interpreter(python)
        return str(best_tier()), ""
    except SandboxError as error:
        return "", str(error)[:1000]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _machine() -> str:
    """Return Linux's name of this machine since it was started, '' elsewhere."""
    try:
        return _BOOT.read_text().strip()[:100]
    except OSError:
        return ""


def speed() -> float:
    """Return how many seconds of CPU time a fixed piece of work takes here: lists, dictionaries and loops of Python."""
    return min(_work() for _ in range(_TRIES))


def _work() -> float:
    started = time.thread_time()
    seen: dict[int, int] = {}
    for number in range(20_000):
        key = number * 7919 % 1009
        seen[key] = seen.get(key, 0) + sum([number, key, 3])
    return time.thread_time() - started


@cache
def versions() -> dict[str, str]:
    """Return name -> version of everything on which results may depend. Of our own files it is a digest of their contents."""
    found = {"Python": platform.python_version(), "processor": platform.machine(), "this program": _digest()}
    for package in ("numpy", "distributed"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "none"
    return found


def program_files() -> list[Path]:
    """Return our own files on which results may depend, relative to our root: code, tables, books, patterns and networks."""
    # `rglob` finds nothing below a file.
    found = [path for room in _ROOMS for path in (_ROOT / room, *sorted((_ROOT / room).rglob("*")))]
    return [path.relative_to(_ROOT) for path in found if path.suffix in _SUFFIXES and path.is_file()]


def _digest() -> str:
    whole = hashlib.sha256()
    for path in program_files():
        data = (_ROOT / path).read_bytes()
        whole.update(repr((str(path), len(data))).encode() + data)
    return whole.hexdigest()[:12]


def description_of(fields: dict[str, Any]) -> Description:
    """Return the description that a reply holds. Raises NonsenseError."""
    try:
        found = Description(**fields)
    except TypeError:
        raise NonsenseError("expected a description of a machine") from None
    texts = [found.host, found.tier, found.why_not, found.place, found.machine]
    if isinstance(found.versions, dict):
        texts += [*found.versions, *found.versions.values()]
    fine = all(isinstance(text, str) and len(text) <= 1000 and text.isprintable() for text in texts)
    fine &= type(found.cores) is int and type(found.seconds) is float and 0 < found.seconds < 1000
    if not fine or not isinstance(found.versions, dict):
        raise NonsenseError("expected a description of a machine")
    return found


def why_not(theirs: Description, ours: Description, bound: float = BOUND) -> str:
    """Return why a worker may not be used, one line; '' if it may. Its sandbox is another matter."""
    for name, here in ours.versions.items():
        there = theirs.versions.get(name, "none")
        if there != here:
            return f"{name} is {there} there, {here} here"
    factor = ours.seconds / theirs.seconds
    if theirs.machine and theirs.machine == ours.machine:
        return ""
    if not 1 / bound <= factor <= bound:
        return (
            f"it is {factor:.2f} times as fast as this machine, expected {1 / bound:.2f} to {bound:.2f}: "
            "limits of CPU time would mean something else there"
        )
    return ""
