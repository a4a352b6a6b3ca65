"""Two ways of compiling on top of `compile`: kernels that only borrow their arrays, and entry points from Python into them.

    @kernel, @inlined                         called by other kernels; compiled for whatever types they pass
    @entry("int64(uint16[::1], int64)")       called from Python; compiled for exactly this signature, on the first call

An entry never grows a second version for arguments that look a little different: they are refused with a TypeError. What has
been compiled is kept in `__pycache__` for the next process. To tell the person who waits, a command line wraps its work:

    with compilation_told(lambda: print("compiling, once for this machine...", file=sys.stderr)):
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from goban.kernels.numba_tools.compile import HAVE_NUMBA, Kernel, njit

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
    """Like `kernel`, for the body of a hot loop: it always becomes part of its caller, where LLVM might find it too long."""
    return njit(function, _nrt=False, forceinline=True)


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
