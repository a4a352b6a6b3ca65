"""How long a player may think about its next move, by what a controller says of clocks.

    time_settings 300 30 5              five minutes, then 30 seconds for every five moves
    time_settings 0 1 0                 no limit: byo-yomi time without stones
    kgs-time_settings byoyomi 300 30 5  five minutes, then five periods of 30 seconds, each used up by the move that exceeds it
    kata-time_settings fischer 60 5     a minute, and 5 seconds more after every move
    time_left b 12.5 2                  12.5 seconds for two more moves, or of the first of two periods; with 0, of main time

OGS's bridge sends Fischer time as `canadian`, main time less the addition, the addition, one stone; then more time may be left
for the stone than its period has, and that is how it is told. Something of every answer is kept for the way to the server,
whose clock goes on. Where the controller does not say what is left, the time that answers took is counted, with that added.

Source: https://www.gokgs.com/help/timesystems.html and the GTP documents of KGS and KataGo.
"""

from __future__ import annotations

from dataclasses import dataclass

from goban.grids import BLACK, WHITE

_LEAST = 0.01
"""Seconds that a player is allowed when none are left: it must move all the same."""
_LEAST_KEPT, _MOST_KEPT = 0.25, 0.5


@dataclass(frozen=True)
class TimeSystem:
    """What both colours begin with. All times in seconds.

    main: before anything else. period: of byo-yomi, with `stones` to play in it or, for `japanese` byo-yomi, with as many
    periods. increment: added after every move. most_main: what main time never exceeds; most_move: nor a move.
    """

    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    japanese: bool = False
    increment: float = 0.0
    most_main: float = float("inf")
    most_move: float = float("inf")

    @property
    def limited(self) -> bool:
        """False for byo-yomi without stones."""
        return not (self.period > 0 and self.stones == 0)

    @property
    def turn(self) -> float:
        """What a move of byo-yomi has: the whole period, or its stones' share."""
        return self.period if self.japanese or not self.stones else self.period / self.stones


@dataclass
class _Left:
    """seconds of main time or, if stones is not 0, of byo-yomi for so many stones or periods. fischer: see the module."""

    seconds: float
    stones: int = 0
    fischer: bool = False


class Clocks:
    """A clock for each colour. Without settings there is no limit."""

    def __init__(self) -> None:
        self._system = TimeSystem()
        self._limited = False
        self._left = {BLACK: _Left(0.0), WHITE: _Left(0.0)}

    def set(self, system: TimeSystem | None) -> None:
        """Play by a system of time, None for no limit."""
        self._system = system or TimeSystem()
        self._limited = system is not None and system.limited
        self.restart()

    def restart(self) -> None:
        """Begin a game."""
        system = self._system
        byo_yomi = system.main <= 0 and system.stones > 0
        for colour in (BLACK, WHITE):
            self._left[colour] = _Left(system.period, system.stones) if byo_yomi else _Left(system.main)

    def set_left(self, colour: int, seconds: float, stones: int) -> None:
        """Note what is left: seconds for so many stones, of the period for so many periods, or, if that is 0, of main time."""
        self._limited = True
        system = self._system
        beyond = stones > 0 and not system.japanese and seconds > system.period > 0
        self._left[colour] = _Left(seconds, stones, beyond or (stones > 0 and self._left[colour].fischer))

    def seconds(self, colour: int, moves_to_come: int) -> float | None:
        """Return how long the next move may take, None for as long as it likes. moves_to_come: of this colour, expected."""
        if not self._limited:
            return None
        left, system = self._left[colour], self._system
        if left.stones and not left.fischer:
            return _less_way(left.seconds if system.japanese else left.seconds / left.stones)
        added = system.period if left.fischer else system.increment
        share = max(0.0, left.seconds - added) / max(1, moves_to_come) + added
        # Main time that a move exceeds goes over into the first byo-yomi.
        whole = left.seconds if left.fischer else left.seconds + system.turn
        most = min(max(share, system.turn if not left.fischer else 0.0), whole, system.most_move)
        return _less_way(most)

    def spend(self, colour: int, seconds: float) -> None:
        """Count a move that took so long, and the way to the server."""
        left, system = self._left[colour], self._system
        left.seconds -= seconds + _LEAST_KEPT
        if left.stones and system.japanese:
            self._left[colour] = _Left(system.period, max(1, left.stones - (left.seconds < 0)))
        elif left.fischer:
            left.seconds += system.period
        elif left.stones:
            left.stones -= 1
            if left.stones == 0:
                self._left[colour] = _Left(system.period, system.stones)
        elif left.seconds <= 0 and system.stones:
            over = 0.0 if system.japanese else min(0.0, left.seconds)
            self._left[colour] = _Left(system.period + over, system.stones)
        else:
            left.seconds = min(left.seconds + system.increment, system.most_main)


def _less_way(seconds: float) -> float:
    """Return a time without what the way to the server may take of it: up to half of it."""
    kept = min(max(_LEAST_KEPT, seconds / 10), _MOST_KEPT)
    return max(_LEAST, seconds - min(kept, seconds / 2))
