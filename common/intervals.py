"""How far a measured share may be from the true one."""

from __future__ import annotations

import math
from collections.abc import Sequence


def percent(probability: float) -> str:
    """Return a probability in words: '12 %', '<1 %' or '>99 %'; only 0 and 1 are '0 %' and '100 %'."""
    if 0 < probability < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= probability < 1 else f"{100 * probability:.0f} %"


def wilson_interval(successes: float, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Return the Wilson score interval of a share, both ends within 0..1. z: 1.96 for 95 %.

    Source: E. B. Wilson, *Probable Inference*, JASA 22 (1927). `trials` must be positive.
    """
    share = successes / trials
    centre = share + z * z / (2 * trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # For 0 and for all successes the formula gives exactly 0 and 1, but floating point only nearly.
    return (centre - half) / scale if successes else 0.0, (centre + half) / scale if successes < trials else 1.0


def mean_interval(values: Sequence[float], z: float = 1.96) -> tuple[float, float]:
    """Return the normal interval of a mean: z standard errors each way, with the sample's own variance. z: 1.96 for 95 %.

    There must be a value. One value tells nothing of the others, so its interval is everything there is.
    """
    count = len(values)
    if count < 2:
        return -math.inf, math.inf
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    half = z * math.sqrt(variance / count)
    return mean - half, mean + half
