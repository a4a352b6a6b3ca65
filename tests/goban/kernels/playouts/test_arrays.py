"""Array boards: their bookkeeping against a count from scratch, drawn positions, and what is refused."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban.errors import BadBoardError, IllegalMoveError
from goban.grids import area, board_hash, grid_of, stone_keys
from goban.kernels.numba_tools.compile import compilation_told
from goban.kernels.playouts import arrays as a
from goban.kernels.playouts.array_games import ArrayGame, count_points, mark_legal
from goban.kernels.playouts.array_rules import new_board
from goban.moves import PASS, RESIGN
from goban.rulesets import BLACK, ruleset
from goban.states import State, new_game, state_from_rows
from tests.support.positions_file import positions
from tests.support.states import WITHOUT_SUICIDE

STEPS = (-a.STRIDE, -1, 1, a.STRIDE)


def after_random_moves(preset, size, seed, moves):
    """An ArrayGame and the same state."""
    rng = random.Random(seed)
    state = new_game(ruleset(preset), size)
    game = ArrayGame(state)
    while state.n_move < moves and not state.is_over:
        points = state.grid.points_of(state.placements())
        move = PASS if not points or (state.rules.passing and rng.random() < 0.03) else rng.choice(points)
        state = state.play(move)
        game.play(move)
    return game, state


games = st.tuples(st.sampled_from(WITHOUT_SUICIDE), st.integers(2, 9), st.integers(0, 10**9), st.integers(0, 150))


@given(games)
@settings(max_examples=60, deadline=None)
def test_strings_and_liberties_are_what_a_count_from_scratch_finds(given_game):
    game, state = after_random_moves(*given_game)
    board, grid = game.board, state.grid
    keys = a.key_table(grid.size)
    for colour in (a.BLACK, a.WHITE):
        for point in grid.points_of(state.stones(colour)):
            head = int(board[a.STRING + a.point_of(*point)])
            stones, liberties = state.group_at(point)
            circle = [head]
            while (p := int(board[a.NEXT + circle[-1]])) != head:
                circle.append(p)
            assert sorted(map(a.pair_of, circle)) == grid.points_of(stones)
            assert board[a.STONES + head] == len(circle)
            touches = sum(board[a.COLOUR + p + step] == a.EMPTY for p in circle for step in STEPS)
            assert board[a.LIBERTIES + head] == touches
            assert (touches > 0) == (liberties > 0)
            assert game.board[a.LIBERTIES : a.LIBERTIES + a.CELLS].max() < 4 * grid.size**2 + 16
            assert game.hashes[a.STRING_HASH + head] == np.bitwise_xor.reduce(keys[a.CELLS * colour + np.array(circle)])


@given(games)
@settings(max_examples=60, deadline=None)
def test_empty_points_are_listed_once_each_and_know_their_place(given_game):
    game, state = after_random_moves(*given_game)
    listed = game.board[a.EMPTIES : a.EMPTIES + int(game.board[a.COUNT])]
    assert sorted(map(a.pair_of, listed)) == state.grid.points_of(state.empty)
    assert [int(game.board[a.PLACE + int(p)]) for p in listed] == list(range(len(listed)))
    assert all(game.board[a.COLOUR + int(p)] == a.EMPTY for p in listed)


@given(games)
@settings(max_examples=30, deadline=None)
def test_asking_changes_nothing_on_the_board(given_game):
    game, _ = after_random_moves(*given_game)
    board, hashes = game.board.copy(), game.hashes.copy()
    assert len(game.legal_mask()) == game.size**2
    assert sum(game.points) <= game.size**2
    assert (game.board == board).all()
    assert (game.hashes == hashes).all()


boards = st.integers(2, 9).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 2), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(boards)
@settings(max_examples=200, deadline=None)
def test_area_is_counted_as_goban_counts_it(rows):
    grid = grid_of(len(rows))
    empty, black, white = grid.masks(rows)
    black ^= grid.dead(black, empty)
    white ^= grid.dead(white, grid.full & ~black & ~white)
    black ^= grid.dead(black, grid.full & ~black & ~white)
    state = state_from_rows(ruleset("aga"), grid.rows(black, white))
    game = ArrayGame(state)
    assert game.points == area(grid, black, white)
    assert game.rows() == state.rows()
    assert game.hash == board_hash(grid.size, black, white)


POSITIONS = positions()


@pytest.mark.parametrize("position", POSITIONS)
def test_drawn_position(position):
    for case in POSITIONS[position]:
        if case.rules in WITHOUT_SUICIDE:
            check(case)


def check(case):
    state = state_from_rows(ruleset(case.rules), case.board, case.to_move)
    game = ArrayGame(state)
    for move in case.moves:
        game.play(move)
    if case.why_illegal is not None:
        assert not game.legal_mask()[case.play[0] * game.size + case.play[1]]
        with pytest.raises(IllegalMoveError):
            game.play(case.play)
        return
    game.play(case.play)
    if case.captures is not None:
        assert tuple(game.captured) == case.captures
    if case.after is not None:
        assert tuple(map(tuple, game.rows())) == case.after
    if case.ends is not None:
        assert ("-" if game.ending is None else game.ending.value) == case.ends
    if case.winner is not None:
        assert game.winner == case.winner


@pytest.mark.parametrize("size", range(2, 20))
def test_keys_are_those_of_goban(size):
    keys, grid = a.key_table(size), grid_of(size)
    for colour in (1, 2):
        for point, bit in grid.bit.items():
            assert int(keys[a.CELLS * colour + a.point_of(*point)]) == stone_keys(size)[colour][bit]


@pytest.mark.parametrize("size", range(2, 20))
def test_points_have_names_of_their_own(size):
    points = [a.point_of(*pair) for pair in grid_of(size).points]
    assert [a.pair_of(p) for p in points] == list(grid_of(size).points)
    assert min(points) - a.STRIDE - 1 >= 0
    assert max(points) + a.STRIDE + 1 < a.CELLS


@pytest.mark.parametrize("size", [1, 20])
def test_other_sizes_are_refused(size):
    with pytest.raises(BadBoardError):
        new_board(ruleset("aga"), size)


def test_rules_that_allow_suicide_are_refused():
    with pytest.raises(ValueError, match="expected rules that forbid suicide for games in arrays, got tromp-taylor-suicide"):
        ArrayGame(new_game("tromp-taylor-suicide", 5))


def test_the_history_grows_with_a_long_game():
    state = new_game(ruleset("aga"), 3)
    game, rng = ArrayGame(state), random.Random(1)
    room = len(game.hashes)
    for _ in range(400):
        points = state.grid.points_of(state.placements())
        # No two passes: the game is to go on.
        move = rng.choice(points) if points else PASS
        if state.passed and move is PASS:
            break
        state = state.play(move)
        game.play(move)
        assert game.legal_mask().sum() == len(state.grid.points_of(state.placements()))
    assert len(game.hashes) > room


def test_a_copied_row_is_a_game_of_its_own():
    game = ArrayGame(new_game(ruleset("alphago7"), 5))
    twin = ArrayGame(new_game(ruleset("alphago7"), 5))
    twin.board = game.board.copy()
    game.play((2, 2))
    assert (twin.rows(), game.rows()[2][2]) == ([[0] * 5] * 5, 1)


def test_what_may_not_be_played_is_refused():
    game = ArrayGame(new_game(ruleset("course"), 3))
    game.play((1, 1))
    for move in ((1, 1), PASS, RESIGN):
        with pytest.raises(IllegalMoveError):
            game.play(move)
    over = ArrayGame(new_game(ruleset("littlego"), 3).play(PASS))
    with pytest.raises(IllegalMoveError):
        over.play((0, 0))


def test_a_game_that_was_resigned_is_refused():
    with pytest.raises(ValueError, match="nobody has resigned"):
        ArrayGame(new_game(ruleset("aga"), 5).play(RESIGN))


def test_arguments_of_other_types_are_refused_and_not_compiled_for():
    if not hasattr(mark_legal.kernel, "signatures"):
        pytest.skip("nothing is compiled here")
    game = ArrayGame(new_game(ruleset("aga"), 5))
    assert count_points(game.board) == (0, 0)
    with pytest.raises(TypeError):
        count_points(game.board.astype(np.float64))
    assert len(count_points.kernel.signatures) == 1


def test_nothing_is_said_about_compiling_what_is_compiled():
    game = ArrayGame(new_game(ruleset("aga"), 5))
    assert game.points == (0, 0)
    said = []
    with compilation_told(lambda: said.append(1)):
        assert game.points == (0, 0)
    assert said == []


def test_who_took_a_ko_and_moves_again_may_fill_it():
    rows = [[0, 1, 2, 0], [1, 2, 0, 2], [0, 1, 2, 0], [0, 0, 0, 0]]
    taken = state_from_rows(ruleset("course"), rows).play((1, 2))
    fields = list(taken.made_of())
    fields[5] = BLACK
    for state in (taken, State(*fields)):
        legal = ArrayGame(state).legal_mask().nonzero()[0]
        assert [divmod(int(index), 4) for index in legal] == state.grid.points_of(state.placements())
    assert (1, 1) not in taken.grid.points_of(taken.placements())
