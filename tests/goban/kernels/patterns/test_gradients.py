"""Gradients: how the share of won playouts changes with the weights, against playouts by weights that were changed."""

import numpy as np
import pytest

from goban.diagrams import parse_diagram
from goban.grids import BLACK, WHITE
from goban.kernels.patterns.gradients import FACTORS, gradient
from goban.kernels.patterns.neighbourhoods import CLASSES, COMBINATIONS
from goban.kernels.patterns.pattern_games import play_patterns
from goban.kernels.patterns.tables import make_tables
from goban.montecarlo.pattern_sets import set_named
from goban.rulesets import ruleset
from goban.states import new_game, state_from_rows
from tests.support.missing import needs, no_package

pytestmark = [pytest.mark.slow, needs(no_package("numba"))]

VALUES = 100 * set_named("montegnu_classic").values
TABLES = make_tables(5, VALUES)
PLAYOUTS = 40_000
RACE = """
. X O . .
X X O O .
. X X O O
X X . X O
. X X X O
"""


STATES = {
    "empty": new_game(ruleset("tromp-taylor-strict"), 5),
    "race": state_from_rows(ruleset("tromp-taylor-strict"), parse_diagram(RACE), WHITE, 0),
    "course": new_game(ruleset("course"), 5),
}


def won(state, tables, seed):
    scores = play_patterns(state, tables, PLAYOUTS, seed).scores
    return ((np.sign(scores - state.rules.komi(5)) + 1) / 2).mean()


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_playouts_are_those_that_are_played_elsewhere(state):
    assert gradient(state, TABLES, PLAYOUTS, 3).won == pytest.approx(won(state, TABLES, 3), abs=1e-9)


def test_what_is_drawn_is_on_the_average_what_is_expected():
    # The mean of 40,000 playouts; in each a factor changes by a few at most.
    assert np.abs(gradient(new_game(ruleset("aga"), 5), TABLES, PLAYOUTS, 1).sums).max() < 0.08


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_a_small_change_of_a_weight_changes_the_share_as_the_gradient_says(state):
    found = gradient(state, TABLES, PLAYOUTS, 5)
    slopes = found.changes(found.won)
    for most in (np.argsort(-np.abs(slopes[:CLASSES]))[:2], CLASSES + np.argsort(-np.abs(slopes[CLASSES:]))[:1]):
        for factor in most:
            step, shares = 0.3, []
            for sign in (1, -1):
                logarithms = np.zeros(FACTORS)
                logarithms[factor] = sign * step
                changed = VALUES * np.exp(logarithms[:CLASSES])[:, None] * np.exp(logarithms[CLASSES:])
                tables = make_tables(5, np.rint(changed).astype(np.uint32))
                shares.append(won(state, tables, 7))
            # Four standard errors of the difference of two shares, and as much for the bend of the curve.
            assert (shares[0] - shares[1]) / (2 * step) == pytest.approx(slopes[factor], abs=0.03)


def test_a_factor_of_all_moves_changes_nothing():
    found = gradient(new_game(ruleset("course"), 5), TABLES, 2000, 1)
    # Each drawn move takes from both kinds as much as it adds.
    assert found.sums[:CLASSES].sum() == pytest.approx(0.0, abs=1e-6)
    assert found.sums[CLASSES:].sum() == pytest.approx(0.0, abs=1e-6)


def test_the_same_seed_gives_the_same_gradient():
    state = state_from_rows(ruleset("course"), parse_diagram(RACE), BLACK, 0)
    one, same, other = (gradient(state, TABLES, 50, seed) for seed in (1, 1, 2))
    assert (one.products == same.products).all()
    assert (one.products != other.products).any()
    assert one.sums.shape == (CLASSES + COMBINATIONS,)
