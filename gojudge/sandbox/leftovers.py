"""Names that say which process made a folder or group, so that the next harness knows what a killed one has left behind.

Other folders are kept for the next time: compiled submissions, and our own modules as sandboxes see them. Each is
named after all that it was made from, so it is made once and never changed. Whoever needs one again, in whatever process, finds
it. It may be removed at any time, and is then made anew.
"""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import secrets
import shutil
import socket
import stat
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from gojudge.inside.workdirs import remove_tree

PREFIX = "go-seat"
"""How the names of all our temporary folders and control groups begin."""

NAMED_BY = "GO_SEAT"
"""The variable that tells a bubblewrap such a name. Within the sandbox there is none."""

USER_IDS_FROM, MOST_USER_IDS = 2_000_000_000, 1 << 22
"""If we are root, the processes of each sandbox get a user id of their own: one of so many, from this one on."""


def owned_name(prefix: str) -> str:
    """Return a name that nobody else makes while this process lives: 'prefix-<world>-<pid>-<its start>-<number>'.

    The number is a random one: a submission sees the name of its own group, and one in a row would count sandboxes.
    """
    return f"{prefix}-{_world()}-{os.getpid()}-{_start_of(os.getpid())}-{secrets.randbits(64)}"


@contextlib.contextmanager
def user_id() -> Iterator[int]:
    """Give a user id that no other sandbox has meanwhile.

    A random one: a submission sees its own, and one in a row would count sandboxes. It is claimed by an abstract socket, a name
    that the kernel lets only one process have, and only as long as it lives.
    """
    while True:
        user = USER_IDS_FROM + secrets.randbelow(MOST_USER_IDS)
        with socket.socket(socket.AF_UNIX) as claim:
            try:
                claim.bind(f"\0{PREFIX}-{user}")
            except OSError as error:
                # Other systems have no such names: there the number is all.
                if error.errno == errno.EADDRINUSE:
                    continue
            yield user
            return


def temporary_folder() -> Path:
    """Return where `tempfile` would put files, without asking it.

    It writes one there to see whether it can, and removes it: a name of its own, which stays if we are killed in between, and
    of which nobody can tell whose it is.
    """
    if tempfile.tempdir is None and hasattr(os, "fork"):
        named = filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP")))
        for folder in map(Path, (*named, "/tmp", "/var/tmp", "/usr/tmp")):
            if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
                return folder.absolute()
    return Path(tempfile.gettempdir())


@contextlib.contextmanager
def owned_folder() -> Iterator[Path]:
    """Make a private folder among the temporary files. It is removed at the end, or by `sweep` if we are killed."""
    folder = temporary_folder().resolve() / owned_name(PREFIX)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        remove_tree(folder)


def sweep_folder(folder: Path, prefix: str) -> None:
    """Remove what processes that are gone have left in a folder under names with this prefix. Only what is ours."""
    for path in folder.glob(f"{prefix}*"):
        # Another harness may be removing the same.
        with contextlib.suppress(OSError):
            if is_stale(path.name) and is_ours(path.lstat().st_uid):
                remove_tree(path)


def is_ours(owner: int) -> bool:
    """Tell whether this user, or a sandbox of its, may have made what has this owner."""
    if not hasattr(os, "geteuid"):
        return True
    return owner == os.geteuid() or (not os.geteuid() and owner >= USER_IDS_FROM)


def is_stale(name: str) -> bool:
    """Tell whether the process that made a name with `owned_name` is gone; False for names of any other form.

    Where there is no `fork`, as on Windows, no process can be asked without harm; there all are taken to live.
    """
    if not hasattr(os, "fork"):
        return False
    parts = name.rsplit("-", 4)
    if len(parts) != 5 or not all(part.isascii() and part.isdigit() for part in parts[1:]) or int(parts[1]) != _world():
        return False
    return _start_of(int(parts[2])) != int(parts[3])


def _world() -> int:
    """Return a number for this machine and our PID namespace: in another one (a container) the same pid is another process.

    Every machine's first namespace has the same number, and some folders are shared between machines.
    """
    try:
        space = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        space = 0
    return zlib.crc32(f"{platform.node()} {space}".encode())


def _start_of(pid: int) -> int:
    """Return when a process was started, in the kernel's ticks; -1 if it is gone, 0 if it lives and there is no /proc."""
    if not Path("/proc/self/stat").exists():
        try:
            # On Windows, 0 would be Ctrl-C for every program of the terminal.
            if hasattr(os, "fork"):
                os.kill(pid, 0)
        except OSError:
            return -1
        return 0
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return -1
    # A zombie does nothing any more, and in a container without a reaper it would stay.
    return -1 if state in (b"Z", b"X") else int(fields[18])


def cache_folder(kind: str) -> Path:
    """Return where folders of a kind are kept: in the user's cache folder or, if that cannot be written, in a private folder
    below the system's temporary one. Raises OSError."""
    try:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        folder = Path(base) / "go-competition-harness" / kind
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    except (OSError, RuntimeError):  # RuntimeError: the home folder is not known
        pass
    return _private_folder() / kind


def _private_folder() -> Path:
    """Return this user's folder below the temporary one. Raises PermissionError if somebody else has made or opened it."""
    folder = temporary_folder().resolve() / f"go-competition-harness-{os.geteuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise PermissionError(
            errno.EPERM, "expected a folder that only this user can open; another can be named by XDG_CACHE_HOME", str(folder)
        )
    return folder


def keep_folder(kind: str, key: str, fill: Callable[[Path], None]) -> Path:
    """Return the folder of a kind that is kept under a key. If there is none, `fill` is called with a new one. Raises OSError.

    Everybody may enter it, once they are let into the folder of its kind.
    """
    target = cache_folder(kind) / key
    if target.is_dir():
        return target
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    sweep_folder(target.parent, ".")
    part = target.parent / owned_name(f".{key[:12]}")
    try:
        part.mkdir(mode=0o700)
        fill(part)
        part.chmod(0o755)
        try:
            part.rename(target)
        except OSError:
            if not target.is_dir():  # if it is, another process was faster
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return target
