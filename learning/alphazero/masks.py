"""Boards as masks: one bit for each point, row by row from the top left. For games of stones on a board."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from learning.alphazero.errors import IllegalActionError


def flags(mask: int, points: int) -> npt.NDArray[np.bool_]:
    """Return a mask as so many truth values, the lowest bit first."""
    octets = np.frombuffer(mask.to_bytes(-(-points // 8), "little"), dtype=np.uint8)
    return np.unpackbits(octets, bitorder="little", count=points).view(np.bool_)


def planes(masks: tuple[int, ...], shape: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Return masks as planes of ones and zeros: float32, shape (masks, height, width)."""
    height, width = shape
    return np.array([flags(mask, height * width) for mask in masks], dtype=np.float32).reshape(-1, height, width)


def bits(mask: int) -> list[int]:
    """Return the numbers of the set bits, lowest first."""
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


def drawing(first: int, second: int, shape: tuple[int, int]) -> str:
    """Return a board as lines of `X`, `O` and dots: `first` are the stones of +1."""
    height, width = shape
    signs = ["X" if first >> k & 1 else "O" if second >> k & 1 else "." for k in range(height * width)]
    return "\n".join(" ".join(signs[row * width : (row + 1) * width]) for row in range(height))


def check_range(action: int, action_size: int) -> None:
    """Raise IllegalActionError for a number that is no action at all."""
    if not 0 <= action < action_size:
        raise IllegalActionError(f"action {action} is out of range: expected 0 to {action_size - 1}")
