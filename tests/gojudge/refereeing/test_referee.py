import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban.game import play_answers
from goban.moves import PASS, move_name
from goban.rulesets import PRESETS, ruleset
from goban.states import new_game
from gojudge.errors import HarnessFaultError
from gojudge.records import Entrant, Fault, GameSpec, PlayerFaultError, Spent, Termination, Turn
from gojudge.refereeing.referee import LagMeter, is_doubtful, never_late, play
from tests.support.stubs import Answers, StubSeat

SPEC = GameSpec("alice-bob-001", "alice", "bob", (42, 0))
ALICE, BOB = Entrant("alice"), Entrant("bob")
TIME_OUT = PlayerFaultError(Fault(Termination.TIME_OUT, "no answer within 5 s", "the last lines"), Spent(9.0, 1.0, 4.0, 4.0))
BROKEN = HarnessFaultError("worker for 'bob' could not start")


def course(*black, white=(), size=3, rules="course", **options):
    seats = Answers(ALICE, *black), Answers(BOB, *white)
    return play(SPEC, new_game(ruleset(rules), size), *seats, **options)


class Unwilling(StubSeat):
    """Cannot even begin."""

    def __init__(self, entrant, error):
        super().__init__(entrant)
        self.error = error

    def begin(self, spec, colour):
        super().begin(spec, colour)
        raise self.error


@settings(max_examples=60)
@given(st.sampled_from(sorted(PRESETS)), st.integers(2, 5), st.integers(0, 10**6))
def test_a_game_is_played_as_goban_plays_it(rules, size, seed):
    spec = GameSpec("alice-bob-001", "alice", "bob", (seed, seed + 1))
    start = new_game(ruleset(rules), size)
    seats = StubSeat(ALICE), StubSeat(BOB)
    result = play(spec, start, *seats).result
    for colour, seat in enumerate(seats, 1):
        seat.begin(spec, colour)
    record = play_answers(start, *(lambda state, complaint, seat=seat: seat.answer(state, complaint).answer for seat in seats))
    assert [turn.move for turn in result.turns] == [move_name(move, size) for move in record.moves]
    assert (result.winner, result.black_score, result.white_score) == (
        record.outcome.winner, record.outcome.black, record.outcome.white,
    )  # fmt: skip
    assert result.termination == Termination.of(record.outcome.ending)
    assert (result.forfeited_by, result.detail, result.last, result.replays) == (0, "", None, 0)


def test_every_move_has_its_time():
    assert {turn.spent for turn in course().result.turns} == {Spent(0.001, 0.0005)}


def test_a_player_who_is_asked_again_has_used_the_time_of_all_answers():
    turns = course([9, 9], [0, 0]).result.turns
    assert turns[0] == Turn("A3", Spent(0.002, 0.001))


def test_seats_are_asked_in_turn_and_told_of_the_end():
    black, white = Answers(ALICE, [0, 0], [0, 1]), Answers(BOB, [1, 1], TIME_OUT)
    play(SPEC, new_game(ruleset("littlego"), 3), black, white)
    assert black.calls == white.calls == ["begin", "answer", "answer", "end"]


class Forgetful(Answers):
    """Cannot say what it printed."""

    def end(self):
        super().end()
        raise HarnessFaultError("its keeper is gone")


@pytest.mark.parametrize("answers", [(), (TIME_OUT,)], ids=["a whole game", "a forfeit"])
@pytest.mark.parametrize("colour", [0, 1])
def test_a_game_of_which_a_log_may_be_lost_is_void(answers, colour):
    """Or what was printed would depend on when our side failed."""
    kinds = [Answers, Answers]
    kinds[colour] = Forgetful
    seats = kinds[0](ALICE, *answers), kinds[1](Entrant("noisy"))
    result = play(SPEC, new_game(ruleset("course"), 3), *seats).result
    assert (result.termination, result.winner) == (Termination.VOID, None)
    assert result.detail == "game alice-bob-001 is void: HarnessFaultError: its keeper is gone"
    assert all(seat.calls[-1] == "end" for seat in seats)


VERDICTS = [
    (TIME_OUT, Termination.TIME_OUT, "no answer within 5 s"),
    (PlayerFaultError(Fault(Termination.CRASH, "the process died")), Termination.CRASH, "the process died"),
    (PlayerFaultError(Fault(Termination.OUT_OF_MEMORY, "more than 64 MiB")), Termination.OUT_OF_MEMORY, "more than 64 MiB"),
    ([1, 1], Termination.ILLEGAL_MOVE, "illegal move B2: the point is occupied"),
    ([0, 3], Termination.INVALID_ANSWER, "invalid answer: expected a row and a column from 0 to 2, got (0, 3)"),
    ("C9", Termination.INVALID_ANSWER, "invalid answer: expected (row, column), got 'C9'"),
    (None, Termination.INVALID_ANSWER, "invalid answer: expected (row, column), got None: get_input returned nothing"),
    ({"x": 1}, Termination.INVALID_ANSWER, "invalid answer: expected (row, column), got {'x': 1}"),
]


@pytest.mark.parametrize(("answer", "termination", "said"), VERDICTS)
def test_who_forfeits_when_and_why(answer, termination, said):
    result = course([1, 1], [0, 0], white=[[2, 2], answer], rules="littlego").result
    assert (result.winner, result.forfeited_by, result.termination) == (1, 2, termination)
    assert result.detail == f"white (bob) forfeits at move 4: {said}"
    assert [turn.move for turn in result.turns] == ["B2", "C1", "A3"]
    assert (result.black_score, result.white_score) == (2, 2.5)


def test_in_the_course_an_illegal_answer_is_asked_again_ten_times():
    assert course(*[[5, 5]] * 10, [1, 1]).result.forfeited_by == 0
    result = course(*[[5, 5]] * 11).result
    assert (result.winner, result.termination) == (2, Termination.ILLEGAL_MOVE)
    assert result.detail.startswith("black (alice) forfeits at move 1: invalid answer")
    assert result.last == Turn("[5, 5]", Spent(pytest.approx(0.011), pytest.approx(0.0055)))


def test_a_forfeit_keeps_the_players_own_traceback_and_what_waiting_for_it_took():
    result = course(TIME_OUT).result
    assert result.evidence == "the last lines"
    assert result.last == Turn("", Spent(9.0, 1.0, 4.0, 4.0))


@pytest.mark.parametrize("colour", [1, 2])
def test_who_cannot_begin_forfeits_before_move_1(colour):
    error = PlayerFaultError(Fault(Termination.START_UP_FAILURE, "SyntaxError: invalid syntax"))
    seats = [StubSeat(ALICE), StubSeat(BOB)]
    seats[colour - 1] = Unwilling(Entrant("x"), error)
    result = play(SPEC, new_game(ruleset("course"), 3), *seats).result
    assert (result.winner, result.forfeited_by, result.termination) == (3 - colour, colour, Termination.START_UP_FAILURE)
    who = ("black (alice)", "white (bob)")[colour - 1]
    assert result.detail == f"{who} forfeits before move 1: SyntaxError: invalid syntax"
    assert seats[colour - 1].calls[-1] == "end"


@pytest.mark.parametrize("error", [BROKEN, OSError(12, "Cannot allocate memory"), KeyError("our bug")])
def test_our_own_failure_makes_the_game_void_whatever_it_is(error):
    for result in (course([0, 0], white=[error]).result, _begun_with(error)):
        assert (result.winner, result.termination, result.forfeited_by) == (None, Termination.VOID, 0)
        assert result.detail.startswith("game alice-bob-001 is void: ")


def _begun_with(error):
    return play(SPEC, new_game(ruleset("course"), 3), StubSeat(ALICE), Unwilling(BOB, error)).result


def test_both_games_are_ended_also_when_the_referee_is_stopped():
    black, white = Answers(ALICE), StubSeat(BOB)
    black.choose = lambda state, complaint: (_ for _ in ()).throw(KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        play(SPEC, new_game(ruleset("course"), 3), black, white)
    assert black.calls[-1] == white.calls[-1] == "end"


def test_logs_and_tier_are_those_of_the_seats():
    black, white = StubSeat(Entrant("noisy")), StubSeat(BOB)
    black.tier, white.tier = "T3", "T2"
    result = play(SPEC, new_game(ruleset("course"), 3), black, white).result
    assert (result.black_log, result.white_log, result.tier) == ("log of noisy", "", "T2")


def test_a_pass_and_a_resignation_are_turns():
    result = course("PASS", white=["RESIGN"], rules="aga", size=5).result
    assert [turn.move for turn in result.turns] == ["pass", "resign"]
    assert (result.winner, result.termination) == (1, Termination.RESIGNATION)
    assert PASS is None


# Lateness


def test_how_late_we_were_in_the_turn_that_was_forfeited_is_told():
    late = iter([0.0, 0.1, 0.1, 0.2, 1.0, 1.5, 2.0, 2.75])
    played = course([0, 0], white=[TIME_OUT], lag=lambda: next(late))
    assert played.lag == 0.75


def test_lateness_in_a_game_that_ended_by_the_rules_does_not_matter():
    late = iter(range(1000))
    assert course(lag=lambda: next(late)).lag == 0


@pytest.mark.parametrize(
    ("lag", "seconds", "doubtful"), [(0, 5, False), (0.2, 5, False), (0.25, 5, True), (0.04, 0.1, False), (0.05, 0.1, True)]
)
def test_a_time_out_is_doubtful_if_we_were_late_by_a_twentieth_of_the_time(lag, seconds, doubtful):
    assert is_doubtful(lag, seconds) == doubtful


def test_a_meter_never_runs_backwards():
    meter = LagMeter()
    readings = [meter() for _ in range(100)]
    assert readings == sorted(readings)
    assert never_late() == 0
