"""The one switch between compiled and plain Python kernels.

    @njit
    def f(mask: np.uint64) -> np.uint64: ...

With numba a kernel is compiled when it is first called, for the types it is called with, and kept in `__pycache__` for
the next process. Where that cannot be written, because somebody else installed us or we are in a sandbox, it is kept below
`~/.cache`, beside links to what `__pycache__` holds; where that cannot be written either, every process compiles anew.
Of several processes that need the same kernel one compiles it, and the others wait for that and load it. Importing a module of
kernels compiles nothing. Without numba the same source runs as it stands, some hundred times slower, and
gives the same results.

On top of that there are kernels that only borrow their arrays, and entry points from Python into them:

    @kernel, @inlined, @spliced               called by other kernels; compiled for whatever types they pass
    @entry("int64(uint16[::1], int64)")       called from Python; compiled for exactly this signature, on the first call

An entry never grows a second version for arguments that look a little different: they are refused with a TypeError. What has
been compiled is kept in `__pycache__` for the next process. To tell the person who waits, a command line wraps its work:

    with compilation_told(lambda: print("compiling, once for this machine...", file=sys.stderr)):
"""

from __future__ import annotations

import errno
import functools
import hashlib
import importlib
import importlib.util
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np

HAVE_NUMBA = importlib.util.find_spec("numba") is not None

_ROOT = Path(__file__).resolve().parents[3]

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def njit(function: Kernel, **options: bool | str) -> Kernel:
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
    if hasattr(dispatcher, "get_call_template"):
        dispatcher.get_call_template = _called_alike(dispatcher)
    if place is not None and hasattr(dispatcher, "_cache"):
        _link_compiled(shared, Path(dispatcher._cache.cache_path))
        dispatcher.compile = _compiled_once(dispatcher, place)
    return compiled


def _called_alike(dispatcher: Any) -> Callable[..., Any]:  # noqa: ANN401
    """Return a dispatcher's `get_call_template`, by which other kernels ask for it; to it integers are alike.

    Numba would compile a kernel again for each number that a caller writes out, and for 32 bits: a quarter of all work. LLVM
    knows such numbers anyway where it inlines. Booleans stay as they are written: whole branches depend on them.
    """
    from numba.core import types

    find = dispatcher.get_call_template

    def widened(kind: Any) -> Any:  # noqa: ANN401
        is_wide = kind == types.int32 or isinstance(kind, types.IntegerLiteral)
        return types.int64 if is_wide else kind

    def get_call_template(args: Any, kws: Any) -> Any:  # noqa: ANN401
        return find(tuple(map(widened, args)), {name: widened(kind) for name, kind in dict(kws).items()})

    return get_call_template


def _compiled_once(dispatcher: Any, place: Path) -> Callable[[Any], Any]:  # noqa: ANN401
    """Return a dispatcher's `compile`; in it no two processes are at the same time that keep kernels in the same place."""
    from numba.core.compiler_lock import global_compiler_lock

    compile_here, name = dispatcher.compile, f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__qualname__}"

    def compile_once(signature: Any) -> Any:  # noqa: ANN401
        # One thread of this process after the other, which numba wants anyway, then one process after the other.
        with global_compiler_lock, _locks(place).held(name):
            _import_without_scipy()
            return compile_here(signature)

    return compile_once


@functools.cache
def _import_without_scipy() -> None:
    """Import what numba compiles and loads with, but for `scipy.linalg`, which would take half of the time.

    Numba looks there whether matrices can be multiplied, and does so again wherever a kernel multiplies some.
    """
    from numba.np import linalg

    look: Any = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


class _Locks:
    """Locks with names, on bytes of one file; whatever becomes of a process, the kernel of the system takes its locks back.

    Where nothing can be locked, everything goes on without. Linux refuses a lock with which processes would wait for each other
    in a circle: then that kernel is compiled twice.
    """

    def __init__(self, path: Path) -> None:
        # Open for as long as the process lives: closing any descriptor of a file ends all locks that a process has on it.
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._depths = Counter[str]()

    @contextmanager
    def held(self, name: str) -> Iterator[None]:
        """Hold the lock of this name within the block. A kernel that calls itself is compiled within its own compilation."""
        place = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") >> 1
        has_locked = False
        if not self._depths[name]:
            with suppress(OSError):
                _lock(self._file, place)
                has_locked = True
        self._depths[name] += 1
        try:
            yield
        finally:
            self._depths[name] -= 1
            if has_locked:
                with suppress(OSError):
                    _unlock(self._file, place)


class _NoLocks:
    """Stands in for `_Locks` where no file can be made."""

    @contextmanager
    def held(self, name: str) -> Iterator[None]:
        """Hold nothing."""
        yield


@functools.cache
def _locks(place: Path) -> _Locks | _NoLocks:
    """Return this process's locks for the kernels that are kept in a folder."""
    try:
        return _Locks(place / "compiling.lock")
    except OSError:
        return _NoLocks()


def _lock(file: int, place: int) -> None:
    """Wait for the lock on a byte of a file, and take it. Raises OSError where that cannot be done."""
    if sys.platform == "win32":
        import msvcrt

        while True:
            os.lseek(file, place, os.SEEK_SET)
            try:
                msvcrt.locking(file, msvcrt.LK_LOCK, 1)
            except OSError as error:
                # It gives up after ten seconds.
                if error.errno != errno.EDEADLK:
                    raise
            else:
                return
    import fcntl

    fcntl.lockf(file, fcntl.LOCK_EX, 1, place)


def _unlock(file: int, place: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, place, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.lockf(file, fcntl.LOCK_UN, 1, place)


@functools.cache
def cache_folder(chosen: str, folder: Path, root: Path = _ROOT) -> Path:
    """Return where compiled kernels of a folder of sources are kept.

    chosen: a folder that the user has named for them, or ''; root: the folder that our packages lie in.

    Numba compiles again when the file of a function changes, but not when a function it calls, in another file, does. So
    the folder is named after the text of every file of its own room and of `goban.kernels`, however deep they lie: a room is
    a package at the top, or one in `goban`. It lies where the sources do, also for links to them.
    """
    folder = folder.resolve()
    own = folder
    if folder.is_relative_to(root):
        parts = folder.relative_to(root).parts
        own = root.joinpath(*parts[: 2 if parts[0] == "goban" else 1])
    digest = hashlib.sha256()
    for source in sorted({*_sources_below(own), *_sources_below(root / "goban/kernels")}):
        digest.update(source.read_bytes())
    return Path(chosen or folder / "__pycache__") / f"compiled-{digest.hexdigest()[:12]}"


@functools.cache
def _sources_below(folder: Path) -> list[Path]:
    """Return the sources in a folder, however deep they lie; what is compiled of them is not looked through."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = set(folders) - {"__pycache__"}
        found += [Path(place, name) for name in names if name.endswith(".py")]
    return found


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
    """Let a folder of one's own hold what is compiled in those of `cache_folder`.

    Numba keeps compiled kernels in a folder that is named after where their source lies: another place than it was, if the
    project has been moved, or is shown in a sandbox. It writes files beside and renames them, so that a link is replaced and
    never followed.
    """
    with suppress(OSError):
        folders = [path for path in shared.iterdir() if path.is_dir() and path != own]
        for folder in sorted(folders, key=lambda path: path.stat().st_mtime, reverse=True):
            for compiled in folder.iterdir():
                with suppress(FileExistsError):
                    (own / compiled.name).symlink_to(os.path.relpath(compiled, own))


Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_told_by: list[Any] = []
"""The listeners of `compilation_told`, the innermost last."""


def kernel(function: Kernel) -> Kernel:
    """Like `goban.kernels.numba_tools.compile.njit`, for a function that makes no array: those it is handed stay the caller's.

    Without numba's reference counts (`_nrt=False`: two atomic additions for every array and call in a loop) random games
    on array boards run at nearly twice the speed. A function that makes an array is refused when it is compiled.
    """
    return njit(function, _nrt=False)


def inlined(function: Kernel) -> Kernel:
    """Like `kernel`, for the body of a hot loop: it always becomes part of its caller, where LLVM might find it too long.

    A call writes out seven words for each array that it hands on, also for those of tuples: where that is done for every move
    of a game, such as with `tables` and `space` of a search, it may cost more than the work.
    """
    return njit(function, _nrt=False, forceinline=True)


def spliced(function: Kernel) -> Kernel:
    """Like `kernel`, for one of a chain that ends in a long kernel: its lines become the caller's before anything is compiled.

    A kernel is optimised together with all that it calls, so the long one would be once for each kernel of the chain.
    """
    return njit(function, _nrt=False, inline="always")


class Entry(Generic[Arguments, Result]):
    """A kernel to be called from Python, with its one signature; see `entry`."""

    def __init__(self, function: Callable[Arguments, Result], signature: str) -> None:
        functools.update_wrapper(self, function)
        self.kernel = kernel(function)
        self.signature = signature
        # Under NUMBA_DISABLE_JIT numba hands the function back as it is.
        self._compiles = hasattr(self.kernel, "compile")
        self._ready = False
        self._preparing = Lock()

    def prepare(self) -> None:
        """Compile or load the kernel now rather than on the first call. Threads may ask for it at the same time."""
        with self._preparing:
            if self._compiles and not self._ready:
                dispatcher: Any = self.kernel
                dispatcher.compile(self.signature)
                dispatcher.disable_compile()
            self._ready = True

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        if not self._ready:
            self.prepare()
        if self._compiles:
            return self.kernel(*args, **kwargs)
        # Machine words wrap; numpy's scalars do, too, but warn.
        with np.errstate(over="ignore"):
            return self.kernel(*args, **kwargs)


def entry(signature: str) -> Callable[[Callable[Arguments, Result]], Entry[Arguments, Result]]:
    """Make a function an `Entry`. The signature is written as numba does: 'void(uint64[::1], int64)'."""
    return lambda function: Entry(function, signature)


@contextmanager
def compilation_told(say: Callable[[], object]) -> Iterator[None]:
    """Within the block, call `say` once, before the first kernel that has to be compiled because no cache holds it.

    Of blocks within blocks only the innermost says it, and for all of them.
    """
    if not HAVE_NUMBA:
        yield
        return
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc, unused-ignore]
        told = False

        def on_start(self, _: object) -> None:
            if not self.told and _told_by[-1] is self:
                say()
                for listener in _told_by:
                    listener.told = True

        def on_end(self, _: object) -> None:
            pass

    _told_by.append(Listener())
    try:
        with event.install_listener("numba:compile", _told_by[-1]):
            yield
    finally:
        _told_by.pop()
