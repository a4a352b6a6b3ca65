"""How often what is said with 95 % is so: ratings, neighbours called decided, and marks, where the truth is known.

    python3 -m lab.coverage [EVENTS]       default: 1000 simulated events of each kind

Events are drawn, not played: of players with known strengths, every game by the chance that these give. Seeds are given, so
figures are the same each time.

Ratings hold the truth if a player's interval holds their true lead over the mean of the field. Neighbours are called decided
wrongly if the one below is truly the stronger. Marks are those of the rubric of 2019, for all 400 games and with
`until_decided`: how many games a submission plays; how many bands are decided, and how many wrongly, because the true
win rate lies in another; how many intervals hold the true rate; with what chance other seeds are said to give another band, and
how often they do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from tabulate import tabulate

from benchmarks.pools import parser_of, watched
from goban.common.command_lines import DONE, run, whole_number
from goban.common.estimates import ELO
from gojudge.errors import JudgeError
from tournament.results.decisions import LookPlan, plan_of
from tournament.results.due_games import deciding_games
from tournament.results.ratings import CENTRE, Ratings, Score, Tallies, Tally, ratings
from tournament.results.rubric_files import read_rubric
from tournament.results.rubrics import OpponentRubric

SEED = 1
SPREAD, CLOSE = 200.0, 20.0
"""Standard deviations of true strengths in a simulated field, in Elo points: a class, and players who are nearly equal."""
FIELDS = ((16, 11, SPREAD), (16, 2, SPREAD), (40, 11, SPREAD), (16, 11, CLOSE))
"""Players, games a pair, and the spread of strengths."""
MORE = (100, 300, 1000)
"""Games beyond those of all pairs."""
RUBRIC = read_rubric("2019")
BANDS = RUBRIC.opponents[-1].words
CLASS = ((9, 1), (6, 1.5), (4, 2), (3, 2.5))
"""For each reference player the beta distribution of true win rates in a simulated class."""
PLANS = ((100, 0.0), (100, 0.05), (100, 0.01), (400, 0.05))
"""Games per opponent, and the chance of a wrong band."""
RATES = (0.1, 0.3, 0.5, 0.65, 0.69, 0.7, 0.75, 0.8, 0.85, 0.89, 0.9, 0.95, 0.99)


@dataclass(frozen=True)
class Field:
    """Players of a simulated event. strengths: name -> log-odds."""

    strengths: dict[str, float]

    @staticmethod
    def draw(players: int, spread: float, rng: np.random.Generator) -> Field:
        """Return a field with normally distributed strengths. spread: their standard deviation in Elo points."""
        return Field({f"p{k:02}": float(rng.normal(0, spread / ELO)) for k in range(players)})

    def play(self, pairs: Iterable[tuple[str, str, int]], rng: np.random.Generator) -> Tallies:
        """Return the results of so many games of each pair (one, other, games)."""
        found: Tallies = {}
        for one, other, games in pairs:
            won = int(rng.binomial(games, 1 / (1 + np.exp(self.strengths[other] - self.strengths[one]))))
            found[one, other] = Tally(Score(won, games - won))
            found[other, one] = Tally(Score(games - won, won))
        return found

    def everyone(self, games: int) -> list[tuple[str, str, int]]:
        """Return all pairs, with so many games each."""
        names = list(self.strengths)
        return [(one, other, games) for k, one in enumerate(names) for other in names[k + 1 :]]


@dataclass
class Counts:
    """What came of simulated events: intervals that held the truth, their half widths, and neighbours."""

    players: int = 0
    held: int = 0
    half: float = 0.0
    neighbours: int = 0
    decided: int = 0
    wrong: int = 0

    def add(self, field: Field, found: Ratings) -> None:
        """Count the ratings of an event."""
        mean = sum(field.strengths.values()) / len(field.strengths)
        for one in found.players:
            truth = CENTRE + ELO * (field.strengths[one.name] - mean)
            self.players += 1
            self.held += one.low <= truth <= one.high
            self.half += (one.high - one.low) / 2
        for one, below in zip(found.players, found.players[1:], strict=False):
            self.neighbours += 1
            self.decided += not one.undecided
            self.wrong += not one.undecided and field.strengths[one.name] < field.strengths[below.name]

    def line(self) -> list[str]:
        """Return the cells of a table."""
        return [
            f"{100 * self.held / self.players:.1f} %",
            f"{self.half / self.players:.0f}",
            f"{100 * self.decided / self.neighbours:.1f} %",
            f"{100 * self.wrong / self.neighbours:.2f} %",
        ]


def round_robins(players: int, games: int, spread: float, events: int) -> Counts:
    """Return what came of so many round robins."""
    rng, counts = np.random.default_rng(SEED), Counts()
    for _ in range(events):
        field = Field.draw(players, spread, rng)
        counts.add(field, ratings(field.play(field.everyone(games), rng)))
    return counts


def more_games(more: int, events: int) -> list[list[str]]:
    """Return the lines of a table: more games for pairs drawn at random, and for those that they decide most."""
    lines = []
    for how in ("at random", "deciding"):
        rng, counts, spent = np.random.default_rng(SEED), Counts(), 0
        for _ in range(events):
            field = Field.draw(16, SPREAD, rng)
            first = field.everyone(11)
            found = field.play(first, rng)
            if how == "deciding":
                given = [(one, other, games) for (one, other), games in map(_named, deciding_games(found, more).items())]
            else:
                shares = rng.multinomial(more, [1 / len(first)] * len(first))
                given = [(one, other, int(games)) for (one, other, _), games in zip(first, shares, strict=True)]
            spent += sum(games for _, _, games in given)
            for pair, tally in field.play(given, rng).items():
                found[pair].add(tally)
            counts.add(field, ratings(found))
        lines.append([str(more), how, f"{spent / events:.0f}", *counts.line()])
    return lines


def _named(item: tuple[frozenset[str], int]) -> tuple[tuple[str, str], int]:
    one, other = sorted(item[0])
    return (one, other), item[1]


@dataclass
class Marks:
    """What came of simulated games against reference players; every figure but the first two is a share of `parts`."""

    parts: int = 0
    games: int = 0
    decided: int = 0
    wrong: int = 0
    held: int = 0
    said: float = 0.0
    came: int = 0

    def add(self, opponent: OpponentRubric, plan: LookPlan, rate: float, rng: np.random.Generator) -> None:
        """Play against a reference player, with a chance of `rate` to win, and again with other seeds."""
        wins, games = play(plan, rate, rng)
        band, decided = opponent.band(Fraction(wins, games)), plan.decides(wins, games)
        low, high = plan.interval(wins, games)
        self.parts += 1
        self.games += games
        self.decided += decided
        self.wrong += decided and band != opponent.band(Fraction(rate).limit_denominator(10**6))
        self.held += low <= rate <= high
        self.said += plan.other_band(wins, games, opponent.band)
        self.came += band != opponent.band(Fraction(*play(plan, rate, rng)))

    def line(self) -> list[str]:
        """Return the cells of a table, without the number of games."""
        shares = ((self.decided, 1), (self.wrong, 2), (self.held, 1), (self.said, 1), (self.came, 1))
        return [f"{100 * share / self.parts:.{decimals}f} %" for share, decimals in shares]


def play(plan: LookPlan, rate: float, rng: np.random.Generator) -> tuple[int, int]:
    """Return (wins, games) of one who wins with a chance of `rate`, once no more games are due."""
    wins = games = 0
    while (due := plan.due(wins, games)) > games:
        wins, games = wins + int(rng.binomial(due - games, rate)), due
    return wins, games


def marks_of_a_class(limit: int, error: float, submissions: int) -> Marks:
    """Return what came of a class, with win rates as they may be: some players are good, and some opponents are weak."""
    rng, found = np.random.default_rng(SEED), Marks()
    plans = [plan_of(opponent.starts, limit, error) for opponent in RUBRIC.opponents]
    for _ in range(submissions):
        for opponent, plan, shape in zip(RUBRIC.opponents, plans, CLASS, strict=True):
            found.add(opponent, plan, float(rng.beta(*shape)), rng)
    return found


def marks_at(rate: float, limit: int, error: float, submissions: int) -> Marks:
    """Return what came of games against the last reference player with this chance to win."""
    rng, found, opponent = np.random.default_rng(SEED), Marks(), RUBRIC.opponents[-1]
    plan = plan_of(opponent.starts, limit, error)
    for _ in range(submissions):
        found.add(opponent, plan, rate, rng)
    return found


def main() -> int:
    """Simulate, and print tables."""
    parser = parser_of("coverage", "How often what is said with 95 % is so.")
    number = whole_number(1, 10**6, "a number of events")
    parser.add_argument("events", nargs="?", type=number, default=1000, help="default: 1000")
    events = parser.parse_args().events
    rows = [
        [str(players), str(games), f"{spread:.0f}", *round_robins(players, games, spread, events).line()]
        for players, games, spread in watched(FIELDS, "fields")
    ]
    heads = ["players", "games a pair", "spread", "rating held", "half width", "neighbours decided", "wrongly"]
    print(f"Ratings, {events} round robins each")
    print(tabulate(rows, heads, disable_numparse=True, colalign=["right"] * len(heads)))
    rows = [line for more in watched(MORE, "numbers of games") for line in more_games(more, events)]
    heads = ["more games", "for whom", "played", "rating held", "half width", "neighbours decided", "wrongly"]
    print("\nThe first of these with more games")
    print(tabulate(rows, heads, disable_numparse=True, colalign=["right", "left", *["right"] * 5]))
    rows = []
    for limit, error in watched(PLANS, "plans"):
        found = marks_of_a_class(limit, error, 2 * events)
        games = found.games / (2 * events)
        how = f"until_decided = {error:g}, {limit} games" if error else f"all {limit} games"
        rows.append([how, f"{games:.0f}", f"{100 - 25 * games / limit:.0f} %", *found.line()])
    heads = ["marks", "games", "saved", "decided", "wrongly", "interval held", "other band said", "came"]
    print(f"\nMarks of {2 * events} submissions against four reference players")
    print(tabulate(rows, heads, disable_numparse=True, colalign=["left", *["right"] * (len(heads) - 1)]))
    rows = []
    for rate in RATES:
        found = marks_at(rate, 100, 0.05, 5 * events)
        rows.append([f"{100 * rate:g} %", f"{found.games / found.parts:.0f}", *found.line()])
    heads = ["true win rate", "games", *heads[3:]]
    print(f"\nMarks by until_decided = 0.05 of {5 * events} submissions, against {RUBRIC.opponents[-1].name} ({BANDS})")
    print(tabulate(rows, heads, disable_numparse=True, colalign=["right"] * len(heads)))
    return DONE


if __name__ == "__main__":
    sys.exit(run("coverage", main, JudgeError))
