"""What bubblewrap is told: a view of the file system with an interpreter, the host's modules, one submission, no more.

    /usr, the interpreter's prefix, its site packages   read only
    /host          go.py, goban/ and the worker's modules, read only
    /submission    the submission as it was taken in, read only; the keeper hides it
    /player        the submission's folder, made by the keeper; so are /tmp and /dev/shm
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from tournament.folders import STAGE
from tournament.interpreters import Interpreter, compiled

HOME = Path("/player")
SUBMISSION = Path("/submission")
HOST = Path("/host")

# What the keeper does before submissions are there, and between games: mount, hand over, become another user, look.
_KEEPERS_RIGHTS = (
    "CAP_SYS_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_DAC_OVERRIDE", "CAP_CHOWN", "CAP_FOWNER",
    "CAP_KILL", "CAP_SYS_PTRACE",
)  # fmt: skip

_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/alternatives")


def system_files() -> list[Path]:
    """Return what programs need of the system besides /usr; the settings of Java are part of a JDK that lies there."""
    return [*map(Path, _SYSTEM), *sorted(Path("/etc").glob("java-*-openjdk"))]


def program() -> str | None:
    """Return where bubblewrap is, None if it is not installed."""
    return shutil.which("bwrap")


def arguments(python: Interpreter, root: Path, modules: Sequence[Path], submission: Path, as_root: bool) -> list[str]:
    """Return bubblewrap's arguments, the command to run left out.

    root: the folder our own modules lie in; modules: those of them to be shown, relative to it.
    """
    options = [
        "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
        "--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", "--hostname", "sandbox",
        "--cap-drop", "ALL",
    ]  # fmt: skip
    if not as_root:
        # Called root inside, or else bubblewrap gives up the rights that the keeper needs.
        options += ["--unshare-user", "--uid", "0", "--gid", "0"]
    for right in _KEEPERS_RIGHTS:
        options += ["--cap-add", right]
    for name, value in environment("/tmp").items():
        options += ["--setenv", name, value]
    # Folders on the way to what is shown; bubblewrap would close them to everybody but root.
    ways = [Path("/etc"), HOST / "goban", HOST / "tournament/course_modules", *python.prefixes, python.executable, *python.site]
    for folder in sorted({parent for way in ways for parent in (way, *way.parents[:-1]) if parent != python.executable}):
        options += ["--perms", "0755", "--dir", str(folder)]
    options += ["--ro-bind", "/usr", "/usr"]
    for path in system_files():
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            options += ["--ro-bind", str(path), str(path)]
    shown = [Path("/usr")]
    for path in (*python.prefixes, python.executable, *python.site):
        if not any(path.is_relative_to(folder) for folder in shown):
            options += ["--ro-bind", str(path), str(path)]
            shown.append(path)
    if any(root.is_relative_to(folder) for folder in shown):
        options += ["--tmpfs", str(root)]
        for path in (*python.prefixes, python.executable, *python.site):
            if path.is_relative_to(root):
                options += ["--ro-bind", str(path), str(path)]
    for module in modules:
        for path in (root / module, compiled(root / module)):
            options += ["--ro-bind-try", str(path), str(HOST / path.relative_to(root))]
    options += ["--ro-bind", str(submission), str(SUBMISSION), "--proc", "/proc", "--dev", "/dev"]
    for folder in (HOME, STAGE, Path("/tmp")):
        options += ["--dir", str(folder)]
    return [*options, "--chdir", "/", "--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/"]


def environment(temporary: str) -> dict[str, str]:
    """Return all the environment a submission sees.

    Sets and dictionaries of text are ordered the same in every run. One thread per library: a game is for one thinker,
    and threads that an import starts would have to be started again for every game.
    """
    single = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    return {
        "HOME": temporary, "TMPDIR": temporary, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0",
        **dict.fromkeys(single, "1"),
    }  # fmt: skip
