"""The submission's own folder: a private copy. Every game finds it as the import of the submission left it.

    OverlaidFolder   a layer in memory over one copy, made anew for each game in well under a millisecond
    CopiedFolder     plain copies, for systems where nothing may be mounted
    BorrowedFolder, LinkedFolder   the same two for the folder of an engine, of which no copy is made: it may hold gigabytes

All keep the folder at the same path, so that paths made at import time hold in every game. Runs in the keeper. What a
submission wrote is mounted, renamed, copied or removed here, and never read otherwise.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from gojudge.inside.c_library import libc

STAGE = Path("/stage")
"""Where the keeper builds the layers; hidden from players whenever it is done."""


class Folder(Protocol):
    """What a keeper does with a submission's folder."""

    def for_import(self) -> None:
        """Make the folder as it was handed in."""

    def keep_import(self) -> None:
        """From now on, games find what the import left."""

    def for_game(self) -> None:
        """Make the folder anew, and every other place that a player may write to."""

    def remove(self) -> None:
        """Remove everything that was made."""


def copy_submission(source: Path, target: Path, user: int) -> None:
    """Copy a submission's files as they were taken in; `user` will own them (-1: we do).

    Compiled Python files are left out: they could differ from the source beside them.
    """
    target.mkdir(exist_ok=True)
    _own(target, user)
    for entry, path in _entries(source, target, without="__pycache__"):
        if entry.is_dir(follow_symlinks=False):
            os.mkdir(path)
        elif entry.is_file(follow_symlinks=False):
            shutil.copyfile(entry.path, path)
            os.chmod(path, entry.stat().st_mode & 0o777 | 0o600)
        else:
            continue
        _own(path, user)


def _entries(source: Path, target: Path, without: str = "", all_of_it: bool = True) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Yield all that lies in a folder, at any depth, and where it belongs in `target`; a folder comes before its contents.

    without: the name of folders that are left out. all_of_it: raise OSError for a folder that cannot be read, else leave it
    out. Paths are plain texts: in a tree of 1,500 folders each `Path` would have up to 1,500 parts.
    """
    folders = [(str(source), str(target))]
    while folders:
        folder, place = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            if all_of_it:
                raise
            continue
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and entry.name == without:
                continue
            yield entry, f"{place}/{entry.name}"
            if is_folder:
                folders.append((entry.path, f"{place}/{entry.name}"))


def _own(path: Path | str, user: int) -> None:
    if user >= 0:
        os.chown(path, user, user)


class OverlaidFolder:
    """A folder of layers: the submission at the bottom, what its import wrote above, what the game writes on top.

    The upper layers, /tmp and /dev/shm share one file system in memory, limited in bytes and in files. user: who owns
    them, -1 for us. Needs the right to mount. The mounts belong to the mount namespace and end with it.
    """

    def __init__(self, source: Path, home: Path, user: int, disk_mib: int, in_user_namespace: bool) -> None:
        self._home = home
        self._user = user
        self._limits = f"size={disk_mib}m,nr_inodes={256 * disk_mib},mode=755"
        # In a user namespace overlays may not set trusted attributes, and keep their marks in user attributes instead.
        self._options = ",userxattr" if in_user_namespace else ""
        self._lower = f"{STAGE}/pristine"
        self._covered = False
        mount("tmpfs", STAGE, "tmpfs", NO_SUID | NO_DEVICES, "mode=755")
        for name in ("pristine", "import", "game"):
            (STAGE / name).mkdir()
        self._bring(source)
        unmount(source)

    def _bring(self, source: Path) -> None:
        copy_submission(source, STAGE / "pristine", self._user)

    def for_import(self) -> None:
        self._uncover()
        self._lower = f"{STAGE}/pristine"
        unmount(STAGE / "import")
        self._lay(STAGE / "import")
        self._cover()

    def keep_import(self) -> None:
        self._uncover()
        if any(os.scandir(STAGE / "import/upper")):
            self._lower = f"{STAGE}/import/upper:{STAGE}/pristine"
        else:
            unmount(STAGE / "import")
        self._cover()

    def for_game(self) -> None:
        self._uncover()
        self._lay(STAGE / "game")
        unmount(STAGE / "game")
        self._cover()

    def remove(self) -> None:
        """Do nothing: the mounts end with the namespace."""

    def _lay(self, top: Path) -> None:
        places = (self._home, Path("/tmp"), Path("/dev/shm"))
        for place in places:
            unmount(place)
        mount("tmpfs", top, "tmpfs", NO_SUID | NO_DEVICES, self._limits)
        for name in ("upper", "work", "tmp", "shm"):
            (top / name).mkdir()
            if name != "work":
                _own(top / name, self._user)
        layers = f"lowerdir={self._lower},upperdir={top}/upper,workdir={top}/work"
        mount("overlay", self._home, "overlay", NO_SUID | NO_DEVICES, layers + self._options)
        self._lay_temporary(top, places[1])
        mount(str(top / "shm"), places[2], "", BIND)

    def _lay_temporary(self, top: Path, place: Path) -> None:
        mount(str(top / "tmp"), place, "", BIND)

    def _cover(self) -> None:
        """Hide the stage: where there is only one user id, a player could otherwise write into the layers."""
        mount("tmpfs", STAGE, "tmpfs", READ_ONLY, "size=4k,mode=555")
        self._covered = True

    def _uncover(self) -> None:
        if self._covered:
            unmount(STAGE)
            self._covered = False


class BorrowedFolder(OverlaidFolder):
    """An engine's folder below a layer in memory, made anew whenever the engine is started: what it writes is never kept.

    So is the machine's own /tmp: the engine, its interpreter or its files may lie there.
    """

    def _bring(self, source: Path) -> None:
        mount(str(source), STAGE / "pristine", "", BIND)
        (STAGE / "tmp").mkdir()
        mount("/tmp", STAGE / "tmp", "", BIND | RECURSIVE)

    def _lay_temporary(self, top: Path, place: Path) -> None:
        (top / "tmp-work").mkdir()
        layers = f"lowerdir={STAGE}/tmp,upperdir={top}/tmp,workdir={top}/tmp-work"
        try:
            mount("overlay", place, "overlay", NO_SUID | NO_DEVICES, layers + self._options)
        except OSError:
            # Not every file system can lie below.
            super()._lay_temporary(top, place)

    def for_game(self) -> None:
        """Do nothing: the engine works in its folder already."""


class CopiedFolder:
    """Plain copies under `top`, a folder of ours. Players may write only to `top / "space"`, in which `home` lies."""

    def __init__(self, source: Path, top: Path, home: Path) -> None:
        self._top = top
        self._home = home
        self._base = top / "pristine"
        self._bring(source)

    def _bring(self, source: Path) -> None:
        copy_submission(source, self._base, -1)

    def for_import(self) -> None:
        self._base = self._top / "pristine"
        self._renew()

    def keep_import(self) -> None:
        imported = self._top / "imported"
        remove_tree(imported)
        self._home.rename(imported)
        self._base = imported
        self._renew()

    def for_game(self) -> None:
        self._renew()

    def remove(self) -> None:
        remove_tree(self._top)

    def _renew(self) -> None:
        # The space itself stays: Landlock's rules are tied to that folder, not to its name.
        for entry in list(os.scandir(self._home.parent)):
            remove_tree(Path(entry.path))
        (self._home.parent / "tmp").mkdir()
        self._lay(self._base)

    def _lay(self, base: Path) -> None:
        _copy_what_can_be_copied(base, self._home)


class LinkedFolder(CopiedFolder):
    """An engine's folder as one of links to all that lies in it, made anew whenever the engine is started."""

    def _bring(self, source: Path) -> None:
        self._base.symlink_to(source)

    def for_game(self) -> None:
        """Do nothing: the engine works in its folder already."""

    def _lay(self, base: Path) -> None:
        self._home.mkdir()
        for entry in os.scandir(base):
            os.symlink(base.resolve() / entry.name, self._home / entry.name)


def _copy_what_can_be_copied(source: Path, target: Path) -> None:
    """Copy what an import has left, with links as links. It may have left what nobody can copy: FIFOs, of which reading would
    wait for ever, files that may not be read, folders so deep that no path names them. Games do without."""
    target.mkdir()
    folders = [(str(source), str(target))]
    for entry, path in _entries(source, target, all_of_it=False):
        with contextlib.suppress(OSError):
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), path)
            elif entry.is_dir():
                os.mkdir(path)
                folders.append((entry.path, path))
            elif entry.is_file():
                shutil.copy2(entry.path, path)
    # The deepest first: once a folder is as closed as its original, nothing can be done below it.
    for original, copy in reversed(folders):
        with contextlib.suppress(OSError):
            shutil.copystat(original, copy)


def remove_tree(path: Path) -> None:
    """Remove a folder, or whatever has been put in its place, with any contents, as far as this user may.

    Links are removed, never followed. Each folder within is moved to the top before it is looked into, so that it does not
    matter how many there are in each other, and no path is longer than the system allows.
    """
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    top, numbers = str(path), itertools.count()
    folders = [top]
    while folders:
        folder = folders.pop()
        for entry in _open(folder):
            with contextlib.suppress(OSError):
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.path)
                    continue
                # A closed folder cannot be moved: the entry '..' in it changes.
                os.chmod(entry.path, 0o700)
                inner = entry.path
                if folder != top:
                    inner = next(name for name in (f"{top}/{number}" for number in numbers) if not os.path.lexists(name))
                    os.rename(entry.path, inner)
                folders.append(inner)
        if folder != top:
            with contextlib.suppress(OSError):
                os.rmdir(folder)
    with contextlib.suppress(OSError):
        os.rmdir(top)


def _open(folder: str) -> list[os.DirEntry[str]]:
    """Return the entries of a folder that may be closed; none if it cannot be opened."""
    try:
        os.chmod(folder, 0o700)
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


NO_SUID, NO_DEVICES, READ_ONLY, BIND, RECURSIVE = 2, 4, 1, 4096, 16384
_REMOUNT, _NO_PROGRAMS, _DETACH = 32, 8, 2
_NEW_NETWORK = 0x40000000
_PROC = Path("/proc")
_PLAIN = NO_SUID | NO_DEVICES | _NO_PROGRAMS

# What is shown of /proc besides processes: it counts nothing, or is shown without its counts. `sys` has a list of its own.
_SHOWN = ("cmdline", "cpuinfo", "filesystems", "mounts", "net", "self", "sys", "thread-self", "version")
_COUNTERS = (
    "fs/file-nr", "fs/inode-nr", "fs/inode-state", "fs/dentry-state", "fs/dentry-negative", "fs/aio-nr", "kernel/pty/nr",
    "kernel/random/entropy_avail",
)  # fmt: skip
# Of /proc/meminfo: the lines that never change, and those that are shown as large as the whole of which they are a part.
_CONSTANT, _AS_THE_WHOLE = ("MemTotal", "SwapTotal", "Hugepagesize"), {"MemFree": 0, "MemAvailable": 0, "SwapFree": 1}

DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
"""The devices a submission finds. They are the host's own, the same for all sandboxes."""


def mount(source: str, target: Path, kind: str, flags: int, options: str = "") -> None:
    """Mount something on a folder; raises OSError."""
    if libc().mount(source.encode(), bytes(target), kind.encode(), ctypes.c_ulong(flags), options.encode()):
        raise OSError(ctypes.get_errno(), f"{kind or 'bind'} cannot be mounted on {target}")


def unmount(target: Path) -> None:
    """Detach the topmost mount on a folder, even if it is in use. Do nothing if there is none."""
    libc().umount2(bytes(target), _DETACH)


def seal_devices() -> None:
    """Let nobody change a device's times, owner or permissions, which would outlive the sandbox. Raises OSError.

    A device can be written to all the same.
    """
    for device in DEVICES:
        mount("", Path(device), "", _REMOUNT | BIND | READ_ONLY | NO_SUID | _NO_PROGRAMS)


def hide_processes(place: Path) -> None:
    """Show a process in /proc only itself and what it may trace, and nothing that counts what happens on the machine: either
    would tell it of earlier games, and of others.

    Where the kernel cannot (before Linux 5.8), all processes stay visible. place: a folder in which nothing is mounted, used
    for a moment. Raises OSError.
    """
    with contextlib.suppress(OSError):
        mount("proc", _PROC, "proc", _REMOUNT | _PLAIN, "hidepid=ptraceable")
    _hide_counters(place)
    mount("", _PROC, "", _REMOUNT | BIND | READ_ONLY | _PLAIN)


def hide_sockets(place: Path, in_user_namespace: bool) -> None:
    """Let nobody but us read /proc/net: it shows at which addresses sockets lie, and so of which earlier games have made use.

    The permissions belong to the network namespace. So it must be the sandbox's own; in a user namespace, bubblewrap makes it
    before anybody is root there, and we make another one. Players cannot change them back: what they see of /proc is read
    only. place: a folder in which nothing is mounted, used for a moment. Raises OSError.
    """
    if in_user_namespace and libc().unshare(_NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "a network namespace cannot be made")
    processes = open_processes(place)
    try:
        folder = os.open(f"{os.getpid()}/net", os.O_RDONLY | os.O_DIRECTORY, dir_fd=processes)
        try:
            for name in os.listdir(folder):
                # A module of the kernel may have given a file to somebody else.
                with contextlib.suppress(OSError):
                    os.chmod(name, 0, dir_fd=folder)
        finally:
            os.close(folder)
    finally:
        os.close(processes)


def _hide_counters(place: Path) -> None:
    """Cover all but what is known to count nothing: with emptiness or, where it is read, with figures that never change."""
    mount("tmpfs", place, "tmpfs", _PLAIN, "size=1m,mode=555")
    try:
        file, folder = place / "file", place / "folder"
        file.touch(0o444)
        folder.mkdir(0o555)
        figures = _figures()
        for name, text in figures.items():
            (place / name).write_text(text)
        mount("", place, "", _REMOUNT | READ_ONLY | _PLAIN)
        hidden = [entry for entry in os.scandir(_PROC) if entry.name not in _SHOWN and not entry.name.isdigit()]
        nothing = {Path(entry.path): folder if entry.is_dir(follow_symlinks=False) else file for entry in hidden}
        nothing |= {_PROC / "sys" / name: file for name in _COUNTERS}
        for path, empty in nothing.items():
            # Not every kernel has all of them, and a container may have hidden some already.
            with contextlib.suppress(OSError):
                mount(str(place / path.name if path.name in figures else empty), path, "", BIND)
    finally:
        unmount(place)


def _figures() -> dict[str, str]:
    """Return what is shown of the machine's cores, memory, load and age, by the name in /proc."""
    texts = {name: (_PROC / name).read_text() for name in ("stat", "meminfo", "uptime")}
    return {
        "stat": "".join(map(_without_counts, texts["stat"].splitlines())), "meminfo": _without_use(texts["meminfo"]),
        "uptime": f"{texts['uptime'].split()[0]} 0.00\n", "loadavg": "0.00 0.00 0.00 1/1 1\n",
    }  # fmt: skip


def _without_counts(line: str) -> str:
    """Return a line of /proc/stat with its numbers 0, but for when the machine was started.

    >>> _without_counts("cpu0 12 0 345")
    'cpu0 0 0 0\\n'
    """
    name, *numbers = line.split()
    return " ".join([name, *(number if name == "btime" else "0" for number in numbers)]) + "\n"


def _without_use(text: str) -> str:
    """Return /proc/meminfo as if nothing of the memory were in use.

    >>> print(_without_use("MemTotal:  9 kB\\nMemFree:   4 kB\\nBuffers:   1 kB\\nHugePages_Total: 0\\n"), end="")
    MemTotal: 9 kB
    MemFree: 9 kB
    Buffers: 0 kB
    HugePages_Total: 0
    """
    fields = {name: rest.split() for name, _, rest in (line.partition(":") for line in text.splitlines())}
    wholes = [fields.get(name, ["0"])[0] for name in ("MemTotal", "SwapTotal")]
    lines = []
    for name, (number, *unit) in fields.items():
        shown = wholes[_AS_THE_WHOLE[name]] if name in _AS_THE_WHOLE else number if name in _CONSTANT else "0"
        lines.append(" ".join([f"{name}:", shown, *unit]))
    return "\n".join(lines) + "\n"


def open_last_process_id(place: Path) -> int:
    """Return a descriptor to which the keeper writes what process id was given last; the next process gets the next one.

    place: a folder in which nothing is mounted, used for a moment. Raises OSError.
    """
    mount(str(_PROC), place, "", BIND)
    try:
        mount("", place, "", _REMOUNT | BIND | _PLAIN)
        return os.open(place / "sys/kernel/ns_last_pid", os.O_WRONLY | os.O_CLOEXEC)
    finally:
        unmount(place)


def open_processes(place: Path) -> int:
    """Return the open folder of a proc file system that hides no process, for the keeper alone. It is mounted nowhere.

    In the other one, a user's own right to trace does not show it a process whose first thread has ended. It shows nothing but
    processes, where the kernel can do so (Linux 5.8): the list is then read in a fifth of the time.
    place: a folder in which nothing is mounted, used for a moment. Raises OSError.
    """
    try:
        mount("proc", place, "proc", _PLAIN, "subset=pid")
    except OSError:
        mount("proc", place, "proc", _PLAIN)
    try:
        return os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        unmount(place)
