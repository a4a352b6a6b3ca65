"""Opens seats, keeps the last few open, and plays games between them. All of this runs in a worker process, each thread of
which has seats of its own.

A reference player is ours, so it plays in this process, on a GO of its own. Of a seat that is watched, every question, every
answer and what the player prints is passed on at once.
"""

from __future__ import annotations

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import cache

from go import GO
from goban.common.arguments import check_fields, check_kind
from goban.common.excerpts import error_line
from gojudge.errors import HarnessFaultError, JudgeError
from gojudge.game import Move, RuleSet, State, judge_answer, new_game, ruleset
from gojudge.inside.process_table import are_counted
from gojudge.records import Entrant, Fault, GameSpec, PlayerFaultError, Spent, tier_of
from gojudge.refereeing.referee import Lag, LagMeter, Played, never_late, play
from gojudge.seats import Limits, Reply, Seat, limits_of
from players.errors import BadPlayerError
from players.registry import Player, make_player, prepare_player

OPEN_SEATS = 5
"""How many seats a worker keeps open, those last used. A game needs two; to load a player takes as long as many games."""


def open_entrant(entrant: Entrant, conditions: Conditions) -> Seat:
    """Return a seat for a reference player, or for a submission or an engine in its sandbox."""
    if entrant.reference:
        return ReferenceSeat(entrant, ruleset(conditions.rules), conditions.size)
    from gojudge.sandbox import tiers

    rules = ruleset(conditions.rules)
    machine = conditions.tier, conditions.python, conditions.real_starts, conditions.load_each_game, conditions.tells_where
    return tiers.open_seat(entrant, rules, conditions.size, conditions.limits, *machine)


@dataclass(frozen=True)
class Conditions:
    """The conditions of every game of an event. rules: a preset's name. tier: of all sandboxes, '' if there is no submission.
    real_starts: start programs anew at every move; load_each_game: load classes anew for every game. Both give the same games,
    but take longer. tells_where: have a player that does not answer in time report the line it is on.

    opener: makes a seat for an entrant. It is pickled, so it must be a function at a module's top level.
    Raises GobanError for rules or a size that nobody can play, and JudgeError for other limits or another tier than there are.
    """

    rules: str
    size: int
    limits: Limits
    opener: Callable[[Entrant, Conditions], Seat] = open_entrant
    tier: str = ""
    python: str = ""
    real_starts: bool = False
    load_each_game: bool = False
    tells_where: bool = False

    def __post_init__(self) -> None:
        self.start()
        check_kind(self.limits, Limits, "limits (gojudge.Limits)", JudgeError)
        check_fields(self, JudgeError)
        if self.tier != "":
            tier_of(self.tier)

    def limits_of(self, entrant: Entrant) -> Limits:
        """Return the limits of an entrant."""
        return limits_of(entrant, self.limits)

    def start(self) -> State:
        """Return the position from which games start."""
        return new_game(ruleset(self.rules), self.size)


@dataclass(frozen=True)
class KnownFailure:
    """How an entrant fails at the start of each game. log: what it prints. answering: at its first question, not before."""

    fault: Fault
    log: str = ""
    answering: bool = False


@dataclass(frozen=True)
class Job:
    """A game to be played. replays: how often it has already been played in vain; notes: why, each time. losses: how often it
    was at a worker that was lost, whatever it was doing there. known: name -> the failure of an entrant that is not started.
    batch: the number of the batch that it came in."""

    spec: GameSpec
    replays: int = 0
    notes: tuple[str, ...] = ()
    losses: int = 0
    known: Mapping[str, KnownFailure] = field(default_factory=dict)
    batch: int = 0


@contextmanager
def open_seat(entrant: Entrant, conditions: Conditions) -> Iterator[Seat]:
    """Open a seat for an entrant; its player starts when its first game begins. Raises SandboxError."""
    check_kind(entrant, Entrant, "an entrant (gojudge.Entrant)", JudgeError)
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
            while len(self._seats) >= OPEN_SEATS:
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


@dataclass(frozen=True)
class Asked:
    """A question and what came of it. printed: what the player printed while it thought.

    reply: None if the player forfeited at this question. complaint: what is wrong with its answer, '' if it is a legal move.
    move: the move, if it is one.
    """

    state: State
    reply: Reply | None
    printed: str
    move: Move = None
    complaint: str = ""


class WatchedSeat:
    """A `gojudge.seats.Seat` around another. questions: the positions in which its player was asked, in order."""

    def __init__(self, seat: Seat, tell: Callable[[Asked], None]) -> None:
        self.tier = seat.tier
        self.questions: list[State] = []
        self._seat = seat
        self._tell = tell

    def begin(self, spec: GameSpec, colour: int) -> None:
        self._seat.begin(spec, colour)

    def answer(self, state: State, complaint: str) -> Reply:
        if not complaint:
            self.questions.append(state)
        try:
            reply = self._seat.answer(state, complaint)
        except BaseException:
            self._tell(Asked(state, None, self._seat.printed()))
            raise
        move, wrong, _ = judge_answer(reply.answer, state)
        self._tell(Asked(state, reply, self._seat.printed(), move, wrong))
        return reply

    def printed(self) -> str:
        """Return '': it has been passed on already."""
        return ""

    def end(self) -> str:
        return self._seat.end()

    def close(self) -> None:
        self._seat.close()


class ReferenceSeat:
    """A `gojudge.seats.Seat`. Whatever fails here is our fault. There is no limit of time; CPU is that of this process."""

    tier = ""

    def __init__(self, entrant: Entrant, rules: RuleSet, size: int) -> None:
        self._name = entrant.reference
        self._rules = rules
        self._size = size
        self._colour = 0
        self._player: Player | None = None
        self._view = GO(size, rules)

    def begin(self, spec: GameSpec, colour: int) -> None:
        self._colour = colour
        self._view = GO(self._size, self._rules)
        try:
            self._player = make_player(self._name, random.Random(spec.seeds[colour - 1]))
            prepare_player(self._name, self._player, self._rules, self._size)
        except BadPlayerError as error:
            raise HarnessFaultError(f"reference player {self._name!r}: {error}") from error

    def answer(self, state: State, complaint: str) -> Reply:
        if self._player is None:
            raise HarnessFaultError("a player was asked outside a game")
        started, cpu = time.monotonic(), time.process_time()
        self._view.adopt_state(state)
        try:
            answer = self._player.get_input(self._view, self._colour)
        except Exception as error:
            raise HarnessFaultError(f"reference player {self._name!r}: {error_line(error)}") from error
        wall, cpu = time.monotonic() - started, time.process_time() - cpu
        # It does not sleep: where it did not run, another process did.
        return Reply(answer, Spent(wall, cpu, waited=max(0.0, wall - cpu)))

    def printed(self) -> str:
        return ""

    def end(self) -> str:
        self._player = None
        return ""

    def close(self) -> None:
        self._player = None
