"""How a game between two programs ended: by the rules, by a forfeit, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gojudge.game import Ending
from gojudge.times import NOTHING, Spent


class Termination(StrEnum):
    """Why a game is over. The values are what stores, exports and reports show."""

    # By the rules: the board was counted, a player resigned, or a rule of this rule set decided.
    SCORE = "score"
    RESIGNATION = "resignation"
    REPETITION = "repetition"

    # A player forfeited.
    ILLEGAL_MOVE = "illegal move"
    INVALID_ANSWER = "invalid answer"
    TIME_OUT = "time-out"
    CRASH = "crash"
    OUT_OF_MEMORY = "out of memory"
    START_UP_FAILURE = "start-up failure"

    # Our fault: no player is charged, and the game is played again under the same id.
    VOID = "void"

    @property
    def is_forfeit(self) -> bool:
        """True if a player lost by a fault of its own."""
        return self in _FORFEITS

    @staticmethod
    def of(ending: Ending) -> Termination:
        """Return the termination for an ending of `goban.rulesets`."""
        return _OF_ENDING.get(ending, Termination.SCORE)


_FORFEITS = frozenset(
    {
        Termination.ILLEGAL_MOVE,
        Termination.INVALID_ANSWER,
        Termination.TIME_OUT,
        Termination.CRASH,
        Termination.OUT_OF_MEMORY,
        Termination.START_UP_FAILURE,
    }
)

_OF_ENDING = {
    Ending.RESIGNATION: Termination.RESIGNATION,
    Ending.REPETITION: Termination.REPETITION,
    Ending.ILLEGAL_MOVE: Termination.ILLEGAL_MOVE,
    Ending.INVALID_ANSWER: Termination.INVALID_ANSWER,
    Ending.CRASH: Termination.CRASH,
}


@dataclass(frozen=True)
class Fault:
    """What a player's program did wrong, as a seat reports it.

    termination: one of the forfeits. detail: one printable line, e.g. "no answer within 1 s" or
    "ZeroDivisionError: division by zero (my_player.py, line 12)". evidence: the last lines of the program's own
    traceback, printable, at most 4,000 characters, '' if there is none.
    """

    termination: Termination
    detail: str
    evidence: str = ""


class PlayerFaultError(Exception):
    """A seat's player forfeits. This is a verdict on its way to the referee, and never shown as an error.

    spent: what the answer had taken that never came, or that broke a limit.
    """

    def __init__(self, fault: Fault, spent: Spent = NOTHING) -> None:
        super().__init__(fault.detail)
        self.fault = fault
        self.spent = spent
