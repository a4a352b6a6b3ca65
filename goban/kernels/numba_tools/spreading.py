"""Bits as bytes: 64 bits of a word become 64 bytes of 0 or 1 in a few instructions of the processor.

    write_bits(words, step, target)        `step` bits of each word, those of one after those of another, fill `target`

LLVM makes one masked move of it where there is AVX-512, and a shuffle with a comparison for every 16 or 32 bytes elsewhere.
Bytes are written in pieces of 8 to 64 that overlap, the next piece writing anew what the one before has spoilt.
"""

# ruff: noqa: ANN401 (what numba hands to its extensions has no types)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.compile import HAVE_NUMBA
from goban.kernels.numba_tools.entry_points import inlined

Words = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]

_1 = np.uint64(1)


def _spreading(width: int) -> Callable[[Bytes, int, np.uint64], None]:
    """Return what writes the lowest `width` bits of a word, the lowest first, as bytes from `target[index]` on, unchecked."""

    def spread(target: Bytes, index: int, word: np.uint64) -> None:
        octets = np.array([word], dtype="<u8").view(np.uint8)
        target[index : index + width] = np.unpackbits(octets, count=width, bitorder="little")

    return spread


_spread_64, _spread_32, _spread_16, _spread_8 = (_spreading(width) for width in (64, 32, 16, 8))


@inlined
def write_bits(words: Words, step: int, target: Bytes) -> None:
    """Write the lowest `step` bits of each word, the lowest first, as bytes; of the last word as many as `target` has left.

    All words are needed to fill `target`. Of the last one more than 64 - step bits are, but not all 64.
    """
    last, number = len(words) - 1, len(target)
    if last == 0:
        _write_few(words[0], number, target)
        return
    for k in range(last):
        _spread_64(target, k * step, words[k])
    rest = number - last * step
    ending = words[last] << np.uint64(64 - rest) | words[last - 1] >> np.uint64(step + rest - 64)
    _spread_64(target, number - 64, ending)


@inlined
def _write_few(word: np.uint64, number: int, target: Bytes) -> None:
    """Write the lowest bits of one word, fewer than 64."""
    if number >= 32:
        _spread_32(target, 0, word)
        _spread_32(target, number - 32, word >> np.uint64(number - 32))
    elif number >= 16:
        _spread_16(target, 0, word)
        _spread_16(target, number - 16, word >> np.uint64(number - 16))
    elif number >= 8:
        _spread_8(target, 0, word)
        _spread_8(target, number - 8, word >> np.uint64(number - 8))
    else:
        for k in range(number):
            target[k] = word >> np.uint64(k) & _1


if HAVE_NUMBA:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    def _overload(plain: Callable[[Bytes, int, np.uint64], None], width: int) -> None:
        """Let the compiled code of `_spreading(width)` be one store."""

        @intrinsic
        def store(_: Any, target: Any, index: Any, word: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                place = builder.gep(context.make_array(target)(context, builder, args[0]).data, [args[1]])
                narrow = builder.trunc(args[2], ir.IntType(width)) if width < 64 else args[2]
                bits = builder.bitcast(narrow, ir.VectorType(ir.IntType(1), width))
                number = ir.VectorType(ir.IntType(8), width)
                builder.store(builder.zext(bits, number), builder.bitcast(place, number.as_pointer()), align=1)
                return context.get_dummy_value()

            return types.void(target, types.int64, types.uint64), generate

        @overload(plain, inline="always")
        def choose(target: Any, index: Any, word: Any) -> Any:
            made: Any = store

            def compiled(target: Any, index: Any, word: Any) -> Any:
                made(target, index, word)

            return compiled

    for _width, _plain in ((64, _spread_64), (32, _spread_32), (16, _spread_16), (8, _spread_8)):
        _overload(_plain, _width)
