"""Ownership: it adds up to the scores of the same playouts, and says whose a settled point is."""

import numpy as np
import pytest

from goban.diagrams import parse_diagram
from goban.grids import BLACK, WHITE
from goban.kernels.patterns.pattern_games import ownership, play_patterns
from goban.kernels.patterns.tables import make_tables
from goban.montecarlo.pattern_sets import set_named
from goban.rulesets import ruleset
from goban.states import state_from_rows
from tests.support.missing import needs, no_package
from tests.support.states import play_some

pytestmark = [pytest.mark.slow, needs(no_package("numba"))]

SETTLED = """
    . X O .
    X X O O
    . X O .
    X X O O
"""


@pytest.mark.parametrize(("size", "seed"), [(2, 1), (5, 2), (9, 3), (9, 4), (13, 5)])
def test_it_adds_up_to_the_mean_score(size, seed):
    """Such playouts leave no point to nobody."""
    tables, state = make_tables(size, set_named("montegnu_classic").values), play_some("alphago7", size, seed, 20)[-1]
    if not state.is_over:
        owners = ownership(state, tables, 50, seed)
        assert owners.shape == (size, size)
        assert owners.sum() == pytest.approx(play_patterns(state, tables, 50, seed).scores.mean())


@pytest.mark.parametrize("n_move", [0, 31, 32])
@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_a_settled_point_is_its_owners_in_every_playout_even_at_the_move_limit(to_move, n_move):
    tables = make_tables(4, set_named("montegnu_classic").values)
    state = state_from_rows(ruleset("tromp-taylor-strict"), parse_diagram(SETTLED), to_move, n_move)
    np.testing.assert_array_equal(ownership(state, tables, 20, 1), [[1, 1, -1, -1]] * 4)
