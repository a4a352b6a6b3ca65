"""One thread at a time: threads that share an object with a memory of its own wait for each other.

    class Search:
        def __init__(self) -> None:
            self._turns = Turns()

        @in_turn
        def answer(self, question: str) -> str:
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, Protocol, TypeVar

_Options = ParamSpec("_Options")
_Answer = TypeVar("_Answer")


class Turns:
    """Whose turn it is, for `with`. A copy, and the same object in a forked process, begin as nobody's."""

    def __init__(self) -> None:
        self._lock, self._process = RLock(), os.getpid()

    def __enter__(self) -> None:
        if self._process != os.getpid():
            # The thread that had its turn at the fork does not run here.
            self._lock, self._process = RLock(), os.getpid()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[Turns], tuple[()]]:
        return Turns, ()


class _Shared(Protocol):
    _turns: Turns


_Owner = TypeVar("_Owner", bound=_Shared)


def in_turn(method: Callable[Concatenate[_Owner, _Options], _Answer]) -> Callable[Concatenate[_Owner, _Options], _Answer]:
    """Return a method during which no other thread is in a method of the same object that is also `in_turn`."""

    @wraps(method)
    def waiting(self: _Owner, /, *words: _Options.args, **options: _Options.kwargs) -> _Answer:
        with self._turns:
            return method(self, *words, **options)

    return waiting
