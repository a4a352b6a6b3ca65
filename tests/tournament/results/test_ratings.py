"""Bradley-Terry: the ratings under which what happened is what was to be expected.

Movement and versions on a ladder, from the rankings that were published.
"""

import math
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings

from goban.common.estimates import ELO
from lab.coverage import SPREAD, round_robins
from tests.support.game_rows import match
from tests.tournament.results.test_tallies import ROWS
from tournament.results.ratings import CENTRE, Place, Ranking, count, count_places_gained, history, ratings, week_before


def rated(rows):
    return {one.name: one for one in ratings(count(rows)).players}


def warned(rows):
    return " ".join(ratings(count(rows)).warnings)


def chance(difference):
    return 1 / (1 + 10 ** (-difference / 400))


def test_a_pair_with_the_closed_form():
    """With w of n games won and the imaginary ties the score of the better one is n * chance + chance to beat the mean."""
    found = rated(match("ann", "bob", "1" * 75 + "2" * 25))
    half = (found["ann"].rating - found["bob"].rating) / 2
    assert found["ann"].rating - CENTRE == pytest.approx(half, abs=1e-3)
    assert 100 * chance(2 * half) + chance(half) == pytest.approx(75.5, abs=1e-4)


@given(ROWS)
@settings(max_examples=60)
def test_everybody_scores_as_his_rating_lets_expect(rows):
    """The likelihood equations: games won (ties half) = expected, the imaginary tie included.

    Real games cancel in their sum, so everybody together scores half of the imaginary games: so stands that player.
    """
    # Not at the top: each process of a run reads all files of tests.
    from scipy.optimize import brentq

    found, tallies = rated(rows), count(rows)
    imaginary = brentq(lambda x: sum(chance(one.rating - x) - 0.5 for one in found.values()), -10_000, 13_000, xtol=1e-9)
    for name, one in found.items():
        scored, expected = 0.5, chance(one.rating - imaginary)
        for (player, opponent), tally in tallies.items():
            if player == name:
                scored += tally.total.wins + tally.total.ties / 2
                expected += tally.total.games * chance(one.rating - found[opponent].rating)
        assert scored == pytest.approx(expected, abs=1e-4)
        assert one.low < one.rating < one.high


@given(ROWS)
@settings(max_examples=60)
def test_the_mean_of_all_is_at_1500(rows):
    found = rated(rows)
    assert sum(one.rating for one in found.values()) == pytest.approx(CENTRE * len(found))


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
    """For a pair of equals the information about the difference is n / 4, and the imaginary games add half of theirs.

    Nobody's lead over the mean is more than half of the difference, however uncertain where the imaginary player stands.
    """
    games = 1000
    found = rated(match("ann", "bob", "12" * (games // 2)))
    variance = 1 / (games / 4 + 1 / 8) / 4
    assert found["ann"].high - found["ann"].low == pytest.approx(2 * 1.96 * ELO * math.sqrt(variance), rel=1e-6)


def test_who_won_everything_has_a_finite_rating_and_is_named():
    rows = match("ann", "bob", "1" * 10) + match("bob", "cy", "12" * 5) + match("ann", "cy", "1" * 10)
    found = rated(rows)
    assert found["bob"].rating + 200 < found["ann"].rating < 3000
    assert "Only an imaginary tie bounds the ratings of those who won every game: ann." in warned(rows)
    assert "who lost every game" not in warned(rows)
    assert "Only an imaginary tie bounds the ratings of those who lost every game: bob." in warned(match("ann", "bob", "111"))


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


@pytest.mark.parametrize(("games", "half"), [(11, 63), (2, 148)])
def test_intervals_hold_the_truth_in_95_of_100_cases_and_neighbours_are_rarely_decided_wrongly(games, half):
    found = round_robins(16, games, SPREAD, 40)
    assert 0.93 <= found.held / found.players <= 0.97
    assert found.half / found.players == pytest.approx(half, rel=0.05)
    assert found.wrong <= 0.025 * found.neighbours


@pytest.mark.parametrize(("won", "games"), [(110, 200), (216, 400), (620, 1200)])
def test_so_many_games_more_decide_in_four_of_five_cases(won, games):
    """For two players in closed form: the lead over its standard error grows with the root of all games, to 1.96 + 0.84."""
    rows = match("ann", "bob", "1" * won + "2" * (games - won))
    ann, bob = ratings(count(rows)).players
    lead, share = math.log(won / (games - won)), won / games
    assert lead**2 * share * (1 - share) * (games + ann.needed) == pytest.approx((1.96 + 0.84) ** 2, rel=0.02)
    assert (ann.needed % 2, bob.needed) == (0, 0)


def test_no_number_of_games_decides_between_equals():
    ann, bob = ratings(count(match("ann", "bob", "12" * 50))).players
    assert (ann.needed, ann.undecided, bob.undecided) == (None, True, False)


def test_equals_are_listed_by_name_and_nobody_is_no_error():
    assert list(rated(match("bob", "ann", "12"))) == ["ann", "bob"]
    assert ratings({}).players == ()


def test_a_perfect_chain_is_rated_in_order():
    names = [f"p{k:02}" for k in range(30)]
    rows = [game for k, one in enumerate(names) for other in names[k + 1 :] for game in match(one, other, "1" * 11)]
    assert list(rated(rows)) == names


START = datetime(2026, 10, 1, tzinfo=UTC)


def ranking(day, *places):
    return Ranking(
        START + timedelta(days=day),
        tuple(Place(name, version, rank, 1500.0, 1400.0, 1600.0) for rank, (name, version) in enumerate(places, 1)),
    )


FIRST = ranking(0, ("ann", "a1"), ("bob", "b1"))
SECOND = ranking(3, ("bob", "b2"), ("cy", "c1"), ("ann", "a1"))
THIRD = ranking(10, ("cy", "c1"), ("bob", "b2"), ("ann", "a1"), ("dee", "d1"))


def test_movement_is_that_since_a_week_before_the_last_board():
    assert week_before([FIRST, SECOND, THIRD]) == SECOND
    assert count_places_gained([FIRST, SECOND, THIRD]) == {"cy": 1, "bob": -1, "ann": 0}
    assert week_before([FIRST, SECOND, ranking(9.99)]) == FIRST


def test_a_young_ladder_moves_since_its_first_board():
    assert count_places_gained([FIRST, SECOND]) == {"bob": 1, "ann": -2}
    assert count_places_gained([FIRST]) == count_places_gained([]) == {}
    assert week_before([FIRST]) is None


def test_a_players_history_has_its_versions_and_no_board_on_which_nothing_changed():
    rankings = [FIRST, SECOND, THIRD, ranking(11, ("cy", "c1"), ("bob", "b1")), ranking(12, ("ann", "a1"), ("bob", "b1"))]
    spans = history(rankings, "bob")
    assert [(span.time.day, span.number, span.place.rank) for span in spans] == [(1, 1, 2), (4, 2, 1), (11, 2, 2), (12, 3, 2)]
    assert history(rankings, "dee")[0].number == 1
    assert history(rankings, "zoe") == []
