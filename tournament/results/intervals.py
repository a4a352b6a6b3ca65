"""How far a measured share may be from the true one."""

from __future__ import annotations

import math


def wilson_interval(successes: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Return the Wilson score interval of a share, both ends within 0..1. z: 1.96 for 95 %.

    Source: E. B. Wilson, *Probable Inference*, JASA 22 (1927). `trials` must be positive.
    """
    share = successes / trials
    centre = share + z * z / (2 * trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # For 0 and for all successes the formula gives exactly 0 and 1, but floating point only nearly.
    return (centre - half) / scale if successes else 0.0, (centre + half) / scale if successes < trials else 1.0
