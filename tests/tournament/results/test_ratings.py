"""Bradley-Terry: the ratings under which what happened is what was to be expected."""

import math
from random import Random

import pytest
from hypothesis import given, settings

from tests.support.game_rows import match
from tests.tournament.results.test_tallies import ROWS
from tournament.results.ratings import CENTRE, SCALE, ratings
from tournament.results.tallies import count


def rated(rows):
    return {one.name: one for one in ratings(count(rows)).players}


def warned(rows):
    return " ".join(ratings(count(rows)).warnings)


def chance(difference):
    return 1 / (1 + 10 ** (-difference / 400))


def test_a_pair_with_the_closed_form():
    """With w of n games won and the imaginary ties the score of the better one is n * chance + chance to beat 1500."""
    found = rated(match("ann", "bob", "1" * 75 + "2" * 25))
    half = (found["ann"].rating - found["bob"].rating) / 2
    assert found["ann"].rating - CENTRE == pytest.approx(half, abs=1e-3)
    assert 100 * chance(2 * half) + chance(half) == pytest.approx(75.5, abs=1e-4)


@given(ROWS)
@settings(max_examples=60)
def test_everybody_scores_as_his_rating_lets_expect(rows):
    """The likelihood equations: games won (ties half) = expected, the imaginary tie included."""
    found, tallies = rated(rows), count(rows)
    for name, one in found.items():
        scored, expected = 0.5, chance(one.rating - CENTRE)
        for (player, opponent), tally in tallies.items():
            if player == name:
                scored += tally.total.wins + tally.total.ties / 2
                expected += tally.total.games * chance(one.rating - found[opponent].rating)
        assert scored == pytest.approx(expected, abs=1e-4)
        assert one.low < one.rating < one.high


def test_ratings_and_intervals_find_the_truth_that_made_the_games():
    rng = Random(5)
    truth = {f"p{k:02}": 1500 + 40 * (k - 9.5) for k in range(20)}
    rows = [
        game
        for one in truth
        for other in truth
        if one < other
        for game in match(one, other, ["12"[rng.random() > chance(truth[one] - truth[other])] for _ in range(40)])
    ]
    found = rated(rows)
    inside = sum(found[name].low <= rating <= found[name].high for name, rating in truth.items())
    assert inside >= 17
    assert all(abs(found[name].rating - rating) < 80 for name, rating in truth.items())


def test_the_width_of_an_interval_is_that_of_the_likelihood():
    """For a pair of equals the information about the difference is n / 4, and each imaginary game adds its own."""
    games = 1000
    found = rated(match("ann", "bob", "12" * (games // 2)))
    # In log-odds: variance of the sum 1 / (1/8), of the difference 1 / (1/8 + n/2 / 2).
    variance = (1 / (1 / 4) + 1 / (1 / 4 + games / 2)) / 2
    assert found["ann"].high - found["ann"].low == pytest.approx(2 * 1.96 * SCALE * math.sqrt(variance), rel=1e-6)


def test_who_won_everything_has_a_finite_rating_and_is_named():
    rows = match("ann", "bob", "1" * 10) + match("bob", "cy", "12" * 5) + match("ann", "cy", "1" * 10)
    found = rated(rows)
    assert found["bob"].rating + 200 < found["ann"].rating < 3000
    assert "who won every game, except an imaginary tie: ann." in warned(rows)
    assert "who lost every game" not in warned(rows)
    assert "who lost every game, except an imaginary tie: bob." in warned(match("ann", "bob", "111"))


@pytest.mark.parametrize("games", [1, 100, 20_000])
def test_more_wins_without_a_defeat_rate_higher(games):
    found = rated(match("ann", "bob", "1" * games))
    assert found["ann"].rating == pytest.approx(3000 - found["bob"].rating, abs=1e-3)
    assert chance(found["ann"].rating - CENTRE) + games * chance(found["ann"].rating - found["bob"].rating) == pytest.approx(
        games + 0.5, abs=1e-4
    )


def test_groups_that_never_met_are_named():
    rows = match("ann", "bob", "12" * 5) + match("cy", "dee", "12" * 5)
    assert "No games link these 2 groups, whose ratings therefore cannot be compared: ann, bob; cy, dee." in warned(rows)
    assert "No games link" not in warned(match("ann", "bob", "12") + match("bob", "cy", "12"))


def test_neighbours_whom_the_games_do_not_tell_apart_are_marked():
    close = match("ann", "bob", "1" * 11 + "2" * 9)
    assert [one.undecided for one in ratings(count(close)).players] == [True, False]
    assert "do not decide the order of 1 of 1 neighbours" in warned(close)
    clear = match("ann", "bob", "1" * 90 + "2" * 10)
    assert [one.undecided for one in ratings(count(clear)).players] == [False, False]
    assert warned(clear) == ""


def test_equals_are_listed_by_name_and_nobody_is_no_error():
    assert list(rated(match("bob", "ann", "12"))) == ["ann", "bob"]
    assert ratings({}).players == ()


def test_a_perfect_chain_is_rated_in_order():
    names = [f"p{k:02}" for k in range(30)]
    rows = [game for k, one in enumerate(names) for other in names[k + 1 :] for game in match(one, other, "1" * 11)]
    assert list(rated(rows)) == names
