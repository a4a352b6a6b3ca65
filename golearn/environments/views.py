"""Games as others want them seen.

Observations with channels first, as numbers, or as the other player sees them; boards as text or as an array of colours, which
need no window and no other package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.diagrams import diagram
from golearn.environments.batches import Flags, GoBatch

Seen: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True)
class View:
    """How observations (..., size, size, planes) are shown. channels_first: as (..., planes, size, size); floats: float32."""

    channels_first: bool = False
    floats: bool = False

    @property
    def dtype(self) -> type[np.float32] | type[np.bool_]:
        """The type of the numbers."""
        return np.float32 if self.floats else np.bool_

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape in which one observation (size, size, planes) is shown."""
        return (shape[2], *shape[:2]) if self.channels_first else shape

    def of(self, observations: Flags) -> Seen:
        """Return observations as they are shown; fresh arrays."""
        turned = np.moveaxis(observations, -1, -3) if self.channels_first else observations
        return turned.astype(self.dtype, order="C")


def other_side(observation: Flags) -> Flags:
    """Return an observation as the other player sees it."""
    planes = observation.shape[-1]
    turned = observation[..., [*(plane ^ 1 for plane in range(planes - 1)), planes - 1]]
    turned[..., -1] ^= True
    return turned


CELL = 24
"""Pixels from line to line."""

_WOOD, _LINE, _BLACK, _WHITE = (220, 179, 92), (60, 45, 20), (20, 20, 20), (240, 240, 240)

Picture: TypeAlias = npt.NDArray[np.uint8]


def text_of(batch: GoBatch, game: int) -> str:
    """Return the board of a game as text, with who is to move or what came of it."""
    state = batch.rows(game)
    ending = batch.why_over(game) if batch.terminated[game] else None
    who = f"{('black', 'white')[batch.colour[game]]} to move"
    if ending is not None:
        who = f"{ending.value}, {('nobody', 'black', 'white')[batch.winner[game]]} wins"
    return f"{diagram(state.rows(), state.last_point)}\n{who}\n"


def board_picture(batch: GoBatch, game: int) -> Picture:
    """Return the board of a game as red, green and blue, (size * CELL, size * CELL, 3); the last stone has a dot."""
    state = batch.rows(game)
    size = state.grid.size
    side, first = size * CELL, CELL // 2
    picture = np.full((side, side, 3), _WOOD, dtype=np.uint8)
    middles = first + CELL * np.arange(size)
    picture[middles, first : side - first] = _LINE
    picture[first : side - first, middles] = _LINE
    away = np.arange(CELL) - CELL // 2
    distance = away[:, None] ** 2 + away**2
    stone, dot = distance <= (CELL // 2 - 1) ** 2, distance <= (CELL // 8) ** 2
    for colour, other, mask in ((_BLACK, _WHITE, state.black), (_WHITE, _BLACK, state.white)):
        for i, j in state.grid.points_of(mask):
            cell = picture[i * CELL : (i + 1) * CELL, j * CELL : (j + 1) * CELL]
            cell[stone] = colour
            if (i, j) == state.last_point:
                cell[dot] = other
    return picture
