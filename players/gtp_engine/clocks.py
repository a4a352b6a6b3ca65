"""How long a player may think about its next move, by what a controller says of clocks.

    time_settings 300 30 5      five minutes, then 30 seconds for every five moves
    time_settings 0 1 0         no limit: byo-yomi time without stones
    time_left b 12.5 2          12.5 seconds for two more moves; with 0 stones: of main time

Where the controller does not say what is left, the time that answers took is counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from goban.grids import BLACK, WHITE

_LEAST = 0.01
"""Seconds that a player is allowed when none are left: it must move all the same."""


@dataclass
class _Left:
    """seconds, and for how many moves; 0 for main time."""

    seconds: float
    stones: int = 0


class Clocks:
    """A clock for each colour. Without settings there is no limit."""

    def __init__(self) -> None:
        self._main = self._period = 0.0
        self._stones = 0
        self._limited = False
        self._left = {BLACK: _Left(0.0), WHITE: _Left(0.0)}

    def set(self, main: float, period: float, stones: int) -> None:
        """Give both colours so many seconds, and then so many for each so many moves."""
        self._main, self._period, self._stones = main, period, stones
        self._limited = not (period > 0 and stones == 0)
        self.restart()

    def set_free(self) -> None:
        """Take all limits away."""
        self._limited = False

    def restart(self) -> None:
        """Begin a game."""
        start = _Left(self._main) if self._main > 0 or not self._stones else _Left(self._period, self._stones)
        self._left = {colour: _Left(start.seconds, start.stones) for colour in (BLACK, WHITE)}

    def set_left(self, colour: int, seconds: float, stones: int) -> None:
        """Note what is left: seconds for so many moves, or, if that is 0, of main time."""
        self._limited = True
        self._left[colour] = _Left(seconds, stones)

    def seconds(self, colour: int, moves_to_come: int) -> float | None:
        """Return how long the next move may take, None for as long as it likes. moves_to_come: of this colour, expected."""
        if not self._limited:
            return None
        left = self._left[colour]
        if left.stones:
            return max(_LEAST, left.seconds / left.stones)
        share = left.seconds / max(1, moves_to_come)
        of_period = self._period / self._stones if self._stones else 0.0
        # What is left of main time and the period after it are had by any one move.
        return max(_LEAST, min(max(share, of_period), left.seconds + self._period))

    def spend(self, colour: int, seconds: float) -> None:
        """Count a move that took so long."""
        left = self._left[colour]
        left.seconds -= seconds
        if left.stones:
            left.stones -= 1
            if left.stones == 0:
                self._left[colour] = _Left(self._period, self._stones)
        elif left.seconds <= 0 and self._stones:
            self._left[colour] = _Left(self._period + min(0.0, left.seconds), self._stones)
