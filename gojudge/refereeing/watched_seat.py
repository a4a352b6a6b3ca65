"""A seat that is watched: every question, every answer and what the player prints is passed on at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gojudge.game import Move, State, judge_answer
from gojudge.records import GameSpec
from gojudge.seats import Reply, Seat


@dataclass(frozen=True)
class Asked:
    """A question and what came of it. printed: what the player printed while it thought.

    reply: None if the player forfeited at this question. complaint: what is wrong with its answer, '' if it is a legal move.
    move: the move, if it is one.
    """

    state: State
    reply: Reply | None
    printed: str
    move: Move = None
    complaint: str = ""


class WatchedSeat:
    """A `gojudge.seats.Seat` around another. questions: the positions in which its player was asked, in order."""

    def __init__(self, seat: Seat, tell: Callable[[Asked], None]) -> None:
        self.tier = seat.tier
        self.questions: list[State] = []
        self._seat = seat
        self._tell = tell

    def begin(self, spec: GameSpec, colour: int) -> None:
        self._seat.begin(spec, colour)

    def answer(self, state: State, complaint: str) -> Reply:
        if not complaint:
            self.questions.append(state)
        try:
            reply = self._seat.answer(state, complaint)
        except BaseException:
            self._tell(Asked(state, None, self._seat.printed()))
            raise
        move, wrong, _ = judge_answer(reply.answer, state)
        self._tell(Asked(state, reply, self._seat.printed(), move, wrong))
        return reply

    def printed(self) -> str:
        """Return '': it has been passed on already."""
        return ""

    def end(self) -> str:
        return self._seat.end()

    def close(self) -> None:
        self._seat.close()
