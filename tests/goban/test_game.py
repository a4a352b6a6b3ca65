"""The host's loop, with functions in the seats."""

import pytest

from goban.errors import GobanError
from goban.game import GameLeftError, GameRecord, TakeBackError, judge_answer, play_answers
from goban.moves import PASS, RESIGN
from goban.rulesets import AGA, ALPHAGO7, COURSE, LITTLEGO, PRESETS, TROMP_TAYLOR, Ending
from goban.states import new_game

MOVES = {"PASS": PASS, "RESIGN": RESIGN}


class Seat:
    """Gives its answers in order, then plays the first legal move; keeps what it was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.states, self.complaints = [], []

    def __call__(self, state, complaint):
        self.states.append(state)
        self.complaints.append(complaint)
        if not self.answers:
            move = state.legal_moves()[0]
            return "PASS" if move is None else move
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_record_replays_to_its_final_state(rules):
    start = new_game(rules, 3)
    passing = ["PASS"] * 99 if rules.passing else []
    record = play_answers(start, Seat((0, 0), (2, 2), *passing), Seat((1, 1), (0, 1), *passing))
    assert record.start is start
    state = start
    for move in record.moves:
        state = state.play(move)
    assert state == record.final
    assert state.outcome == record.outcome


def test_black_moves_first_and_the_seats_take_turns():
    black, white = Seat(), Seat()
    record = play_answers(new_game(COURSE, 3), black, white)
    assert {state.to_move for state in black.states} == {1}
    assert {state.to_move for state in white.states} == {2}
    assert [state.n_move for state in black.states] == list(range(0, len(record.moves), 2))


def test_a_game_may_begin_in_the_middle():
    start = new_game(LITTLEGO, 5).play((2, 2)).play(PASS).play((1, 1))
    record = play_answers(start, Seat("PASS"), Seat("PASS", (3, 3)))
    assert record.start is start
    assert record.moves == (None, None)
    assert record.final.n_move == 5


def test_a_finished_game_asks_nobody():
    over = new_game(LITTLEGO, 5).play(PASS)
    black, white = Seat(), Seat()
    record = play_answers(over, black, white)
    assert (record.moves, black.states, white.states) == ((), [], [])
    assert record.outcome.ending is Ending.TWO_PASSES


def test_the_watcher_sees_every_move_and_the_state_after_it():
    watched = []
    record = play_answers(new_game(COURSE, 3), Seat(), Seat(), lambda state, move: watched.append((state, move)))
    assert tuple(move for _, move in watched) == record.moves
    assert [state.n_move for state, _ in watched] == list(range(1, len(record.moves) + 1))
    assert watched[-1][0] is record.final


def test_a_seat_that_is_asked_again_hears_why():
    black = Seat((9, 9), "PASS", (1, 1))
    play_answers(new_game(COURSE, 3), black, Seat(*[(1, 1)] * 11))
    assert black.complaints == [
        "",
        "invalid answer: expected a row and a column from 0 to 2, got (9, 9)",
        "illegal move pass: these rules know no passing",
    ]
    assert len({id(state) for state in black.states}) == 1


@pytest.mark.parametrize(
    ("rules", "answer", "times", "ending"),
    [
        (COURSE, None, 11, Ending.ILLEGAL_MOVE),
        (COURSE, (0, 0), 11, Ending.ILLEGAL_MOVE),
        (COURSE, ValueError("x"), 1, Ending.CRASH),
        (LITTLEGO, None, 1, Ending.INVALID_ANSWER),
        (LITTLEGO, (0, 0), 1, Ending.ILLEGAL_MOVE),
        (LITTLEGO, RecursionError(), 1, Ending.CRASH),
        (TROMP_TAYLOR, "RESIGN", 1, Ending.ILLEGAL_MOVE),
        (AGA, (0, 0), 1, Ending.ILLEGAL_MOVE),
        (ALPHAGO7, "pass", 1, Ending.INVALID_ANSWER),
    ],
)
def test_a_fault_costs_the_game_after_as_many_answers_as_the_rules_allow(rules, answer, times, ending):
    white = Seat(*[answer] * 99)
    record = play_answers(new_game(rules, 5), Seat((0, 0)), white)
    assert (record.outcome.winner, record.outcome.ending, len(white.states)) == (1, ending, times)
    assert record.outcome.detail.startswith("white forfeits at move 2: ")
    assert record.outcome.ending.is_forfeit
    assert not record.outcome.counted
    assert record.outcome.result() == "B+F"


WHOLE, BROKEN = (1, 1), (1.0, 1.0)


@pytest.mark.parametrize(
    ("asked", "answer", "complaint"),
    [
        (WHOLE, WHOLE, ""),
        (WHOLE, [1, 1], ""),
        (WHOLE, (0, 0), "illegal move A5: the point is occupied"),
        (WHOLE, None, "invalid answer: expected (row, column), got None: get_input returned nothing"),
        (BROKEN, BROKEN, "invalid answer: expected two whole numbers, got (1.0, 1.0)"),
        ((0, 0), None, "invalid answer: expected (row, column), got None: get_input returned nothing"),
    ],
)
def test_what_was_asked_about_before_changes_no_verdict(asked, answer, complaint):
    state = new_game(AGA, 5).after((0, 0))
    assert not state.is_over
    state.why_illegal_placement(asked)
    move, said, _ = judge_answer(answer, state)
    assert said == complaint
    assert complaint or (move == WHOLE and type(move) is tuple)


def test_what_was_found_legal_is_not_asked_again():
    state = new_game(AGA, 5)
    point = state.grid.points[6]
    assert not state.is_over
    assert not state.is_known_legal(point)
    assert state.why_illegal_placement((1, 1)) is None
    assert state.is_known_legal(point)
    assert state.why_illegal_placement((2, 2)) is None
    assert not state.is_known_legal(point)


def test_after_the_end_nothing_is_legal_whatever_was_asked_about():
    for looked_at_before in (False, True):
        state = new_game(AGA, 5).after(PASS).after(PASS)
        assert not looked_at_before or state.is_over
        assert state.why_illegal_placement(state.grid.points[6]) is None
        assert judge_answer(state.grid.points[6], state)[1] == "illegal move B4: the game is over"


def test_a_forfeit_keeps_the_moves_and_the_points_so_far():
    record = play_answers(new_game(COURSE, 5), Seat((0, 1), (1, 0), *[None] * 11), Seat((0, 0), (4, 4)))
    assert record.moves == ((0, 1), (0, 0), (1, 0), (4, 4))
    assert record.final.n_move == 4
    assert (record.outcome.black, record.outcome.white) == (2, 3.5)


def test_a_resignation_is_no_forfeit():
    record = play_answers(new_game(AGA, 5), Seat("RESIGN"), Seat())
    assert record.moves == (RESIGN,)
    assert (record.outcome.winner, record.outcome.result()) == (2, "W+R")
    assert not record.outcome.ending.is_forfeit
    assert record.outcome.detail == ""


@pytest.mark.parametrize("leaving", [KeyboardInterrupt, SystemExit])
def test_leaving_the_program_passes_through(leaving):
    with pytest.raises(leaving):
        play_answers(new_game(COURSE, 5), Seat(leaving()), Seat())


def test_a_fault_of_the_watcher_is_ours_and_raises():
    def broken(state, move):
        raise GobanError("ours")

    with pytest.raises(GobanError, match="ours"):
        play_answers(new_game(COURSE, 5), Seat(), Seat(), broken)


def test_records_are_equal_if_the_games_were():
    records = [play_answers(new_game(COURSE, 4), Seat(), Seat()) for _ in range(2)]
    assert records[0] == records[1]
    assert isinstance(records[0], GameRecord)
    assert hash(records[0]) == hash(records[1])


def test_a_game_that_is_left_keeps_its_moves_and_has_no_winner():
    answers = iter([(0, 0), (1, 1)])

    def leaves(state, complaint):
        if state.n_move == 2:
            raise SystemExit(3)
        return next(answers)

    with pytest.raises(GameLeftError) as caught:
        play_answers(new_game(COURSE, 5), leaves, leaves)
    record = caught.value.record
    assert caught.value.code == 3
    assert (record.moves, record.final.n_move) == (((0, 0), (1, 1)), 2)
    assert (record.outcome.winner, record.outcome.ending, record.outcome.result()) == (0, Ending.LEFT, "Void")
    assert not record.outcome.ending.is_forfeit


def taking_back(when, most=1):
    """A seat that takes the first empty point, and takes that back some times once `when` moves were made."""
    left = [most]

    def seat(state, complaint):
        if state.n_move == when and left[0]:
            left[0] -= 1
            raise TakeBackError
        return next(point for point in state.grid.points if state.why_illegal(point) is None)

    return seat


def test_a_move_and_its_reply_can_be_taken_back():
    plain = play_answers(new_game(LITTLEGO, 3), taking_back(99), taking_back(99))
    numbers = []
    record = play_answers(
        new_game(LITTLEGO, 3), taking_back(4, 2), taking_back(3), lambda state, move: numbers.append(state.n_move)
    )
    assert record == plain
    assert numbers == [1, 2, 3, 2, 3, 4, 3, 4, 3, 4, *range(5, len(plain.moves) + 1)]


def test_nothing_is_before_the_start():
    assert len(play_answers(new_game(COURSE, 3), taking_back(0), taking_back(1)).moves) == 8
