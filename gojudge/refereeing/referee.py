"""Plays one game between two seats and says what came of it.

`goban.game` knows the rules, and what counts as an answer. The referee adds up the time that seats report, and turns what they
raise into a verdict: a player's fault is a forfeit, our own fault makes the game void.

A lag says how late our own side is, for kernels that do not tell how long a player waited for a core
(`gojudge.inside.processes`). There, a game lost by a time-out that a busy machine may have caused is replayed before it
counts. A thread sleeps one tick at a time and adds up how late it woke. An overloaded machine, a suspended process or a
swapping host delays the code that reads the player's answer and the clock in the same way.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from goban.common.excerpts import error_line, quoted
from gojudge.errors import HarnessFaultError
from gojudge.game import BLACK, COLOUR_NAMES, WHITE, Ending, Move, Outcome, State, move_name, opponent, play_answers
from gojudge.records import NOTHING, Fault, GameResult, GameSpec, PlayerFaultError, Termination, Turn
from gojudge.seats import Seat

_TICK = 0.02
# An idle machine is late by a fraction of a millisecond; Python's threads may make each other wait 5 ms.
_GRACE = 0.01
# A time-out is in doubt if we were late by this share of the player's time, or by this many seconds if that is more.
_DOUBTFUL_SHARE = 0.05
_DOUBTFUL_SECONDS = 0.05


class LagMeter:
    """A call returns by how many seconds this process was late, in total, since the meter was made."""

    def __init__(self) -> None:
        self._late = 0.0
        self._due = time.monotonic() + _TICK
        threading.Thread(target=self._watch, name="lag", daemon=True).start()

    def __call__(self) -> float:
        # The thread itself may not have woken up yet.
        return self._late + _overdue(self._due)

    def _watch(self) -> None:
        while True:
            time.sleep(_TICK)
            self._late += _overdue(self._due)
            self._due = time.monotonic() + _TICK


def _overdue(due: float) -> float:
    late = time.monotonic() - due
    return late if late > _GRACE else 0.0


def never_late() -> float:
    """Return 0: stands in for a LagMeter where no clock matters."""
    return 0.0


Lag = Callable[[], float]


def is_doubtful(lag: float, seconds: float) -> bool:
    """Tell whether a time-out may be our own fault. lag: seconds we were late; seconds: how long the player had."""
    return lag >= max(_DOUBTFUL_SECONDS, _DOUBTFUL_SHARE * seconds)


@dataclass(frozen=True)
class Played:
    """A game as it was played. lag: if a player forfeited, by how many seconds our side was late in that turn; fault: what the
    player's seat said it did wrong, if that is why it forfeited."""

    result: GameResult
    lag: float = 0.0
    fault: Fault | None = None


def play(spec: GameSpec, start: State, black: Seat, white: Seat, *, lag: Lag = never_late) -> Played:
    """Play a game from `start`, with Black to move. If our side fails, the result has winner None and termination VOID.

    Afterwards both seats are ready for the next game. After a void game, open new ones.
    """
    adapters = {colour: _SeatAdapter(seat, colour, lag) for colour, seat in ((BLACK, black), (WHITE, white))}
    turns: list[Turn] = []

    def note(state: State, move: Move) -> None:
        adapter = adapters[BLACK if len(turns) % 2 == 0 else WHITE]
        turns.append(adapter.take_turn(move_name(move, state.grid.size)))

    logs: dict[int, str] = {}
    outcome = None
    try:
        for adapter in adapters.values():
            if not adapter.begin(spec):
                outcome = Outcome(opponent(adapter.colour), *start.scores(), Ending.CRASH)
                break
        else:
            outcome = play_answers(start, adapters[BLACK], adapters[WHITE], note).outcome
    finally:
        for adapter in adapters.values():
            logs[adapter.colour] = adapter.end()
    result = _result(spec, outcome, list(adapters.values()), tuple(turns))
    tiers = [seat.tier for seat in (black, white) if seat.tier]
    result = replace(result, black_log=logs[BLACK], white_log=logs[WHITE], tier=min(tiers, default=""))
    loser = adapters.get(result.forfeited_by)
    return Played(result) if loser is None else Played(result, loser.lag, loser.fault)


def loser_of(result: GameResult) -> str:
    """Return the name of the entrant that has forfeited, '' if none has."""
    return {BLACK: result.spec.black, WHITE: result.spec.white}.get(result.forfeited_by, "")


def reason_of(result: GameResult) -> str:
    """Return what a seat said that its player did wrong: the end of the line that tells of the forfeit."""
    return result.detail.partition(" forfeits ")[2].partition(": ")[2]


class _SeatAdapter:
    """Adapts a seat to `goban.game`, and notes the time it takes and what it raises.

    fault: what the player did wrong; breakdown: what our side did wrong, '' if nothing. lag: see Played.
    """

    def __init__(self, seat: Seat, colour: int, meter: Lag) -> None:
        self.seat = seat
        self.colour = colour
        self.begun = False
        self.fault: Fault | None = None
        self.breakdown = ""
        self.lag = 0.0
        self._meter = meter
        self._spent = NOTHING
        self._asked = False
        self._answer = ""

    def begin(self, spec: GameSpec) -> bool:
        """Start a game; return whether the player is ready."""
        self.begun = True
        try:
            with self._judge():
                self.seat.begin(spec, self.colour)
        except Exception:
            return False
        return True

    def __call__(self, state: State, complaint: str) -> object:
        self._asked, self._answer = True, ""
        with self._judge():
            reply = self.seat.answer(state, complaint)
        self._spent += reply.spent
        self._answer = quoted(reply.answer)
        return reply.answer

    @contextmanager
    def _judge(self) -> Iterator[None]:
        """Note who is to blame for what a seat raises: the player only where the seat says so."""
        before = self._meter()
        try:
            yield
        except PlayerFaultError as error:
            self.fault = error.fault
            self._spent += error.spent
            raise
        except Exception as error:
            self.breakdown = error_line(error)
            raise
        finally:
            self.lag = self._meter() - before

    def end(self) -> str:
        """End the game, if it was begun; return what the player printed."""
        try:
            return self.seat.end() if self.begun else ""
        except HarnessFaultError as error:
            self.breakdown = self.breakdown or error_line(error)
            return ""

    def take_turn(self, move: str) -> Turn:
        """Return the answers since the last turn as one turn, with the time of all of them."""
        turn = Turn(move, self._spent)
        self._spent, self._asked = NOTHING, False
        return turn

    def last(self) -> Turn | None:
        """Return the answer that was no move, as Python writes it, '' if none came; None if none was asked for."""
        return self.take_turn(self._answer) if self._asked else None


def _result(spec: GameSpec, outcome: Outcome, adapters: list[_SeatAdapter], turns: tuple[Turn, ...]) -> GameResult:
    """Return what came of a game. `outcome` calls every fault that a seat raises a crash; the adapters know which it was."""
    black, white = outcome.black, outcome.white
    for adapter in adapters:
        if adapter.breakdown:
            detail = f"game {spec.id} is void: {adapter.breakdown}"
            return GameResult(spec, None, black, white, Termination.VOID, detail=detail, turns=turns)
    termination, forfeited_by, detail, evidence, last = Termination.of(outcome.ending), 0, "", "", None
    if outcome.ending.is_forfeit:
        forfeited_by = opponent(outcome.winner)
        loser = adapters[forfeited_by - 1]
        name = f"{COLOUR_NAMES[forfeited_by]} ({spec.black if forfeited_by == BLACK else spec.white})"
        detail = outcome.detail.replace(COLOUR_NAMES[forfeited_by], name, 1)
        last = loser.last()
        if loser.fault is not None:
            moment = f"at move {len(turns) + 1}" if outcome.detail else "before move 1"
            termination, evidence = loser.fault.termination, loser.fault.evidence
            detail = f"{name} forfeits {moment}: {loser.fault.detail}"
    return GameResult(
        spec=spec,
        winner=outcome.winner,
        black_score=black,
        white_score=white,
        termination=termination,
        forfeited_by=forfeited_by,
        detail=detail,
        evidence=evidence,
        turns=turns,
        last=last,
    )
