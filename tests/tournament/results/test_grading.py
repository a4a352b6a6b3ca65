"""From rows and a rubric to points."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.game_rows import match, row, wins
from tournament.records import Entrant
from tournament.results.grading import grades, refused_grade
from tournament.results.rubric_files import read_rubric
from tournament.verdicts import Termination

RUBRIC = read_rubric("2019")
ANN, BOB = Entrant("ann", ("Ann Lee",)), Entrant("bob")
FIRST_STAGE = {"random": 95, "greedy": 85, "aggressive": 80, "smart": 65}


def graded(rows, *entrants, **options):
    return grades(rows, RUBRIC, entrants or (ANN,), **options)


def first_stage(name, results):
    return [game for opponent, won in results.items() for game in wins(name, opponent, won, 100)]


def test_the_example_of_the_rubric():
    (grade,) = graded(first_stage("ann", FIRST_STAGE))
    assert [part.points for part in grade.parts] == [30, 17, 12, Fraction("6.5")]
    assert (grade.points, grade.full, grade.complete) == (Fraction("65.5"), 100, True)
    assert [part.rate for part in grade.parts] == [Fraction(won, 100) for won in FIRST_STAGE.values()]


@given(st.tuples(*[st.integers(0, 100)] * 4), st.randoms())
def test_points_are_those_of_counting_by_hand_in_whatever_order_games_come(won, rng):
    rows = first_stage("ann", dict(zip(FIRST_STAGE, won, strict=True)))
    rng.shuffle(rows)
    by_hand = 0
    for number, (high, middle, low) in zip(won, [(30, 20, 0), (30, 20, 0), (20, 15, 10), (20, 15, 10)], strict=True):
        by_hand += high * 100 if number >= 90 else (middle if number >= 70 else low) * number
    assert graded(rows)[0].points * 100 == by_hand


def test_grades_come_in_the_order_of_the_entrants_and_reference_players_get_none():
    rows = first_stage("ann", FIRST_STAGE) + first_stage("bob", dict.fromkeys(FIRST_STAGE, 100))
    found = graded(rows, BOB, ANN, Entrant("random", reference="random"))
    assert [(grade.name, grade.points) for grade in found] == [("bob", 100), ("ann", Fraction("65.5"))]
    assert found[1].students == ("Ann Lee",)


def test_nobodys_games_but_his_own_against_the_rubrics_players_count():
    rows = first_stage("ann", FIRST_STAGE)
    others = first_stage("bob", dict.fromkeys(FIRST_STAGE, 3)) + match("ann", "bob", "222") + match("ann", "naive", "222")
    assert graded(rows + others) == graded(rows)


def test_a_tie_is_a_game_that_was_not_won():
    (grade,) = graded(match("ann", "random", "1" * 89 + "=" * 11))
    assert grade.parts[0].points == Fraction("17.8")
    assert grade.parts[0].tally.total.text() == "89-0-11"


def test_forfeits_count_as_games_and_are_told_apart():
    lost = [row("ann", "random", "W", n, termination=Termination.CRASH, forfeited_by=1) for n in range(2)]
    won = [row("ann", "random", "B", 9, termination=Termination.TIME_OUT, forfeited_by=2)]
    (grade,) = graded(lost + won)
    assert grade.parts[0].rate == Fraction(1, 3)
    assert grade.whole.forfeits == {Termination.CRASH: 2}


def test_wins_are_told_by_colour():
    (grade,) = graded([row("ann", "smart", "B"), row("ann", "smart", "W", 2), row("smart", "ann", "W", 3)])
    assert (grade.parts[3].tally.black.text(), grade.parts[3].tally.white.text()) == ("1-1", "1-0")


def test_times_are_means_over_answers_and_the_longest_one():
    rows = [
        row("ann", "random", "B", 1, black_moves=10, black_seconds=1.0, black_worst=0.5, white_worst=9.0),
        row("random", "ann", "B", 2, white_moves=10, white_seconds=3.0, white_worst=0.7, black_seconds=9.0),
    ]
    (grade,) = graded(rows)
    assert (grade.whole.mean, grade.whole.worst) == (0.2, 0.7)


@pytest.mark.parametrize(("seconds", "over"), [(0.75, False), (3.0, False), (3.01, True)])
def test_more_time_than_the_rubric_allows_is_noted(seconds, over):
    rows = [replace(game, black_seconds=seconds, white_seconds=seconds) for game in first_stage("ann", FIRST_STAGE)]
    assert graded(rows)[0].over_budget is over


def test_missing_games_leave_a_grade_incomplete():
    (grade,) = graded(wins("ann", "random", 50, 50))
    assert not grade.complete
    assert [part.points for part in grade.parts] == [30, 0, 0, 0]
    assert (grade.parts[1].low, grade.parts[1].high) == (0, 1)
    (nothing,) = graded([])
    assert (nothing.points, nothing.complete, nothing.whole.mean) == (0, False, 0)


def test_fewer_games_can_be_asked_for():
    rows = [game for opponent in FIRST_STAGE for game in wins("ann", opponent, 2, 2)]
    assert graded(rows, games=2)[0].complete


# A band is 0..70, 70..90, 90..100 %; Wilson's interval of 100 games is some 6 to 10 % each way.
UNCERTAIN = [(100, False), (97, False), (95, True), (89, True), (80, False), (74, True), (69, True), (60, False), (0, False)]


@pytest.mark.parametrize(("won", "uncertain"), UNCERTAIN)
def test_a_band_that_other_seeds_might_change_is_marked(won, uncertain):
    part = graded(wins("ann", "random", won, 100))[0].parts[0]
    assert part.low <= part.rate <= part.high
    assert part.uncertain is uncertain


def test_who_was_refused_gets_no_points_and_the_reason():
    grade = refused_grade("eve", ("Eve",), "my_player.py, line 3: SyntaxError", RUBRIC)
    assert (grade.points, grade.full, grade.complete) == (0, 100, True)
    assert [part.full for part in grade.parts] == [30, 30, 20, 20]
