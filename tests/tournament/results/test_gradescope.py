"""`results.json` as Gradescope specifies it: https://gradescope-autograders.readthedocs.io/en/latest/specs/"""

import io
import json
import unittest

import pytest

from gojudge.records import Entrant, Termination
from tests.support.game_rows import row, wins
from tests.support.missing import no_package, skip_if
from tournament.results.course_systems import VISIBILITIES, not_another, results, tell_unfinished
from tournament.results.grading import grades, refused_grade
from tournament.results.rubric_files import read_rubric

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
    found = results(graded(all_games(random=100, greedy=100, aggressive=100, smart=100)))["leaderboard"]
    assert [(entry["name"], entry["value"], entry.get("order", "desc")) for entry in found] == [
        ("points", 100, "desc"),
        ("games won (%)", 100, "desc"),
        ("seconds per move", 0, "asc"),
    ]


def test_who_forfeits_every_game_does_not_lead_by_taking_no_time():
    lost = [
        row("ann", opponent, "W", number, termination=Termination.START_UP_FAILURE, forfeited_by=1)
        for opponent in ("random", "greedy", "aggressive", "smart") for number in range(100)
    ]  # fmt: skip
    found = results(graded(lost))
    assert [entry["name"] for entry in found["leaderboard"]] == ["points", "games won (%)"]
    assert "luck" not in found["output"]


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
    assert "\nclose to a threshold\n" in output
    output = results(graded(wins("ann", "random", 50, 100)))["tests"][0]["output"]
    assert "close to a threshold" not in output


def test_that_few_games_leave_room_for_luck_is_said_once_and_of_the_games():
    perfect = [game for opponent in ("random", "greedy", "aggressive", "smart") for game in wins("ann", opponent, 4, 4)]
    found = results(grades(perfect, RUBRIC, [Entrant("ann")], 4)[0])
    said = "So few games leave room for luck: as many others would give another band with a chance of "
    assert found["output"].startswith(f"100 of 100 points\n{said}")
    assert not [test for test in found["tests"] if "chance" in test["output"] or "other" in test["output"]]
    assert "luck" not in results(graded(all_games(random=100, greedy=100, aggressive=100, smart=100)))["output"]


def test_a_submission_that_was_refused_has_no_points_says_why_and_leads_nothing():
    found = results(refused_grade("eve", (), "my_player.py, line 3: SyntaxError", RUBRIC))
    assert found["score"] == 0
    assert "my_player.py, line 3: SyntaxError" in found["output"]
    assert {test["output"] for test in found["tests"]} == {"not played"}
    assert "leaderboard" not in found


def scores(value):
    """Every score in the contents of a `results.json`, at any depth."""
    if isinstance(value, dict):
        return [key for key in value if "score" in key] + [key for part in value.values() for key in scores(part)]
    return [key for part in value for key in scores(part)] if isinstance(value, list) else []


def test_games_that_were_not_played_give_no_points_and_nothing_is_booked():
    found = results(graded([*wins("ann", "random", 2, 2), *wins("ann", "greedy", 100, 100)]))
    assert scores(found) == []
    assert "leaderboard" not in found
    assert found["output"] == "102 of 400 games were played. Until all are, there are no points."
    assert [test["output"].splitlines()[0] for test in found["tests"]] == [
        "2 of 100 games, 2 won (100.0 %, 95 % interval 34.2 to 100.0 %)",
        "100 of 100 games, 100 won (100.0 %, 95 % interval 96.3 to 100.0 %)",
        "no game yet",
        "no game yet",
    ]


def test_of_what_could_not_be_graded_nothing_is_booked():
    found = tell_unfinished("no sandbox")
    assert scores(found) == []
    # Without a score on top the specification wants tests; these may be without one.
    assert found["tests"] == [{"name": "not graded", "output": "no sandbox"}]


def test_one_too_many_keeps_the_result_before_and_says_so_once():
    before = results(graded(all_games(random=95, greedy=85, aggressive=80, smart=65)))
    found = not_another(3, 3, before)
    said = "Not graded: 3 submissions were graded before, and the limit is 3."
    assert found["output"] == f"{said} What follows is the result of the last one that was.\n\n{before['output']}"
    assert {key: found[key] for key in before if key not in ("output", "extra_data")} == {
        key: before[key] for key in before if key not in ("output", "extra_data")
    }
    again = not_another(3, 3, json.loads(json.dumps(found)))
    assert again["output"] == found["output"]
    assert scores(not_another(3, 3, {})) == []


@pytest.mark.parametrize(("rows", "total"), [(all_games(random=95, greedy=85, aggressive=80, smart=65), 65.5), ([], 0)])
def test_gradescopes_own_library_adds_up_what_is_booked(rows, total):
    """Its runner makes the score of the tests' scores, and counts a test without one as nothing."""
    skip_if(no_package("gradescope-utils"))
    from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

    written = io.StringIO()
    runner = JSONTestRunner(stream=written)
    runner.json_data["tests"] = results(graded(rows))["tests"]
    runner.run(unittest.TestSuite())
    assert json.loads(written.getvalue())["score"] == total
