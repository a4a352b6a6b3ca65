"""What two players have in common, position by position: where they made the same move and few others did.

Whoever takes what can be taken, and else the first point that is allowed, plays as the example that everybody has read: such
players are the same without knowing each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from goban.moves import move_name
from goban.points import Point
from goban.states import State
from tournament.similarity.choices import Choices


@dataclass(frozen=True)
class SameMove:
    """A position in which two players made the same move. game, ply: where it was met, and how many moves had been played.

    others: how many other players met it. same: how many of them made that move; a fraction if they did not always.
    """

    move: str
    game: str
    ply: int
    others: int
    same: float

    @property
    def rarity(self) -> float:
        """What a third player may be expected to do: the share of the others, drawn towards one half where they are few."""
        return (self.same + 1) / (self.others + 2)


def same_moves(choices: Choices, one: str, other: str) -> list[SameMove]:
    """Return the positions in which each of two players made one move in half of their visits or more, the rarest first."""
    wanted = [choices.players.index(name) for name in (one, other) if name in choices.players]
    found = []
    for position in choices.shared():
        rows = [row for row, player in enumerate(position.players) if player in wanted]
        if len(rows) < 2:
            continue
        both = position.shares[rows].min(axis=0)
        column = int(both.argmax())
        if both[column] >= 0.5:
            same = float(position.shares[:, column].sum() - position.shares[rows, column].sum())
            others = len(position.players) - 2
            found.append(SameMove(position.moves[column], position.game, position.ply, others, same))
    return sorted(found, key=lambda one: (one.rarity, -one.others, one.ply, one.game))


AS_TAUGHT = 0.95
"""Of the moves that two players both make so many are those of the example, if both play as it does."""
# As loops go over the board: row by row, the same with `>=` for the best, column by column.
_ORDERS: tuple[Callable[[Point], Point], ...] = (lambda at: at, lambda at: (-at[0], -at[1]), lambda at: (at[1], at[0]))


def play_as_taught(choices: Choices, one: str, other: str, state_of: Callable[[str, int], State]) -> bool:
    """Tell whether two players both play as the greedy example of the documents. state_of: a game's position, by id and ply."""
    places = {choices.players.index(name) for name in (one, other)}
    right, met = [0] * len(_ORDERS), 0
    for position in choices.shared():
        rows = [row for row, player in enumerate(position.players) if player in places]
        if len(rows) < 2:
            continue
        state = state_of(position.game, position.ply)
        points = state.grid.points_of(state.placements())
        if not points:
            continue
        met += 1
        taken = {point: state.after(point).captured.bit_count() for point in points}
        most = max(taken.values())
        for number, order in enumerate(_ORDERS):
            move = move_name(min((point for point in points if taken[point] == most), key=order), state.grid.size)
            made = position.shares[rows, position.moves.index(move)] if move in position.moves else [0.0]
            right[number] += min(made) > 0.5
    return met > 0 and max(right) >= AS_TAUGHT * met
