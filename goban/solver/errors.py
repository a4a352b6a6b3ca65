"""Errors of searching.

    SearchError (a GobanError)
      UnsupportedGameError   rules, a board size or a komi the solver does not know; names those it does
      BadPositionError       a position no game can reach, or a file that describes none
      BadBudgetError         memory, nodes, seconds or threads out of range
      BadBookError           a book file that cannot be read or has been damaged
      BadPatternError        a pattern file with a fault, a pattern that is none, or a set that nobody knows
"""

from __future__ import annotations

from numbers import Real

from goban.common.excerpts import quoted
from goban.errors import GobanError

RULES = ("course", "littlego")
"""Those that the exact solver knows; here, so that it is not loaded to say that it knows others not."""


class SearchError(GobanError):
    """Base of every error this package raises on purpose."""


class UnsupportedGameError(SearchError):
    """The rule set, the board size or the komi is none the solver knows."""


class BadPositionError(SearchError):
    """The position, or the file that should describe one, is not what the search can rely on."""


class BadBudgetError(SearchError):
    """A limit that makes no sense."""


def check_limits(nodes: int | None, seconds: float | None) -> None:
    """Raise BadBudgetError for limits of an answer that are no numbers, or below 0."""
    for limit in (nodes, seconds):
        if limit is not None and not (isinstance(limit, Real) and limit >= 0):
            raise BadBudgetError(f"expected limits of 0 or more, got nodes={quoted(nodes)}, seconds={quoted(seconds)}")


class BadBookError(SearchError):
    """A file of solved positions cannot be used; the message names it."""


class BadPatternError(SearchError):
    """A file of patterns cannot be used, or a drawing or a word of it; the message says what was expected."""
