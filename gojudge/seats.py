"""What the referee talks to: a seat answers for one player, whatever is behind it.

A seat is opened once and plays any number of games, one after the other:

    seat.begin(spec, colour)          a new game; the player object is made
    seat.answer(state, complaint)     the player's answer, as often as it is to move
    seat.printed()                    what the player has printed lately, for somebody who watches
    seat.end()                        the game is over; what the player printed
    seat.close()                      no more games

Where possible, a player is stopped while it is not asked. `begin` and `answer` raise PlayerFaultError when the player
forfeits, HarnessFaultError when our side fails, and nothing else. After either, `end` is still called, and then the seat must
be ready for the next `begin`, even if `end` fails too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from goban.common.arguments import check_fields
from goban.common.excerpts import quoted
from gojudge.errors import JudgeError
from gojudge.game import LITTLEGO, State, move_seconds, ruleset
from gojudge.records import Entrant, GameSpec, Spent, Termination


@dataclass(frozen=True)
class Limits:
    """What a submission may use. Seconds, MiB (2**20 bytes), KiB; all positive, else JudgeError is raised.

    move_seconds: for a class, the charge for one answer (see `gojudge.records`); for a program, CPU of its whole process
    tree for one move. start_seconds: the charge for loading the code, and again for creating the player. game_cpu_seconds:
    CPU of the whole process tree over a game. memory_mib: memory of the whole process tree. processes: number at the same
    time, threads included. disk_mib: growth of its private folder. log_kib: how much of its output is kept per game.
    """

    move_seconds: float = 5.0
    start_seconds: float = 15.0
    game_cpu_seconds: float = 120.0
    memory_mib: int = 1024
    processes: int = 64
    disk_mib: int = 64
    log_kib: int = 64

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (isinstance(value, int | float) and value > 0):
                raise JudgeError(f"expected more than 0 as `{name}`, got {quoted(value)}")
        check_fields(self, JudgeError)

    def seconds_before(self, ending: Termination) -> float:
        """Return the time limit in seconds of a player that forfeits by the clock."""
        return self.start_seconds if ending is Termination.START_UP_FAILURE else self.move_seconds


def limits_of(entrant: Entrant, limits: Limits) -> Limits:
    """Return what an entrant may use where the event has these limits: an engine may have others."""
    if entrant.engine is None:
        return limits
    own: dict[str, Any] = dict(entrant.engine.limits)
    return replace(limits, **own)


def usual_limits(rules: str) -> Limits:
    """Return the default limits under a preset of `goban.rulesets`."""
    # A player makes at most thirteen moves on the homework's board.
    seconds = 150.0 if rules == LITTLEGO.name else Limits.game_cpu_seconds
    return Limits(move_seconds=move_seconds(ruleset(rules)), game_cpu_seconds=seconds)


@dataclass(frozen=True)
class Reply:
    """A player's answer as plain data (what JSON can hold), or as RESIGN if it is an engine's; and what it took.

    came_from: of a class that is followed, what it says of where it returned that, see `ClassSeat`.
    """

    answer: object
    spent: Spent
    came_from: Sequence[object] = ()


class Seat(Protocol):
    """See the top of this file."""

    tier: str

    def begin(self, spec: GameSpec, colour: int) -> None:
        """Start a game; `colour` is 1 for Black, 2 for White."""

    def answer(self, state: State, complaint: str) -> Reply:
        """Return the player's answer where it is to move. complaint: what was wrong with its last answer, '' if nothing."""

    def printed(self) -> str:
        """Return head and tail of what the player has printed since the last call; of a program, since the last question.

        '' if nothing was printed, or that is not known. Never raises.
        """

    def end(self) -> str:
        """End the game; return head and tail of what the player printed, '' if nothing.

        Raises HarnessFaultError if our side fails and it may be lost; then the game is void.
        """

    def close(self) -> None:
        """Release all that the seat holds. Never raises."""
