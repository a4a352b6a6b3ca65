"""Counting and picking bits of 64-bit words at the speed of the processor's own instructions.

LLVM turns the loop in `count` into one POPCNT. It does nothing of the kind for PDEP, which picks the n-th set bit in three
cycles (slowly on AMD's processors before Zen 3). So where numba compiles for a processor that has PDEP, `nth_bit` calls it by
name; everywhere else a loop finds the same bit. On 5x5 that is 56 against 38 million moves a second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from goban.kernels.numba_tools.compile import HAVE_NUMBA
from goban.kernels.numba_tools.entry_points import kernel

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
def _nth_bit_by_loop(mask: np.uint64, n: int) -> np.uint64:
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


nth_bit = _nth_bit_by_instruction() if _compiles_for_pdep() else _nth_bit_by_loop
"""`nth_bit(mask, n)`: the n-th lowest set bit of a mask as a mask, counted from 0; there must be more than n. For kernels."""
