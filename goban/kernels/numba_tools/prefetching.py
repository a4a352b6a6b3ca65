"""Asking memory for a place of an array before it is needed.

A read of a large table waits some hundred nanoseconds for memory. `prefetch(array, index)` starts the way there and does not
wait; reading some other places meanwhile costs nothing more. Nothing but time depends on it: uncompiled it does nothing.
"""

# ruff: noqa: ANN401 (what numba hands to its extensions has no types)

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from goban.kernels.numba_tools.compile import HAVE_NUMBA

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
