"""The submission's own folder: a private copy. Every game finds it as the import of the submission left it.

    OverlaidFolder   a layer in memory over one copy, made anew for each game in well under a millisecond
    CopiedFolder     plain copies, for systems where nothing may be mounted
    BorrowedFolder, LinkedFolder   the same two for the folder of an engine, of which no copy is made: it may hold gigabytes

All keep the folder at the same path, so that paths made at import time hold in every game. Runs in the keeper. What a
submission wrote is mounted, renamed, copied or removed here, and never read otherwise.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from gojudge.inside.confinement import BIND, NO_DEVICES, NO_SUID, READ_ONLY, RECURSIVE, mount, unmount

STAGE = Path("/stage")
"""Where the keeper builds the layers; hidden from players whenever it is done."""


class Folder(Protocol):
    """What a keeper does with a submission's folder."""

    def for_import(self) -> None:
        """Make the folder as it was handed in."""

    def keep_import(self) -> None:
        """From now on, games find what the import left."""

    def for_game(self) -> None:
        """Make the folder anew, and with it every other place a player may write to."""

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
        for entry in _opened(folder):
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


def _opened(folder: str) -> list[os.DirEntry[str]]:
    """Return the entries of a folder that may be closed; none if it cannot be opened."""
    try:
        os.chmod(folder, 0o700)
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
