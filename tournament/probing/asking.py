"""Puts a player before positions: in its sandbox, under its limits, each as a game of its own in which it is to move.

What it does wrong is noted as its answer, never raised. After three start-up failures or time-outs in a row it is not waited
for any more: the other positions have the same verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from goban.common.excerpts import error_line
from goban.game import judge_answer
from goban.ideas import SYMMETRIC
from goban.moves import Move
from goban.states import State
from gojudge.errors import JudgeError
from gojudge.records import NOTHING, Entrant, Fault, GameSpec, PlayerFaultError, Spent, Termination, open_seeds
from gojudge.refereeing.open_seats import Conditions
from gojudge.seats import Seat
from tournament.probing.positions import IMAGES, Position, image

_MOST_WAITS = 3
_WAITED = (Termination.START_UP_FAILURE, Termination.TIME_OUT)
_TRIES = 2


@dataclass(frozen=True)
class Question:
    """A position as it is shown: which image of it, and with which draw of the player's chance, counted from 0."""

    position: Position
    image: int = 0
    draw: int = 0


@dataclass(frozen=True)
class ProbeAnswer:
    """What came of a question. move: on the position itself, whichever image was shown; None may be a pass.

    fault: what the player did wrong, in place of a move. void: why it could not be asked, which is not its fault.
    """

    question: Question
    move: Move = None
    spent: Spent = NOTHING
    fault: Fault | None = None
    void: str = ""

    @property
    def position(self) -> Position:
        """The position, unturned."""
        return self.question.position

    @property
    def moved(self) -> bool:
        """Whether there is a move."""
        return self.fault is None and not self.void

    @property
    def passed(self) -> bool:
        """Whether the move keeps the win."""
        return self.moved and self.move in self.position.winning


def questions(positions: Sequence[Position]) -> list[Question]:
    """Return what is asked: each position once, a symmetric one in all its images, and once more with another chance."""
    found = []
    for position in positions:
        images = IMAGES if position.group == SYMMETRIC else IMAGES[:1]
        found += [Question(position, number) for number in images]
        found += [Question(position, draw=1)] if len(images) > 1 else []
    return found


def ask_all(
    entrant: Entrant, conditions: Conditions, asked: Sequence[Question], seed: int, told: Callable[[ProbeAnswer], object]
) -> tuple[list[ProbeAnswer], str]:
    """Return an entrant's answers, in order, and the tier of its sandbox. told: called with each as soon as it is there.

    Raises JudgeError if no player can be asked anything here.
    """
    player, answers, waits = _Player(entrant, conditions), list[ProbeAnswer](), 0
    try:
        for number, question in enumerate(asked):
            if waits < _MOST_WAITS:
                answer = player.answer(question, _spec(entrant, question, number, seed))
            else:
                answer = ProbeAnswer(question, fault=answers[-1].fault)
            waits = waits + 1 if answer.fault is not None and answer.fault.termination in _WAITED else 0
            answers.append(answer)
            told(answer)
    finally:
        player.close()
    return answers, player.tier


def _spec(entrant: Entrant, question: Question, number: int, seed: int) -> GameSpec:
    """Return the game that a question stands for. Images of a position have the same seeds; names do not matter."""
    seeds = open_seeds(seed, question.position.line(), question.draw)
    names = (entrant.name, "probe") if question.position.to_move == 1 else ("probe", entrant.name)
    return GameSpec(f"{entrant.name}-probe-{number + 1:03d}", *names, seeds)


class _Player:
    """Asks one entrant. Where our side fails a new seat is opened, and the question is asked once more."""

    def __init__(self, entrant: Entrant, conditions: Conditions) -> None:
        self.tier = ""
        self._entrant = entrant
        self._conditions = conditions
        self._seat: Seat | None = None

    def answer(self, question: Question, spec: GameSpec) -> ProbeAnswer:
        why = ""
        for _ in range(_TRIES):
            try:
                return self._answer(question, spec)
            except JudgeError:
                raise
            except Exception as error:
                why = error_line(error)
                self.close()
        return ProbeAnswer(question, void=why)

    def close(self) -> None:
        if self._seat is not None:
            self._seat.close()
            self._seat = None

    def _answer(self, question: Question, spec: GameSpec) -> ProbeAnswer:
        if self._seat is None:
            self._seat = self._conditions.opener(self._entrant, self._conditions)
        seat, position = self._seat, question.position
        self.tier = seat.tier
        try:
            seat.begin(spec, position.to_move)
            move, spent, fault = _move(seat, position.state(question.image))
        except PlayerFaultError as error:
            return ProbeAnswer(question, spent=error.spent, fault=error.fault)
        finally:
            seat.end()
        if fault is not None:
            return ProbeAnswer(question, spent=spent, fault=fault)
        size = self._conditions.size
        unturned = {image(each, question.image, size): each for each in position.margins}
        return ProbeAnswer(question, unturned[move], spent)


def _move(seat: Seat, state: State) -> tuple[Move, Spent, Fault | None]:
    """Return a legal move, asked for as often as the rules allow, with the time of all answers; or what was wrong."""
    spent, complaint = NOTHING, ""
    for _ in range(1 + state.rules.asked_again):
        reply = seat.answer(state, complaint)
        spent += reply.spent
        move, complaint, ending = judge_answer(reply.answer, state)
        if not complaint:
            return move, spent, None
    return None, spent, Fault(Termination.ILLEGAL_MOVE if state.rules.asked_again else Termination.of(ending), complaint)
