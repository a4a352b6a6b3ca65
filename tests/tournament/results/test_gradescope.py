"""`results.json` as Gradescope specifies it: https://gradescope-autograders.readthedocs.io/en/latest/specs/"""

import json

import pytest

from tests.support.game_rows import row, wins
from tournament.records import Entrant
from tournament.results.gradescope import VISIBILITIES, results
from tournament.results.grading import grades, refused_grade
from tournament.results.rubric_files import read_rubric
from tournament.verdicts import Termination

RUBRIC = read_rubric("2019")
TOP = {"score", "output", "output_format", "test_output_format", "test_name_format", "visibility", "stdout_visibility", "tests",
       "leaderboard"}  # fmt: skip
TEST = {"name", "number", "score", "max_score", "status", "output"}


def graded(rows):
    return grades(rows, RUBRIC, [Entrant("ann")])[0]


def all_games(**won):
    return [game for opponent, number in won.items() for game in wins("ann", opponent, number, 100)]


def test_the_example_of_the_rubric_as_gradescope_reads_it():
    found = results(graded(all_games(random=95, greedy=85, aggressive=80, smart=65)))
    assert found.keys() == TOP
    assert found["score"] == 65.5 == sum(test["score"] for test in found["tests"])
    assert [(test["name"], test["score"], test["max_score"], test["status"]) for test in found["tests"]] == [
        ("against random", 30, 30, "passed"),
        ("against greedy", 17, 30, "failed"),
        ("against aggressive", 12, 20, "failed"),
        ("against smart", 6.5, 20, "failed"),
    ]
    assert all(test.keys() == TEST for test in found["tests"])
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_the_leaderboard_ranks_by_points_then_games_then_time():
    found = results(graded(all_games(random=100)))["leaderboard"]
    assert [(entry["name"], entry["value"], entry.get("order", "desc")) for entry in found] == [
        ("points", 30, "desc"),
        ("games won (%)", 100, "desc"),
        ("seconds per move", 0, "asc"),
    ]


def test_what_a_roster_says_besides_is_extra_data():
    (grade,) = grades([], RUBRIC, [Entrant("ann", fields=(("email", "ann@example.org"),))])
    assert results(grade)["extra_data"] == {"email": "ann@example.org"}


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_visibility_is_as_asked_for(visibility):
    found = results(graded([]), visibility)
    assert found["visibility"] == visibility
    assert found["stdout_visibility"] == "hidden"


def test_forfeits_and_doubts_are_told_in_words():
    forfeit = row("ann", "random", "W", 100, termination=Termination.TIME_OUT, forfeited_by=1)
    rows = [*wins("ann", "random", 95, 99), forfeit]
    output = results(graded(rows))["tests"][0]["output"]
    assert "100 of 100 games, 95 won (95.0 %, 95 % interval 88.8 to 97.8 %)" in output
    assert "forfeited 1 x time-out" in output
    assert "\nclose to a threshold: other seeds would give another band with a chance of 7 %\n" in output
    output = results(graded(wins("ann", "random", 50, 100)))["tests"][0]["output"]
    assert "\nother seeds would give another band with a chance of <1 %\n" in output


def test_a_submission_that_was_refused_has_no_points_and_says_why():
    found = results(refused_grade("eve", (), "my_player.py, line 3: SyntaxError", RUBRIC))
    assert found["score"] == 0
    assert "my_player.py, line 3: SyntaxError" in found["output"]
    assert {test["output"] for test in found["tests"]} == {"not played"}


def test_points_that_are_not_final_say_so():
    assert "still to be played" in results(graded(wins("ann", "random", 50, 50)))["output"]
