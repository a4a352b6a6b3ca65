"""How a game ended, kept apart from who won."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from goban.grids import BLACK, WHITE

COLOUR_NAMES = {BLACK: "black", WHITE: "white"}


def opponent(colour: int) -> int:
    """Return 2 for 1 and 1 for 2."""
    return 3 - colour


def result_text(winner: int, margin: float | None, *, resigned: bool = False) -> str:
    """Return a result as SGF and GTP write it: 'B+2.5', 'W+R', 'W+F' (forfeit or repetition), '0' (tie).

    winner: 1, 2 or 0. margin: Black's points less White's, or the other way round; None where the board did not decide.
    """
    if not winner:
        return "0"
    letter = "B" if winner == BLACK else "W"
    if margin is None:
        return f"{letter}+{'R' if resigned else 'F'}"
    return f"{letter}+{abs(margin):g}"


class Ending(Enum):
    """Why a game is over. In the last group a player forfeited by a fault of their program."""

    MOVE_LIMIT = "move limit"
    NO_PLACEMENT = "no legal placement"
    TWO_PASSES = "two passes"

    RESIGNATION = "resignation"
    REPETITION = "repetition"

    # Nobody won: a person left the game.
    LEFT = "left unfinished"

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
        """Return the result as SGF and GTP write it; see `result_text`. SGF has 'Void' for a game that was left."""
        if self.ending is Ending.LEFT:
            return "Void"
        margin = self.black - self.white if self.counted else None
        return result_text(self.winner, margin, resigned=self.ending is Ending.RESIGNATION)
