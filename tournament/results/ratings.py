"""How strong players are on one scale: Bradley-Terry on the Elo scale, with 95 % intervals.

    chance that a beats b = 1 / (1 + 10 ** ((rating of b - rating of a) / 400)); a tie is half a win for each

The ratings are those that make the games most likely. To make sure that such ratings exist, every player is given one more
game, a tie, against an imaginary player rated 1500. It weighs little beside real games, but it keeps the ratings finite
for players who won all their games, or lost all, and puts players whom no games link on one scale. `Ratings.warnings` says
which ratings depend on it. Colours are not considered, so everyone should have each colour equally often.

Intervals come from the curvature of the likelihood at its maximum, 1.96 standard errors each way.

Source: Bradley and Terry, *Rank Analysis of Incomplete Block Designs*, Biometrika 39 (1952); Hunter, *MM Algorithms for
Generalized Bradley-Terry Models*, Ann. Statist. 32 (2004) for when a maximum exists. The maximum is found by scipy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tournament.errors import TournamentError
from tournament.results.tallies import Tallies

CENTRE = 1500.0
# Elo points per unit of log-odds.
SCALE = 400 / math.log(10)
Z = 1.96
_NAMED = 6


@dataclass(frozen=True)
class Rating:
    """One player on the Elo scale. undecided: True if the games do not show that they are stronger than the next player."""

    name: str
    rating: float
    low: float
    high: float
    undecided: bool


@dataclass(frozen=True)
class Ratings:
    """players: strongest first. warnings: sentences about what the games do not decide."""

    players: tuple[Rating, ...]
    warnings: tuple[str, ...]


def ratings(tallies: Tallies) -> Ratings:
    """Return the rating of every player. Time grows with the cube of their number; 200 take a fraction of a second.

    Raises TournamentError if scipy is not installed.
    """
    try:
        import numpy as np
        from scipy.sparse.csgraph import connected_components
    except ImportError as error:
        raise TournamentError(f"ratings need a package that is not installed: {error.name}") from error
    names = sorted({player for player, _ in tallies})
    if not names:
        return Ratings((), ())
    number = {name: k for k, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for (player, opponent), tally in tallies.items():
        score = tally.total
        wins[number[player], number[opponent]] = score.wins + score.ties / 2
    strengths, covariance = _fit(wins)
    order = sorted(range(len(names)), key=lambda k: (-round(strengths[k], 6), names[k]))
    undecided = {a: not _differ(strengths, covariance, a, b) for a, b in pairwise(order)}
    players = []
    for k in order:
        middle, half = CENTRE + SCALE * float(strengths[k]), SCALE * Z * math.sqrt(covariance[k, k])
        players.append(Rating(names[k], middle, middle - half, middle + half, undecided.get(k, False)))
    parts, of_part = connected_components(wins + wins.T, directed=False)
    groups = [[name for name, part in zip(names, of_part, strict=True) if part == k] for k in range(parts)]
    return Ratings(tuple(players), tuple(_warnings(players, groups, tallies)))


def _fit(wins: Any) -> tuple[Any, Any]:  # noqa: ANN401 (arrays of numpy, which is imported on request)
    """Return strengths, shape (n,), as log-odds against the imaginary player, and their covariance (n, n).

    wins: (n, n), how often the row's player beat the column's, a tie counting as half.
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


def _differ(strengths: Any, covariance: Any, a: int, b: int) -> bool:  # noqa: ANN401
    """Return whether the 95 % interval of a's lead over b excludes 0."""
    variance = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
    return bool(strengths[a] - strengths[b] > Z * math.sqrt(max(variance, 0.0)))


def _warnings(players: list[Rating], groups: list[list[str]], tallies: Tallies) -> list[str]:
    """Return what a reader should know before relying on the order of the ratings."""
    found = []
    if len(groups) > 1:
        listed = "; ".join(_some(group) for group in groups)
        found.append(f"No games link these {len(groups)} groups, whose ratings therefore cannot be compared: {listed}.")
    not_lost, not_won = ({player: 0 for player, _ in tallies} for _ in range(2))
    for (player, _), tally in tallies.items():
        score = tally.total
        not_lost[player] += score.games - score.losses
        not_won[player] += score.games - score.wins
    for what, counted in (("won every game", not_won), ("lost every game", not_lost)):
        extreme = sorted(name for name, number in counted.items() if not number)
        if extreme:
            found.append(f"Nothing bounds the rating of who {what}, except an imaginary tie: {_some(extreme)}.")
    undecided = sum(player.undecided for player in players)
    if undecided:
        found.append(
            f"The games do not decide the order of {undecided} of {len(players) - 1} neighbours in rating "
            "(~ marks the stronger one of each two)."
        )
    return found


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
