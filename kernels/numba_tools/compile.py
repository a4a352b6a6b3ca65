"""The one switch between compiled and plain Python kernels.

    @njit
    def f(mask: np.uint64) -> np.uint64: ...

With numba a kernel is compiled when it is first called, for the types it is called with, and kept in `__pycache__` for
the next process. Where that cannot be written, because somebody else installed us or we are in a sandbox, it is kept below
`~/.cache`, beside links to what `__pycache__` holds; where that cannot be written either, every process compiles anew.
Importing a module of kernels compiles nothing. Without numba the same source runs as it stands, some hundred times slower, and
gives the same results.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

HAVE_NUMBA = importlib.util.find_spec("numba") is not None

_ROOT = Path(__file__).resolve().parents[2]

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def njit(function: Kernel, **options: bool) -> Kernel:
    """Return the function compiled on its first call, or the function itself where numba is missing.

    Compiled kernels release the interpreter lock, so that threads run them side by side. Arithmetic keeps the order of
    the source (no `fastmath`): the same input gives the same bits everywhere. `options` are numba's.
    """
    if not HAVE_NUMBA:
        return function
    import numba

    make: Any = numba.njit
    config: Any = numba.config
    chosen = config.CACHE_DIR
    folder = Path(function.__code__.co_filename).parent
    place = writable_cache(chosen, folder)
    config.CACHE_DIR = str(place or "")
    try:
        compiled: Kernel = make(function, cache=place is not None, nogil=True, **options)
    finally:
        config.CACHE_DIR = chosen
    shared, dispatcher = cache_folder(chosen, folder), cast("Any", compiled)
    # Under NUMBA_DISABLE_JIT numba hands the function back as it is.
    if place not in (None, shared) and hasattr(dispatcher, "_cache"):
        _link_compiled(shared, Path(dispatcher._cache.cache_path))
    return compiled


@functools.cache
def cache_folder(chosen: str, folder: Path, root: Path = _ROOT) -> Path:
    """Return where compiled kernels of a folder of sources are kept.

    chosen: a folder that the user has named for them, or ''; root: the folder that our packages lie in.

    Numba compiles again when the file of a function changes, but not when a function it calls, in another file, does. So
    the folder is named after the text of every file of its own package and of `kernels`, however deep they lie. It lies where
    the sources do, also for links to them.
    """
    folder = folder.resolve()
    own = root / folder.relative_to(root).parts[0] if folder.is_relative_to(root) else folder
    digest = hashlib.sha256()
    for source in sorted({*own.rglob("*.py"), *(root / "kernels").rglob("*.py")}):
        digest.update(source.read_bytes())
    return Path(chosen or folder / "__pycache__") / f"compiled-{digest.hexdigest()[:12]}"


@functools.cache
def writable_cache(chosen: str, folder: Path) -> Path | None:
    """Return where compiled kernels of a folder of sources can be kept: `cache_folder`, or the user's own; None if nowhere."""
    place = cache_folder(chosen, folder)
    users = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    # Without a home folder `~` stays as it is, and would be one in the current folder.
    for tried in (place, users / "go-competition-harness" / place.name) if users.is_absolute() else (place,):
        try:
            tried.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=tried).close()
        except OSError:
            continue
        return tried
    return None


@functools.cache
def _link_compiled(shared: Path, own: Path) -> None:
    """Let a folder of one's own hold what is compiled in another one, that of `cache_folder`, which cannot be written.

    Numba keeps compiled kernels in a folder that is named after where their source lies, which in a sandbox is another place
    than it was outside. It writes files beside and renames them, so that a link is replaced and never followed.
    """
    with suppress(OSError):
        # There are several where a project has been moved.
        for folder in sorted(shared.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True):
            for compiled in folder.iterdir():
                with suppress(FileExistsError):
                    (own / compiled.name).symlink_to(compiled)
