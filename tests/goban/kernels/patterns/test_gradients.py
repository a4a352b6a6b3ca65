"""Gradients: how the share of won playouts changes with the weights, against playouts by weights that were changed."""

import os

import numpy as np
import pytest

from goban.diagrams import parse_diagram
from goban.grids import BLACK, WHITE
from goban.kernels.patterns.gradients import FACTORS, gradient
from goban.kernels.patterns.neighbourhoods import CLASSES, COMBINATIONS, class_of_code
from goban.kernels.patterns.pattern_games import play_patterns
from goban.kernels.patterns.tables import make_tables
from goban.montecarlo.pattern_sets import set_named
from goban.rulesets import ruleset
from goban.states import new_game, state_from_rows
from tests.support import plain_patterns as plain
from tests.support.missing import needs, no_package

pytestmark = [pytest.mark.slow, needs(no_package("numba"))]

VALUES = 100 * set_named("montegnu_classic").values
TABLES = make_tables(5, VALUES)
# As plain Python only what holds for any number of playouts is tried.
PLAYOUTS = 5 if os.environ.get("NUMBA_DISABLE_JIT") else 40_000
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


BEFORE = {
    "White": (". X O . ./X X O O ./. X X . ./. . . X O/. . . O .", 22, (2, 3)),
    "Black": (". X O ./X X O O/. X . ./. . . .", 13, (2, 2)),
}


@pytest.mark.parametrize("drawing", BEFORE.values(), ids=BEFORE)
def test_a_move_changes_its_factors_less_what_all_moves_have_of_them(drawing):
    """At the last move of a game, where all that is drawn can be looked at."""
    rows, n_move, last = parse_diagram(drawing[0].replace("/", "\n")), drawing[1], drawing[2]
    colour = 1 + n_move % 2
    state = state_from_rows(ruleset("course"), rows, colour, n_move).play(last)
    size, before = state.grid.size, tuple(map(tuple, rows))
    tables, factors = make_tables(size, VALUES), {}

    def weigh(code, combination):
        return int(VALUES[class_of_code()[code], combination])

    near, board = plain.near_after(before, last, colour), plain.place(before, last, colour).after
    weights = plain.weights(board, 3 - colour, plain.ko_after(before, last, colour), near, weigh)
    expected = np.zeros(FACTORS)
    for point, weight in weights.items():
        ones = np.zeros(FACTORS)
        ones[class_of_code()[plain.code(board, point, 3 - colour)]] = 1
        ones[CLASSES + plain.combination(board, point, 3 - colour, point in near)] = 1
        factors[size * point[0] + point[1]] = ones
        expected += weight / sum(weights.values()) * ones
    played, found = play_patterns(state, tables, 20, 3), gradient(state, tables, 20, 3)
    changes = np.array([factors[move] - expected for move in played.first_moves.tolist()])
    shares = (np.sign(played.scores - state.rules.komi(size)) + 1) / 2
    assert played.turns.tolist() == [1] * 20
    np.testing.assert_allclose(found.sums, changes.mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(found.products, (shares[:, None] * changes).mean(axis=0), atol=1e-9)


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
    found = gradient(new_game(ruleset("course"), 5), TABLES, min(2000, PLAYOUTS), 1)
    # Each drawn move takes from both kinds as much as it adds.
    assert found.sums[:CLASSES].sum() == pytest.approx(0.0, abs=1e-6)
    assert found.sums[CLASSES:].sum() == pytest.approx(0.0, abs=1e-6)


def test_the_same_seed_gives_the_same_gradient():
    state = state_from_rows(ruleset("course"), parse_diagram(RACE), BLACK, 0)
    one, same, other = (gradient(state, TABLES, min(50, PLAYOUTS), seed) for seed in (1, 1, 2))
    assert (one.products == same.products).all()
    assert (one.products != other.products).any()
    assert one.sums.shape == (CLASSES + COMBINATIONS,)
