"""Who sits where: opens seats, keeps the last few open, and plays a game at them. What is here runs in a worker process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from goban.rulesets import ruleset
from goban.states import State, new_game
from tournament.errors import TournamentError
from tournament.lateness import LagMeter
from tournament.records import Entrant, GameSpec
from tournament.referee import Played, play
from tournament.seats import Limits, Reply, Seat

# A batch needs two; the player who takes part in the next batch as well need not be loaded again.
_OPEN_SEATS = 4


@dataclass(frozen=True)
class Table:
    """The conditions every game of an event is played under. rules: a preset's name. tier: None for the best there is.
    real_starts: start programs that read files for real at every move; games are the same, and take longer.

    opener: makes a seat for an entrant; a function of a module, since it is named to other processes.
    """

    rules: str
    size: int
    limits: Limits
    opener: Callable[[Entrant, Table], Seat]
    tier: str | None = None
    python: str = ""
    real_starts: bool = False

    def start(self) -> State:
        """Return the position in which games begin."""
        return new_game(ruleset(self.rules), self.size)


def open_entrant(entrant: Entrant, table: Table) -> Seat:
    """Return a seat for a reference player, or for a submission in its sandbox."""
    if entrant.reference:
        from tournament.reference_seat import ReferenceSeat

        return ReferenceSeat(entrant, ruleset(table.rules), table.size)
    from tournament.sandbox import open_seat

    rules = ruleset(table.rules)
    return open_seat(entrant, rules, table.size, table.limits, table.tier, table.python, table.real_starts)


class _OpenSeats:
    """The seats that are open in this process, the one used last at the end."""

    def __init__(self) -> None:
        self._seats: OrderedDict[tuple[Entrant, Table], Seat] = OrderedDict()

    def take(self, entrant: Entrant, table: Table) -> Seat:
        """Return an entrant's seat; if none can be opened, one that says so once the game begins."""
        key = entrant, table
        if key not in self._seats:
            while len(self._seats) >= _OPEN_SEATS:
                self._seats.popitem(last=False)[1].close()
            try:
                self._seats[key] = table.opener(entrant, table)
            except TournamentError:
                raise
            except Exception as error:
                return _EmptySeat(error)
        self._seats.move_to_end(key)
        return self._seats[key]

    def close(self) -> None:
        """Close all."""
        while self._seats:
            self._seats.popitem()[1].close()


class _EmptySeat:
    """Stands in for a seat that could not be opened, so that the referee decides whose fault it is."""

    tier = ""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def begin(self, spec: GameSpec, colour: int) -> None:
        raise self._error

    def answer(self, state: State, complaint: str) -> Reply:
        raise self._error

    def rest(self) -> None:
        pass

    def wake(self) -> None:
        pass

    def end(self) -> str:
        return ""

    def close(self) -> None:
        pass


@cache
def _open_seats() -> _OpenSeats:
    """Return this process's seats."""
    return _OpenSeats()


@cache
def _lag_meter() -> LagMeter:
    """Return this process's meter."""
    return LagMeter()


def play_here(table: Table, spec: GameSpec, black: Entrant, white: Entrant) -> Played:
    """Play a game in this process; seats stay open for the next one. Raises TournamentError if no game could be played."""
    seats = _open_seats()
    try:
        played = play(spec, table.start(), seats.take(black, table), seats.take(white, table), lag=_lag_meter())
    except BaseException:
        seats.close()
        raise
    if played.result.winner is None:
        # Something of ours is broken: trust none of it.
        seats.close()
    return played


def close_here() -> None:
    """Close all seats of this process."""
    _open_seats().close()
