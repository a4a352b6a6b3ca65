"""Whoever is asked, the answers are of one form; and they do not depend on how many states are asked about at once."""

import random

import numpy as np
import pytest

from goban.rulesets import ruleset
from golearn.alphazero import answers
from golearn.alphazero.answers import (
    chance_answers,
    network_answers,
    player_answers,
    search_answers,
)
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.go_positions import GoPlayer
from golearn.alphazero.planners import GumbelPlanner, on_observations, uniform
from golearn.alphazero.small_games import ConnectFour
from golearn.alphazero.weights import NumpyNetwork, architecture_for
from golearn.errors import UnknownPlayerError, WrongAnswerError
from tests.support.plain_networks import any_weights

GO = CompleteGame(GoGame(ruleset("littlego")))
FOUR = CompleteGame(ConnectFour())


def some_states(game, count, seed=1):
    rng, found = random.Random(seed), []
    while len(found) < count:
        state = game.initial_state()
        for _ in range(rng.randrange(12)):
            if not game.is_terminal(state):
                state = game.apply_move(state, rng.choice(game.legal_moves(state)))
        if not game.is_terminal(state):
            found.append(state)
    return found


def network_of(game):
    return NumpyNetwork(any_weights(architecture_for(game, 6, 1)))


def asks(game):
    network = network_of(game)
    return {
        "network": network_answers(game, network),
        "search": search_answers(game, GumbelPlanner(game, on_observations(network), 8)),
        "chance": chance_answers(game, random.Random(1)),
    }


@pytest.mark.parametrize("game", [GO, FOUR], ids=["go", "four"])
@pytest.mark.parametrize("kind", ["network", "search", "chance"])
def test_answers_are_legal_actions_policies_over_them_and_values(game, kind):
    states = some_states(game, 20)
    found = asks(game)[kind](states)
    for state, action, policy in zip(states, found.actions, found.policies, strict=True):
        assert action in game.legal_moves(state)
        assert policy.sum() == pytest.approx(1)
        assert (policy >= 0).all()
        assert policy[~game.legal_mask(state)].sum() == 0
    assert (found.values is None) == (kind == "chance")
    assert found.values is None or (abs(found.values) <= 1).all()


def test_a_network_plays_its_likeliest_legal_action_and_tells_margins_in_points():
    states, network = some_states(GO, 20), network_of(GO)
    found = network_answers(GO, network)(states)
    heads = network.heads(np.array([GO.encode(state) for state in states]))
    for k, state in enumerate(states):
        assert found.actions[k] == max(GO.legal_moves(state), key=lambda action: heads.logits[k, action])
    assert np.allclose(found.values, heads.values, atol=1e-6)
    assert np.allclose(found.margins, 25 * heads.margins, atol=1e-5)


@pytest.mark.parametrize("kind", ["network", "search"])
def test_answers_do_not_depend_on_how_many_are_asked_at_once(kind, monkeypatch):
    states = some_states(GO, 11)
    together = asks(GO)[kind](states)
    monkeypatch.setattr(answers, "MOST_AT_ONCE", 4)
    in_parts = asks(GO)[kind](states)
    assert np.array_equal(together.actions, in_parts.actions)
    assert np.allclose(together.policies, in_parts.policies, atol=1e-5)
    assert np.allclose(together.values, in_parts.values, atol=1e-5)


def test_trees_that_are_large_are_few_at_once(monkeypatch):
    """Else some states of a search with many simulations would not fit into the memory."""
    seen = []

    def evaluator(states, rows):
        seen.append(len(rows))
        return uniform(FOUR)(states, rows)

    monkeypatch.setattr(answers, "MOST_NODES", 40)
    search_answers(FOUR, GumbelPlanner(FOUR, evaluator, 9))(some_states(FOUR, 10))
    assert max(seen) == 4


def test_players_of_the_registry_move_as_they_do_elsewhere():
    """greedy takes the stone that it can take."""
    game = GoGame(ruleset("course"))
    state = game.initial_state()
    for name in ("B3", "A3", "A4", "E5", "E1", "D1"):
        state = game.apply_move(state, game.parse_action(name))
    found = player_answers(GoPlayer(game, "greedy", "1"))([state])
    assert [game.action_name(int(action)) for action in found.actions] == ["A2"]
    assert found.policies is None
    assert found.values is None


WRONG = {"(0, 0)": "may not play A5 here", "'PASS'": "may not play pass here", "(7, 1)": r"got \(7, 1\)", "1 / 0": "failed: Z"}


@pytest.mark.parametrize(("answer", "message"), WRONG.items())
def test_a_player_that_answers_what_may_not_be_played_is_named(answer, message, tmp_path):
    (tmp_path / "odd.py").write_text(f"class MyPlayer:\n    def get_input(self, go, piece_type):\n        return {answer}\n")
    game = GoGame(ruleset("course"))
    state = game.apply_move(game.initial_state(), 0)
    with pytest.raises(WrongAnswerError, match=rf"odd\.py.*{message}"):
        GoPlayer(game, str(tmp_path / "odd.py"), "1").action(state)


def test_a_player_that_writes_into_its_board_changes_nothing(tmp_path):
    (tmp_path / "wild.py").write_text(
        "class MyPlayer:\n    def get_input(self, go, piece_type):\n        go.board[0][0] = 1\n        return 2, 2\n"
    )
    game = GoGame(ruleset("course"))
    player, state = GoPlayer(game, str(tmp_path / "wild.py"), "1"), game.initial_state()
    assert player.action(state) == player.action(state) == 12
    assert state.empty == state.grid.full


def test_a_player_of_a_file_that_is_not_utf_8_is_looked_for_by_its_name():
    name = "caf\udce9.py"
    with pytest.raises(UnknownPlayerError, match="caf"):
        GoPlayer(GoGame(ruleset("course")), name, f"1 {name}")
