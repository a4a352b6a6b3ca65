"""What evaluators say: by playouts from the position, and of boards that are turned."""

import numpy as np
import pytest

from golearn.alphazero.games import CompleteGame, game_from_name
from golearn.alphazero.numpy_network import NumpyNetwork
from golearn.alphazero.planners import on_observations, on_turned_observations
from golearn.alphazero.weights import architecture_for
from tests.support.missing import needs, no_package
from tests.support.plain_networks import any_weights

compiled = needs(no_package("numba"))


def somewhere(game, count, seed=1):
    """Rows of states after some random actions."""
    rng, states = np.random.default_rng(seed), game.states(count)
    for row in range(count):
        state = game.initial_state()
        for _ in range(row % 5):
            state = game.apply_move(state, int(rng.choice(game.legal_moves(state))))
        states.put(row, state)
    return states


@pytest.mark.parametrize("name", ["go5", "connectfour", "tictactoe", "othello6"])
def test_an_answer_of_a_turned_board_is_turned_back(name):
    """A network whose number for each action is its first plane there, or the sum of the column: no side is left or right."""
    game = CompleteGame(game_from_name(name))

    def reads_the_board(planes):
        own = planes[:, 0]
        logits = own.sum(axis=1) if name == "connectfour" else own.reshape(len(own), -1)
        rest = np.zeros((len(own), game.action_size - logits.shape[1]), np.float32)
        return np.hstack([logits, rest]), own.sum(axis=(1, 2))

    states, rows = somewhere(game, 40), np.arange(40)
    turned, straight = on_turned_observations(reads_the_board, game, 5), on_observations(reads_the_board)
    for found, wanted in zip(turned(states, rows), straight(states, rows), strict=True):
        assert np.array_equal(found, wanted)


def test_the_side_depends_on_the_state_and_the_seed_alone():
    game = CompleteGame(game_from_name("go5"))
    network, states = NumpyNetwork(any_weights(architecture_for(game, 8, 1))), somewhere(game, 20)
    logits, values = on_turned_observations(network, game, 7)(states, np.arange(20))
    backwards = on_turned_observations(network, game, 7)(states, np.arange(20)[::-1].copy())
    np.testing.assert_allclose(backwards[0][::-1], logits, atol=1e-5)
    others = [on_turned_observations(network, game, seed)(states, np.arange(20))[1] for seed in range(8)]
    assert not any(np.allclose(one, values) for one in others if one is not others[7])
    # Each state is shown from more than one side.
    assert (np.ptp(others, axis=0) > 1e-4).sum() >= 15
