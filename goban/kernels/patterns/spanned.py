"""Entry points that take a pattern board: one compiled for small boards, one for large ones, chosen by the span."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from goban.kernels.numba_tools.entry_points import Entry
from goban.kernels.patterns.boards import Board
from goban.kernels.patterns.point_sets import LARGE, SMALL, Span, Words
from goban.kernels.patterns.tables import TABLES, Tables

Result = TypeVar("Result")


class BoardEntry(Generic[Result]):
    """A kernel to be called from Python with (board, words, tables, span, ...); see `board_entry`."""

    def __init__(self, function: Callable[..., Result], result: str, rest: str) -> None:
        self._entries: dict[int, Entry[..., Result]] = {
            len(span): Entry(function, f"{result}(uint16[::1], uint64[::1], {TABLES}, UniTuple(int64, {len(span)}){rest})")
            for span in (SMALL, LARGE)
        }

    def prepare(self, span: Span) -> None:
        """Compile or load the kernel now rather than on the first call; before threads share it, say."""
        self._entries[len(span)].prepare()

    def __call__(self, board: Board, words: Words, tables: Tables, span: Span, *rest: Any) -> Result:  # noqa: ANN401
        """Call it; the tables arrive as a plain tuple, of which the kernel makes `Tables(*...)`."""
        return self._entries[len(span)](board, words, tuple(tables), span, *rest)


def board_entry(result: str, rest: str = "") -> Callable[[Callable[..., Result]], BoardEntry[Result]]:
    """Make a function a `BoardEntry`. result, rest: types as numba writes them; rest begins with a comma if there is any."""
    return lambda function: BoardEntry(function, result, rest)
