"""Bits as bytes: compiled and uncompiled, every bit arrives, and nothing beside the target is written."""

import numpy as np
import pytest

from goban.kernels.numba_tools.bits import end_streams, stream_bits, write_bits
from goban.kernels.numba_tools.compile import kernel


def plain(words, step, target):
    write_bits(words, step, target)


def streaming(words, step, target, soon):
    stream_bits(words, step, target, soon)
    end_streams()


# bits of a word in use, and how many bytes there are; the last word has more than 64 - step of them, and not all 64
CASES = [(64, number) for number in (1, 5, 7, 8, 10, 15, 16, 17, 26, 31, 32, 50, 63, 65, 82, 127, 170, 362)]
CASES += [(51, number) for number in (17, 34, 51, 68, 153, 425, 1377, 6137)] + [(63, 3), (63, 66), (60, 20), (60, 65), (52, 65)]



STREAMED = [(step, number) for step, number in CASES if step < 64 <= number] + [(33, 66), (34, 4000), (51, 70)]


def bits_of(step, number):
    """So many bits, and the words that hold `step` of them each."""
    bits = np.random.default_rng(number).integers(2, size=number, dtype=np.uint8)
    rows = np.zeros((-(-number // step), 64), dtype=np.uint8)
    rows[:, :step].flat[:number] = bits
    return bits, np.packbits(rows, axis=1, bitorder="little").view("<u8")[:, 0].astype(np.uint64)


@pytest.mark.parametrize("write", [plain, kernel(plain)], ids=["uncompiled", "compiled"])
@pytest.mark.parametrize(("step", "number"), CASES)
def test_every_bit_becomes_a_byte(write, step, number):
    bits, words = bits_of(step, number)
    room = np.full(number + 128, 7, dtype=np.uint8)
    write(words, step, room[64 : 64 + number])
    np.testing.assert_array_equal(room[64 : 64 + number], bits)
    assert (room[:64] == 7).all()
    assert (room[64 + number :] == 7).all()


@pytest.mark.parametrize("write", [streaming, kernel(streaming)], ids=["uncompiled", "compiled"])
@pytest.mark.parametrize(("step", "number"), STREAMED)
def test_every_bit_is_streamed_wherever_lines_begin(write, step, number):
    bits, words = bits_of(step, number)
    for first in range(64, 128, 5):
        room = np.full(number + 192, 7, dtype=np.uint8)
        write(words, step, room[first : first + number], np.zeros(70, dtype=np.uint16))
        np.testing.assert_array_equal(room[first : first + number], bits)
        assert (room[:first] == 7).all()
        assert (room[first + number :] == 7).all()
