"""Eight numbers at once: the processor does to eight together what a loop would do to one after the other.

    eight = load(array, i)                 array[i] to array[i + 7]
    store(array, i, (eight | 3) & ~bits)   and back
    places = equal(eight, bits)            -1 where it holds, 0 elsewhere

Operators: & | ^ ~ + - * << >>, with eight others or with one number for all. There is no `+=` or the like, as another name
may stand for the same eight. Arrays are of int64, but eight numbers are kept in 32 bits each and must lie between -2**31 and
2**31 - 1. Uncompiled they are a numpy array, and the same source gives the same results.
"""

# ruff: noqa: ANN401 (what numba hands to its extensions has no types)

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.compile import HAVE_NUMBA

Lanes = npt.NDArray[np.int64]
WIDTH = 8


def load(array: Lanes, index: int) -> Lanes:
    """Return eight numbers from `array[index]` on."""
    return array[int(index) : int(index) + WIDTH].copy()


def store(array: Lanes, index: int, eight: Lanes) -> None:
    """Write eight numbers from `array[index]` on."""
    array[int(index) : int(index) + WIDTH] = eight


def eightfold(number: int) -> Lanes:
    """Return one number eight times."""
    return np.full(WIDTH, number, dtype=np.int64)


def equal(one: Lanes, other: Lanes | int) -> Lanes:
    """Return -1 where two are equal, 0 elsewhere."""
    return -np.equal(one, other).astype(np.int64)


def greater(one: Lanes, other: Lanes | int) -> Lanes:
    """Return -1 where the first is greater than the second, 0 elsewhere."""
    return -np.greater(one, other).astype(np.int64)


def counts(eight: Lanes) -> Lanes:
    """Return how many bits are set in each; none may be negative."""
    return np.array([int(mask).bit_count() for mask in eight], dtype=np.int64)


def signs(eight: Lanes) -> int:
    """Return a number in which bit k is set if the k-th is negative."""
    return sum(1 << k for k in range(WIDTH) if eight[k] < 0)


if HAVE_NUMBA:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, models, overload, register_model

    class LanesType(types.Type):  # type: ignore[misc, unused-ignore]
        """Eight 32-bit numbers."""

        def __init__(self) -> None:
            super().__init__(name="Lanes")

    lanes_type = LanesType()
    _NUMBER, _LONG = ir.IntType(32), ir.IntType(64)
    _EIGHT, _EIGHT_LONG = ir.VectorType(_NUMBER, WIDTH), ir.VectorType(_LONG, WIDTH)

    @register_model(LanesType)
    class _LanesModel(models.PrimitiveModel):  # type: ignore[misc, unused-ignore]
        def __init__(self, manager: Any, kind: Any) -> None:
            make: Any = super().__init__
            make(manager, kind, _EIGHT)

    def _pointer(context: Any, builder: Any, array: Any, data: Any, index: Any) -> Any:
        place = builder.gep(context.make_array(array)(context, builder, data).data, [index])
        return builder.bitcast(place, _EIGHT_LONG.as_pointer())

    @intrinsic
    def _load(_: Any, array: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            found = builder.load(_pointer(context, builder, array, args[0], args[1]), align=8)
            return builder.trunc(found, _EIGHT)

        return lanes_type(array, types.int64), generate

    @intrinsic
    def _store(_: Any, array: Any, index: Any, eight: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _pointer(context, builder, array, args[0], args[1])
            builder.store(builder.sext(args[2], _EIGHT_LONG), place, align=8)
            return context.get_dummy_value()

        return types.void(array, types.int64, lanes_type), generate

    @intrinsic
    def _eightfold(_: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            nothing, first = ir.Constant(_EIGHT, ir.Undefined), ir.Constant(_NUMBER, 0)
            one = builder.insert_element(nothing, builder.trunc(args[0], _NUMBER), first)
            return builder.shuffle_vector(one, nothing, ir.Constant(_EIGHT, [0] * WIDTH))

        return lanes_type(types.int64), generate

    @intrinsic
    def _counts(_: Any, eight: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            shape = ir.FunctionType(_EIGHT, [_EIGHT])
            declare: Any = cgutils.get_or_insert_function
            return builder.call(declare(builder.module, shape, "llvm.ctpop.v8i32"), [args[0]])

        return lanes_type(lanes_type), generate

    @intrinsic
    def _signs(_: Any, eight: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            negative = builder.icmp_signed("<", args[0], ir.Constant(_EIGHT, [0] * WIDTH))
            return builder.zext(builder.bitcast(negative, ir.IntType(WIDTH)), _LONG)

        return types.int64(lanes_type), generate

    def _binary(build: Any) -> Any:
        @intrinsic
        def made(_: Any, one: Any, other: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return build(builder, args[0], args[1])

            return lanes_type(lanes_type, lanes_type), generate

        return made

    def _compared(how: str) -> Any:
        return _binary(lambda builder, one, other: builder.sext(builder.icmp_signed(how, one, other), _EIGHT))

    def _overload(function: Any, compiled: Any) -> None:
        """Let the compiled code of a function or operator of two eights, or of an eight and a number, be `compiled`."""
        fill: Any = _eightfold

        def two(one: Any, other: Any) -> Any:
            return compiled(one, other)

        def first(one: Any, other: Any) -> Any:
            return compiled(one, fill(other))

        def second(one: Any, other: Any) -> Any:
            return compiled(fill(one), other)

        def choose(one: Any, other: Any) -> Any:
            if isinstance(one, LanesType):
                return two if isinstance(other, LanesType) else first
            return second if isinstance(other, LanesType) else None

        overload(function, inline="always")(choose)

    _overload(operator.and_, _binary(lambda builder, one, other: builder.and_(one, other)))
    _overload(operator.or_, _binary(lambda builder, one, other: builder.or_(one, other)))
    _overload(operator.xor, _binary(lambda builder, one, other: builder.xor(one, other)))
    _overload(operator.add, _binary(lambda builder, one, other: builder.add(one, other)))
    _overload(operator.sub, _binary(lambda builder, one, other: builder.sub(one, other)))
    _overload(operator.mul, _binary(lambda builder, one, other: builder.mul(one, other)))
    _overload(operator.lshift, _binary(lambda builder, one, other: builder.shl(one, other)))
    _overload(operator.rshift, _binary(lambda builder, one, other: builder.ashr(one, other)))
    _overload(equal, _compared("=="))
    _overload(greater, _compared(">"))

    _not = _binary(lambda builder, one, other: builder.not_(one))

    @overload(operator.invert, inline="always")
    def _inverted(one: Any) -> Any:
        def compiled(one: Any) -> Any:
            return _not(one, one)

        return compiled if isinstance(one, LanesType) else None

    @overload(load, inline="always")
    def _loaded(array: Any, index: Any) -> Any:
        made: Any = _load

        def compiled(array: Any, index: Any) -> Any:
            return made(array, index)

        return compiled

    @overload(store, inline="always")
    def _stored(array: Any, index: Any, eight: Any) -> Any:
        made: Any = _store

        def compiled(array: Any, index: Any, eight: Any) -> Any:
            made(array, index, eight)

        return compiled

    @overload(eightfold, inline="always")
    def _filled(number: Any) -> Any:
        made: Any = _eightfold

        def compiled(number: Any) -> Any:
            return made(number)

        return compiled

    def _overload_one(function: Any, compiled: Any) -> None:
        """Let the compiled code of a function of one eight be `compiled`."""

        def called(eight: Any) -> Any:
            return compiled(eight)

        def choose(eight: Any) -> Any:
            return called

        overload(function, inline="always")(choose)

    _overload_one(counts, _counts)
    _overload_one(signs, _signs)
