"""A network file as an opponent: it plays as the player `zero`, whatever the rules and the games beside."""

import random

import numpy as np
import pytest

from go import GO
from goban.rulesets import PRESETS
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.weights import architecture_for, write_weights
from golearn.environments import GoBatch
from golearn.environments.opponents import opponent_of
from golearn.errors import SettingError
from players.registry import make_player
from tests.support.plain_networks import any_weights
from tests.support.states import WITHOUT_SUICIDE


@pytest.fixture
def network(tmp_path):
    kind = architecture_for(CompleteGame(GoGame(PRESETS["course"], 4)), 8, 2)
    write_weights(tmp_path / "net.npz", any_weights(kind))
    return str(tmp_path / "net.npz")


@pytest.mark.parametrize("rules", WITHOUT_SUICIDE)
def test_it_plays_as_the_player_zero(rules, network):
    batch, rng = GoBatch(4, 12, rules=rules, seed=3), np.random.default_rng(1)
    opponent, player = opponent_of(network, 0, batch.settings), make_player(f"zero:network={network}", random.Random(1))
    actions = set()
    for _ in range(12):
        going = np.flatnonzero(~batch.terminated)[::2]
        for row, action in zip(going, opponent.choose(batch, going), strict=True):
            state = batch.rows(row)
            shown = GO(4, batch.settings.rules)
            GO.adopt_state(shown, state)
            answer = player.get_input(shown, state.to_move)
            assert action == (16 if answer == "PASS" else 4 * answer[0] + answer[1])
            actions.add(int(action))
        batch.step(batch.sample(rng))
    assert len(actions) > 3


@pytest.mark.parametrize(("size", "content", "message"), [
    (5, None, "opponent: expected a network for 8 planes of 5x5 and 26 actions, got one for 8 planes of 4x4 and 17 actions"),
    (4, b"x", "opponent: .*net.npz: no network, or a damaged one"),
    (4, "", "opponent: .*net.npz: No such file or directory"),
])  # fmt: skip
def test_a_file_that_does_not_fit_is_refused(size, content, message, network, tmp_path):
    if content is not None:
        (tmp_path / "net.npz").unlink()
    if content:
        (tmp_path / "net.npz").write_bytes(content)
    with pytest.raises(SettingError, match=message):
        opponent_of(network, 0, GoBatch(size, 1).settings)
