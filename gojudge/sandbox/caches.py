"""Folders that are kept for the next time: compiled submissions, and our own modules as sandboxes see them.

Each is named after all that it was made from, so it is made once and never changed. Whoever needs one again, in whatever
process, finds it. It may be removed at any time, and is then made anew.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

from gojudge.sandbox.leftovers import owned_name, sweep_folder, temporary_folder


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
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise PermissionError(
            errno.EPERM, "expected a folder that only this user can open; another can be named by XDG_CACHE_HOME", str(folder)
        )
    return folder


def kept(kind: str, key: str, fill: Callable[[Path], None]) -> Path:
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
