"""Whether a replayed game matches the stored one: the first move that differs, whose it is, and whose doing that is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from goban.grids import BLACK, WHITE
from goban.rulesets import COLOUR_NAMES
from gojudge.records import GameResult, Turn
from gojudge.times import NOTHING
from gojudge.verdicts import Termination

# An answer for which a player thought longer than this share of its limit may depend on the clock; a time-out may be honest if
# it thought longer than the other share elsewhere.
_THINKING, _NEARLY_LATE = 0.05, 0.5


@dataclass(frozen=True)
class Difference:
    """Where a replayed game differs. move: the number of the first move that differs, from 1. player: who made it, in the
    same position with the same seed. before, now: what was played, or how the game ended there."""

    id: str
    move: int
    player: str
    colour: int
    before: str
    now: str

    def __str__(self) -> str:
        who = f"{COLOUR_NAMES[self.colour]} ({self.player})"
        return f"{self.id}: move {self.move}: {who} played {self.before} then, {self.now} now"


def difference(stored: GameResult, again: GameResult) -> Difference | None:
    """Return how a replayed game differs from the stored one, None if it does not. Times are not compared."""
    moves = [[turn.move for turn in result.turns] for result in (stored, again)]
    if moves[0] == moves[1] and _end(stored) == _end(again):
        return None
    number = next((k for k, pair in enumerate(zip(*moves, strict=False)) if pair[0] != pair[1]), min(map(len, moves)))
    colour = WHITE if number % 2 else BLACK
    for result in (stored, again):
        # A player who could not even start forfeits before move 1, whatever their colour.
        if len(result.turns) == number and result.forfeited_by:
            colour = result.forfeited_by
    player = stored.spec.black if colour == BLACK else stored.spec.white
    counted = all(len(result.turns) == number and not result.forfeited_by for result in (stored, again))
    then, now = (_counted(result) if counted else _played(result, number) for result in (stored, again))
    return Difference(stored.spec.id, number + 1, player, colour, then, now)


class Blame(Enum):
    """Why a game came out otherwise: because of the worker, of a player that does not play the same game twice, or of the
    clock; NOBODY if it came out the same."""

    NOBODY = auto()
    WORKER = auto()
    PLAYER = auto()
    CLOCK = auto()


def blame(
    claimed: GameResult, here: GameResult, again: GameResult, limit: Callable[[str], float | None]
) -> tuple[Blame, Difference | None]:
    """Say who is to blame if a worker's result of a game differs from ours. We have played the game twice.

    limit: name -> how many seconds this player has for an answer, None for one of ours.
    """
    if (unsteady := difference(here, again)) is not None:
        return Blame.PLAYER, unsteady
    found = difference(claimed, here)
    if found is None:
        return Blame.NOBODY, None
    seconds, number = limit(found.player), found.move - 1
    counted = number == len(claimed.turns) == len(here.turns) and not (claimed.forfeited_by or here.forfeited_by)
    if seconds is None or counted:
        return Blame.WORKER, found
    at_once = Turn("", NOTHING)
    answer = here.turns[number] if number < len(here.turns) else here.last or at_once
    late = _is_late(claimed, number)
    if _is_late(here, number) or answer.spent.charge > seconds * (_NEARLY_LATE if late else _THINKING):
        return Blame.CLOCK, found
    return Blame.WORKER, found


def _is_late(result: GameResult, number: int) -> bool:
    return len(result.turns) == number and result.termination is Termination.TIME_OUT


def _end(result: GameResult) -> tuple[object, ...]:
    return result.winner, result.termination, result.forfeited_by, result.black_score, result.white_score


def _counted(result: GameResult) -> str:
    winner = "nobody" if not result.winner else COLOUR_NAMES[result.winner]
    return f"the last one ({result.termination.value}, {result.black_score:g} to {result.white_score:g}, {winner} won)"


def _played(result: GameResult, number: int) -> str:
    """Return the move of this index, or say that there was none and why."""
    return result.turns[number].move if number < len(result.turns) else f"nothing ({result.termination.value})"
