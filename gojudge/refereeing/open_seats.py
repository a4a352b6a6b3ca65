"""Opens seats, keeps the last few open, and plays games between them. All of this runs in a worker process, each thread of
which has seats of its own."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cache

from gojudge.errors import JudgeError
from gojudge.game import State, new_game, ruleset
from gojudge.inside.run_delays import are_counted
from gojudge.records import Entrant, GameSpec
from gojudge.refereeing.referee import Lag, LagMeter, Played, never_late, play
from gojudge.seats import Limits, Reply, Seat, limits_of
from gojudge.verdicts import Fault, PlayerFaultError

# A batch needs two. More are kept so that a player of the next batch need not be loaded again.
_OPEN_SEATS = 4


def open_entrant(entrant: Entrant, conditions: Conditions) -> Seat:
    """Return a seat for a reference player, or for a submission or an engine in its sandbox."""
    if entrant.reference:
        from gojudge.refereeing.reference_seat import ReferenceSeat

        return ReferenceSeat(entrant, ruleset(conditions.rules), conditions.size)
    from gojudge.sandbox import tiers

    rules = ruleset(conditions.rules)
    machine = conditions.tier, conditions.python, conditions.real_starts, conditions.load_each_game
    return tiers.open_seat(entrant, rules, conditions.size, conditions.limits, *machine)


@dataclass(frozen=True)
class Conditions:
    """The conditions of every game of an event. rules: a preset's name. tier: of all sandboxes, '' if there is no submission.
    real_starts: start programs for real at every move; load_each_game: load classes for every game. Games are the same, and
    take longer.

    opener: makes a seat for an entrant. It is pickled, so a function at a module's top level.
    """

    rules: str
    size: int
    limits: Limits
    opener: Callable[[Entrant, Conditions], Seat] = open_entrant
    tier: str = ""
    python: str = ""
    real_starts: bool = False
    load_each_game: bool = False

    def limits_of(self, entrant: Entrant) -> Limits:
        """Return what an entrant may use."""
        return limits_of(entrant, self.limits)

    def start(self) -> State:
        """Return the position in which games begin."""
        return new_game(ruleset(self.rules), self.size)


@dataclass(frozen=True)
class KnownFailure:
    """How an entrant fails at the start of each game. log: what it prints. answering: at its first question, not before."""

    fault: Fault
    log: str = ""
    answering: bool = False


@contextmanager
def open_seat(entrant: Entrant, conditions: Conditions) -> Iterator[Seat]:
    """Have an entrant's seat open; what plays there starts when its first game begins. Raises SandboxError."""
    with closing(conditions.opener(entrant, conditions)) as seat:
        yield seat


class _OpenSeats(threading.local):
    """The seats that are open in this thread, the last used at the end. A sandbox ends with the thread that has started it."""

    def __init__(self) -> None:
        self._seats: OrderedDict[tuple[Entrant, Conditions], Seat] = OrderedDict()

    def take(self, entrant: Entrant, conditions: Conditions) -> Seat:
        """Return an entrant's seat. If none can be opened, return one that raises the reason when the game begins."""
        key = entrant, conditions
        if key not in self._seats:
            while len(self._seats) >= _OPEN_SEATS:
                self._seats.popitem(last=False)[1].close()
            try:
                self._seats[key] = conditions.opener(entrant, conditions)
            except JudgeError:
                raise
            except Exception as error:
                return _EmptySeat(error)
        self._seats.move_to_end(key)
        return self._seats[key]

    def close(self) -> None:
        """Close all."""
        with ExitStack() as closes:
            while self._seats:
                closes.callback(self._seats.popitem()[1].close)


class _EmptySeat:
    """Stands in for a seat that could not be opened or is not to be, so that the referee decides whose fault it is.

    answering: it fails when it is asked, rather than when the game begins.
    """

    def __init__(self, error: Exception, tier: str = "", log: str = "", answering: bool = False) -> None:
        self.tier = tier
        self._error = error
        self._log = log
        self._answering = answering

    def begin(self, spec: GameSpec, colour: int) -> None:
        if not self._answering:
            raise self._error

    def answer(self, state: State, complaint: str) -> Reply:
        raise self._error

    def printed(self) -> str:
        return ""

    def end(self) -> str:
        return self._log

    def close(self) -> None:
        pass


_SEATS = _OpenSeats()


@cache
def _lag_meter() -> Lag:
    """Return this process's meter, which is only needed where the kernel does not tell how long a player waited for a core."""
    return never_late if are_counted() else LagMeter()


def play_here(
    conditions: Conditions, spec: GameSpec, black: Entrant, white: Entrant, known: Mapping[str, KnownFailure] | None = None
) -> Played:
    """Play a game in this thread. Seats stay open in it for its next one. Raises JudgeError if no game can be played.

    known: name -> how an entrant fails, which is then not started.
    """
    def seat(entrant: Entrant) -> Seat:
        if (failure := (known or {}).get(entrant.name)) is None:
            return _SEATS.take(entrant, conditions)
        return _EmptySeat(PlayerFaultError(failure.fault), conditions.tier, failure.log, failure.answering)

    try:
        played = play(spec, conditions.start(), seat(black), seat(white), lag=_lag_meter())
    except BaseException:
        _SEATS.close()
        raise
    if played.result.winner is None:
        # Something of ours is broken, so trust none of the open seats.
        _SEATS.close()
    return played


def close_here() -> None:
    """Close all seats of this thread."""
    _SEATS.close()
