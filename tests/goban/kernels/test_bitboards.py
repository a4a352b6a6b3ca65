"""The kernels against `goban`, the reference for the rules."""

import random

import numpy as np
import pytest

from goban.kernels.bitboards import (
    ONE,
    ZERO,
    board_shape,
    captures,
    ko_of,
    legal_mask,
    random_point,
    random_states,
)
from goban.kernels.numba_tools.bits import count
from goban.rulesets import COURSE, LITTLEGO
from goban.states import State, new_game

SIZES = range(2, 9)


def kernel_mask(state: State, mask: int) -> np.uint64:
    """Return a mask of `goban` as kernels lay it out."""
    size = state.grid.size
    return np.uint64(sum(1 << size * i + j for i, j in state.grid.points_of(mask)))


def kernel_legal(state: State) -> np.uint64:
    """Return the legal placements as the kernels see them."""
    own, other = (kernel_mask(state, mask) for mask in state.colours())
    captured = kernel_mask(state, state.captured)
    last = ZERO if state.last_point is None else kernel_mask(state, state.grid.bit[state.last_point])
    return legal_mask(own, other, np.uint64(ko_of(captured)), last, board_shape(state.grid.size))


def random_game(state: State, seed: int):
    """Yield the positions of a game of random moves, passes included where the rules know them."""
    rng = random.Random(seed)
    while not state.is_over:
        yield state
        state = state.play(rng.choice(state.legal_moves()))


@pytest.mark.parametrize("rules", [COURSE, LITTLEGO], ids=lambda rules: rules.name)
@pytest.mark.parametrize("size", SIZES)
def test_legal_placements_are_those_of_goban_in_random_games(rules, size):
    for seed in range(120 // size):
        for state in random_game(new_game(rules, size), seed):
            assert kernel_legal(state) == kernel_mask(state, state.placements()), state.rows()


@pytest.mark.parametrize("size", SIZES)
def test_captured_stones_are_those_of_goban_in_random_games(size):
    shape = board_shape(size)
    for seed in range(120 // size):
        for state in random_game(new_game(COURSE, size), seed):
            own, other = (kernel_mask(state, mask) for mask in state.colours())
            for bit in state.grid.singles(state.placements()):
                expected = state.grid.dead(state.colours()[1], state.empty ^ bit)
                assert captures(kernel_mask(state, bit), own, other, shape) == kernel_mask(state, expected)


def count_lines(own, other, ko, last, depth, shape):
    """Return how many sequences of `depth` placements there are."""
    if depth == 0:
        return 1
    lines, todo = 0, int(legal_mask(own, other, ko, last, shape))
    while todo:
        bit = np.uint64(todo & -todo)
        todo &= todo - 1
        taken = captures(bit, own, other, shape)
        lines += count_lines(np.uint64(int(other) ^ int(taken)), own | bit, np.uint64(ko_of(taken)), bit, depth - 1, shape)
    return lines


def count_lines_by_goban(state, depth):
    if depth == 0:
        return 1
    return sum(count_lines_by_goban(state.after(move), depth - 1) for move in state.grid.points_of(state.placements()))


@pytest.mark.parametrize(("size", "depth"), [(2, 6), (3, 5), (4, 3)])
def test_the_move_trees_have_the_size_goban_counts(size, depth):
    expected = count_lines_by_goban(new_game(COURSE, size), depth)
    assert count_lines(ZERO, ZERO, ZERO, ZERO, depth, board_shape(size)) == expected


def test_a_single_stone_taken_is_a_ko_and_two_are_not():
    assert ko_of(np.uint64(0b100)) == 0b100
    assert ko_of(np.uint64(0b110)) == 0
    assert ko_of(ZERO) == 0


def test_count_knows_every_number_of_points():
    assert [count(np.uint64((1 << n) - 1)) for n in range(65)] == list(range(65))
    assert [count(np.int64((1 << n) - 1)) for n in range(64)] == list(range(64))


def test_random_point_gives_each_point_about_as_often():
    mask = np.uint64(1 << 63 | 1 << 40 | 1 << 3 | 1)
    state = random_states(1, 0, 1)[0]
    drawn = [int(random_point(mask, state)) for _ in range(4000)]
    assert {bit: 900 < drawn.count(bit) < 1100 for bit in set(drawn)} == dict.fromkeys((1 << 63, 1 << 40, 1 << 3, 1), True)


def test_every_game_has_its_own_numbers_whoever_plays_it():
    states = random_states(7, 0, 100)
    assert len(np.unique(states)) == 100
    assert (states[40:60] == random_states(7, 40, 20)).all()
    assert not (states == random_states(8, 0, 100)).any()


@pytest.mark.parametrize("size", [1, 9])
def test_sizes_that_do_not_fit_are_refused(size):
    with pytest.raises(ValueError, match=f"sizes 2 to 8, got {size}"):
        board_shape(size)


def test_masks_come_back_unsigned():
    corner = np.uint64(1 << 63)
    assert captures(corner, ZERO, corner >> ONE, board_shape(8)) == 0
    assert legal_mask(ZERO, ZERO, ZERO, ZERO, board_shape(8)) == 2**64 - 1
