"""How far a measured share or mean may be from the true one, and how strong players are by the games between them.

Strengths are those of Bradley and Terry. They need numpy and scipy, when they are asked for.

    chance that a beats b = 1 / (1 + exp(strength of b - strength of a)); a tie is half a win for each

The strengths are those that make the games most likely. To make sure that such strengths exist, every player is given one
more game, a tie, against an imaginary player of strength 0. It weighs little beside real games, but it keeps the strengths
finite for players who won all their games, or lost all, and puts players whom no games link on one scale.

Source: Bradley and Terry, *Rank Analysis of Incomplete Block Designs*, Biometrika 39 (1952); Hunter, *MM Algorithms for
Generalized Bradley-Terry Models*, Ann. Statist. 32 (2004) for when a maximum exists. The maximum is found by scipy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

ELO = 400 / math.log(10)
"""Points on the Elo scale per unit of strength."""
Z = 1.96
"""Standard errors each way in a 95 % interval."""


def wilson_interval(successes: float, trials: int, z: float = Z) -> tuple[float, float]:
    """Return the Wilson score interval of a share, both ends within 0..1. z: 1.96 for 95 %.

    Source: E. B. Wilson, *Probable Inference*, JASA 22 (1927). `trials` must be positive.
    """
    share = successes / trials
    centre = share + z * z / (2 * trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # For 0 and for all successes the formula gives exactly 0 and 1, but floating point only nearly.
    return (centre - half) / scale if successes else 0.0, (centre + half) / scale if successes < trials else 1.0


def mean_interval(values: Sequence[float], z: float = Z) -> tuple[float, float]:
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


def fit_strengths(wins: Any) -> tuple[Any, Any]:  # noqa: ANN401 (arrays of numpy, which is imported on request)
    """Return strengths, shape (n,), as log-odds against the imaginary player, and their covariance (n, n).

    wins: (n, n), how often the row's player beat the column's, a tie counting as half. The covariance comes from the
    curvature of the likelihood at its maximum. Time grows with the cube of n; 200 players take a fraction of a second.
    """
    import numpy as np
    from scipy.optimize import minimize
    from scipy.special import expit, log_expit

    games = wins + wins.T

    def cost(x: Any) -> float:  # noqa: ANN401
        imaginary = log_expit(x) + log_expit(-x)
        return -float(np.sum(wins * log_expit(x[:, None] - x)) + np.sum(imaginary) / 2)

    def slope(x: Any) -> Any:  # noqa: ANN401
        return -np.sum(wins - games * expit(x[:, None] - x), axis=1) - (0.5 - expit(x))

    def curvature(x: Any) -> Any:  # noqa: ANN401
        chance = expit(x[:, None] - x)
        mixed = games * chance * (1 - chance)
        return np.diag(mixed.sum(axis=1) + expit(x) * expit(-x)) - mixed

    # The cost is convex, and Newton converges quadratically. This method needs no matrix factorisation, whose threads are
    # slow on a busy machine.
    fit = minimize(cost, np.zeros(len(wins)), jac=slope, hess=curvature, method="Newton-CG", options={"xtol": 1e-10})
    return fit.x, np.linalg.inv(curvature(fit.x))
