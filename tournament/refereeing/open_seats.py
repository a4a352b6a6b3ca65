"""Opens seats, keeps the last few open, and plays games between them. All of this runs in a worker process.

A submission that hangs when it is loaded would hang in each of its games, and each time we would wait for it. After two such
time-outs in a row on a machine that was not late, it forfeits its other games in this process at once, with the same verdict.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from goban.grids import BLACK
from goban.rulesets import ruleset
from goban.states import State, new_game
from tournament.errors import TournamentError
from tournament.inside.run_delays import are_counted
from tournament.records import Entrant, GameSpec
from tournament.refereeing.lag import Lag, LagMeter, is_doubtful, never_late
from tournament.refereeing.referee import Played, play
from tournament.seats import Limits, Reply, Seat, limits_of
from tournament.verdicts import PlayerFaultError

# A batch needs two. More are kept so that a player of the next batch need not be loaded again.
_OPEN_SEATS = 4
_MOST_WAITS = 2


@dataclass(frozen=True)
class Conditions:
    """The conditions of every game of an event. rules: a preset's name. tier: of all sandboxes, '' if there is no submission.
    real_starts: start programs for real at every move; games are the same, and take longer.

    opener: makes a seat for an entrant. It is pickled, so a function at a module's top level.
    """

    rules: str
    size: int
    limits: Limits
    opener: Callable[[Entrant, Conditions], Seat]
    tier: str = ""
    python: str = ""
    real_starts: bool = False

    def limits_of(self, entrant: Entrant) -> Limits:
        """Return what an entrant may use."""
        return limits_of(entrant, self.limits)

    def start(self) -> State:
        """Return the position in which games begin."""
        return new_game(ruleset(self.rules), self.size)


def open_entrant(entrant: Entrant, conditions: Conditions) -> Seat:
    """Return a seat for a reference player, or for a submission or an engine in its sandbox."""
    if entrant.reference:
        from tournament.refereeing.reference_seat import ReferenceSeat

        return ReferenceSeat(entrant, ruleset(conditions.rules), conditions.size)
    from tournament.sandbox.tiers import open_seat

    rules = ruleset(conditions.rules)
    machine = conditions.tier, conditions.python, conditions.real_starts
    return open_seat(entrant, rules, conditions.size, conditions.limits, *machine)


class _OpenSeats:
    """The seats that are open in this process, the last used at the end, and the players that are no longer waited for."""

    def __init__(self) -> None:
        self._seats: OrderedDict[tuple[Entrant, Conditions], Seat] = OrderedDict()
        self._waits: Counter[tuple[Entrant, Conditions]] = Counter()
        self._hung: dict[tuple[Entrant, Conditions], Seat] = {}

    def take(self, entrant: Entrant, conditions: Conditions) -> Seat:
        """Return an entrant's seat. If none can be opened, return one that raises the reason when the game begins."""
        key = entrant, conditions
        if key in self._hung:
            return self._hung[key]
        if key not in self._seats:
            while len(self._seats) >= _OPEN_SEATS:
                self._seats.popitem(last=False)[1].close()
            try:
                self._seats[key] = conditions.opener(entrant, conditions)
            except TournamentError:
                raise
            except Exception as error:
                return _EmptySeat(error)
        self._seats.move_to_end(key)
        return self._seats[key]

    def learn(self, played: Played, conditions: Conditions, black: Entrant, white: Entrant) -> None:
        """Note which players were waited for in vain twice in a row. A time-out while we were late ourselves is ignored."""
        fault, result = played.fault, played.result
        if fault is None or not fault.hung:
            for entrant in (black, white):
                self._waits.pop((entrant, conditions), None)
            return
        who, log = (black, result.black_log) if result.forfeited_by == BLACK else (white, result.white_log)
        if is_doubtful(played.lag, conditions.limits_of(who).seconds_before(result.termination)):
            return
        key = who, conditions
        self._waits[key] += 1
        if self._waits[key] == _MOST_WAITS:
            seat = self._seats.pop(key)
            self._hung[key] = _EmptySeat(PlayerFaultError(fault), seat.tier, log)
            seat.close()

    def close(self) -> None:
        """Close all."""
        while self._seats:
            self._seats.popitem()[1].close()


class _EmptySeat:
    """Stands in for a seat that could not be opened, so that the referee decides whose fault it is."""

    def __init__(self, error: Exception, tier: str = "", log: str = "") -> None:
        self.tier = tier
        self._error = error
        self._log = log

    def begin(self, spec: GameSpec, colour: int) -> None:
        # The error may be raised often, and would collect a traceback each time.
        raise self._error.with_traceback(None)

    def answer(self, state: State, complaint: str) -> Reply:
        raise self._error

    def printed(self) -> str:
        return ""

    def end(self) -> str:
        return self._log

    def close(self) -> None:
        pass


@cache
def _open_seats() -> _OpenSeats:
    """Return this process's seats."""
    return _OpenSeats()


@cache
def _lag_meter() -> Lag:
    """Return this process's meter, which is only needed where the kernel does not tell how long a player waited for a core."""
    return never_late if are_counted() else LagMeter()


def play_here(conditions: Conditions, spec: GameSpec, black: Entrant, white: Entrant) -> Played:
    """Play a game in this process. Seats stay open for the next one. Raises TournamentError if no game can be played."""
    seats = _open_seats()
    try:
        played = play(spec, conditions.start(), seats.take(black, conditions), seats.take(white, conditions), lag=_lag_meter())
    except BaseException:
        seats.close()
        raise
    if played.result.winner is None:
        # Something of ours is broken, so trust none of the open seats.
        seats.close()
    seats.learn(played, conditions, black, white)
    return played


def close_here() -> None:
    """Close all seats of this process, and forget which players were waited for."""
    _open_seats().close()
    _open_seats.cache_clear()
