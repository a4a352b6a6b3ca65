"""Which games are due where that depends on how games went: a function of the event and the games that were stored.

Whatever was played when, and wherever a run was stopped: the same stored games make the same games due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from tournament.events.events import Event
from tournament.events.schedules import Pairing
from tournament.records import GameRow
from tournament.results.grading import plan_for
from tournament.results.ratings import ratings
from tournament.results.rubrics import Rubric
from tournament.results.tallies import Tallies, Tally, count


def due_games(
    event: Event, rubric: Rubric | None, pairs: Sequence[Pairing], rows: Callable[[], Iterable[GameRow]]
) -> list[Pairing]:
    """Return the pairings with the games that are due, finished ones too. Once they are all finished, more may be.

    rows: returns the games that were stored; only called if they matter.
    """
    if event.until_decided and rubric is not None:
        return _until_decided(event, rubric, pairs, rows())
    if event.deciding:
        return _deciding(event, pairs, rows())
    return list(pairs)


def _until_decided(event: Event, rubric: Rubric, pairs: Sequence[Pairing], rows: Iterable[GameRow]) -> list[Pairing]:
    plans = {opponent.name: plan_for(opponent, event.games, event.until_decided) for opponent in rubric.opponents}
    tallies = count(rows)
    due = []
    for pairing in pairs:
        score = tallies.get((pairing.one, pairing.other), Tally()).total
        due.append(pairing.due(plans[pairing.other].due(score.wins, score.games)))
    return due


def _deciding(event: Event, pairs: Sequence[Pairing], rows: Iterable[GameRow]) -> list[Pairing]:
    """Return the pairings with more games where they decide most, once the games that all pairs have are played."""
    first = {pairing.id_of(number) for pairing in pairs for number in range(1, pairing.games + 1)}
    found = [row for row in rows if row.id in first]
    if len(found) < len(first):
        return list(pairs)
    more = deciding_games(count(found), event.deciding)
    return [pairing.due(pairing.games + more.get(frozenset((pairing.one, pairing.other)), 0)) for pairing in pairs]


def deciding_games(tallies: Tallies, most: int) -> dict[frozenset[str], int]:
    """Return how many more games neighbours in rating are given, `most` in all: {the two} -> games, an even number.

    Whom the games leave undecided is given as many as would decide in 4 of 5 cases, those first that need fewest. Of those that
    need equally many all are given them or none, so that nobody's name matters. Raises TournamentError if scipy is missing.
    """
    neighbours: dict[int, list[frozenset[str]]] = {}
    for one, below in pairwise(ratings(tallies).players):
        if one.needed:
            neighbours.setdefault(one.needed, []).append(frozenset((one.name, below.name)))
    given: dict[frozenset[str], int] = {}
    for needed, equals in sorted(neighbours.items()):
        if needed * len(equals) <= most:
            given |= dict.fromkeys(equals, needed)
            most -= needed * len(equals)
    return given
