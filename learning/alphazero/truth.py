"""How near answers about positions come to the exact values, with 95 % intervals.

    metric           what it says, as the player to move sees it; v: the value given, z: +1 if the position is won, else -1
    winner           share of positions where v has the sign of z (so 0 is wrong)
    value error      mean of abs(v - z)
    Brier            mean of ((v + 1) / 2 - [z = 1]) ** 2
    calibration      expected calibration error of (v + 1) / 2, in ten bins of equal width
    kept wins        won positions where some action would lose: share of those where the action played wins
    best moves       share of positions where the action played is one of the best by margin
    mass on best     mean of the policy's sum over the best actions
    regret           mean of the stones lost by the action played, both sides playing for as many as they can from then on
    margin error     mean of the stones by which the margin given is wrong, where the margin is known

Best moves, mass and regret count positions only where margins are known and actions differ in them.

Intervals: Wilson's for shares; for means the normal one; for the calibration error, which is neither, the percentiles of
BOOTSTRAPS samples of the same positions with replacement. Sources: Brier, Monthly Weather Review 78 (1950); Naeini, Cooper
and Hauskrecht, *Obtaining Well Calibrated Probabilities Using Bayesian Binning*, AAAI (2015); Efron and Tibshirani, *An
Introduction to the Bootstrap* (1993), chapter 13.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from common.intervals import mean_interval, wilson_interval
from learning.alphazero.answers import Answers, Floats
from learning.alphazero.go_positions import BUCKETS, KnownPositions

BINS = 10
BOOTSTRAPS = 1000
EVERY = "all"
"""The name of all positions together, beside those of `BUCKETS`, such as '0-5'."""

SHARES = ("winner", "kept wins", "best moves", "conversion", "kept values", "safe moves")
"""Metrics that are shares of positions or games."""

_SEED = 1

Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """A measured figure, its 95 % interval, and how many positions or games it rests on."""

    value: float
    low: float
    high: float
    count: int


Metrics = dict[str, Estimate]
"""In the order of the table above; what cannot be said is left out."""


def bucket_name(bucket: range) -> str:
    """Return '6-11' for the positions after so many moves."""
    return f"{bucket[0]}-{bucket[-1]}"


def by_bucket(known: KnownPositions, answers: Answers) -> dict[str, Metrics]:
    """Return the metrics of all positions, and of each part of them."""
    n_moves = known.n_moves()
    parts = {EVERY: np.ones(len(known), np.bool_)}
    parts |= {bucket_name(bucket): (n_moves >= bucket.start) & (n_moves < bucket.stop) for bucket in BUCKETS}
    return {name: metrics(known.part(which), answers.part(which)) for name, which in parts.items()}


def metrics(known: KnownPositions, answers: Answers) -> Metrics:
    """Return what these answers about these positions are worth."""
    wins, played = known.wins(), (np.arange(len(known)), answers.actions)
    found: Metrics = {}
    if len(known) and answers.values is not None:
        found |= _of_values(np.where(wins.any(axis=1), 1.0, -1.0), answers.values)
    can_go_wrong = wins.any(axis=1) & (known.legal() & ~wins).any(axis=1)
    if can_go_wrong.any():
        found["kept wins"] = share(wins[played][can_go_wrong])
    return found | _of_margins(known.leads(), played, answers)


def _of_margins(leads: Floats, played: tuple[Indices, Indices], answers: Answers) -> Metrics:
    """Return the metrics that margins are needed for; leads: shape (n, 26), NaN for illegal and unknown ones."""
    found: Metrics = {}
    best = np.max(leads, axis=1, initial=-np.inf, where=~np.isnan(leads))
    counted = best > np.min(leads, axis=1, initial=np.inf, where=~np.isnan(leads))
    if counted.any():
        is_best = leads == best[:, None]
        found["best moves"] = share(is_best[played][counted])
        if answers.policies is not None:
            found["mass on best"] = mean((answers.policies * is_best).sum(axis=1)[counted])
        found["regret"] = mean((best - leads[played])[counted])
    is_known = np.isfinite(best)
    if answers.margins is not None and is_known.any():
        found["margin error"] = mean(np.abs(answers.margins - best)[is_known])
    return found


def _of_values(results: Floats, values: Floats) -> Metrics:
    """Return the metrics of values alone; results: +1 or -1."""
    chances, won = (values + 1) / 2, (results + 1) / 2
    return {
        "winner": share(np.sign(values) == results),
        "value error": mean(np.abs(values - results)),
        "Brier": mean((chances - won) ** 2),
        "calibration": _calibration(chances, won),
    }


def share(hits: Flags) -> Estimate:
    """Return the share of what is true; there must be something."""
    low, high = wilson_interval(int(hits.sum()), len(hits))
    return Estimate(float(hits.mean()), low, high, len(hits))


def mean(values: Floats) -> Estimate:
    """Return the mean of one value or more."""
    low, high = mean_interval(values.tolist())
    return Estimate(float(values.mean()), low, high, len(values))


def _calibration(chances: Floats, won: Floats) -> Estimate:
    """Return the expected calibration error; chances: of winning, 0 to 1; won: 1 or 0."""
    count = len(chances)
    bins = np.minimum((np.clip(chances, 0, 1) * BINS).astype(np.int64), BINS - 1)
    excess = np.zeros((count, BINS))
    excess[np.arange(count), bins] = (chances - won) / count
    drawn = np.random.default_rng(_SEED).multinomial(count, np.full(count, 1 / count), BOOTSTRAPS)
    low, high = np.percentile(np.abs(drawn @ excess).sum(axis=1), (2.5, 97.5))
    return Estimate(float(np.abs(excess.sum(axis=0)).sum()), float(low), float(high), count)
