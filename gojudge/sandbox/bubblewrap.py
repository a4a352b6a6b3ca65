"""The arguments of bubblewrap: a view of the file system with an interpreter, the host's modules, one submission, no more.

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

import ctypes
import shutil
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from gojudge.inside.mounts import DEVICES
from gojudge.inside.workdirs import STAGE
from gojudge.sandbox.interpreters import Interpreter, packages_of_others

HOME = Path("/player")
SUBMISSION = Path("/submission")
HOST = Path("/host")
_ELSEWHERE = Path("/elsewhere")

# In the sandbox, something else lies at these paths than outside.
_TAKEN = (HOME, SUBMISSION, HOST, STAGE, _ELSEWHERE, Path("/tmp"), Path("/dev"), Path("/proc"))

# The keeper needs these to mount, to hand files over, to become another user and to look at processes.
_KEEPERS_RIGHTS = (
    "CAP_SYS_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_DAC_OVERRIDE", "CAP_CHOWN", "CAP_FOWNER",
    "CAP_KILL", "CAP_SYS_PTRACE",
)  # fmt: skip

_NOT_FOR_ENGINES = ("/run", "/sys", "/lost+found")

# Old systems have no C.UTF-8. _CHARACTERS is LC_CTYPE_MASK.
_LOCALES, _CHARACTERS = ("C.UTF-8", "en_US.UTF-8"), 1

_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/alternatives")


def system_files() -> list[Path]:
    """Return what programs need of the system besides /usr, the settings of a JDK included."""
    return [*map(Path, _SYSTEM), *sorted(Path("/etc").glob("java-*-openjdk"))]


def program() -> str | None:
    """Return the path of bubblewrap, None if it is not installed."""
    return shutil.which("bwrap")


def place_of(path: Path) -> Path:
    """Return at which path a folder of the interpreter is shown in the sandbox: the same as outside, unless that is taken.

    >>> place_of(Path("/opt/python")), place_of(Path("/tmp/clone/.venv"))
    (PosixPath('/opt/python'), PosixPath('/elsewhere/tmp/clone/.venv'))
    """
    return _ELSEWHERE / path.relative_to("/") if any(path.is_relative_to(taken) for taken in _TAKEN) else path


def arguments(
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
    for name, value in environment("/tmp").items():
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
    shown = [path for path in sorted(Path("/").iterdir()) if str(path) not in hidden and not path.is_symlink()]
    return [word for path in shown for word in ("--ro-bind-try", str(path), str(path))]


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
    shown = [Path("/usr")]
    # If we are installed, our own modules lie in a folder of packages, perhaps reached through a link.
    shared = [path for path in places if path.resolve() == root]
    for path, place in places.items():
        if path not in shared and not any(place.is_relative_to(folder) for folder in shown):
            options += ["--ro-bind", str(path), str(place)]
            shown.append(place)
    hidden = place_of(root)
    if any(hidden.is_relative_to(folder) for folder in shown):
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


@cache
def utf8_locale() -> str:
    """Return the name of a locale of this machine in which texts and the names of files are UTF-8; '' if it has none.

    Python and C++ do not need it, Java and javac do: without it they stop at any file with a name that is not ASCII.
    """
    if sys.platform != "linux":
        return "C.UTF-8"
    libc = ctypes.CDLL(None)
    libc.newlocale.argtypes, libc.newlocale.restype = (ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p), ctypes.c_void_p
    libc.freelocale.argtypes = (ctypes.c_void_p,)
    for name in _LOCALES:
        if found := libc.newlocale(_CHARACTERS, name.encode(), None):
            libc.freelocale(found)
            return name
    return ""
