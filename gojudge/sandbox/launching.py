"""How a sandbox is started: the command, its environment, and the keeper's settings. Nothing is started here.

A Python interpreter is asked once which files it needs to run, so that a sandbox can show these and nothing else.

By its arguments bubblewrap shows a file system with an interpreter, the host's modules, one submission, and no more:

    /usr, the interpreter's prefix, its site packages   read only; below /elsewhere if the path itself is taken
    /host          go.py, goban/common/, goban/ and the worker's modules, read only
    /submission    the submission as it was taken in, read only; the keeper hides it
    /player        the submission's folder, made by the keeper; so are /tmp and /dev/shm
    /dev           the few devices a program needs; no terminals, which are counted over all sandboxes, and no /dev/zero,
                   whose shared mappings are memory that belongs to nobody

An engine sees everything else that lies on the machine as well, read only, and its own /tmp over the machine's; but not
/run, /sys and what the sandbox has under a name of its own.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import py_compile
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from gojudge.errors import HarnessFaultError, SandboxError
from gojudge.inside import confinement, seccomp
from gojudge.inside.system_calls import ANSWERED
from gojudge.inside.workdirs import DEVICES, STAGE, copy_submission, remove_tree
from gojudge.records import CLASS, ENGINE
from gojudge.sandbox.compilers import utf8_locale
from gojudge.sandbox.leftovers import MOST_USER_IDS, NAMED_BY, PREFIX, USER_IDS_FROM, keep_folder, owned_name, temporary_folder
from gojudge.sandbox.transcripts import ELSEWHERE
from gojudge.seats import Limits

_ROOT = Path(__file__).resolve().parents[2]
# The bit by which everybody may enter a folder, or run a program.
_FOR_ALL = 0o001


@dataclass(frozen=True)
class Plan:
    """How a keeper is started.

    command: without the number of the keeper's socket, which comes last. environment: all of it. settings: the first
    message to the keeper. name: as `owned_name` makes it; the environment says it of every process for whose end no namespace
    cares. folder: removed afterwards, if any. arguments: bubblewrap's, handed over in a file. own_user: whether the
    submission's processes get a user id of their own.
    """

    command: list[str]
    environment: dict[str, str]
    settings: dict[str, Any]
    name: str
    folder: Path | None = None
    arguments: list[str] = field(default_factory=list)
    own_user: bool = False


def plan_for(submission: Path, limits: Limits, tier: str, python: Interpreter, kind: str = CLASS) -> Plan:
    """Return how a keeper for a submission's or an engine's folder is started; raises HarnessFaultError.

    An engine is a program of the person who runs the event: it sees the machine's files. It changes none of them.
    """
    plan = (_enclose if tier in ("T3", "T2") else _open)(submission, limits, tier, python, kind)
    plan.settings["kind"] = kind
    if kind == ENGINE:
        # If we are root, it is another user, and yet sees what we see.
        plan.settings["confinement"]["reads_all"] = plan.own_user
        # One process may play all games of a pairing.
        import resource

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

    One folder is quick to show to a sandbox, and no sandbox has to compile its modules, unless its interpreter is not ours.
    """
    try:
        return keep_folder("host", _digest(), _lay_modules)
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
        py_compile.compile(str(place), form, f"{HOST}/{module}", True, 0, unchecked)
    # Whatever this process keeps from others.
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _enclose(submission: Path, limits: Limits, tier: str, python: Interpreter, kind: str) -> Plan:
    """Return how a keeper is started within bubblewrap."""
    as_root = os.geteuid() == 0
    settings = _settings(limits, python, HOME, SUBMISSION)
    settings |= {"enclosed": True, "user_namespace": not as_root}
    settings["site"] = [str(place_of(path)) for path in python.site]
    settings["confinement"] |= {
        "filter": _filter(
            counted=tier == "T3", kept=kind != ENGINE, answered=ANSWERED if seccomp.can_answer() else frozenset()
        ),
        # Where a control group limits the tree, its processes need no limits of their own.
        "memory_mib": 0 if tier == "T3" else limits.memory_mib,
        # Besides the submission's: the loading process and, where the sandbox has only one user, the keeper.
        "processes": limits.processes + (1 if as_root else 2),
    }
    program = bubblewrap_program()
    if program is None:
        raise HarnessFaultError("bubblewrap is not installed")
    worker, name = HOST / "gojudge/inside/worker.py", owned_name(PREFIX)
    return Plan(
        [program, str(place_of(python.executable)), *_FLAGS, str(worker)],
        {NAMED_BY: name},
        settings,
        name,
        arguments=bubblewrap_arguments(python, _ROOT, host_folder(), submission.resolve(), as_root, kind == ENGINE),
        own_user=as_root,
    )


def _open(submission: Path, limits: Limits, tier: str, python: Interpreter, kind: str) -> Plan:
    """Return how a keeper is started without namespaces, in a folder of its own with a copy of our modules."""
    name = owned_name(PREFIX)
    folder = temporary_folder().resolve() / name
    host = folder / "host"
    # An engine must get at what the person who runs the event can get at.
    own_user = kind != ENGINE and can_be_another_user(python)
    handed = folder / "handed" if own_user else submission.resolve()
    settings = _settings(limits, python, folder / "space/player", handed)
    if tier == "T1":
        system = [Path("/usr"), *system_files(), Path("/dev/urandom"), host]
        settings["confinement"] |= {
            "filter": _filter(signals=confinement.contains_signals(), counted=False, kept=False),
            "memory_mib": limits.memory_mib,
            "readable": ["/"] if kind == ENGINE else [str(path) for path in (*system, *python.prefixes, *python.site)],
            "writable": [str(folder / "space"), "/dev/null"],
        }
    try:
        (folder / "space").mkdir(mode=0o700, parents=True)
        if own_user:
            copy_submission(submission, handed, -1)
        shutil.copytree(host_folder(), host)
    except (OSError, HarnessFaultError) as error:
        with suppress(OSError):
            remove_tree(folder)
        raise HarnessFaultError(f"a folder for a submission could not be made: {error}") from error
    worker = host / "gojudge/inside/worker.py"
    command = [str(python.executable), *_FLAGS, str(worker)]
    return Plan(command, environment(str(folder / "space/tmp")), settings, name, folder, own_user=own_user)


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
    wanted = range(USER_IDS_FROM, USER_IDS_FROM + MOST_USER_IDS)
    return any(int(first) <= wanted[0] and wanted[-1] < int(first) + int(number) for first, _, number in ranges)


HOME = Path("/player")
SUBMISSION = Path("/submission")
HOST = Path("/host")
_ELSEWHERE = Path(ELSEWHERE)

# In the sandbox, something else lies at these paths than outside.
_TAKEN = (HOME, SUBMISSION, HOST, STAGE, _ELSEWHERE, Path("/tmp"), Path("/dev"), Path("/proc"))

# The keeper needs these to mount, to hand files over, to become another user and to look at processes.
_KEEPERS_RIGHTS = (
    "CAP_SYS_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_DAC_OVERRIDE", "CAP_CHOWN", "CAP_FOWNER",
    "CAP_KILL", "CAP_SYS_PTRACE",
)  # fmt: skip

_NOT_FOR_ENGINES = ("/run", "/sys", "/lost+found")


_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/alternatives")


def system_files() -> list[Path]:
    """Return what programs need of the system besides /usr, the settings of a JDK included."""
    return [*map(Path, _SYSTEM), *sorted(Path("/etc").glob("java-*-openjdk"))]


def bubblewrap_program() -> str | None:
    """Return the path of bubblewrap, None if it is not installed."""
    return shutil.which("bwrap")


def place_of(path: Path) -> Path:
    """Return at which path a folder of the interpreter is shown in the sandbox: the same as outside, unless that is taken.

    >>> place_of(Path("/opt/python")), place_of(Path("/tmp/clone/.venv"))
    (PosixPath('/opt/python'), PosixPath('/elsewhere/tmp/clone/.venv'))
    """
    return _ELSEWHERE / path.relative_to("/") if any(path.is_relative_to(taken) for taken in _TAKEN) else path


def bubblewrap_arguments(
    python: Interpreter, root: Path, modules: Path, submission: Path, as_root: bool, for_engine: bool = False
) -> list[str]:
    """Return bubblewrap's arguments, without the command to run.

    root: the folder that holds our own modules; modules: one with those that are shown. as_root: whether we are root.
    for_engine: whether the rest of the machine's files is shown.
    """
    options = [
        "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
        "--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", "--hostname", "sandbox",
        "--cap-drop", "ALL",
    ]  # fmt: skip
    if not as_root:
        # We must be called root inside, or bubblewrap drops the capabilities that the keeper needs.
        options += ["--unshare-user", "--uid", "0", "--gid", "0"]
    for right in _KEEPERS_RIGHTS:
        options += ["--cap-add", right]
    # The machine's /tmp, which engines see, may hold what another user keeps where programs look in a home folder (`.cache`).
    home = {"HOME": "/dev/shm"} if for_engine else {}
    for name, value in (environment("/tmp") | home).items():
        options += ["--setenv", name, value]
    options += _ways([Path("/etc")])
    options += ["--ro-bind", "/usr", "/usr"]
    for path in system_files():
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            options += ["--ro-bind", str(path), str(path)]
    options += _interpreter(python, root)
    options += ["--ro-bind", str(modules), str(HOST)]
    if for_engine:
        options += [*(("--cap-add", "CAP_DAC_READ_SEARCH") if as_root else ()), *_machine()]
    options += ["--ro-bind", str(submission), str(SUBMISSION), "--proc", "/proc", *_devices()]
    for folder in (HOME, STAGE):
        options += ["--dir", str(folder)]
    options += ["--ro-bind", "/tmp", "/tmp"] if for_engine else ["--dir", "/tmp"]
    return [*options, "--chdir", "/", "--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/"]


def _machine() -> list[str]:
    """Return the options that show what lies at the top of the machine's files, on top of what is shown already."""
    hidden = {*map(str, _TAKEN), *_NOT_FOR_ENGINES, *map(str, system_files()), "/usr"}
    folders = [path for path in sorted(Path("/").iterdir()) if str(path) not in hidden and not path.is_symlink()]
    return [word for path in folders for word in ("--ro-bind-try", str(path), str(path))]


def _devices() -> list[str]:
    """Return the options that make /dev. The keeper makes the devices' mounts read only: bubblewrap would close them."""
    options = ["--tmpfs", "/dev", "--dir", "/dev/shm", "--symlink", "/proc/self/fd", "/dev/fd"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        options += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    return [*options, *(word for device in DEVICES for word in ("--dev-bind", device, device))]


def _interpreter(python: Interpreter, root: Path) -> list[str]:
    """Return the options that show an interpreter and its packages, but none of our own files that may lie among them."""
    places = {path: place_of(path) for path in (*python.prefixes, python.executable, *python.site)}
    folders = [place if path != python.executable else place.parent for path, place in places.items()]
    options = _ways(folders)
    moved = [str(place_of(prefix) / "lib") for prefix in python.prefixes if place_of(prefix) != prefix]
    if moved:
        # An interpreter that needs a shared libpython would look for it where it was built.
        options += ["--setenv", "LD_LIBRARY_PATH", ":".join(moved)]
    paths = [Path("/usr")]
    # If we are installed, our own modules lie in a folder of packages, perhaps reached through a link.
    shared = [path for path in places if path.resolve() == root]
    for path, place in places.items():
        if path not in shared and not any(place.is_relative_to(folder) for folder in paths):
            options += ["--ro-bind", str(path), str(place)]
            paths.append(place)
    hidden = place_of(root)
    if any(hidden.is_relative_to(folder) for folder in paths):
        options += ["--perms", "0755", "--tmpfs", str(hidden)]
        options += _ways([folder for folder in folders if folder.is_relative_to(hidden)], hidden)
        for path, place in places.items():
            if path.is_relative_to(root) and path not in shared:
                options += ["--ro-bind", str(path), str(place)]
    for path in shared:
        options += ["--perms", "0755", "--tmpfs", str(places[path])]
        for package in packages_of_others(path):
            options += ["--ro-bind", str(package), str(places[path] / package.name)]
    return options


def _ways(folders: Sequence[Path], top: Path = Path("/")) -> list[str]:
    """Return the options that make folders, and their parents below `top`, for something to be shown in.

    The parents are made here because bubblewrap would make them accessible to root only.
    """
    every = {way for folder in folders for way in (folder, *folder.parents) if way.is_relative_to(top) and way != top}
    return [option for way in sorted(every) for option in ("--perms", "0755", "--dir", str(way))]


def environment(temporary: str) -> dict[str, str]:
    """Return the whole environment that a submission sees.

    The hash seed is fixed, so sets of strings have the same order in every run. Libraries get one thread: a fork would lose
    the threads that an import starts, and no game could then be a fork.
    """
    single = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    return {
        "HOME": temporary, "TMPDIR": temporary, "PATH": "/usr/bin:/bin", "LANG": utf8_locale() or "C", "PYTHONHASHSEED": "0",
        **dict.fromkeys(single, "1"),
    }  # fmt: skip


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
        process = subprocess.run(
            [command, "-I", "-c", _ASK], capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.DEVNULL
        )
        version, executable, prefix, exec_prefix, site = json.loads(process.stdout)
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
        file.parts[0]
        for distribution in distributions(name="go-competition-harness", path=[str(site)])
        for file in distribution.files or ()
    }
    return tuple(path for path in sorted(site.iterdir()) if path.name not in ours)
