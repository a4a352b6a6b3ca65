"""A band is decided by games: exact chances, counted here in other ways."""

import math
from fractions import Fraction
from itertools import product

import pytest

from tournament.results.decisions import plan_of
from tournament.results.rubric_files import read_rubric

SMART = read_rubric("2019").opponents[3]
STARTS = tuple(band.start for band in SMART.bands)
RATES = [0.02, 0.3, 0.5, 0.65, 0.699, 0.7, 0.75, 0.8, 0.85, 0.899, 0.9, 0.95, 0.98]


def ends_of(plan, rate):
    """(games, wins) -> chance, game by game, as a run plays them: on, until no more are due."""
    found, going, games = {}, {0: 1.0}, 0
    while going:
        before, going, games = going, {}, games + 1
        for wins, chance in before.items():
            for won, share in ((1, rate), (0, 1 - rate)):
                going[wins + won] = going.get(wins + won, 0.0) + chance * share
        for wins in [wins for wins in going if plan.due(wins, games) == games]:
            found[games, wins] = going.pop(wins)
    return found


def band_of(rate):
    return SMART.band(Fraction(rate).limit_denominator(1000))


@pytest.mark.parametrize("error", [0.05, 0.2])
def test_whatever_the_true_rate_a_wrong_band_is_decided_no_more_often_than_allowed(error):
    plan = plan_of(STARTS, 100, error)
    for rate in RATES:
        wrong = sum(
            chance
            for (games, wins), chance in ends_of(plan, rate).items()
            if plan.decides(wins, games) and band_of(Fraction(wins, games)) != band_of(rate)
        )
        assert wrong <= error


def test_clear_cases_end_early_and_close_ones_take_all_games():
    plan = plan_of(STARTS, 100, 0.05)
    mean = {rate: sum(games * chance for (games, _), chance in ends_of(plan, rate).items()) for rate in RATES}
    assert mean[0.02] < 12
    assert mean[0.98] < 75
    assert mean[0.7] > 95
    assert mean[0.9] > 95


def test_intervals_hold_the_true_rate_in_95_of_100_cases():
    plan = plan_of(STARTS, 100, 0.05)
    rates = [k / 40 for k in range(4, 40)]
    held = []
    for rate in rates:
        ends = ends_of(plan, rate).items()
        intervals = {end: plan.interval(end[1], end[0]) for end, _ in ends}
        held.append(sum(chance for end, chance in ends if intervals[end][0] <= rate <= intervals[end][1]))
    assert 0.93 <= sum(held) / len(held) <= 0.97
    assert min(held) > 0.92


def test_every_order_of_wins_and_losses_counted():
    """All 4,096 orders of twelve games: each ends somewhere; the estimate is the share of the orders that begin with a win."""
    plan = plan_of(STARTS, 12, 0.2)
    paths, first = {}, {}
    for order in product((0, 1), repeat=12):
        games = next(games for games in range(1, 13) if plan.due(sum(order[:games]), games) == games)
        if any(order[games:]):
            continue
        end = games, sum(order[:games])
        paths[end] = paths.get(end, 0) + 1
        first[end] = first.get(end, 0) + order[0]
    assert len({games for games, _ in paths}) > 1
    for (games, wins), number in paths.items():
        assert plan.rate(wins, games) == Fraction(first[games, wins], number)
    for truth in (Fraction(1, 3), Fraction(3, 4)):
        chances = {end: number * truth ** end[1] * (1 - truth) ** (end[0] - end[1]) for end, number in paths.items()}
        assert sum(chances.values()) == 1
        assert sum(chance * plan.rate(wins, games) for (games, wins), chance in chances.items()) == truth


def beta_binomial(games, a, b):
    """By number of wins: its chance, where the true rate is spread as a beta distribution says."""
    def beta(a, b):
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)

    return [math.comb(games, k) * math.exp(beta(k + a, games - k + b) - beta(a, b)) for k in range(games + 1)]


@pytest.mark.parametrize("wins", [0, 40, 69, 70, 89, 90, 100])
def test_the_games_of_other_seeds_are_those_of_a_beta_binomial(wins):
    chances = beta_binomial(100, wins + 0.5, 100 - wins + 0.5)
    edges = [100, 89, 69, -1]
    most, least = edges[band_of(Fraction(wins, 100))], edges[band_of(Fraction(wins, 100)) + 1]
    other = 1 - sum(chances[least + 1 : most + 1])
    assert plan_of(STARTS, 100).other_band(wins, 100, SMART.band) == pytest.approx(other, abs=1e-9)


def test_where_games_may_end_early_other_seeds_may_end_early_too():
    """The prediction is the mean over what the true rate may be, here by a sum over many."""
    plan, wins, games = plan_of(STARTS, 20, 0.2), 13, 20
    grid = [(k + 0.5) / 400 for k in range(400)]
    weights = [math.exp((wins - 0.5) * math.log(rate) + (games - wins - 0.5) * math.log1p(-rate)) for rate in grid]
    other = [sum(p for (n, k), p in ends_of(plan, rate).items() if band_of(Fraction(k, n)) != band_of(0.65)) for rate in grid]
    mean = sum(weight * chance for weight, chance in zip(weights, other, strict=True)) / sum(weights)
    assert plan.other_band(wins, games, SMART.band) == pytest.approx(mean, abs=1e-3)


def test_a_fixed_number_of_games_is_played_whatever_comes():
    plan = plan_of(STARTS, 100)
    assert {plan.due(wins, games) for games in range(100) for wins in range(games + 1)} == {100}
    assert (plan.rate(43, 50), plan.decides(100, 100)) == (Fraction(43, 50), False)
    assert plan_of((Fraction(0),), 100, 0.05).due(10, 10) == 100


@pytest.mark.parametrize("games", [2, 4, 10, 50, 100, 130])
def test_looks_come_after_as_many_games_with_each_colour(games):
    plan = plan_of(STARTS, games, 0.05)
    assert all(look % 2 == 0 for look in plan.looks)
    assert (plan.looks[-1], len(plan.looks) <= 10, plan.looks == tuple(sorted(plan.looks))) == (games, True, True)
    assert plan.due(0, 0) == plan.looks[0]


def test_who_stops_between_two_looks_goes_on_to_the_next():
    plan = plan_of(STARTS, 100, 0.05)
    assert [plan.due(7, games) for games in (10, 11, 19)] == [20, 20, 20]
    assert (plan.due(4, 20), plan.decides(4, 20), plan.decides(4, 19)) == (20, True, False)
    assert plan.interval(7, 15)[0] < 7 / 15 < plan.interval(7, 15)[1]
