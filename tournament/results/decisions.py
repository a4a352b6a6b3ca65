"""When the games against a reference player decide a band of the rubric: a group-sequential test, computed exactly.

    plan = plan_of((0.9, 0.7), 100, 0.05)   thresholds between bands; looks after 10, 20, .. 100 games
    plan.due(7, 10)                         20: 7 wins in 10 games do not decide the band
    plan.due(4, 20)                         20: 4 wins in 20 do
    plan_of((0.9, 0.7), 100)                all 100 games are played, whatever comes
    predicted(plan, 7, 10)                  the shares of wins that other games may come to, each with its chance

A *look* is a number of games after which it is asked whether more are played. At a look each threshold is tested, on either
side: does the true win rate lie above or below? A band is decided once all thresholds are. The chance that a band is called
decided and is not that of the true win rate is at most `error`, whatever that rate is: half of it for the threshold above the
true rate, half for the one below. Pocock's spending function says which part of this half may be spent up to a look.

All this depends on the numbers of wins and games alone, so whoever has the games comes to the same decision. Chances may differ
by colour: at equal numbers with each, wins then vary less than is supposed here (Hoeffding, *On the Distribution of the Number
of Successes in Independent Trials*, Ann. Math. Stat. 27, 1956).

Who stops early on a bad start has fewer wins than the true rate lets expect. So `rate` is the unbiased estimate: the share of
the orders in which the same games might have come that begin with a win. `interval` ranks results by it.

Sources: Lan and DeMets, *Discrete Sequential Boundaries for Clinical Trials*, Biometrika 70 (1983), for spending; Jennison
and Turnbull, *Confidence Intervals for a Binomial Parameter Following a Multistage Test*, Technometrics 25 (1983), for exact
chances and intervals by counting paths; Girshick, Mosteller and Savage, *Unbiased Estimates for Certain Binomial Sampling
Problems*, Ann. Math. Stat. 17 (1946). Standard library only, since this also runs where course systems grade.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeVar

from goban.common.estimates import wilson_interval

LOOKS = 10
T = TypeVar("T", int, float)

_TAIL = 0.025
_HALVINGS = 20
_NEARLY_NOTHING = 1e-9


@dataclass(frozen=True)
class LookBounds:
    """For one threshold, at each look: the fewest wins that show a rate from it on, and the most that show one below it."""

    above: tuple[int, ...]
    below: tuple[int, ...]


@dataclass(frozen=True)
class End:
    """A way in which games can end. paths: in how many orders of wins and losses. first: in how many of them a win is first."""

    games: int
    wins: int
    paths: int
    first: int

    @property
    def rate(self) -> Fraction:
        """The unbiased estimate of the true win rate."""
        return Fraction(self.first, self.paths)


@dataclass(frozen=True)
class LookPlan:
    """How many games are played. looks: rising, the last is the limit. bounds: for each threshold; empty if all are played."""

    looks: tuple[int, ...]
    bounds: tuple[LookBounds, ...] = ()

    def decides(self, wins: int, games: int) -> bool:
        """Tell whether so many wins decide the band, at a look."""
        if not self.bounds or games not in self.looks:
            return False
        place = self.looks.index(games)
        return all(wins >= bound.above[place] or wins <= bound.below[place] for bound in self.bounds)

    def due(self, wins: int, games: int) -> int:
        """Return how many games are to be played in all, as far as these games tell."""
        if self.decides(wins, games):
            return games
        return next((look for look in self.looks if look > games), self.looks[-1])

    def rate(self, wins: int, games: int) -> Fraction:
        """Return the estimate of the true win rate after some games, at least one: wins / games if all games are played."""
        end = _ends(self).get((games, wins)) if self.bounds else None
        return Fraction(wins, games) if end is None else end.rate

    def interval(self, wins: int, games: int) -> tuple[float, float]:
        """Return the 95 % interval of the true win rate: Wilson's if all games are played, or while some are missing."""
        if not self.bounds or (games, wins) not in _ends(self):
            return wilson_interval(wins, games)
        return _interval(self, self.rate(wins, games))

    def other_band(self, wins: int, games: int, band: Callable[[Fraction], int]) -> float:
        """Return the probability that the games of other seeds would end in another band than these; band: of a share of wins.

        What the true rate may be is given by Jeffreys' prior and these games: Beta(wins + 1/2, losses + 1/2). So a fixed number
        of other games has a beta-binomial number of wins.
        """
        own = band(Fraction(wins, games))
        return min(1.0, sum(chance for share, chance in predict_wins(self, wins, games) if band(share) != own))


@cache
def plan_of(starts: Sequence[float], games: int, error: float = 0.0) -> LookPlan:
    """Return the plan for bands that start at these win rates, for at most so many games, an even number.

    error: the chance of a wrong decision, up to 0.2; 0 if all games are played. With it, the time to plan grows with the square
    of the number of games.
    """
    thresholds = [float(start) for start in starts if 0 < start <= 1]
    if not error or not thresholds:
        return LookPlan((games,))
    step = 2 * math.ceil(games / LOOKS / 2)
    looks = (*range(step, games, step), games)
    return LookPlan(looks, tuple(_bounds(start, looks, error / 2) for start in thresholds))


def _bounds(start: float, looks: Sequence[int], error: float) -> LookBounds:
    """Return the bounds for a threshold; each side is crossed with a chance of at most `error` if the true rate is there."""
    below = _crossing(1 - start, looks, error)
    return LookBounds(_crossing(start, looks, error), tuple(look - wins for look, wins in zip(looks, below, strict=True)))


def _crossing(start: float, looks: Sequence[int], error: float) -> tuple[int, ...]:
    """Return, for each look, the fewest wins that show that the true rate is above `start`; look + 1 if no number does."""
    bounds: list[int] = []
    chances, spent = [1.0], 0.0
    for games in range(1, looks[-1] + 1):
        chances = [lost * (1 - start) + won * start for lost, won in _both(chances, 0.0)]
        if games not in looks:
            continue
        allowed = error * math.log1p((math.e - 1) * games / looks[-1])
        bound = games + 1
        while bound and spent + chances[bound - 1] <= allowed:
            bound -= 1
            spent += chances[bound]
            chances[bound] = 0.0
        bounds.append(bound)
    return tuple(bounds)


def _both(before: list[T], nothing: T) -> Iterator[tuple[T, T]]:
    """Yield for each number of wins what was so one game before: with as many wins, and with one less."""
    return zip(before + [nothing], [nothing] + before, strict=True)  # noqa: RUF005 (mypy)


@cache
def _ends(plan: LookPlan) -> dict[tuple[int, int], End]:
    """Return all ways in which the games of a plan with bounds can end, by (games, wins)."""
    ends = {}
    paths, first = [1, 1], [0, 1]
    for games in range(1, plan.looks[-1] + 1):
        if games > 1:
            paths, first = ([lost + won for lost, won in _both(before, 0)] for before in (paths, first))
        for wins in range(games + 1) if games in plan.looks else ():
            if paths[wins] and plan.due(wins, games) == games:
                ends[games, wins] = End(games, wins, paths[wins], first[wins])
                paths[wins] = first[wins] = 0
    return ends


@cache
def _interval(plan: LookPlan, rate: Fraction) -> tuple[float, float]:
    """Return the true rates under which an estimate of `rate` or more, or of `rate` or less, has a chance of _TAIL.

    Of the chance of exactly this estimate one half counts (mid-p), so that the interval holds the truth in 95 %, not more.
    """
    ends = [(end.games, end.wins, math.log(end.paths) - math.log(2 if end.rate == rate else 1))
            for end in _ends(plan).values() if end.rate >= rate]  # fmt: skip

    def chance_of_more(truth: float) -> float:
        won, lost = math.log(truth), math.log1p(-truth)
        return sum(math.exp(paths + wins * won + (games - wins) * lost) for games, wins, paths in ends)

    low = 0.0 if not rate else _where(chance_of_more, _TAIL)
    return low, 1.0 if rate == 1 else _where(chance_of_more, 1 - _TAIL)


def _where(rising: Callable[[float], float], value: float) -> float:
    """Return where in 0..1 a rising function has a value, by halving."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < value else (low, middle)
    return (low + high) / 2


JEFFREYS = (0.5, 0.5)


@cache
def predict_wins(plan: LookPlan, wins: int, games: int, prior: tuple[float, float] = JEFFREYS) -> list[tuple[Fraction, float]]:
    """Return every share of wins that the games of other seeds may lead to, and the chance of it after these games, if any.

    prior: the parameters of the Beta distribution that the true rate is taken to have; one may be 0.
    """
    a, b = max(prior[0] + wins, _NEARLY_NOTHING), max(prior[1] + games - wins, _NEARLY_NOTHING)
    known = _log_beta(a, b)
    return [
        (Fraction(won, won + lost), math.exp(paths + _log_beta(won + a, lost + b) - known))
        for won, lost, paths in _weights(plan)
    ]


@cache
def _weights(plan: LookPlan) -> list[tuple[int, int, float]]:
    """Return (wins, losses, logarithm of the number of paths) for all ways to end."""
    if plan.bounds:
        return [(end.wins, end.games - end.wins, math.log(end.paths)) for end in _ends(plan).values()]
    games = plan.looks[0]
    return [(wins, games - wins, -math.log(games + 1) - _log_beta(wins + 1, games - wins + 1)) for wins in range(games + 1)]


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
