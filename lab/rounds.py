"""How well the ranks of a ladder in rounds agree with those of everyone against everyone, where the truth is known.

    python3 -m lab.rounds [CLASSES]       default: 12 simulated classes of each kind; some ten minutes

Classes are drawn, not played: of players with known strengths, every game by the chance that these give. Seeds are given, so
figures are the same each time. Each class plays everyone against everyone twice; the second time shows how well ranks could
agree at best. Then it plays a tenth of the games, by several schedules of equal size:

    random       pairs drawn at random
    score        those meet who have equally many WINs, as in a Swiss tournament
    rating       `rounds` of an event, as `tournament.results.due_games` makes them

Ranks are by rating, by WINs, or by WINs and then those of the opponents (Buchholz). Agreement with the ranks of the first time:
Kendall's tau-b, Spearman's rho, how many of the first ten are the same, by how many places a player is off in the mean, and how
often the first is the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean, stdev

import numpy as np
from tabulate import tabulate

from benchmarks.pools import parser_of, watched
from goban.common.command_lines import DONE, run, whole_number
from goban.common.estimates import ELO
from gojudge.errors import JudgeError
from gojudge.records import Entrant, GameRow, Termination
from tournament.events.event_files import make_event
from tournament.events.schedules import Pairing, key_of_seed, pairings
from tournament.results.due_games import due_games
from tournament.results.ratings import Tallies, count, ratings

SEED = 1
TOP = 10


@dataclass(frozen=True)
class Kind:
    """A kind of class. spread, own: standard deviations, in Elo points, of strengths, and of what a pair's games add to the
    difference of its two strengths. games: a pair. rounds: so many opponents make a tenth of the games."""

    players: int
    games: int
    rounds: int
    spread: float
    own: float

    @property
    def words(self) -> str:
        return f"{self.players} players, {self.games} games a pair, spread {self.spread:g}, own {self.own:g}"


KINDS = (
    Kind(171, 4, 17, 200.0, 0.0),
    Kind(60, 4, 6, 480.0, 150.0),
)
"""The spread of a class as in `lab.coverage`, and that of the ratings in the class of `python3 -m tournament sample`."""


class Field:
    """A class of known strengths. Each game comes out by chance, the same whenever it is played."""

    def __init__(self, kind: Kind, seed: int) -> None:
        rng = np.random.default_rng([SEED, seed])
        self.kind = kind
        self.seed = seed
        self.names = [f"s{number:03d}" for number in range(kind.players)]
        self.entrants = [Entrant(name) for name in self.names]
        strengths = rng.normal(0.0, kind.spread / ELO, kind.players)
        self.strength = dict(zip(self.names, map(float, strengths), strict=True))
        self._own = rng.normal(0.0, kind.own / ELO, (kind.players, kind.players))

    def chance(self, one: str, other: str) -> float:
        """Return the chance that the first one, by name, of two beats the other."""
        a, b = int(one[1:]), int(other[1:])
        return float(1 / (1 + np.exp(self.strength[other] - self.strength[one] - self._own[a, b])))

    def rows(self, pairs: Iterable[Pairing], time: int = 0) -> list[GameRow]:
        """Return all games of these pairs. time: others come out at another time."""
        found = []
        for pairing in pairs:
            chance, rng = self.chance(pairing.one, pairing.other), Random(f"{self.seed} {time} {pairing.one} {pairing.other}")
            for number in range(1, pairing.games + 1):
                black, white = pairing.colours(number)
                winner = pairing.one if rng.random() < chance else pairing.other
                found.append(GameRow(pairing.id_of(number), black, white, 1 + (winner == white), Termination.SCORE))
        return found


Order = Callable[[Tallies], Mapping[str, float]]
"""What is larger for whom stands higher."""


def by_rating(tallies: Tallies) -> Mapping[str, float]:
    """Return ratings."""
    return {one.name: one.rating for one in ratings(tallies).players}


def by_wins(tallies: Tallies) -> Mapping[str, float]:
    """Return the pairs won; of equals, who won more of their games stands higher, as in the ranking."""
    found: dict[str, list[float]] = {}
    for (player, _), tally in tallies.items():
        score, own = tally.total, found.setdefault(player, [0.0, 0.0, 0.0])
        own[0] += score.wins > score.losses
        own[1] += score.wins
        own[2] += score.games
    return {name: won + games_won / games / 2 for name, (won, games_won, games) in found.items()}


def by_buchholz(tallies: Tallies) -> Mapping[str, float]:
    """Return the pairs won, one that is even as half; of equals, whose opponents have more stands higher."""
    scores: dict[str, float] = {}
    for (player, _), tally in tallies.items():
        score = tally.total
        scores[player] = scores.get(player, 0.0) + (score.wins > score.losses) + (score.wins == score.losses) / 2
    beaten: dict[str, float] = {}
    for player, opponent in tallies:
        beaten[player] = beaten.get(player, 0.0) + scores[opponent]
    return {name: score + beaten[name] / 1e6 for name, score in scores.items()}


def by_draw(field: Field, values: Callable[[Sequence[GameRow]], Mapping[str, float]]) -> list[GameRow]:
    """Return the games of rounds in which those meet who are nearest in these values and have not met; of equals, by chance."""
    kind, rng = field.kind, Random(f"{field.seed} draw")
    left = {(pairing.one, pairing.other): pairing for pairing in _pairs(field)}
    rows: list[GameRow] = []
    for _ in range(kind.rounds):
        value, place = values(rows), {name: rng.random() for name in field.names}
        busy: set[str] = set()
        level = {name: value.get(name, 0.0) for name in field.names}
        for _, _, one, other in sorted((abs(level[a] - level[b]), place[a] + place[b], a, b) for a, b in left):
            if one not in busy and other not in busy:
                busy |= {one, other}
                rows += field.rows([left.pop((one, other))])
    return rows


def in_rounds(field: Field, rounds: int, games: int) -> list[GameRow]:
    """Return the games of an event with so many rounds."""
    event = make_event({"kind": "round-robin", "games": games, "rounds": rounds})
    key = key_of_seed(field.seed)
    pairs, rows = pairings(event, field.entrants, key), dict[str, GameRow]()
    while True:
        due = due_games(event, None, pairs, rows.values, key)
        missing = [pairing for pairing in due if pairing.id_of(1) not in rows]
        if not missing:
            return list(rows.values())
        rows |= {row.id: row for row in field.rows(missing)}


def _pairs(field: Field) -> list[Pairing]:
    event = make_event({"kind": "round-robin", "games": field.kind.games})
    return pairings(event, field.entrants, key_of_seed(field.seed))


def agreement(found: Mapping[str, float], right: Mapping[str, float]) -> tuple[float, ...]:
    """Return how well an order agrees with the right one; see the top of this file."""
    names = list(right)
    values = [np.array([order[name] for name in names]) for order in (found, right)]
    above = [np.sign(np.subtract.outer(each, each)) for each in values]
    tau = (above[0] * above[1]).sum() / np.sqrt((above[0] ** 2).sum() * (above[1] ** 2).sum())
    ranked = [sorted(names, key=lambda name: -values[name]) for values in (found, right)]
    places = [{name: place for place, name in enumerate(order)} for order in ranked]
    off = mean(abs(places[0][name] - places[1][name]) for name in names)
    same = len(set(ranked[0][:TOP]) & set(ranked[1][:TOP]))
    rho = np.corrcoef([[each[name] for name in names] for each in places])[0, 1]
    return float(tau), float(rho), same, off, ranked[0][0] == ranked[1][0]


def measure(field: Field) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return (schedule, ranks by) -> share of the games, then how well its ranks agree with everyone against everyone."""
    kind = field.kind
    all_pairs = _pairs(field)
    whole = field.rows(all_pairs)
    right = by_wins(count(whole))
    schedules: dict[str, tuple[list[GameRow], Sequence[tuple[str, Order]]]] = {
        "all again": (field.rows(all_pairs, 1), (("WINs", by_wins), ("rating", by_rating))),
        "random": (by_draw(field, lambda rows: {}), (("WINs", by_wins), ("rating", by_rating))),
        "score": (
            by_draw(field, lambda rows: {name: int(won) for name, won in by_wins(count(rows)).items()}),
            (("Buchholz", by_buchholz), ("rating", by_rating)),
        ),
        f"rating, {kind.rounds} rounds": (
            in_rounds(field, kind.rounds, kind.games),
            (("WINs", by_wins), ("Buchholz", by_buchholz), ("rating", by_rating)),
        ),
        f"rating, {2 * kind.rounds} rounds of half as many games": (
            in_rounds(field, 2 * kind.rounds, kind.games // 2), (("rating", by_rating),)
        ),
    }  # fmt: skip
    return {
        (schedule, words): (len(rows) / len(whole), *agreement(order(count(rows)), right))
        for schedule, (rows, orders) in schedules.items()
        for words, order in orders
    }


def main() -> int:
    """Print a table for each kind of class."""
    parser = parser_of("rounds", "How well the ranks of a ladder in rounds agree with everyone against everyone.")
    parser.add_argument("classes", nargs="?", type=whole_number(2, 10**4, "a number of classes"), default=12)
    classes = parser.parse_args().classes
    for kind in KINDS:
        found: dict[tuple[str, str], list[tuple[float, ...]]] = {}
        for seed in watched(range(classes), "classes"):
            for key, values in measure(Field(kind, seed)).items():
                found.setdefault(key, []).append(values)
        lines = []
        for (schedule, words), times in found.items():
            games, tau, rho, same, off, first = zip(*times, strict=True)
            spread = [f"{mean(each):.{digits}f} ± {stdev(each):.{digits}f}" for each, digits in ((tau, 3), (rho, 3), (same, 1))]
            lines.append([schedule, words, f"{mean(games):.1%}", *spread, f"{mean(off):.1f}", f"{mean(first):.0%}"])
        header = ["schedule", "ranks by", "games", "tau", "rho", f"of the first {TOP}", "places off", "same first"]
        print(f"{kind.words}\n\n{tabulate(lines, header, disable_numparse=True)}\n", flush=True)
    return DONE


if __name__ == "__main__":
    sys.exit(run("rounds", main, JudgeError))
