"""Why a move that can be read may not be played."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Breach:
    """The rule a move breaks. `repeats`: after how many moves the board that it would bring back stood before."""

    rule: str
    repeats: int | None = None

    def __str__(self) -> str:
        if self.repeats is None:
            return self.rule
        where = f"after move {self.repeats}" if self.repeats else "at the start"
        return f"{self.rule}, the board would be again what it was {where}"


OCCUPIED = Breach("the point is occupied")
SUICIDE = Breach("suicide, the stone would have no liberty")
NO_PASSING = Breach("these rules know no passing")
NO_RESIGNING = Breach("these rules know no resigning")
GAME_OVER = Breach("the game is over")
