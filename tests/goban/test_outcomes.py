import pytest

from goban.outcomes import Ending, Outcome, result_text

RESULTS = [
    (Outcome(1, 13, 12.5, Ending.MOVE_LIMIT), "B+0.5"),
    (Outcome(2, 3, 24.5, Ending.TWO_PASSES), "W+21.5"),
    (Outcome(1, 14, 4, Ending.NO_PLACEMENT), "B+10"),
    (Outcome(0, 6, 6, Ending.MOVE_LIMIT), "0"),
    (Outcome(2, 9, 8.5, Ending.RESIGNATION), "W+R"),
    (Outcome(1, 2, 8.5, Ending.CRASH), "B+F"),
    (Outcome(2, 9, 8.5, Ending.REPETITION), "W+F"),
    (Outcome(0, 9, 8.5, Ending.REPETITION), "0"),
]


@pytest.mark.parametrize(("outcome", "text"), RESULTS, ids=[text for _, text in RESULTS])
def test_results_as_sgf_writes_them(outcome, text):
    assert outcome.result() == text


def test_a_result_can_be_written_without_an_outcome():
    assert (result_text(2, -1.0), result_text(1, None, resigned=True), result_text(0, None)) == ("W+1", "B+R", "0")


def test_forfeits_are_faults_of_a_player():
    forfeits = {ending for ending in Ending if ending.is_forfeit}
    assert forfeits == {Ending.ILLEGAL_MOVE, Ending.INVALID_ANSWER, Ending.CRASH}
