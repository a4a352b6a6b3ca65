"""Tells the person who waits that kernels are being compiled."""

from __future__ import annotations

from contextlib import AbstractContextManager

from common.command_lines import complain


def compilation_told(command: str) -> AbstractContextManager[None]:
    """Within the block, say on standard error, in the command's name, that the first kernel without a cache is compiled."""
    # It brings numba with it.
    from kernels.numba_tools import entry_points

    return entry_points.compilation_told(lambda: complain(command, "compiling, once for this machine..."))
