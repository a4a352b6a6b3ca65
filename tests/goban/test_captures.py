"""Captures and suicide on any board, also one on which groups without liberties stand, against the slow oracle."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban.captures import is_sound, is_suicide, lost_by, placeable, taken_by
from goban.diagrams import parse_diagram
from goban.grids import grid_of
from goban.rulesets import COURSE, TROMP_TAYLOR_SUICIDE
from goban.states import state_from_rows
from tests.support.boards import boards
from tests.support.oracle import board_after, has_liberty, played, region, stones_without_liberty


def sparse(rows, mover):
    """The board with fewer stones, so that most groups have liberties, and both kinds of boards are met."""
    return [[stone if (i + 2 * j + mover) % 3 else 0 for j, stone in enumerate(row)] for i, row in enumerate(rows)]


@settings(max_examples=150)
@given(boards(6), st.sampled_from([1, 2]), st.booleans(), st.randoms(use_true_random=False))
def test_what_a_placement_takes_and_whether_it_lives(rows, mover, thin, rng):
    state = state_from_rows(COURSE, sparse(rows, mover) if thin else rows, mover)
    assert_agrees(state, rng)
    if placements := state.grid.points_of(state.placements()):
        # Groups of the player who moves may still be without liberties afterwards.
        assert_agrees(state.after(rng.choice(placements)), rng)


def assert_agrees(state, rng):
    board, mover, grid = tuple(map(tuple, state.rows())), state.to_move, state.grid
    empty = [point for point in grid.points if not board[point[0]][point[1]]]
    alive = []
    for point in rng.sample(empty, len(empty)):
        after, captured = board_after(board, point, mover)
        assert grid.points_of(taken_by(state, grid.bit[point])) == captured
        assert is_suicide(state, grid.bit[point]) is not has_liberty(after, point)
        alive += [point] if has_liberty(after, point) else []
        allowing = state.with_(rules=TROMP_TAYLOR_SUICIDE)
        assert lost_by(state, grid.bit[point]) == 0
        assert grid.points_of(taken_by(allowing, grid.bit[point]) | lost_by(allowing, grid.bit[point])) == sorted(
            played(board, point, mover)[1]
        )
        assert placeable(allowing) == state.empty
    assert grid.points_of(placeable(state)) == sorted(alive)
    assert is_sound(state) is not any(stones_without_liberty(board, colour) for colour in (1, 2))


@given(boards(7))
def test_groups_by_their_liberties(rows):
    grid = grid_of(len(rows))
    board = tuple(map(tuple, rows))
    masks = grid.masks(rows)
    for colour in (1, 2):
        found = grid.by_liberties(masks[colour], masks[0])
        assert sum(found.values()) == masks[colour]
        assert grid.points_of(found.get(0, 0)) == stones_without_liberty(board, colour)
        for liberties, stones in found.items():
            for stone in grid.points_of(stones):
                group = grid.mask_of(region(board, stone))
                assert grid.liberties(group, masks[0]) == liberties
                assert grid.trapped(grid.bit[stone], masks[colour], masks[0]) == (0 if liberties else group)


@pytest.mark.parametrize(
    ("drawing", "taken"),
    [
        (". O X\nO X .\nX . .", [(0, 1), (1, 0)]),
        (". O .\nO X .\nX . .", [(1, 0)]),
        (". O O\nO O X\nX X X", [(0, 1), (0, 2), (1, 0), (1, 1)]),
        (". X O\nX O .\nO . .", []),
    ],
    ids=["two groups", "one of two groups", "one group met twice", "own stones"],
)
def test_a_stone_in_the_corner_takes(drawing, taken):
    state = state_from_rows(COURSE, parse_diagram(drawing), 1)
    assert state.grid.points_of(taken_by(state, state.grid.bit[0, 0])) == taken
