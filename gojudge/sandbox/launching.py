"""How a sandbox is started: the command, its environment, and the keeper's settings. Nothing is started here."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import py_compile
import resource
import shutil
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from gojudge.errors import HarnessFaultError
from gojudge.inside import landlock, seccomp
from gojudge.inside.system_calls import ANSWERED
from gojudge.inside.workdirs import copy_submission
from gojudge.records import CLASS, ENGINE
from gojudge.sandbox import bubblewrap
from gojudge.sandbox.caches import kept
from gojudge.sandbox.interpreters import Interpreter
from gojudge.sandbox.leftovers import PREFIX, USER_IDS_FROM, owned_name, temporary_folder
from gojudge.seats import Limits

_ROOT = Path(__file__).resolve().parents[2]
# The bit by which everybody may enter a folder, or run a program.
_FOR_ALL = 0o001
# No process id is higher.
_MOST_IDS = 1 << 22


@dataclass(frozen=True)
class Plan:
    """How a keeper is started.

    command: without the number of the keeper's socket, which comes last. environment: all of it. settings: the first
    message to the keeper. folder: removed afterwards, if any. arguments: bubblewrap's, handed over in a file. own_user:
    whether the submission's processes get a user id of their own.
    """

    command: list[str]
    environment: dict[str, str]
    settings: dict[str, Any]
    folder: Path | None = None
    arguments: list[str] = field(default_factory=list)
    own_user: bool = False


def plan_for(submission: Path, limits: Limits, tier: str, python: Interpreter, kind: str = CLASS) -> Plan:
    """Return how a keeper for a submission's or an engine's folder is started; raises HarnessFaultError.

    An engine is a program of the person who runs the event: it sees the machine's files. It changes none of them.
    """
    plan = (_enclosed if tier in ("T3", "T2") else _open)(submission, limits, tier, python, kind)
    plan.settings["kind"] = kind
    if kind == ENGINE:
        # If we are root, it is another user, and yet sees what we see.
        plan.settings["confinement"]["reads_all"] = plan.own_user
        # One process may play all games of a pairing.
        plan.settings["confinement"]["cpu_seconds"] = resource.RLIM_INFINITY
    return plan


# Not -I: it would ignore PYTHONHASHSEED too, and the environment is ours from end to end.
_FLAGS = ["-s", "-P", "-S", "-B"]


def _settings(limits: Limits, python: Interpreter, home: Path, submission: Path) -> dict[str, Any]:
    return {
        "enclosed": False,
        "user_namespace": False,
        "submission": str(submission),
        "home": str(home),
        "site": [str(path) for path in python.site],
        "memory_mib": limits.memory_mib,
        "disk_mib": limits.disk_mib,
        "log_kib": limits.log_kib,
        "confinement": {
            "user": -1,
            "filter": "",
            "memory_mib": 0,
            "processes": 0,
            "file_mib": limits.disk_mib,
            "cpu_seconds": int(limits.game_cpu_seconds + limits.start_seconds) + 10,
            "readable": [],
            "writable": [],
        },
    }


def host_folder() -> Path:
    """Return a folder with the modules that the worker consists of, and their compiled forms; raises HarnessFaultError.

    One folder is shown to a sandbox in no time, and no sandbox has to compile them. Other interpreters than ours do.
    """
    try:
        return kept("host", _digest(), _lay_modules)
    except OSError as error:
        raise HarnessFaultError(f"a folder for the host's modules could not be made: {error}") from error


def _filter(counted: bool, kept: bool, signals: bool = True, answered: frozenset[str] = frozenset()) -> str:
    return seccomp.filter_program(platform.machine(), signals, counted, kept, seccomp.can_ask(), answered).hex()


def _modules() -> list[Path]:
    """Return the files that the worker consists of, relative to our own folder.

    Of `goban` they are those that need the standard library only: nobody is shown a solver. `gojudge` goes without its
    `__init__.py`. With it, Python would prefer it to a submission's folder of the same name that has none.
    """
    places = ("goban/*.py", "goban/common/*.py", "gojudge/inside/**/*.py")
    return [Path("go.py"), *(path.relative_to(_ROOT) for place in places for path in sorted(_ROOT.glob(place)))]


@cache
def _digest() -> str:
    """Return what tells the worker's modules from those of any other version."""
    whole = hashlib.sha256(importlib.util.MAGIC_NUMBER)
    for module in _modules():
        data = (_ROOT / module).read_bytes()
        whole.update(repr((str(module), len(data))).encode() + data)
    return whole.hexdigest()


def _lay_modules(folder: Path) -> None:
    for module in _modules():
        place = folder / module
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_ROOT / module, place)
        # Never compared with the source: when that was written is no matter.
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        form = importlib.util.cache_from_source(place, optimization="")
        py_compile.compile(str(place), form, f"{bubblewrap.HOST}/{module}", True, 0, unchecked)
    # Whatever this process keeps from others.
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _enclosed(submission: Path, limits: Limits, tier: str, python: Interpreter, kind: str) -> Plan:
    """Return how a keeper is started within bubblewrap."""
    as_root = os.geteuid() == 0
    settings = _settings(limits, python, bubblewrap.HOME, bubblewrap.SUBMISSION)
    settings |= {"enclosed": True, "user_namespace": not as_root}
    settings["site"] = [str(bubblewrap.place_of(path)) for path in python.site]
    settings["confinement"] |= {
        "filter": _filter(
            counted=tier == "T3", kept=kind != ENGINE, answered=ANSWERED if seccomp.can_answer() else frozenset()
        ),
        # Where a control group limits the tree, its processes need no limits of their own.
        "memory_mib": 0 if tier == "T3" else limits.memory_mib,
        # Besides the submission's: the loading process and, where the sandbox has only one user, the keeper.
        "processes": limits.processes + (1 if as_root else 2),
    }
    program = bubblewrap.program()
    if program is None:
        raise HarnessFaultError("bubblewrap is not installed")
    worker = bubblewrap.HOST / "gojudge/inside/worker.py"
    return Plan(
        [program, str(bubblewrap.place_of(python.executable)), *_FLAGS, str(worker)],
        {},
        settings,
        arguments=bubblewrap.arguments(python, _ROOT, host_folder(), submission.resolve(), as_root, kind == ENGINE),
        own_user=as_root,
    )


def _open(submission: Path, limits: Limits, tier: str, python: Interpreter, kind: str) -> Plan:
    """Return how a keeper is started without namespaces, in a folder of its own with a copy of our modules."""
    folder = temporary_folder().resolve() / owned_name(PREFIX)
    host = folder / "host"
    # An engine must get at what the person who runs the event can get at.
    own_user = kind != ENGINE and can_be_another_user(python)
    handed = folder / "handed" if own_user else submission.resolve()
    settings = _settings(limits, python, folder / "space/player", handed)
    if tier == "T1":
        system = [Path("/usr"), *bubblewrap.system_files(), Path("/dev/urandom"), host]
        settings["confinement"] |= {
            "filter": _filter(signals=landlock.contains_signals(), counted=False, kept=False),
            "memory_mib": limits.memory_mib,
            "readable": ["/"] if kind == ENGINE else [str(path) for path in (*system, *python.prefixes, *python.site)],
            "writable": [str(folder / "space"), "/dev/null"],
        }
    try:
        (folder / "space").mkdir(mode=0o700, parents=True)
        if own_user:
            copy_submission(submission, handed, -1)
        shutil.copytree(host_folder(), host)
    except OSError as error:
        raise HarnessFaultError(f"a folder for a submission could not be made: {error}") from error
    worker = host / "gojudge/inside/worker.py"
    command = [str(python.executable), *_FLAGS, str(worker)]
    return Plan(command, bubblewrap.environment(str(folder / "space/tmp")), settings, folder, own_user=own_user)


def can_be_another_user(python: Interpreter) -> bool:
    """Tell whether we are root, and a process with a user id of its own could run this interpreter among temporary files."""
    return not os.geteuid() and not what_keeps_others_out(python)


def what_keeps_others_out(python: Interpreter) -> str:
    """Return why a user id of its own would not do for a process that runs this interpreter; '' if it does."""
    if not _has_user_ids():
        return f"there are no user ids from {USER_IDS_FROM} on"
    needed = (temporary_folder().resolve(), python.executable, *python.prefixes, *python.site)
    closed = (path for place in needed for path in (place, *place.parents) if not path.stat().st_mode & _FOR_ALL)
    return next((f"only root may enter {path}" for path in closed), "")


@cache
def _has_user_ids() -> bool:
    """Tell whether user ids as high as those of sandboxes exist: in some containers they do not."""
    try:
        ranges = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except OSError:
        return True
    wanted = range(USER_IDS_FROM, USER_IDS_FROM + _MOST_IDS)
    return any(int(first) <= wanted[0] and wanted[-1] < int(first) + int(number) for first, _, number in ranges)
