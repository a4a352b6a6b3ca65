"""The network in numpy: as its description reads, whatever is asked at the same time."""

import numpy as np
import pytest

from golearn.alphazero.games import GAME_CHOICES, CompleteGame, beginnings, game_from_name
from golearn.alphazero.planners import GumbelPlanner, on_observations
from golearn.alphazero.weights import NumpyNetwork, architecture_for, fresh_weights
from tests.support.plain_networks import KINDS, any_observations, any_weights, plain_heads


@pytest.mark.parametrize("kind", KINDS)
def test_it_computes_what_its_description_says(kind):
    weights, observations = any_weights(kind), any_observations(kind, 3)
    heads = NumpyNetwork(weights).heads(observations)
    for row, observation in enumerate(observations):
        for name, found, wanted in zip(heads._fields, heads, plain_heads(weights, observation), strict=True):
            assert (found is None) == (wanted is None), name
            if found is not None:
                assert found.dtype == np.float32, name
                np.testing.assert_allclose(found[row], wanted, atol=2e-6, err_msg=name)


@pytest.mark.parametrize("rows", [0, 1, 1000])
def test_rows_that_are_worked_off_in_parts_get_the_same_answers(rows):
    kind = KINDS[0]
    network, observations = NumpyNetwork(any_weights(kind)), any_observations(kind, rows)
    assert network._rows < 1000
    heads, one_by_one = network.heads(observations), [network.heads(one[None]) for one in observations]
    assert heads.ownership.shape == (rows, kind.height, kind.width)
    for k, column in enumerate(heads):
        assert len(column) == rows
        np.testing.assert_allclose(column, [heads[k][0] for heads in one_by_one] or column, atol=1e-5)


@pytest.mark.parametrize("name", GAME_CHOICES)
def test_a_fresh_network_of_every_game_holds_all_actions_for_equally_good(name):
    game = CompleteGame(game_from_name(name))
    network = NumpyNetwork(fresh_weights(architecture_for(game, 8, 2), np.random.default_rng(1)))
    logits, values = on_observations(network)(beginnings(game, 2), np.arange(2))
    assert logits.shape == (2, game.action_size)
    assert not logits.any()
    assert values.tolist() == [0, 0]


@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "go5"])
def test_a_search_asks_it(name):
    game = CompleteGame(game_from_name(name))
    network = NumpyNetwork(any_weights(architecture_for(game, 4, 1)))
    plans = [GumbelPlanner(game, on_observations(network), 8).plan(beginnings(game, 3), np.arange(3)) for _ in range(2)]
    assert plans[0].actions.tolist() == plans[1].actions.tolist()
    assert (plans[0].visits.sum(axis=1) == 8).all()
