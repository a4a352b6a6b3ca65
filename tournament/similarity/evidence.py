"""What two players have in common, position by position: where they made the same move and few others did."""

from __future__ import annotations

from dataclasses import dataclass

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
