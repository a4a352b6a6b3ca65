"""What evaluators say: by playouts from the position, and of boards that are turned."""

import numpy as np
import pytest

from goban.rulesets import ruleset
from learning.alphazero.errors import SearchRequestError
from learning.alphazero.evaluators import on_observations, on_turned_observations
from learning.alphazero.games import CompleteGame, PlainStates, game_from_name, states_of
from learning.alphazero.go_games import GoGame
from learning.alphazero.go_playouts import PatternPlayouts
from learning.alphazero.numpy_network import NumpyNetwork
from learning.alphazero.planners import GumbelPlanner
from learning.alphazero.weights import architecture_for
from tests.support.missing import needs, no_package
from tests.support.plain_networks import any_weights

compiled = needs(no_package("numba"))


def somewhere(game, count, seed=1):
    """Rows of states after some random actions."""
    rng, states = np.random.default_rng(seed), states_of(game, count)
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


@compiled
def test_playouts_by_patterns_know_who_is_ahead():
    """Whoever is to move: Black has all but two points of the board, then White."""
    game = CompleteGame(GoGame(ruleset("tromp-taylor-pgx"), 5))
    states, values = states_of(game, 2), []
    for row, first in enumerate((0, 1)):
        state = game.initial_state()
        # One side fills the board around two eyes, the other passes.
        for action in [a for a in range(25) if a not in (6, 18)]:
            state = game.apply_move(state, action if first == 0 else 25)
            state = game.apply_move(state, 25 if first == 0 else action)
        states.put(row, state)
    evaluate = PatternPlayouts(game, 20, seed=3)
    logits, values = evaluate(states, np.arange(2))
    assert logits.shape == (2, 26)
    assert not logits.any()
    assert values[0] > 0.9
    assert values[1] < -0.9


@compiled
def test_the_same_position_has_the_same_value_whatever_beside_it():
    game = CompleteGame(game_from_name("go5"))
    states, rows = somewhere(game, 12), np.arange(12)
    values = PatternPlayouts(game, 8, seed=3)(states, rows)[1]
    assert values.tolist() == PatternPlayouts(game, 8, seed=3)(states, rows[::-1].copy())[1][::-1].tolist()
    assert values.tolist() != PatternPlayouts(game, 8, seed=4)(states, rows)[1].tolist()
    assert np.abs(values).max() <= 1


@compiled
def test_a_search_takes_playouts_by_patterns():
    game = CompleteGame(game_from_name("go5"))
    plans = GumbelPlanner(game, PatternPlayouts(game, 2, seed=1), 8).plan(somewhere(game, 3), np.arange(3))
    assert (plans.visits.sum(axis=1) == 8).all()


def test_playouts_by_patterns_are_for_go():
    with pytest.raises(SearchRequestError, match="expected a game of Go for playouts by patterns, got TicTacToe"):
        PatternPlayouts(CompleteGame(game_from_name("tictactoe")), 1, 1)
    game = CompleteGame(game_from_name("go5"))
    with pytest.raises(TypeError, match="expected GoStates, got PlainStates"):
        PatternPlayouts(game, 1, 1)(PlainStates(game, 1), np.arange(1))
