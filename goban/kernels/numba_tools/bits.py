"""Counting and picking bits of 64-bit words at the speed of the processor's own instructions.

LLVM turns the loop in `count` into one POPCNT. It does nothing of the kind for PDEP, which picks the n-th set bit in three
cycles (slowly on AMD's processors before Zen 3). So where numba compiles for a processor that has PDEP, `nth_bit` calls it by
name; everywhere else a loop finds the same bit. On 5x5 that is 56 against 38 million moves a second.

Indices that count from the start of an array are for the hottest loops. numba lets an index be negative, as Python does, and so
adds a test to every access by a signed one. `array[nth(i)]` is `array[i]` for i >= 0 without the test: a seventh of the
solver's time.

64 bits of a word become 64 bytes of 0 or 1 in a few instructions of the processor:

    write_bits(words, step, target)        `step` bits of each word, those of one after those of another, fill `target`

LLVM makes one masked move of it where there is AVX-512, and a shuffle with a comparison for every 16 or 32 bytes elsewhere.
Bytes are written in pieces of 8 to 64 that overlap, the next piece writing anew what the one before has spoilt.

What is written to far more memory than the caches hold is better written past them, whole lines of the caches at a time:
otherwise each line is read before it is written. There is time meanwhile to ask memory for what is needed next.

    stream_bits(words, step, target, soon)  like `write_bits`, past the caches, while `soon` is brought into them
    end_streams()                           before anybody else reads the target

Memory can be asked for a place of an array before it is needed. A read of a large table waits some hundred nanoseconds for
memory. `prefetch(array, index)` starts the way there and does not wait; reading some other places meanwhile costs nothing more.
Nothing but time depends on it: uncompiled it does nothing.
"""

# ruff: noqa: ANN401 (what numba hands to its extensions has no types)

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.compile import HAVE_NUMBA, inlined, kernel

_ONE = np.uint64(1)


@kernel
def signed(word: np.unsignedinteger[Any]) -> int:
    """Return an unsigned word as a signed number (some numbas make floats of the two mixed)."""
    return np.int64(word)  # type: ignore[return-value]


@kernel
def count(mask: int | np.uint64) -> int:
    """Return the number of set bits; a signed mask must not be negative."""
    rest, number = np.uint64(mask), 0
    while rest:
        rest &= rest - _ONE
        number += 1
    return number


@kernel
def lowest(mask: np.uint64) -> int:
    """Return the number of the lowest set bit, 0 to 63; the mask must not be 0."""
    return count(~mask & (mask - _ONE))


@kernel
def nth_bit_by_loop(mask: np.uint64, n: int) -> np.uint64:
    """Do what `nth_bit` does on every processor, in as many turns as n says."""
    for _ in range(n):
        mask = mask & (mask - _ONE)
    return mask & (~mask + _ONE)


def _compiles_for_pdep() -> bool:
    """Tell whether numba compiles for this very processor and the processor has PDEP."""
    if not HAVE_NUMBA:
        return False
    from llvmlite.binding import get_host_cpu_features
    from numba import config

    elsewhere = any(getattr(config, name) for name in ("DISABLE_JIT", "CPU_NAME", "CPU_FEATURES"))
    return not elsewhere and bool(get_host_cpu_features().get("bmi2"))


def _nth_bit_by_instruction() -> Callable[[np.uint64, int], np.uint64]:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def generate(context: object, builder: ir.IRBuilder, signature: object, args: tuple[ir.Value, ir.Value]) -> ir.Value:
        mask, n = args
        word = ir.IntType(64)
        pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word]))
        return builder.call(pdep, [builder.shl(word(1), n), mask])

    def nth_bit(typing_context: object, mask: object, n: object) -> tuple[object, Callable[..., ir.Value]]:
        return types.uint64(types.uint64, types.int64), generate

    by_instruction: Any = intrinsic(nth_bit)
    return cast(Callable[[np.uint64, int], np.uint64], by_instruction)


nth_bit = _nth_bit_by_instruction() if _compiles_for_pdep() else nth_bit_by_loop
"""`nth_bit(mask, n)`: the n-th lowest set bit of a mask as a mask, counted from 0; there must be more than n. For kernels."""


nth = np.uint64


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


_LINE = 64
"""The bytes of a line of the caches."""

_stream_64 = _spreading(_LINE)
"""Like `_spread_64`, past the caches; a line begins at `target[index]`."""


def _first_line(target: Bytes) -> int:
    """Return where in an array the first line begins."""
    return -target.ctypes.data % _LINE


def end_streams() -> None:
    """Have all processors see what `stream_bits` has written."""


@inlined
def _bits_from(words: Words, step: int, w: int, skip: int) -> np.uint64:
    """Return 64 bits, of which the first is bit `skip` of `words[w]`; what comes after the last word is 0."""
    found: np.uint64 = words[w] >> np.uint64(skip)
    if w + 1 < len(words):
        found |= words[w + 1] << np.uint64(step - skip)
    if w + 2 < len(words) and 2 * step - skip < 64:
        found |= words[w + 2] << np.uint64(2 * step - skip)
    return found


@inlined
def stream_bits(words: Words, step: int, target: Bytes, soon: npt.NDArray[np.uint16]) -> None:
    """Do what `write_bits` does, past the caches; meanwhile have `soon` brought into them.

    step: from 32 to 63. What is left of a word must be 0. target: of `_LINE` bytes or more.
    """
    number, place, asked = len(target), _first_line(target), 0
    if place > 0:
        _write_few(_bits_from(words, step, 0, 0), place, target)
    w, skip = place // step, place % step
    while place + _LINE <= number:
        _stream_64(target, place, _bits_from(words, step, w, skip))
        if asked < len(soon):
            prefetch(soon, asked)
            asked += _LINE // 2
        place += _LINE
        w, skip = w + 1, skip + _LINE - step
        if skip >= step:
            w, skip = w + 1, skip - step
    if place < number:
        _write_few(_bits_from(words, step, w, skip), number - place, target[place:])
    while asked < len(soon):
        prefetch(soon, asked)
        asked += _LINE // 2


if HAVE_NUMBA:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    def _overload(plain: Callable[[Bytes, int, np.uint64], None], width: int, *, streams: bool = False) -> None:
        """Let the compiled code of `_spreading(width)` be one store; past the caches if it `streams`."""

        @intrinsic
        def store(_: Any, target: Any, index: Any, word: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                place = builder.gep(context.make_array(target)(context, builder, args[0]).data, [args[1]])
                narrow = builder.trunc(args[2], ir.IntType(width)) if width < 64 else args[2]
                bits = builder.bitcast(narrow, ir.VectorType(ir.IntType(1), width))
                number = ir.VectorType(ir.IntType(8), width)
                place = builder.bitcast(place, number.as_pointer())
                stored = builder.store(builder.zext(bits, number), place, align=_LINE if streams else 1)
                if streams:
                    stored.set_metadata("nontemporal", builder.module.add_metadata([ir.IntType(32)(1)]))
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
    _overload(_stream_64, _LINE, streams=True)

    @intrinsic
    def _llvm_first_line(_: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            start = builder.ptrtoint(context.make_array(array)(context, builder, args[0]).data, word)
            return builder.and_(builder.neg(start), word(_LINE - 1))

        return types.int64(array), generate

    @overload(_first_line, inline="always")
    def _compiled_first_line(target: Any) -> Any:
        find: Any = _llvm_first_line

        def compiled(target: Any) -> Any:
            return find(target)

        return compiled

    @intrinsic
    def _llvm_fence(_: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.fence("seq_cst")
            return context.get_dummy_value()

        return types.void(), generate

    @overload(end_streams, inline="always")
    def _compiled_end_streams() -> Any:
        fence: Any = _llvm_fence

        def compiled() -> Any:
            fence()

        return compiled


_READ, _KEEP, _DATA = 0, 3, 1


def prefetch(array: npt.NDArray[Any], index: int) -> None:
    """Have `array[index]` brought into the processor's cache; `index` is not negative."""


if HAVE_NUMBA:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, overload

    @intrinsic
    def _llvm_prefetch(_: Any, array: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.gep(context.make_array(array)(context, builder, args[0]).data, [args[1]])
            number, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
            shape = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
            declare: Any = cgutils.get_or_insert_function
            function = declare(builder.module, shape, "llvm.prefetch.p0i8")
            builder.call(function, [builder.bitcast(place, pointer), number(_READ), number(_KEEP), number(_DATA)])
            return context.get_dummy_value()

        return types.void(array, types.int64), generate

    @overload(prefetch, inline="always")
    def _compiled_prefetch(array: Any, index: Any) -> Any:
        start: Any = _llvm_prefetch

        def compiled(array: Any, index: Any) -> Any:
            start(array, index)

        return compiled
