"""The one switch between compiled and plain Python kernels.

    @njit
    def f(mask: np.uint64) -> np.uint64: ...

With numba a kernel is compiled when it is first called, for the types it is called with, and kept in `__pycache__` for
the next process; importing a module of kernels compiles nothing. Without numba the same source runs as it stands, some
hundred times slower, and gives the same results.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

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
    config.CACHE_DIR = str(cache_folder(chosen, Path(function.__code__.co_filename).parent))
    try:
        compiled: Kernel = make(function, cache=True, nogil=True, **options)
    finally:
        config.CACHE_DIR = chosen
    return compiled


@functools.cache
def cache_folder(chosen: str, folder: Path, root: Path = _ROOT) -> Path:
    """Return where compiled kernels of a folder of sources are kept.

    chosen: a folder that the user has named for them, or ''; root: the folder that our packages lie in.

    Numba compiles again when the file of a function changes, but not when a function it calls, in another file, does. So
    the folder is named after the text of every file of its own package and of `kernels`, however deep they lie.
    """
    own = root / folder.relative_to(root).parts[0] if folder.is_relative_to(root) else folder
    digest = hashlib.sha256()
    for source in sorted({*own.rglob("*.py"), *(root / "kernels").rglob("*.py")}):
        digest.update(source.read_bytes())
    return Path(chosen or folder / "__pycache__") / f"compiled-{digest.hexdigest()[:12]}"
