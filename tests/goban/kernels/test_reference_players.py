"""The compiled reference players against the players of `players/`: the same candidates in every position of many games."""

import random

import numpy as np
import pytest

from goban.kernels.bitboards import ZERO, board_shape, ko_of
from goban.kernels.reference_players import RANDOM, REFERENCES, reference_choice, reference_move
from goban.rulesets import COURSE
from goban.states import new_game
from tests.support.reference_choices import CHOICES


def kernel_mask(state, mask):
    return np.uint64(sum(1 << state.grid.size * i + j for i, j in state.grid.points_of(mask)))


def kernel_position(state):
    own, other = (kernel_mask(state, mask) for mask in state.colours())
    last = ZERO if state.last_point is None else kernel_mask(state, state.grid.bit[state.last_point])
    return own, other, np.uint64(ko_of(kernel_mask(state, state.captured))), last, board_shape(state.grid.size)


@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize("player", range(4), ids=REFERENCES)
def test_candidates_are_those_of_the_player_in_random_games(player, size):
    for seed in range(30):
        lots, state = random.Random(seed), new_game(COURSE, size)
        while not state.is_over:
            expected = CHOICES[REFERENCES[player]](state)
            assert reference_choice(player, *kernel_position(state)) == kernel_mask(state, expected), state.rows()
            state = state.play(lots.choice(state.legal_moves()))


def test_a_move_is_drawn_from_all_candidates():
    position = kernel_position(new_game(COURSE, 3))
    lots = np.array([5], dtype=np.uint64)
    assert {int(reference_move(RANDOM, *position, lots)) for _ in range(200)} == {1 << n for n in range(9)}


def test_nothing_legal_gives_no_move():
    full = np.uint64(0b1111)
    lots = np.array([5], dtype=np.uint64)
    for player in range(4):
        assert reference_move(player, full, ZERO, ZERO, ZERO, board_shape(2), lots) == 0
