"""Bits as bytes: compiled and uncompiled, every bit arrives, and nothing beside the target is written."""

import numpy as np
import pytest

from goban.kernels.numba_tools.bits import write_bits
from goban.kernels.numba_tools.compile import kernel


def plain(words, step, target):
    write_bits(words, step, target)


# bits of a word in use, and how many bytes there are; the last word has more than 64 - step of them, and not all 64
CASES = [(64, number) for number in (1, 5, 7, 8, 10, 15, 16, 17, 26, 31, 32, 50, 63, 65, 82, 127, 170, 362)]
CASES += [(51, number) for number in (17, 34, 51, 68, 153, 425, 1377, 6137)] + [(63, 3), (63, 66), (60, 20), (60, 65), (52, 65)]


@pytest.mark.parametrize("write", [plain, kernel(plain)], ids=["uncompiled", "compiled"])
@pytest.mark.parametrize(("step", "number"), CASES)
def test_every_bit_becomes_a_byte(write, step, number):
    bits = np.random.default_rng(number).integers(2, size=number, dtype=np.uint8)
    rows = np.zeros((-(-number // step), 64), dtype=np.uint8)
    rows[:, :step].flat[:number] = bits
    words = np.packbits(rows, axis=1, bitorder="little").view("<u8")[:, 0].astype(np.uint64)
    room = np.full(number + 128, 7, dtype=np.uint8)
    write(words, step, room[64 : 64 + number])
    np.testing.assert_array_equal(room[64 : 64 + number], bits)
    assert (room[:64] == 7).all()
    assert (room[64 + number :] == 7).all()
