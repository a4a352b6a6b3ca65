"""The rules as drawn positions have them, and as the slow oracle plays random games of every preset."""

import random

import pytest
from hypothesis import given, settings

from goban.errors import IllegalMoveError
from goban.grids import board_hash
from goban.moves import RESIGN
from goban.rulesets import PRESETS, ruleset
from goban.states import new_game, state_from_rows
from tests.support.oracle import NaiveGame, count_sequences
from tests.support.positions_file import positions
from tests.support.states import ending, games, random_move, why

POSITIONS = positions()


@pytest.mark.parametrize("position", POSITIONS)
def test_drawn_position(position):
    for case in POSITIONS[position]:
        check(case)


def check(case):
    state = state_from_rows(ruleset(case.rules), case.board, case.to_move)
    for move in case.moves:
        state = state.play(move)
    assert why(state, case.play) == case.why_illegal
    if case.why_illegal is not None:
        with pytest.raises(IllegalMoveError):
            state.play(case.play)
        return
    after = state.play(case.play)
    if case.captures is not None:
        assert tuple(after.grid.points_of(after.captured)) == case.captures
    if case.after is not None:
        assert tuple(map(tuple, after.rows())) == case.after
    if case.ends is not None:
        assert (ending(after) or "-") == case.ends
    if case.winner is not None:
        assert after.outcome.winner == case.winner


def assert_same(state, game):
    assert state.rows() == game.board
    assert state.to_move == game.to_move
    assert state.grid.rows(*state.previous) == game.previous_board
    assert state.grid.points_of(state.captured) == sorted(game.died_pieces)
    assert ending(state) == game.ending()
    assert state.scores() == game.scores()
    assert state.hash == board_hash(state.grid.size, state.black, state.white)
    points = [(i, j) for i in range(state.grid.size) for j in range(state.grid.size)]
    assert {p: why(state, p) for p in points} == {p: game.why_illegal(p) for p in points}
    assert set(state.grid.points_of(state.placements())) == game.legal_placements()
    if state.is_over:
        assert state.outcome.winner == game.winner()


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("preset", PRESETS)
def test_random_games_agree_with_the_slow_oracle(preset, size):
    rng = random.Random(f"{preset} {size}")
    for _ in range(4):
        state, game = new_game(ruleset(preset), size), NaiveGame(preset, size)
        assert_same(state, game)
        passes = rng.choice([0.02, 0.3])
        while not state.is_over and state.n_move < 3 * size * size:
            move = random_move(state, rng, passes)
            state = state.play(move)
            game.play(move)
            assert_same(state, game)


@pytest.mark.parametrize(("size", "depth"), [(2, 8), (3, 3), (4, 2)])
@pytest.mark.parametrize("preset", PRESETS)
def test_move_trees_have_as_many_leaves_as_the_oracle_counts(preset, size, depth):
    assert leaves(new_game(ruleset(preset), size), depth) == count_sequences(NaiveGame(preset, size), depth)


def leaves(state, depth):
    if depth == 0:
        return 1
    return sum(leaves(state.play(move), depth - 1) for move in state.legal_moves() if move is not RESIGN)


def test_the_whole_course_game_on_2x2_has_as_many_lines_as_the_oracle_counts():
    for depth in range(1, 4):
        assert leaves(new_game(ruleset("course"), 2), depth) == count_sequences(NaiveGame("course", 2), depth)
    assert leaves(new_game(ruleset("course"), 2), 4) == 0


@given(games)
@settings(max_examples=50)
def test_branches_know_their_own_past_only(game):
    """The states of a game share their history; playing other branches in between must not be seen."""
    preset, size, seed, moves = game
    rng = random.Random(seed)
    state, alone = new_game(ruleset(preset), size), NaiveGame(preset, size)
    while state.n_move < moves and not state.is_over:
        for move in rng.sample(state.legal_moves(), k=min(2, len(state.legal_moves()))):
            sideline = state.play(move)
            while not sideline.is_over and rng.random() < 0.6:
                sideline = sideline.play(random_move(sideline, rng, 0.1))
        move = random_move(state, rng, 0.05)
        state = state.play(move)
        alone.play(move)
        assert {p: why(state, p) for p in state.grid.points} == {p: alone.why_illegal(p) for p in state.grid.points}
        assert ending(state) == alone.ending()
