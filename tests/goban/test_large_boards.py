"""Random games on boards of every size: what states keep between moves says what a look at the whole board says."""

import random

import pytest

from benchmarks.large_boards import Board, Position
from goban.grids import WHITE_TO_MOVE, board_hash
from goban.moves import PASS
from goban.rulesets import PRESETS, Repetition, ruleset
from goban.states import new_game

SIZES = range(2, 20)


def whole_board(state, bit):
    """(mask of the stones removed, whether the placement is suicide, (black, white) after it), with nothing kept."""
    grid = state.grid
    own, other = state.colours()
    taken = grid.dead(other, state.empty ^ bit)
    own, other, empty = own | bit, other ^ taken, state.empty ^ bit | taken
    lost = grid.dead(grid.group(bit, own), empty)
    own ^= lost
    boards = (own, other) if state.to_move == 1 else (other, own)
    return taken | lost, bool(lost), boards


def is_legal(state, bit, past):
    """Whether a placement is legal, from the list of all earlier (boards, player to move), this position the last one."""
    taken, suicide, boards = whole_board(state, bit)
    if suicide and not state.rules.suicide:
        return False
    if state.rules.repetition is Repetition.SIMPLE_KO:
        return not (state.captured and taken and boards == state.previous)
    if state.rules.repetition is Repetition.SITUATIONAL:
        return (boards, 3 - state.to_move) not in past
    return all(boards != earlier for earlier, _ in past)


def assert_nothing_is_kept_wrong(state, past):
    grid = state.grid
    legal = {bit: is_legal(state, bit, past) for bit in grid.singles(state.empty)}
    assert {bit: state.why_illegal_placement(grid.point[bit]) is None for bit in legal} == legal
    assert state.placements() == sum(bit for bit, allowed in legal.items() if allowed)
    assert state.can_place() is any(legal.values())
    assert state.hash == board_hash(grid.size, state.black, state.white)
    assert state.situation == state.hash ^ (WHITE_TO_MOVE if state.to_move == 2 else 0)
    for bit, allowed in legal.items():
        if allowed:
            after = state.after(grid.point[bit])
            taken, _, boards = whole_board(state, bit)
            assert (after.captured, (after.black, after.white)) == (taken, boards)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("preset", PRESETS)
def test_states_of_a_random_game(preset, size):
    rng = random.Random(f"{preset} {size}")
    state, past = new_game(ruleset(preset), size), []
    looks = rng.sample(range(2 * size * size), k=4)
    while not state.is_over and state.n_move < 2 * size * size:
        past.append(((state.black, state.white), state.to_move))
        if state.n_move in looks:
            assert_nothing_is_kept_wrong(state, past)
        points = state.empty_points()
        assert points == state.grid.points_of(state.empty)
        rng.shuffle(points)
        move = next((point for point in points if state.why_illegal_placement(point) is None), PASS)
        if state.rules.passing and rng.random() < 0.02:
            move = PASS
        state = state.play(move)


@pytest.mark.parametrize("size", SIZES)
def test_a_board_of_strings_agrees(size):
    """Lists and sets instead of masks, groups kept instead of found: only the rules are the same."""
    rng = random.Random(size)
    state, plain = new_game(ruleset("aga"), size), Position(Board(size), 1)
    looks = rng.sample(range(3 * size * size), k=12)
    while not state.is_over and state.n_move < 3 * size * size:
        if state.n_move in looks:
            assert state.grid.points_of(state.placements()) == [p for p in state.grid.points if plain.is_legal(p)]
            assert state.points() == plain.board.areas()
        points = [p for p in state.grid.points_of(state.empty) if not state.grid.is_eye(state.grid.bit[p], state.colours()[0])]
        move = next((p for p in rng.sample(points, len(points)) if state.why_illegal_placement(p) is None), PASS)
        assert move is PASS or plain.is_legal(move)
        state, plain = state.play(move), plain.play(move)
    assert {point: stone.colour for point, stone in plain.board.strings.items()} == {
        point: state.stone_at(point) for point in state.grid.points if state.stone_at(point)
    }
    assert state.leader() == plain.winner()
