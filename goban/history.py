"""The situations of a game so far, shared by its states.

A superko test asks "has this situation stood before?". Walking back costs time in proportion to the game's length, and
so does copying a set at every move. Instead, the states of one line of play share one growing History; each state
knows how many of its entries are its own past, and ignores the rest. Only a second branch from a state that has
already been played on copies.
"""

from __future__ import annotations

_EMPTY_BOARD = 0


class History:
    """Situation hashes in the order they stood: entry k is the situation after k moves. Append only."""

    __slots__ = ("_order", "numbers")

    def __init__(self, order: list[int]) -> None:
        self._order = order
        self.numbers: dict[int, int] = {}
        """Situation -> after how many moves it stood first, those after other branches' moves too. Read only."""
        for number, situation in enumerate(order):
            self.numbers.setdefault(situation, number)

    def first(self, situation: int, before: int) -> int | None:
        """Return after how many moves (fewer than `before`) the situation stood first; None if it did not."""
        number = self.numbers.get(situation)
        return number if number is not None and number < before else None

    def extended(self, situation: int, length: int) -> History:
        """Return a history whose first `length` entries are those of this one and whose next is `situation`.

        This is the object itself if nothing else has been recorded at that place. Entries that are missing, because the
        position was set up by hand, become the empty board, which no move can bring back. Not for two threads at once.
        """
        order = self._order
        if length == len(order):
            self.numbers.setdefault(situation, length)
            order.append(situation)
            return self
        if length < len(order) and order[length] == situation:
            return self
        past = order[:length]
        return History([*past, *[_EMPTY_BOARD] * (length - len(past)), situation])

    def entries(self, length: int) -> tuple[int, ...]:
        """Return the first `length` situations."""
        return tuple(self._order[:length])
