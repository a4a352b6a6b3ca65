"""Which pairs of players chose the same moves in the same positions more often than others of their strength would.

In a position that both players of a pair have met, their agreement is the chance that a visit of the one and a visit of the
other ended in the same move. What to expect without copying is what the others did there: the share of them that made the first
one's move, those nearest in rating to the second one counting most. Most positions are met by few, so that share is drawn to
the rate at which any two players agree where as many moves are legal. Positions in which nearly everybody makes that move count
for nothing. A player who follows the field more often than its ratings let expect is expected to agree more with everybody.

Then the agreements of a pair are at most as likely as so many successes of a binomial distribution (W. Hoeffding, "On the
distribution of the number of successes in independent trials", 1956: trials of unequal chances spread less). This is the
generalized binomial test of examiners, one answer's popularity being that of a move (W. van der Linden and L. Sotaridona,
"Detecting answer copying when the regular response process follows a known response model", 2006). Each of the two is held
against the other, and the less surprising result counts.

Players who work alone still share a style, which lasts from position to position. So the log-odds to agree differ from pair
to pair by a normally distributed amount. Its standard deviation is STYLE, with which players known to be independent are marked
no more often than is said (`lab/similarity.py`). It is more where the event's own pairs, most of which are independent,
agree more often than that explains (an empirical null distribution: B. Efron, "Large-scale simultaneous hypothesis testing: the
choice of a null hypothesis", 2004). Holm's method then bounds the chance that any independent pair of an event is marked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournament.results.ratings import CENTRE
from tournament.similarity.choices import Choices, ComparedPosition

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

LEVEL = 0.05
"""The chance that any pair of independent players in an event is marked."""
NEAR = 150.0
"""Standard deviation of the weights of other players by their distance in rating, in Elo points."""
TRUST = 2.0
"""How many players the rate of agreement among all pairs counts for."""
OBVIOUS = 0.8
"""Where so many others make a move, to make it, too, says nothing."""
STYLE = 0.5
"""Standard deviation of the log-odds by which independent pairs agree more or less than is expected."""
_WIDEST, _HALVINGS, _SHARE = 3.0, 8, 0.1
# Of the quadrature over styles. The last ones stand 14 deviations away, where nothing is left.
_NODES = 60


@dataclass(frozen=True)
class PlayPair:
    """How two players agree.

    shared: positions that both met, not counting those whose move is obvious. agreed: in how many they made the same move;
    fractions come from players who do not always make the same. expected: how many of these agreements others would have.
    chance: that they agree so much if they are independent. adjusted: the same of any pair of the event.
    enough: whether a pair that agreed in all positions would be marked; if not, nothing can be said. taught: whether both play
    as the example that everybody has read.
    """

    one: str
    other: str
    shared: int
    agreed: float
    expected: float
    chance: float
    adjusted: float
    enough: bool
    taught: bool = False

    @property
    def marked(self) -> bool:
        """True if they agree more than independent players would."""
        return self.adjusted <= LEVEL and not self.taught


def playing_alike(choices: Choices, ratings: Mapping[str, float], compared: Collection[str]) -> list[PlayPair]:
    """Return all pairs of the players compared, most surprising first; all players' moves say what is to be expected.

    ratings: in Elo points; of a player who is missing, the mean of all.
    """
    import numpy as np

    names = choices.players
    if len(names) < 2:
        return []
    counts = _count_shared(choices, np.array([ratings.get(name, CENTRE) for name in names]))
    spread = _spread(counts)
    own = [place for place, name in enumerate(names) if name in compared]
    pairs = [(one, other) for k, one in enumerate(own) for other in own[k + 1 :]]
    return _rank(names, pairs, counts, counts.chances(counts.agreed, spread), counts.chances(counts.shared, spread))


@dataclass
class _Counts:
    """Float arrays (players, players), row: who is held against the other. expected: of the agreements, how many."""

    shared: Floats
    agreed: Floats
    expected: Floats

    def rate(self, place: tuple[int, int]) -> float:
        """Return the share of the positions in which one is expected to agree with another; place: their numbers."""
        return float(self.expected[place] / max(1.0, self.shared[place]))

    def chances(self, agreed: Floats, spread: float) -> Floats:
        """Return the chance of this number of agreements or more, 1 if a pair shares no position. Of a pair's two directions
        the larger chance counts.

        Half of the chance of the very number counts (mid-p). spread: of the styles of pairs, in log-odds.
        """
        import numpy as np
        from scipy.special import betainc, expit, logit

        known = self.shared > 0
        count, rate = self.shared[known], self.expected[known] / self.shared[known]
        odds, agreed = logit(np.clip(rate, 1e-6, 1 - 1e-6)), np.clip(agreed[known], 1e-9, None)
        nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
        found = np.zeros(len(count))
        for node, weight in zip(nodes, weights / weights.sum(), strict=True):
            # The binomial distribution's upper tail as an incomplete beta function, which takes fractions.
            rates = expit(odds + spread * node)
            least = betainc(agreed, np.maximum(count - agreed + 1, 1e-9), rates)
            above = np.where(agreed + 1 > count, 0.0, betainc(agreed + 1, np.maximum(count - agreed, 1e-9), rates))
            found += weight * (least + above) / 2
        chances = np.ones(self.shared.shape)
        chances[known] = found
        return np.maximum(chances, chances.T)


def _count_shared(choices: Choices, ratings: Floats) -> _Counts:
    """Return shared positions, agreements, and what is expected."""
    import numpy as np

    number = len(choices.players)
    rates = _rates(choices)
    weights = np.exp(-(((ratings[:, None] - ratings[None, :]) / NEAR) ** 2) / 2)
    counts = _Counts(*(np.zeros((number, number)) for _ in range(3)))
    for position in choices.find_shared():
        agreed = position.shares @ position.shares.T
        square = np.ix_(position.players, position.players)
        expected = _expect_agreement(agreed, weights[square], rates[_choice(position)])
        used = expected < OBVIOUS
        np.fill_diagonal(used, False)
        counts.shared[square] += used
        counts.agreed[square] += used * agreed
        counts.expected[square] += used * expected
    counts.expected = _fit_odds(counts)
    return counts


def _expect_agreement(agreed: Floats, weights: Floats, rate: float) -> Floats:
    """Return how likely the player of a row makes the move of the player of a column, by what the others made.

    agreed: agreement of all who met the position. weights: how much the player of a column says about that of a row.
    """
    own, seen = weights.diagonal()[:, None], agreed.diagonal()[None, :]
    like = weights @ agreed - own * agreed - weights * seen
    others = weights.sum(axis=1, keepdims=True) - own - weights
    found: Floats = (like + TRUST * rate) / (others + TRUST)
    return found


def _rates(choices: Choices) -> dict[int, float]:
    """Return how often any two players agree, by the number of legal moves."""
    agreed: dict[int, float] = {}
    pairs: dict[int, float] = {}
    for position in choices.find_shared():
        number = len(position.players)
        total = ((position.shares.sum(axis=0) ** 2).sum() - (position.shares**2).sum()) / 2
        kind = _choice(position)
        agreed[kind] = agreed.get(kind, 0.0) + float(total)
        pairs[kind] = pairs.get(kind, 0.0) + number * (number - 1) / 2
    # Half an agreement and half a disagreement more, so that no rate is 0 or 1.
    return {kind: (agreed[kind] + 0.5) / (pairs[kind] + 1) for kind in pairs}


def _choice(position: ComparedPosition) -> int:
    """Return a class of positions with about as many legal moves."""
    import math

    return round(4 * math.log2(position.legal))


def _fit_odds(counts: _Counts) -> Floats:
    """Return what is expected, once each player's odds to agree are raised or lowered until they fit all their agreements."""
    import numpy as np
    from scipy.special import expit, logit

    rate = np.clip(counts.expected / np.maximum(counts.shared, 1), 1e-6, 1 - 1e-6)
    wanted, odds = counts.agreed.sum(axis=1, keepdims=True), logit(rate)
    low, high = np.full_like(wanted, -8.0), np.full_like(wanted, 8.0)
    for _ in range(40):
        middle = (low + high) / 2
        over = (counts.shared * expit(odds + middle)).sum(axis=1, keepdims=True) > wanted
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    found: Floats = counts.shared * expit(odds + (low + high) / 2)
    return found


def _spread(counts: _Counts) -> float:
    """Return the standard deviation of pairs' styles: STYLE, or more if one in ten pairs would have a chance below 0.1."""
    import numpy as np

    upper = np.triu_indices(len(counts.shared), 1)
    shared = np.minimum(counts.shared, counts.shared.T)[upper]
    telling = shared >= max(1.0, float(np.median(shared)))
    low, high = STYLE, _WIDEST
    if not telling.any():
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        usual = float(np.quantile(counts.chances(counts.agreed, middle)[upper][telling], _SHARE)) >= _SHARE
        low, high = (low, middle) if usual else (middle, high)
    return low


def _rank(
    names: tuple[str, ...], pairs: list[tuple[int, int]], counts: _Counts, chances: Floats, least: Floats
) -> list[PlayPair]:
    """Return the pairs with their chances, adjusted by Holm's method. least: chances if they agreed everywhere."""
    order = sorted(pairs, key=lambda pair: (chances[pair], -counts.agreed[pair], pair))
    found, adjusted = [], 0.0
    for rank, (one, other) in enumerate(order):
        chance = float(chances[one, other])
        adjusted = min(1.0, max(adjusted, chance * (len(pairs) - rank)))
        enough = bool(least[one, other] * len(pairs) <= LEVEL)
        place = max(((one, other), (other, one)), key=counts.rate)
        shared, agreed, expected = (float(part[place]) for part in (counts.shared, counts.agreed, counts.expected))
        found.append(PlayPair(
            one=names[one],
            other=names[other],
            shared=round(shared),
            agreed=agreed,
            expected=expected,
            chance=chance,
            adjusted=adjusted,
            enough=enough,
        ))
    return found
