"""Counts games by player and opponent, in one pass over rows, and rates players by them. Grades start here, too.

Strength is on one scale: `goban.common.estimates` on the Elo scale, with 95 % intervals.

    chance that a beats b = 1 / (1 + 10 ** ((rating of b - rating of a) / 400)); a tie is half a win for each

The imaginary player, against whom everyone has a tie, links players whom no games link. `Ratings.warnings` says which ratings
depend on it. Colours are not considered, so everyone should have each colour equally often.

Games show differences only, so the mean of all players is put at 1500. Intervals are those of a player's lead over this
mean, 1.96 standard errors each way: they hold no doubt about where the imaginary player stands. Standard errors come from the
curvature of the likelihood at its maximum. `lab/coverage.py` shows how often intervals hold the truth.

Two neighbours are decided if the interval of the one's lead over the other excludes 0. With a lead d, of variance v, n more
games between the two would leave it a variance of 1 / (1/v + n p (1 - p)), p the chance that the stronger one wins. They would
show a true lead of d in 4 of 5 cases if d is 1.96 + 0.84 of the standard errors that are left.

A ladder's history follows from the rankings that were published, oldest first:

    count_places_gained(rankings)   name -> places gained since a week before the last ranking
    history(rankings, name)         what became of one player: versions, ranks and ratings over time
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from goban.common.estimates import ELO, Z, fit_strengths
from goban.grids import BLACK, WHITE
from gojudge.errors import JudgeError
from gojudge.records import GameRow, Termination


@dataclass(slots=True)
class Score:
    """Games of a player, counted."""

    wins: int = 0
    losses: int = 0
    ties: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.losses + self.ties

    def count(self, winner: int, colour: int) -> None:
        """Add a game that the player played as `colour` and `winner` won, 0 for a tie."""
        if not winner:
            self.ties += 1
        elif winner == colour:
            self.wins += 1
        else:
            self.losses += 1

    def add(self, other: Score) -> None:
        """Add all games of another score."""
        self.wins += other.wins
        self.losses += other.losses
        self.ties += other.ties

    def text(self) -> str:
        """Return '7-3', or '7-2-1' if there were ties."""
        return f"{self.wins}-{self.losses}" + (f"-{self.ties}" if self.ties else "")


@dataclass(slots=True)
class Tally:
    """Games of one player, against one opponent or many.

    forfeits: how often the player forfeited, by reason. answers, seconds, worst: how many answers they gave, the wall-clock
    seconds of all of them, and of the longest.
    """

    black: Score = field(default_factory=Score)
    white: Score = field(default_factory=Score)
    forfeits: dict[Termination, int] = field(default_factory=dict)
    answers: int = 0
    seconds: float = 0.0
    worst: float = 0.0

    @property
    def total(self) -> Score:
        """Both colours together."""
        both = Score()
        both.add(self.black)
        both.add(self.white)
        return both

    @property
    def forfeited(self) -> int:
        """How many games the player forfeited."""
        return sum(self.forfeits.values())

    @property
    def mean(self) -> float:
        """Seconds per answer; 0 if there is none."""
        return self.seconds / self.answers if self.answers else 0.0

    def add(self, other: Tally) -> None:
        """Add all games of another tally."""
        self.black.add(other.black)
        self.white.add(other.white)
        for reason, games in other.forfeits.items():
            self.forfeits[reason] = self.forfeits.get(reason, 0) + games
        self.answers += other.answers
        self.seconds += other.seconds
        self.worst = max(self.worst, other.worst)


Tallies = dict[tuple[str, str], Tally]
"""(player, opponent) -> that player's games against that opponent. Pairs without a game are missing."""


def count(rows: Iterable[GameRow]) -> Tallies:
    """Return the games of every ordered pair of players who met."""
    tallies: Tallies = {}
    for row in rows:
        for player, opponent in ((row.black, row.white), (row.white, row.black)):
            if (player, opponent) not in tallies:
                tallies[player, opponent] = Tally()
        black, white = tallies[row.black, row.white], tallies[row.white, row.black]
        black.black.count(row.winner, BLACK)
        white.white.count(row.winner, WHITE)
        if row.forfeited_by:
            forfeits = (black if row.forfeited_by == BLACK else white).forfeits
            forfeits[row.termination] = forfeits.get(row.termination, 0) + 1
        _add_times(black, row.black_moves, row.black_seconds, row.black_worst)
        _add_times(white, row.white_moves, row.white_seconds, row.white_worst)
    return tallies


def _add_times(tally: Tally, answers: int, seconds: float, worst: float) -> None:
    tally.answers += answers
    tally.seconds += seconds
    if worst > tally.worst:
        tally.worst = worst


def together(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of several tallies."""
    whole = Tally()
    for tally in tallies:
        whole.add(tally)
    return whole


CENTRE = 1500.0
# Standard errors above Z for a test that succeeds in 4 of 5 cases.
Z_POWER = 0.84
MOST_NEEDED = 10_000
_NAMED = 6


@dataclass(frozen=True)
class Rating:
    """One player on the Elo scale.

    needed: how many more games against the next player would show in 4 of 5 cases that this one is stronger, if the ratings are
    right: an even number, 0 if the games so far show it or nobody comes next, None if more than MOST_NEEDED.
    """

    name: str
    rating: float
    low: float
    high: float
    needed: int | None

    @property
    def undecided(self) -> bool:
        """Whether the games leave open if this player is stronger than the next one."""
        return self.needed != 0

    @property
    def needed_text(self) -> str:
        """How many more games against the next player would decide, as a number, or '>10000'."""
        return f">{MOST_NEEDED}" if self.needed is None else str(self.needed)


@dataclass(frozen=True)
class Ratings:
    """players: strongest first. warnings: sentences about what the games do not decide."""

    players: tuple[Rating, ...]
    warnings: tuple[str, ...]


def ratings(tallies: Tallies) -> Ratings:
    """Return the rating of every player. Time grows with the cube of their number; 200 take a fraction of a second.

    Raises JudgeError if scipy is not installed.
    """
    try:
        import numpy as np
        from scipy.sparse.csgraph import connected_components
    except ImportError as error:
        raise JudgeError(f"ratings need a package that is not installed: {error.name}") from error
    names = sorted({player for player, _ in tallies})
    if not names:
        return Ratings((), ())
    number = {name: k for k, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for (player, opponent), tally in tallies.items():
        score = tally.total
        wins[number[player], number[opponent]] = score.wins + score.ties / 2
    strengths, covariance = fit_strengths(wins)
    order = sorted(range(len(names)), key=lambda k: (-round(strengths[k], 6), names[k]))
    needed = {a: _count_needed(strengths, covariance, a, b) for a, b in pairwise(order)}
    # The variance of a player's lead over the mean of all; rounding may leave it a little below 0.
    variances = np.maximum(np.diag(covariance) - 2 * covariance.mean(axis=0) + covariance.mean(), 0.0)
    players = []
    for k in order:
        middle, half = CENTRE + ELO * float(strengths[k] - strengths.mean()), ELO * Z * math.sqrt(variances[k])
        players.append(Rating(names[k], middle, middle - half, middle + half, needed.get(k, 0)))
    parts, of_part = connected_components(wins + wins.T, directed=False)
    groups = [[name for name, part in zip(names, of_part, strict=True) if part == k] for k in range(parts)]
    return Ratings(tuple(players), tuple(_warnings(players, groups, tallies)))


def _count_needed(strengths: Any, covariance: Any, a: int, b: int) -> int | None:  # noqa: ANN401
    """Return how many more games between them would show that a is stronger than b; see `Rating`."""
    variance = float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
    lead = float(strengths[a] - strengths[b])
    if lead > Z * math.sqrt(max(variance, 0.0)):
        return 0
    chance = 1 / (1 + math.exp(-lead))
    information = ((Z + Z_POWER) / lead) ** 2 - 1 / variance if lead > 0 else math.inf
    games = information / (chance * (1 - chance))
    return 2 * math.ceil(games / 2) if games <= MOST_NEEDED else None


def _warnings(players: list[Rating], groups: list[list[str]], tallies: Tallies) -> list[str]:
    """Return what a reader should know before relying on the order of the ratings."""
    warnings = []
    if len(groups) > 1:
        listed = "; ".join(_some(group) for group in groups)
        warnings.append(f"No games link these {len(groups)} groups, whose ratings therefore cannot be compared: {listed}.")
    not_lost, not_won = ({player: 0 for player, _ in tallies} for _ in range(2))
    for (player, _), tally in tallies.items():
        score = tally.total
        not_lost[player] += score.games - score.losses
        not_won[player] += score.games - score.wins
    for what, counted in (("won every game", not_won), ("lost every game", not_lost)):
        extreme = sorted(name for name, number in counted.items() if not number)
        if extreme:
            warnings.append(f"Only an imaginary tie bounds the ratings of those who {what}: {_some(extreme)}.")
    return warnings + _describe_undecided(players)


def _describe_undecided(players: list[Rating]) -> list[str]:
    """Return which neighbours the games do not tell apart, and how many more games would."""
    pairs = [(one, below) for one, below in pairwise(players) if one.undecided]
    if not pairs:
        return []
    sentences = [
        f"The games do not decide the order of {len(pairs)} of {len(players) - 1} neighbours in rating "
        "(~ marks the stronger one of each two)."
    ]
    near = sorted((one.needed, f"{one.name} and {below.name} {one.needed:,}") for one, below in pairs if one.needed is not None)
    if near:
        sentences.append(
            f"If the ratings are right, {sum(games for games, _ in near):,} more games between neighbours would decide "
            f"{len(near)} of these in 4 of 5 cases: {_some([text for _, text in near])}."
        )
    if close := len(pairs) - len(near):
        verb = "is" if close == 1 else "are"
        sentences.append(f"{close} of these {verb} too close for {MOST_NEEDED:,} games to tell them apart.")
    return sentences


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


_WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Place:
    """A player in a ranking. version: the digest of what played. rating, low, high: Elo and its 95 % interval."""

    name: str
    version: str
    rank: int
    rating: float
    low: float
    high: float


@dataclass(frozen=True)
class Ranking:
    """The standings as they were published at an aware time."""

    time: datetime
    places: tuple[Place, ...]

    @property
    def of_name(self) -> dict[str, Place]:
        """The places by name."""
        return {place.name: place for place in self.places}


@dataclass(frozen=True)
class Span:
    """A player's place from a time on, until the next span. number: of the version, from 1."""

    time: datetime
    number: int
    place: Place


def week_before(rankings: Sequence[Ranking]) -> Ranking | None:
    """Return the ranking that stood a week before the last one was published; the first one if the ladder is younger.

    None if there are no two rankings.
    """
    if len(rankings) < 2:
        return None
    before = [ranking for ranking in rankings if ranking.time <= rankings[-1].time - _WEEK]
    return before[-1] if before else rankings[0]


def count_places_gained(rankings: Sequence[Ranking]) -> dict[str, int]:
    """Return name -> places gained since a week before, below 0 if lost, of all who are in both rankings."""
    before = week_before(rankings)
    if before is None:
        return {}
    then = before.of_name
    return {place.name: then[place.name].rank - place.rank for place in rankings[-1].places if place.name in then}


def history(rankings: Sequence[Ranking], name: str) -> list[Span]:
    """Return a player's spans, oldest first: one for each ranking in which anything of theirs has changed."""
    spans: list[Span] = []
    for ranking in rankings:
        place = ranking.of_name.get(name)
        if place is None or (spans and spans[-1].place == place):
            continue
        number = 1 if not spans else spans[-1].number + (spans[-1].place.version != place.version)
        spans.append(Span(ranking.time, number, place))
    return spans
