"""The table file: what the trainer writes is what the player reads."""

import random

import numpy as np
import pytest

from goban.common.files import write_beside
from goban.grids import grid_of
from golearn.qlearning.checkpoints import UNIT, quantise, table_bytes
from golearn.qlearning.patterns import ENTRIES, PATTERNS, SIZE, STAGES, find_entries, find_lines, geometry, state_key
from my_player_table import PackedTable

GEO = geometry()
GRID = grid_of(SIZE)


def random_boards(seed, number):
    """Random boards as rows of 0, 1, 2."""
    lots = random.Random(seed)
    return [[[lots.choice((0, 0, 1, 2)) for _ in range(SIZE)] for _ in range(SIZE)] for _ in range(number)]


def kernel_lines(rows):
    flat = [stone for row in rows for stone in row]
    own, other = (np.uint64(sum(1 << k for k, stone in enumerate(flat) if stone == kind)) for kind in (1, 2))
    lines = np.empty(2 * SIZE, np.int32)
    find_lines(own, other, GEO, lines)
    return lines


@pytest.fixture(scope="module")
def weights():
    return np.random.default_rng(1).normal(0, 0.3, (STAGES, ENTRIES)).astype(np.float32)


def written_table(folder, weights, keys=(), values=()):
    path = folder / "table.bin"
    write_beside(path, table_bytes(weights, np.array(keys, np.uint64), np.array(values, np.float32), GEO))
    return PackedTable.read(path)


def test_the_player_adds_up_the_weights_the_trainer_wrote(tmp_path, weights):
    table, whole = written_table(tmp_path, weights), quantise(weights, GEO).astype(int)
    entries = np.empty(PATTERNS, np.int32)
    for rows in random_boards(2, 200):
        _, own, other = GRID.masks(rows)
        find_entries(kernel_lines(rows), GEO, entries)
        for stage in (1, 12, 23):
            assert table.value(own, other, stage) == whole[stage, entries].sum()


def test_the_player_finds_known_states_in_every_orientation(tmp_path, weights):
    boards = random_boards(3, 50)
    keys = sorted(int(state_key(kernel_lines(rows), 1 + k % 9, GEO)) for k, rows in enumerate(boards))
    values = np.linspace(-0.9, 0.9, len(keys))
    table = written_table(tmp_path, weights, keys, values)
    for k, rows in enumerate(boards):
        expected = values[keys.index(int(state_key(kernel_lines(rows), 1 + k % 9, GEO)))]
        for quarter in range(4):
            for image in (np.rot90(rows, quarter), np.rot90(rows, quarter).T):
                _, own, other = GRID.masks(image.tolist())
                assert table.value(own, other, 1 + k % 9) == round(UNIT * expected / (1 - expected**2) ** 0.5)


def test_a_known_state_says_nothing_about_other_stages(tmp_path, weights):
    rows = random_boards(4, 1)[0]
    _, own, other = GRID.masks(rows)
    plain = written_table(tmp_path, weights)
    table = written_table(tmp_path, weights, [int(state_key(kernel_lines(rows), 5, GEO))], [0.99])
    assert table.value(own, other, 5) != plain.value(own, other, 5)
    assert [table.value(own, other, stage) for stage in (3, 7)] == [plain.value(own, other, stage) for stage in (3, 7)]
