"""Who stands where: a pure function of rows.

A *pair* is all games that two players have played against each other so far. The player who won more of them than they
lost gets the WIN; nobody does if the pair is even. The ranking is by WINs alone, as in the course. Players with equally
many WINs share the best of their ranks, and its points: two players on rank 2 are followed by rank 4, and if rank 2 is
worth 20 points, both get 20. Players on one rank are listed by their share of games won, larger first, then by name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from tournament.records import GameRow
from tournament.results.rubrics import Rubric
from tournament.results.tallies import Tallies, Tally, count


@dataclass(frozen=True)
class Standing:
    """One player's place. won, lost, even: pairs. points: for the rank; None if no rubric says. tally: all games."""

    name: str
    rank: int
    points: Fraction | None
    won: int
    lost: int
    even: int
    tally: Tally


@dataclass(frozen=True)
class Standings:
    """players: best first. tallies: (player, opponent) -> that player's games against that opponent."""

    players: tuple[Standing, ...]
    tallies: Tallies


def standings(rows: Iterable[GameRow], names: Iterable[str] = (), rubric: Rubric | None = None) -> Standings:
    """Return everybody who has played, and those of `names` who have not yet, in order."""
    tallies = count(rows)
    wholes = {name: Tally() for name in names}
    pairs = {name: [0, 0, 0] for name in wholes}
    for (player, _), tally in tallies.items():
        wholes.setdefault(player, Tally()).add(tally)
        score = tally.total
        result = 2 if score.wins == score.losses else 0 if score.wins > score.losses else 1
        pairs.setdefault(player, [0, 0, 0])[result] += 1

    def order(name: str) -> tuple[int, Fraction, str]:
        score = wholes[name].total
        return -pairs[name][0], -Fraction(score.wins, score.games or 1), name

    players: list[Standing] = []
    for place, name in enumerate(sorted(wholes, key=order), 1):
        won, lost, even = pairs[name]
        shared = bool(players) and players[-1].won == won
        rank = players[-1].rank if shared else place
        points = rubric.rank_points(rank) if rubric is not None and rubric.ranks else None
        players.append(Standing(name, rank, points, won, lost, even, wholes[name]))
    return Standings(tuple(players), tallies)
