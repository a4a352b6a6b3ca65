"""Strengths of players from the games between them, by Bradley and Terry: needs numpy and scipy, when it is called.

    chance that a beats b = 1 / (1 + exp(strength of b - strength of a)); a tie is half a win for each

The strengths are those that make the games most likely. To make sure that such strengths exist, every player is given one
more game, a tie, against an imaginary player of strength 0. It weighs little beside real games, but it keeps the strengths
finite for players who won all their games, or lost all, and puts players whom no games link on one scale.

Source: Bradley and Terry, *Rank Analysis of Incomplete Block Designs*, Biometrika 39 (1952); Hunter, *MM Algorithms for
Generalized Bradley-Terry Models*, Ann. Statist. 32 (2004) for when a maximum exists. The maximum is found by scipy.
"""

from __future__ import annotations

import math
from typing import Any

ELO = 400 / math.log(10)
"""Points on the Elo scale per unit of strength."""
Z = 1.96
"""Standard errors each way in a 95 % interval."""


def fitted(wins: Any) -> tuple[Any, Any]:  # noqa: ANN401 (arrays of numpy, which is imported on request)
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
    found = minimize(cost, np.zeros(len(wins)), jac=slope, hess=curvature, method="Newton-CG", options={"xtol": 1e-10})
    return found.x, np.linalg.inv(curvature(found.x))
