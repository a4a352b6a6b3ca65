"""How a game ended, kept apart from who won."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from goban.grids import BLACK, WHITE

COLOUR_NAMES = {BLACK: "black", WHITE: "white"}


def opponent(colour: int) -> int:
    """Return 2 for 1 and 1 for 2."""
    return 3 - colour


class Ending(Enum):
    """Why a game is over. In the last group a player forfeited by what his program did."""

    MOVE_LIMIT = "move limit"
    NO_PLACEMENT = "no legal placement"
    TWO_PASSES = "two passes"

    RESIGNATION = "resignation"
    REPETITION = "repetition"

    ILLEGAL_MOVE = "illegal move"
    INVALID_ANSWER = "invalid answer"
    CRASH = "crash"

    @property
    def is_forfeit(self) -> bool:
        """True if a player lost by a fault, not by the rules."""
        return self in (Ending.ILLEGAL_MOVE, Ending.INVALID_ANSWER, Ending.CRASH)


@dataclass(frozen=True)
class Outcome:
    """The result of a finished game.

    winner: 1 Black, 2 White, 0 a tie. black, white: points on the final board, White's komi included; they decide the
    winner only where `ending` says the board was counted. detail: for a forfeit, one line that says what happened.
    """

    winner: int
    black: float
    white: float
    ending: Ending
    detail: str = ""

    @property
    def counted(self) -> bool:
        """True if the points decided the game."""
        return self.ending in (Ending.MOVE_LIMIT, Ending.NO_PLACEMENT, Ending.TWO_PASSES)

    def result(self) -> str:
        """Return the result as SGF and GTP write it: 'B+2.5', 'W+R', 'W+F' (forfeit or repetition), '0' (tie)."""
        if not self.winner:
            return "0"
        letter = "B" if self.winner == BLACK else "W"
        if self.counted:
            return f"{letter}+{abs(self.black - self.white):g}"
        return f"{letter}+{'R' if self.ending is Ending.RESIGNATION else 'F'}"
