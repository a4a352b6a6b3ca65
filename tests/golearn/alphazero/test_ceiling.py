"""`lab.ceiling`: what is taught is true, and is not what is measured."""

import numpy as np
import pytest

from goban.grids import BLACK
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_positions import read_positions, shipped_path
from golearn.alphazero.plans import read_plan
from golearn.alphazero.runs import torch_learner
from golearn.alphazero.truth import Minimax
from golearn.alphazero.weights import NumpyNetwork
from lab import ceiling
from lab.ceiling import solve_game, taught, taught_positions
from tests.support.missing import needs, no_package


@pytest.fixture(scope="module")
def games():
    """One game of players and one of chance; in both all actions are solved but after six and seven moves."""
    return [solve_game(number, 1) for number in (1, 5)]


def played(game, actions):
    """Every state in which one of these actions is played."""
    states = [game.initial_state()]
    for action in actions:
        states.append(game.apply_move(states[-1], action))
    return states[:-1]


def test_values_are_those_of_plain_minimax(games):
    game = ceiling.Drawing("course", 1).game
    for one in games:
        solved = Minimax(CompleteGame(game))
        states = played(game, one["moves"])
        for state, wins, won in list(zip(states, one["wins"], one["won"], strict=True))[19:]:
            own = 1 if state.to_move == BLACK else -1
            assert wins == [k for k in game.legal_moves(state) if solved.value(game.apply_move(state, k)) == own]
            assert won == bool(wins)


def test_a_position_is_won_where_an_action_wins(games):
    for one in games:
        assert [k for k, wins in enumerate(one["wins"]) if wins is None] == list(ceiling.SLOW)
        assert all(won == bool(wins) for wins, won in zip(one["wins"], one["won"], strict=True) if wins is not None)


def test_in_one_game_of_four_everything_is_solved():
    assert None not in solve_game(8, 2)["wins"]


def test_what_is_taught_of_each_position(games, monkeypatch):
    monkeypatch.setattr(ceiling, "_measuring_set", frozenset)
    positions = taught_positions(games, 1)
    wins = [wins for one in games for wins in one["wins"]]
    assert len(positions.values) == len(wins)
    assert positions.has_value.all()
    assert not positions.has_ending.any()
    for row, has, actions in zip(positions.policies, positions.has_policy, wins, strict=True):
        assert np.flatnonzero(row).tolist() == (actions or [])
        assert has == bool(actions)
        assert not has or row.sum() == pytest.approx(1, abs=0.01)
    assert positions.values.tolist() == [1 if won else -1 for one in games for won in one["won"]]


@pytest.mark.parametrize("turn", [0, 1, 5])
def test_positions_that_are_measured_are_not_taught_however_they_are_turned(games, turn, monkeypatch):
    """The first game's tenth position, turned, is in the measuring set."""
    game = ceiling.Drawing("course", 1).game
    symmetry = game.symmetries()[turn]
    where = np.argsort(symmetry.actions)
    turned = played(game, [int(where[action]) for action in games[0]["moves"]])[9]

    class Known:
        def __init__(self):
            self.game = game

        def states(self):
            return [turned]

    ceiling._measuring_set.cache_clear()
    monkeypatch.setattr(ceiling, "known_positions", lambda name: Known())
    count = sum(len(one["moves"]) for one in games)
    assert len(taught_positions(games, 1).values) == count - 1
    ceiling._measuring_set.cache_clear()


def test_the_empty_board_is_measured_and_so_not_taught(games):
    assert any(not state.n_move for state in read_positions(shipped_path("course")).states()[:2000:4])
    assert len(taught_positions(games, 1).values) < sum(len(one["moves"]) for one in games)


@needs(no_package("torch", 2, "zero"))
def test_a_network_learns_what_it_is_taught(games, monkeypatch):
    """Shown the same two games again and again, it knows who wins in them."""
    monkeypatch.setattr(ceiling, "_measuring_set", frozenset)
    plan, positions = read_plan("go5"), taught_positions(games, 1)
    network = NumpyNetwork(taught(plan, torch_learner("cpu")(plan), positions, 300))
    states = [state for one in games for state in played(ceiling.Drawing("course", 1).game, one["moves"])]
    values = network.heads(np.stack([ceiling.Drawing("course", 1).game.encode(state) for state in states])).values
    assert np.mean(np.sign(values) == positions.values) > 0.9
