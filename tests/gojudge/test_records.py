import pytest

from gojudge.records import GameResult, GameSpec, Spent, Termination, Tier, Turn

SPEC = GameSpec("a-b-001", "a", "b", (1, 0))


def test_tiers_are_in_the_order_of_their_strength():
    assert list(Tier) == sorted(Tier) == [Tier.T0, Tier.T1, Tier.T2, Tier.T3]


def test_a_tier_is_written_down_as_its_name():
    assert [f"{tier}" for tier in Tier] == ["T0", "T1", "T2", "T3"]
    assert Tier("T3") is Tier.T3
    assert Tier.T2 > "T1"


RESULTS = [
    (GameResult(SPEC, 1, 13, 12.5, Termination.SCORE), "B+0.5"),
    (GameResult(SPEC, 0, 6, 6, Termination.SCORE), "0"),
    (GameResult(SPEC, 2, 9, 8.5, Termination.RESIGNATION), "W+R"),
    (GameResult(SPEC, 2, 9, 8.5, Termination.REPETITION), "W+F"),
    (GameResult(SPEC, 1, 9, 8.5, Termination.TIME_OUT, forfeited_by=2), "B+F"),
    (GameResult(SPEC, None, 0, 0, Termination.VOID), "Void"),
]


@pytest.mark.parametrize(("result", "text"), RESULTS, ids=[text for _, text in RESULTS])
def test_a_result_is_written_as_sgf_has_it(result, text):
    assert result.text == text


def test_an_answer_that_was_no_move_is_one_of_its_players():
    black, white, last = Turn("C3", Spent(0.5, 0.1)), Turn("B2", Spent(0.25, 0.1)), Turn("C3", Spent(2.0, 1.0))
    lost = GameResult(SPEC, 2, 1, 3.5, Termination.ILLEGAL_MOVE, 1, turns=(black, white), last=last)
    assert lost.answers_of(1) == [black, last]
    assert lost.answers_of(2) == [white]
