"""The benchmark's search as textbooks have it finds what the search in lockstep finds: they are compared in speed only."""

import numpy as np
import pytest

from golearn.alphazero.games import CompleteGame, game_from_name
from golearn.alphazero.planners import PuctPlanner, on_observations
from golearn.alphazero.weights import NumpyNetwork, architecture_for
from lab.straight_search import search
from tests.support.plain_networks import any_weights


@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "go5", "othello6"])
def test_both_play_the_same(name):
    game, rng = CompleteGame(game_from_name(name)), np.random.default_rng(1)
    network = NumpyNetwork(any_weights(architecture_for(game, 4, 1)))
    states, rows, found = game.states(6), np.arange(6), []
    for row, state in enumerate(somewhere(game, rng) for _ in rows):
        states.put(row, state)
        found.append(search(game, network, state, 16))
    assert PuctPlanner(game, on_observations(network), 16).plan(states, rows).actions.tolist() == found


def somewhere(game, rng):
    """A state after up to six random actions."""
    state = game.initial_state()
    for _ in range(rng.integers(7)):
        after = game.apply_move(state, int(rng.choice(game.legal_moves(state))))
        state = state if game.is_terminal(after) else after
    return state
