"""zero: what a network holds for best, by rules of any kind, with numpy alone; and with search."""

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from go import GO
from goban.moves import PASS
from goban.rulesets import PRESETS, ruleset
from goban.states import new_game
from golearn.alphazero.games import CompleteGame, PlainStates
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.go_zero import ZeroPlayer
from golearn.alphazero.planners import GumbelPlanner, on_observations
from golearn.alphazero.weights import NumpyNetwork, architecture_for, write_weights
from golearn.errors import BadWeightsError
from players.errors import BadPlayerError
from players.registry import check_game, make_player
from tests.support.missing import needs, no_package
from tests.support.plain_networks import KINDS, any_weights
from tests.support.preparations import assert_prepared

ROOT = Path(__file__).parents[3]


@pytest.fixture
def network(tmp_path):
    """A network for 4x4 that was never trained; its file."""
    write_weights(tmp_path / "net.npz", weights())
    return tmp_path / "net.npz"


def weights():
    return any_weights(architecture_for(CompleteGame(GoGame(ruleset("course"), 4)), 8, 2))


def states_of_a_game(rules, seed):
    """Every position of a game at random, and the GO that shows it."""
    rng, state, shown = random.Random(seed), new_game(rules, 4), GO(4, rules)
    while not state.is_over and state.n_move < 60:
        GO.adopt_state(shown, state)
        yield state, shown
        state = state.play(rng.choice([move for move in state.legal_moves() if move is PASS or isinstance(move, tuple)]))


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_it_plays_the_legal_move_with_the_highest_number(rules, network):
    player, game, says = make_player(f"zero:network={network}", random.Random(1)), GoGame(rules, 4), NumpyNetwork(weights())
    answers = set()
    for state, shown in states_of_a_game(rules, 3):
        logits = says(game.encode(state)[None])[0][0]
        best = max(game.legal_moves(state), key=lambda action: logits[action])
        wanted = "PASS" if best == 16 else divmod(best, 4)
        assert player.get_input(shown, state.to_move) == wanted
        answers.add(wanted)
    assert len(answers) > 3


@pytest.mark.parametrize("rules", ["course", "littlego", "alphago7", "aga"])
def test_with_simulations_it_plays_what_the_search_finds(rules, network):
    player = make_player(f"zero:network={network},simulations=8", random.Random(1))
    game = GoGame(ruleset(rules), 4)
    # The same rows of states as the player would take; but the plain ones.
    complete = CompleteGame(game)
    planner = GumbelPlanner(complete, on_observations(NumpyNetwork(weights())), 8)
    for number, (state, shown) in enumerate(states_of_a_game(game.rules, 5)):
        states = PlainStates(complete, 1)
        states.put(0, state)
        mover = player.get_input(shown, state.to_move)
        planned = plain_plan(complete, planner.evaluator, states)
        assert mover == ("PASS" if planned == 16 else divmod(planned, 4))
        if number == 6:
            break


def plain_plan(complete, evaluator, states):
    """The same search over plain states."""
    game = CompleteGame(complete.game)
    game.states = lambda count: PlainStates(game, count)
    return int(GumbelPlanner(game, evaluator, 8).plan(states, np.arange(1)).actions[0])


def test_where_rules_have_no_end_it_plays_on_behind_that_of_the_search(network):
    """Under `alphago7` a game of 4x4 may go on for ever, but the search ends it after 48 moves."""
    player, state = make_player(f"zero:network={network},simulations=4", random.Random(1)), new_game(ruleset("alphago7"), 4)
    while state.n_move < 51:
        points = [move for move in state.legal_moves() if move is not PASS]
        state = state.play(points[0] if points and not state.passed else PASS if not state.passed else points[0])
    shown = GO(4, ruleset("alphago7"))
    GO.adopt_state(shown, state)
    answer = player.get_input(shown, state.to_move)
    assert answer == "PASS" or state.why_illegal(answer) is None


def test_it_is_refused_in_one_line(network, tmp_path):
    def refusal(name):
        with pytest.raises(BadPlayerError) as caught:
            make_player(name, random.Random(1))
        return str(caught.value)

    assert refusal("zero:network=none.npz") == "player 'zero:network=none.npz': network: none.npz: No such file or directory"
    (tmp_path / "other.npz").write_bytes(b"x")
    assert refusal(f"zero:network={tmp_path / 'other.npz'}").endswith("other.npz: no network, or a damaged one")
    assert "simulations: expected 0 or more, got -1" in refusal(f"zero:network={network},simulations=-1")


def test_a_board_of_another_size_is_refused(network, tmp_path):
    with pytest.raises(BadWeightsError, match=r"^expected a board of 4x4, as the network is for, got 5x5$"):
        make_player(f"zero:network={network}", random.Random(1)).get_input(GO(5), 1)
    write_weights(tmp_path / "odd.npz", any_weights(KINDS[0]))
    with pytest.raises(BadWeightsError, match=r"^expected a board of 3x4, as the network is for, got 4x4$"):
        make_player(f"zero:network={tmp_path / 'odd.npz'}", random.Random(1)).get_input(GO(4), 1)


def test_a_game_that_is_none_of_the_networks_is_refused_beforehand(network):
    name = f"zero:network={network},simulations=3"
    check_game(name, ruleset("alphago7"), 4)
    with pytest.raises(BadPlayerError) as caught:
        check_game(name, ruleset("course"), 5)
    assert str(caught.value) == f"player {name!r}: expected a board of 4x4, as the network is for, got 5x5"


def test_a_network_of_another_game_on_such_a_board_is_refused(tmp_path):
    kind = replace(architecture_for(CompleteGame(GoGame(ruleset("course"), 4)), 8, 1), planes=3)
    write_weights(tmp_path / "other.npz", any_weights(kind))
    with pytest.raises(BadWeightsError, match=r"expected a network for 8 planes of 4x4 .* got one for 3 planes of 4x4"):
        make_player(f"zero:network={tmp_path / 'other.npz'}", random.Random(1)).get_input(GO(4), 1)


@pytest.mark.slow
@needs(no_package("numba"))
@pytest.mark.parametrize("rules", ["course", "littlego", "tromp-taylor-strict", "tromp-taylor-suicide"])
def test_all_of_the_search_is_compiled_before_the_first_move(rules, network):
    assert_prepared(f"zero:network={network},simulations=20", rules, 4)


def test_a_network_that_does_not_search_has_nothing_to_prepare(network, monkeypatch):
    monkeypatch.setattr(ZeroPlayer, "_search", None)
    ZeroPlayer(str(network)).prepare(ruleset("course"), 4)


def test_a_network_that_cannot_search_is_refused_no_earlier_than_without_search(tmp_path):
    write_weights(tmp_path / "odd.npz", any_weights(KINDS[0]))
    player = make_player(f"zero:network={tmp_path / 'odd.npz'},simulations=4", random.Random(1))
    player.prepare(ruleset("course"), 4)
    with pytest.raises(BadWeightsError, match=r"^expected a board of 3x4"):
        player.get_input(GO(4), 1)


@pytest.mark.parametrize("hidden", [["numba", "torch"], ["torch"]])
def test_the_command_line_needs_numpy_only(network, hidden):
    code = (
        "import sys, runpy\n"
        f"for name in {hidden}: sys.modules[name] = None\n"
        f"sys.argv = ['go_play.py', '-n=4', '-p1=zero:network={network}', '-p2=random', '-t=6', '--seed=1']\n"
        "try: runpy.run_path('go_play.py', run_name='__main__')\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "assert not any(map(sys.modules.get, ('numba', 'torch')))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Black player (X) | Wins:")
