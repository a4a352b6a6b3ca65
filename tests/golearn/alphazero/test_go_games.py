"""Go as a game for the pipeline: the rules, the planes, and that nothing else of the pipeline knows boards."""

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.errors import BadBoardError
from goban.rulesets import PRESETS, ruleset
from golearn.alphazero.games import GAMES, game_from_name
from golearn.alphazero.go_games import GoGame
from golearn.errors import IllegalActionError
from tests.support.oracle import NaiveGame, area, count_sequences

ROOT = Path(__file__).parents[3]
WORTH = {None: None, 0: 0, 1: 1, 2: -1}

drawn_moves = st.lists(st.integers(0, 10_000), min_size=1, max_size=60)


def after(game, *names):
    """The state after moves named as people name them."""
    state = game.initial_state()
    for name in names:
        state = game.apply_move(state, game.parse_action(name))
    return state


def plain_actions(plain):
    if plain.over():
        return []
    points = sorted(plain.size * i + j for i, j in plain.legal_placements())
    return [*points, plain.size**2] if plain.may_pass() else points


def expected_planes(plain, limit):
    """The planes from the plain game alone."""
    size = plain.size
    planes = np.zeros((8, size, size), dtype=np.float32)
    board = np.array(plain.board)
    planes[0], planes[1] = board == plain.to_move, board == 3 - plain.to_move
    for i, j in np.ndindex(size, size):
        planes[2, i, j] = plain.why_illegal((i, j)) == "repetition"
    if plain.moves and plain.moves[-1] is not None:
        planes[3][plain.moves[-1]] = 1
    if plain.may_pass() and not plain.over():
        passed = plain.copy()
        passed.play(None)
        planes[4] = passed.ending() == "two passes"
    planes[5] = plain.to_move == 1
    planes[6] = (limit - plain.n_move) / limit
    planes[7] = 1
    return planes


SMALL = [("alphago7", 3), ("course", 4), ("course", 5), ("littlego", 4), ("tromp-taylor-pgx", 3)]


@pytest.mark.parametrize(("preset", "size"), SMALL)
@given(drawn=drawn_moves)
def test_random_games_agree_with_the_plain_ones_move_by_move(preset, size, drawn):
    game, plain = GoGame(ruleset(preset), size), NaiveGame(preset, size)
    state = game.initial_state()
    for number in [*drawn, 0]:
        over = plain.over() or plain.n_move >= game.max_plies
        legal = [] if over else plain_actions(plain)
        assert game.legal_moves(state) == legal
        assert game.is_terminal(state) == over
        assert game.winner(state) == (WORTH[plain.winner()] if over else None)
        assert game.current_player(state) == WORTH[plain.to_move]
        if over:
            break
        assert np.array_equal(game.encode(state), expected_planes(plain, game.max_plies))
        action = legal[number % len(legal)]
        state = game.apply_move(state, action)
        plain.play(divmod(action, size) if action < size * size else None)


@pytest.mark.parametrize("name", [name for name in GAMES if name.startswith("go")])
@given(drawn=drawn_moves)
def test_ownership_adds_up_to_the_margin(name, drawn):
    game = game_from_name(name)
    state = game.initial_state()
    for number in drawn:
        legal = game.legal_moves(state)
        state = game.apply_move(state, legal[number % len(legal)]) if legal else state
    owner = game.ownership(state)
    assert (owner.dtype, owner.shape) == (np.int8, game.board_shape)
    assert owner.sum() == game.margin(state)
    rows = tuple(map(tuple, state.rows()))
    if game.rules.name in ("alphago7", "tromp-taylor-pgx"):
        assert game.margin(state) == area(rows, 1) - area(rows, 2)


NAMED = {"go": ("alphago7", 7, 7.5, 147), "go5": ("course", 5, 2.5, 24), "go5-littlego": ("littlego", 5, 2.5, 24)}
NAMED["go-komi9.5"] = ("alphago7", 7, 9.5, 147)
NAMED["go9"] = ("tromp-taylor-pgx", 9, 7.5, 162)


@pytest.mark.parametrize("name", NAMED)
def test_lines_of_play_are_as_many_as_the_plain_game_has(name):
    game, (preset, size, _, _) = game_from_name(name), NAMED[name]

    def count(state, depth):
        if depth == 0:
            return 1
        return sum(count(game.apply_move(state, action), depth - 1) for action in game.legal_moves(state))

    assert count(game.initial_state(), 2) == count_sequences(NaiveGame(preset, size), 2)


@pytest.mark.parametrize("name", NAMED)
def test_sizes_actions_and_limits(name):
    game, (preset, size, komi, limit) = game_from_name(name), NAMED[name]
    assert game.rules.name == preset
    assert game.board_shape == (size, size)
    assert (game.pass_action, game.action_size) == (size * size, size * size + 1)
    assert (game.komi, game.max_plies) == (komi, limit)
    assert (size * size in game.legal_moves(game.initial_state())) == (name != "go5")


def test_two_passes_end_the_game_and_the_empty_board_is_whites_by_komi():
    game = game_from_name("go")
    state = after(game, "pass")
    assert game.winner(state) is None
    state = game.apply_move(state, game.pass_action)
    assert game.is_terminal(state)
    assert (game.legal_moves(state), game.winner(state), game.margin(state)) == ([], -1, 0)


def test_one_stone_owns_an_empty_board():
    game = game_from_name("go")
    state = after(game, "D4", "pass", "pass")
    assert (game.winner(state), game.margin(state)) == (1, 49)


def test_a_capture_removes_the_stone():
    state = after(game_from_name("go"), "A2", "A1", "B1")
    assert state.rows()[6] == [0, 1, 0, 0, 0, 0, 0]


KO = ["B4", "C4", "A3", "D3", "B2", "C2", "C3", "B3"]
"""White has just taken a stone on C3; Black may not take back at once."""


def test_ko_is_forbidden_shown_and_cleared_by_a_pass():
    game = game_from_name("go")
    state = after(game, *KO)
    banned = game.parse_action("C3")
    assert banned not in game.legal_moves(state)
    assert np.flatnonzero(game.encode(state)[2]).tolist() == [banned]
    with pytest.raises(ValueError, match="ko"):
        game.apply_move(state, banned)
    state = after(game, *KO, "pass", "pass")
    assert game.is_terminal(state)
    state = after(game, *KO, "G7", "G1")
    assert banned in game.legal_moves(state)
    assert not game.encode(state)[2].any()


def test_suicide_is_illegal_unless_it_captures():
    game = game_from_name("go")
    suicide = after(game, "A2", "G7", "B1")
    with pytest.raises(ValueError, match="suicide"):
        game.apply_move(suicide, game.parse_action("A1"))
    capturing = after(game, "A2", "B2", "B1", "A3", "G7", "C1")
    taken = game.apply_move(game.apply_move(capturing, game.parse_action("G1")), game.parse_action("A1"))
    assert taken.rows()[6][:3] == [2, 0, 2]


@pytest.mark.parametrize(
    ("names", "action", "reason"),
    [([], 50, "out of range"), ([], -1, "out of range"), (["A1"], 42, "occupied"), (["pass", "pass"], 3, "terminal")],
)
def test_what_may_not_be_played_is_refused_with_the_reason(names, action, reason):
    game = game_from_name("go")
    with pytest.raises(IllegalActionError, match=reason):
        game.apply_move(after(game, *names), action)


def test_a_game_of_simple_ko_ends_at_three_moves_a_point():
    """Under the rules alone a triple ko has no end."""
    game = GoGame(ruleset("alphago7"), 2)
    assert game.max_plies == 12
    assert PRESETS["alphago7"].max_move(7) is None


@pytest.mark.parametrize("size", [-1, 0, 1, 20])
def test_a_board_that_goban_does_not_know_is_refused(size):
    with pytest.raises(BadBoardError, match=f"board size from 2 to 19, got {size}"):
        GoGame(ruleset("alphago7"), size)


def test_only_the_go_plug_in_knows_boards_or_rules():
    """Of the rooms below, the rest of the pipeline uses what knows no game."""
    allowed = ("goban.common.", "goban.kernels.numba_tools.", "golearn.lockstep.", "golearn.alphazero.", "golearn.errors.")
    ours = {"goban", "players", "golearn", "go", "my_player"}
    for path in [*(ROOT / "golearn/alphazero").glob("*.py"), ROOT / "golearn/lockstep.py"]:
        if path.name.startswith("go_"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [f"{node.module}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            for module in named:
                assert module.split(".")[0] not in ours or f"{module}.".startswith(allowed), f"{path.name} imports {module}"
