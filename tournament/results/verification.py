"""Whether a replayed game matches the stored one: the first move that differs, and whose it is."""

from __future__ import annotations

from dataclasses import dataclass

from goban.grids import BLACK, WHITE
from goban.outcomes import COLOUR_NAMES
from tournament.records import GameResult


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
    then, now = (_played(result, number) for result in (stored, again))
    return Difference(stored.spec.id, number + 1, player, colour, then, now)


def _end(result: GameResult) -> tuple[object, ...]:
    return result.winner, result.termination, result.forfeited_by, result.black_score, result.white_score


def _played(result: GameResult, number: int) -> str:
    """Return the move of this index, or say that there was none and why."""
    return result.turns[number].move if number < len(result.turns) else f"nothing ({result.termination.value})"
