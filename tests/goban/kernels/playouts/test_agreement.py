"""The kernels play by the same rules as `goban`: random games compared move by move, and whole move trees counted."""

import copy
import random
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from goban.grids import WHITE
from goban.kernels.bitboards import MAX_SIZE, adjacent, board_shape, captures, legal_mask
from goban.kernels.numba_tools.bits import count
from goban.kernels.playouts.array_games import ArrayGame
from goban.kernels.playouts.random_games import Policy, bitboard_of, fits_bitboards, play_games
from goban.moves import PASS, RESIGN
from goban.rulesets import Ending, ruleset
from goban.states import new_game
from tests.support.missing import needs, no_program
from tests.support.oracle import NaiveGame, count_sequences
from tests.support.states import WITHOUT_SUICIDE

# How many positions of each preset are compared; together more than 100,000.
POSITIONS = {2: 600, 3: 1100, 4: 2000, 5: 2600, 6: 2000, 7: 1800, 8: 1400, 9: 1200, 13: 600, 19: 600}


def test_more_than_a_hundred_thousand_positions_are_compared():
    assert sum(POSITIONS.values()) * len(WITHOUT_SUICIDE) > 100_000


def as_mask(grid, flags):
    """N*N flags as a mask of `goban.grids`."""
    rows = np.zeros((grid.size, grid.stride), dtype=np.uint8)
    rows[:, : grid.size] = flags.reshape(grid.size, grid.size)
    return int.from_bytes(np.packbits(rows, bitorder="little").tobytes(), "little")


def assert_same(state, game):
    grid = state.grid
    placements = state.placements()
    assert as_mask(grid, game.legal_mask()) == placements
    assert game.hash == state.hash
    assert game.captured == grid.points_of(state.captured)
    assert game.points == state.points()
    assert game.ending is state.ending
    assert game.winner == (state.outcome.winner if state.is_over else state.leader())
    return placements


def random_move(state, placements, rng, passes):
    if state.rules.passing and (not placements or rng.random() < passes):
        return PASS
    return rng.choice(state.grid.points_of(placements))


@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=[pytest.mark.slow] * (size in (6, 7, 8, 19))) for size in POSITIONS]
)
@pytest.mark.parametrize("preset", WITHOUT_SUICIDE)
def test_array_boards_play_as_goban_does(preset, size):
    rng = random.Random(f"{preset} {size}")
    compared, games = 0, 0
    while compared < POSITIONS[size]:
        state = new_game(ruleset(preset), size)
        game = ArrayGame(state)
        passes = rng.choice([0.0, 0.02, 0.2]) if games else 0.0
        placements = assert_same(state, game)
        while not state.is_over and state.n_move < 3 * size * size:
            move = random_move(state, placements, rng, passes)
            state = state.after(move)
            game.play(move)
            placements = assert_same(state, game)
            compared += 1
        assert game.rows() == state.rows()
        games += 1


@pytest.mark.parametrize("preset", WITHOUT_SUICIDE)
def test_games_taken_over_in_the_middle_go_on_alike(preset):
    rng = random.Random(preset)
    for _ in range(60):
        size = rng.randint(2, 6)
        state = new_game(ruleset(preset), size)
        for _ in range(rng.randint(0, 2 * size * size)):
            if state.is_over:
                break
            state = state.after(random_move(state, state.placements(), rng, 0.05))
        game = ArrayGame(state)
        placements = assert_same(state, game)
        while not state.is_over and state.n_move < 4 * size * size:
            move = random_move(state, placements, rng, 0.05)
            state = state.after(move)
            game.play(move)
            placements = assert_same(state, game)


@pytest.mark.parametrize("size", range(2, MAX_SIZE + 1))
@pytest.mark.parametrize("preset", ["course", "littlego"])
def test_bitboards_play_as_goban_does(preset, size):
    rng = random.Random(f"bitboards {preset} {size}")
    shape, bits = board_shape(size), {}
    state = new_game(ruleset(preset), size)
    for k, point in enumerate(state.grid.points):
        bits[point] = 1 << k
    for _ in range(3 * size * size):
        assert fits_bitboards(state)
        own, other, ko, last = bitboard_of(state)
        black, white = (other, own) if state.to_move == WHITE else (own, other)
        for stones, same in ((black, state.black), (white, state.white)):
            assert [p for p, bit in bits.items() if int(stones) & bit] == state.grid.points_of(same)
        assert (count(black), count(white)) == state.points()
        legal = legal_mask(own, other, ko, last, shape)
        placements = state.grid.points_of(state.placements())
        assert [p for p, bit in bits.items() if int(legal) & bit] == placements
        if state.is_over:
            state = new_game(ruleset(preset), size)
            continue
        move = random_move(state, state.placements(), rng, 0.05)
        if move is not PASS:
            taken = state.after(move).captured
            placed = np.uint64(bits[move])
            mine = captures(placed, own, other, shape)
            assert [p for p, bit in bits.items() if int(mine) & bit] == state.grid.points_of(taken)
            assert int(adjacent(placed, shape)).bit_count() == len(state.grid.points_of(state.grid.near[state.grid.bit[move]]))
        state = state.after(move)


def test_the_games_compared_meet_every_repetition_rule():
    met = Counter()
    for preset in WITHOUT_SUICIDE:
        rng = random.Random(preset)
        for _ in range(150):
            state = new_game(ruleset(preset), 3)
            while not state.is_over and state.n_move < 27:
                placements = state.placements()
                met[preset, "banned"] += any(
                    (breach := state.why_illegal_placement(point)) is not None and "again" in str(breach)
                    for point in state.grid.points
                )
                state = state.after(random_move(state, placements, rng, 0.02))
            met[preset, "repeated"] += state.ending is Ending.REPETITION
    for preset in WITHOUT_SUICIDE:
        assert met[preset, "banned"] > 0
        assert (met[preset, "repeated"] > 0) == (preset in ("tromp-taylor-pgx", "tromp-taylor-openspiel"))


def leaves(state, depth):
    if depth == 0:
        return 1
    return sum(leaves(state.after(move), depth - 1) for move in state.legal_moves() if move is not RESIGN)


def array_leaves(game, depth):
    """The same on an array board."""
    if depth == 0 or game.ending is not None:
        return int(depth == 0)
    number = 0
    for move in [divmod(int(k), game.size) for k in np.flatnonzero(game.legal_mask())] + [PASS] * game.rules.passing:
        after = copy.copy(game)
        after.board, after.hashes = game.board.copy(), game.hashes.copy()
        after.play(move)
        number += array_leaves(after, depth - 1)
    return number


@pytest.mark.parametrize(("size", "depth"), [(2, 1), (2, 7), (3, 4), (4, 3), (5, 2), (9, 2)])
@pytest.mark.parametrize("preset", WITHOUT_SUICIDE)
def test_move_trees_have_as_many_leaves_as_goban_counts(preset, size, depth):
    state = new_game(ruleset(preset), size)
    assert array_leaves(ArrayGame(state), depth) == leaves(state, depth)


@pytest.mark.parametrize("preset", WITHOUT_SUICIDE)
def test_move_trees_have_as_many_leaves_as_the_slow_oracle_counts(preset):
    assert array_leaves(ArrayGame(new_game(ruleset(preset), 2)), 8) == count_sequences(NaiveGame(preset, 2), 8)


YARDSTICK = [
    (5, "course", "course", Policy.PLACEMENTS, 24),
    (5, "uniform", "alphago7", Policy.ALL_MOVES, 50),
    pytest.param(7, "course", "course", Policy.PLACEMENTS, 48, marks=pytest.mark.slow),
    (7, "eyes", "alphago7", Policy.NO_OWN_EYES, 196),
    pytest.param(19, "eyes", "alphago7", Policy.NO_OWN_EYES, 1444, marks=pytest.mark.slow),
]


@needs(no_program("gcc"))
@pytest.mark.parametrize(("size", "mode", "preset", "policy", "most"), YARDSTICK)
def test_the_yardstick_in_c_plays_the_same_games(tmp_path, size, mode, preset, policy, most):
    source = Path(__file__).parents[4] / "benchmarks" / "playouts.c"
    program = tmp_path / "playouts"
    subprocess.run(["gcc", "-O1", f"-DSIZE={size}", "-o", program, source], check=True)
    output = subprocess.run([program, mode, "300", "8"], check=True, capture_output=True, text=True).stdout.split()
    games = play_games(new_game(ruleset(preset), size), 300, seed=8, policy=policy, most=most)
    assert output[:3] == [str(games.moves.sum()), "300", str((games.winners == 1).sum())]
