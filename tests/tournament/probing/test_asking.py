"""A player before positions: what it answers, and what is noted when it fails."""

import random

import pytest

from goban.ideas import SAMPLE, SYMMETRIC
from goban.moves import PASS
from goban.rulesets import ruleset
from goban.states import new_game
from gojudge.errors import HarnessFaultError, SandboxError
from gojudge.records import Entrant, Fault, PlayerFaultError, Termination
from tests.support.stubs import Answers, StubSeat, conditions
from tournament.probing.asking import Question, ask_all, questions
from tournament.probing.positions import IMAGES, Position, image

ANN = Entrant("ann")
WIN, LOSS = 5, -5


def position(group="capture", moves=6, rules="course", seed=1):
    """A position in which only the first legal move wins."""
    rng, state, played = random.Random(seed), new_game(ruleset(rules), 5), []
    while len(played) < moves:
        played.append(rng.choice([move for move in state.legal_moves() if move is not PASS]))
        state = state.play(played[-1])
    good, bad = (WIN, LOSS) if state.to_move == 1 else (LOSS, WIN)
    legal = state.legal_moves()
    return Position(rules, group, tuple(played), {move: good if move == legal[0] else bad for move in legal})


def asked(opener, *positions, rules="course"):
    told = []
    opened = conditions(rules, 5, lambda entrant, _: opener(entrant))
    answers, tier = ask_all(ANN, opened, questions(positions), 1, told.append)
    assert answers == told
    return answers, tier


class Seeing(StubSeat):
    """Notes what it is shown; of the nine questions about a symmetric position it answers each with the image of one move."""

    tier = "T2"

    def __init__(self, entrant, seen, move):
        super().__init__(entrant)
        self.seen, self.move = seen, move

    def choose(self, state, complaint):
        number = len(self.seen) % 9 % 8
        self.seen.append((self.calls.count("begin"), self.colour, state, self.spec.seeds))
        return list(image(self.move, number, 5))


def test_each_position_is_a_game_of_its_own_with_the_right_colour():
    seen, both = [], (position(moves=6), position(moves=7))
    asked(lambda entrant: Seeing(entrant, seen, (9, 9)), *both)
    games = {(begun, colour, state) for begun, colour, state, _ in seen}
    assert games == {(1, 1, both[0].state()), (2, 2, both[1].state())}


def test_the_past_is_what_it_was():
    one = position(moves=9)
    before = Position(one.rules, one.group, one.moves[:-1], {}).state()
    assert one.state().n_move == 9
    assert one.state().previous == (before.black, before.white)


def test_a_move_that_wins_has_passed_and_others_have_not():
    one = position()
    good, bad, *_ = one.margins
    for move, passed in ((good, True), (bad, False)):
        (answer,), _ = asked(lambda entrant, move=move: Answers(entrant, list(move)), one)
        assert (answer.move, answer.passed, answer.moved) == (move, passed, True)
        assert one.cost(move) == (0 if passed else WIN - LOSS)


def test_it_is_asked_again_as_in_a_game():
    one = position()
    stone, good = one.moves[0], next(iter(one.margins))
    answers, _ = asked(lambda entrant: Answers(entrant, list(stone), "nonsense", list(good)), one)
    assert answers[0].passed
    assert answers[0].spent.wall == pytest.approx(0.003)
    (answer,), _ = asked(lambda entrant: Answers(entrant, *[list(stone)] * 20), one)
    assert (answer.moved, answer.passed, answer.fault.termination) == (False, False, Termination.ILLEGAL_MOVE)
    assert "occupied" in answer.fault.detail


def test_under_littlego_it_is_not_asked_again():
    one = position(rules="littlego")
    (answer,), _ = asked(lambda entrant: Answers(entrant, "nonsense"), one, rules="littlego")
    assert answer.fault.termination is Termination.INVALID_ANSWER
    (answer,), _ = asked(lambda entrant: Answers(entrant, "PASS"), one, rules="littlego")
    assert (answer.moved, answer.move) == (True, PASS)


def test_a_symmetric_position_is_shown_in_all_images_and_once_more_with_another_seed():
    one, seen = position(SYMMETRIC), []
    move = next(iter(one.margins))
    answers, tier = asked(lambda entrant: Seeing(entrant, seen, move), one)
    assert [answer.question for answer in answers] == [*(Question(one, number) for number in IMAGES), Question(one, draw=1)]
    assert tier == "T2"
    assert {answer.move for answer in answers} == {move}
    states, seeds = [state for _, _, state, _ in seen], [seed for *_, seed in seen]
    assert states[:8] == [one.state(number) for number in IMAGES]
    assert states[8] == states[0]
    assert len(set(seeds[:8])) == 1
    assert seeds[8] not in seeds[:8]


def test_others_are_shown_once():
    assert questions([position(), position(SAMPLE)]) == [Question(position()), Question(position(SAMPLE))]


def test_a_crash_is_noted_and_the_next_position_is_asked():
    crash = PlayerFaultError(Fault(Termination.CRASH, "ZeroDivisionError: division by zero"))
    one, other = position(), position(seed=2)
    good = next(iter(other.margins))
    answers, _ = asked(lambda entrant: Answers(entrant, crash, list(good)), one, other)
    assert answers[0].fault == crash.fault
    assert [answer.passed for answer in answers] == [False, True]


def test_who_is_waited_for_in_vain_three_times_is_not_asked_again():
    slow = [Fault(Termination.TIME_OUT, f"no answer within {limit} s") for limit in range(1, 10)]
    seats = []

    def opener(entrant):
        seats.append(Answers(entrant, *map(PlayerFaultError, slow)))
        return seats[-1]

    answers, _ = asked(opener, *(position(seed=seed) for seed in range(6)))
    assert [answer.fault for answer in answers] == [*slow[:3], slow[2], slow[2], slow[2]]
    assert seats[0].calls.count("begin") == seats[0].calls.count("end") == 3
    assert seats[0].calls[-1] == "close"


def test_time_outs_between_moves_are_all_waited_for():
    slow, good = PlayerFaultError(Fault(Termination.TIME_OUT, "")), [list(next(iter(position().margins)))]
    answers, _ = asked(lambda entrant: Answers(entrant, *[slow, slow, *good] * 3), *[position()] * 9)
    assert [answer.passed for answer in answers] == [False, False, True] * 3


def test_where_our_side_fails_it_is_asked_once_more_on_a_new_seat():
    one, made = position(), []
    good = next(iter(one.margins))

    def opener(entrant):
        made.append(Answers(entrant, *([HarnessFaultError("no worker")] if not made else [list(good)])))
        return made[-1]

    (answer,), _ = asked(opener, one)
    assert answer.passed
    assert [seat.calls[-1] for seat in made] == ["close", "close"]
    (answer,), _ = asked(lambda entrant: Answers(entrant, HarnessFaultError("no worker")), one)
    assert (answer.void, answer.fault, answer.moved) == ("HarnessFaultError: no worker", None, False)


def test_a_machine_without_a_sandbox_is_an_error_and_no_verdict():
    def opener(entrant):
        raise SandboxError("expected T2")

    with pytest.raises(SandboxError):
        asked(opener, position())
