"""Observations as others want them: channels first, as numbers, or as the other player sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from learning.environments.batches import Flags

Seen = npt.NDArray[Any]


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
