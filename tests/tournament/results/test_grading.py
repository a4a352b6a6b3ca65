"""From rows and a rubric to points."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gojudge.records import Entrant, Termination
from tests.support.game_rows import match, row, wins
from tournament.results.grading import forecast, grades, refused_grade
from tournament.results.rubric_files import read_rubric

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


# What a grade may come to

SEEN = 20


def foreseen(won, games=SEEN, rubric=RUBRIC):
    rows = [row for opponent, wins_ in won.items() for row in wins("ann", opponent, wins_, games)]
    return forecast(rows, rubric, "ann", rubric.games)


def test_a_forecast_in_words():
    assert foreseen(dict.fromkeys(FIRST_STAGE, 20)).words == "about 100 of 100 points (79-100)"
    assert foreseen(dict.fromkeys(FIRST_STAGE, 0)).words == "about 0 of 100 points (0-3)"
    assert foreseen({"random": 20, "greedy": 19, "aggressive": 14, "smart": 8}).words == "about 71 of 100 points (45-80)"


def test_where_no_game_was_played_everything_is_possible():
    found = foreseen({"random": 20, "greedy": 20, "aggressive": 20})
    assert found.words == "some, nobody knows how many, of 100 points (59-100)"
    assert foreseen({}).words == "some, nobody knows how many, of 100 points (0-100)"


def test_more_games_say_more():
    few, many = foreseen(dict.fromkeys(FIRST_STAGE, 4), 4), foreseen(dict.fromkeys(FIRST_STAGE, 20))
    assert few.high - few.low > many.high - many.low


def test_a_forecast_of_games_that_end_once_they_decide_is_about_what_such_a_grade_gives():
    rows = first_stage("ann", FIRST_STAGE)
    plain, until = (forecast(rows, RUBRIC, "ann", 100, error) for error in (0.0, 0.05))
    assert abs(plain.about - until.about) < 5
    assert until.low <= graded(rows)[0].points <= until.high


ALIKE = [0.0, 0.3, 0.6, 0.7, 0.9, 0.92, 0.98, 1.0]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "games"), [("2019", 20), ("2019", 2), ("littlego-2023", 10)])
def test_nine_grades_in_ten_have_points_within_what_was_foreseen_whatever_the_rates_are(name, games):
    rubric, rng = read_rubric(name), random.Random(7)
    seen = cache(lambda won: foreseen(dict(zip([one.name for one in rubric.opponents], won, strict=True)), games, rubric))
    k = len(rubric.opponents)
    players = [[(rate, rate)] * k for rate in ALIKE]
    # Of some each colour has a rate of its own.
    players += [[(rng.random(), rng.random()) for _ in range(k)] for _ in range(4)]
    held = [sum(holds(rng, seen, rubric, rates, games) for _ in range(DRAWS)) / DRAWS / GRADES for rates in players]
    # So many draws find the share of one player to some parts in a hundred.
    assert min(held) >= 0.85
    assert sum(held) / len(held) >= 0.9


DRAWS, GRADES = 12, 10


def holds(rng, seen, rubric, rates, games):
    """In how many of some grades a player has points within what one draw of games has foreseen."""
    found = seen(tuple(won_of(rng, pair, games) for pair in rates))
    held = 0
    for _ in range(GRADES):
        won = [won_of(rng, pair, rubric.games) for pair in rates]
        points = sum(one.points(Fraction(w, rubric.games)) for one, w in zip(rubric.opponents, won, strict=True))
        held += found.low <= points <= found.high
    return held


def won_of(rng, rates, games):
    """How many of so many games somebody wins, half of them with each colour."""
    return sum(rng.random() < rates[number % 2] for number in range(games))
