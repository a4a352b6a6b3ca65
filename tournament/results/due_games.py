"""Which games are due, if that depends on how games went: a function of the event and the stored games.

When games were played, and where a run was stopped, does not matter: the same stored games make the same games due.

Rounds. In a round robin with `rounds` everybody has so many opponents rather than all. A round is made of what was played in
rounds before it: of all pairs that have not met, those nearest in rating first, each player once. In the first round, and
among equals, the event's key draws. So a round that was half played when a run was stopped is made again the same.

A round begins once all games of the one before are played, or are void. Who still lacks opponents after as many rounds (of an
odd number one has none in each round, others come later or hand in anew) goes on in further rounds, against whomever is
nearest. A round is closed once there are games of a later one: newcomers change nothing in it, and only its missing games are
played.

Ranks are then by rating (see `tournament.results.ratings`), since strong players meet strong ones. `lab/rounds.py`
measures how well they agree with those of everyone against everyone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from gojudge.records import GameRow
from tournament.events.events import Event
from tournament.events.schedules import Key, Pairing
from tournament.results.decisions import plan_of
from tournament.results.ratings import CENTRE, Tallies, Tally, count, ratings
from tournament.results.rubrics import Rubric


def due_games(
    event: Event, rubric: Rubric | None, pairs: Sequence[Pairing], rows: Callable[[], Iterable[GameRow]], key: Key,
    void: Collection[str] = (),
) -> list[Pairing]:  # fmt: skip
    """Return the pairings with the games that are due, finished ones too. Once they are all finished, more may be.

    rows: returns the games that were stored; only called if they matter. void: ids of games for which no round waits.
    """
    if event.until_decided and rubric is not None:
        return _until_decided(event, rubric, pairs, rows())
    if event.deciding:
        return _deciding(event, pairs, rows())
    if event.rounds:
        return _in_rounds(event.rounds, pairs, list(rows()), key, void)
    return list(pairs)


def games_in_all(event: Event, pairs: Sequence[Pairing], due: Sequence[Pairing]) -> int:
    """Return how many games the event will have in the end; with rounds this is an estimate, rather too low."""
    games = sum(pairing.games for pairing in due)
    if not event.rounds:
        return games
    met = Counter(name for pairing in due for name in (pairing.one, pairing.other))
    names = {name for pairing in pairs for name in (pairing.one, pairing.other)}
    lacking = [max(0, min(event.rounds, len(names) - 1) - met[name]) for name in names]
    return games + event.games * max((sum(lacking) + 1) // 2, max(lacking, default=0))


def _until_decided(event: Event, rubric: Rubric, pairs: Sequence[Pairing], rows: Iterable[GameRow]) -> list[Pairing]:
    plans = {opponent.name: plan_of(opponent.starts, event.games, event.until_decided) for opponent in rubric.opponents}
    tallies = count(rows)
    due = []
    for pairing in pairs:
        score = tallies.get((pairing.one, pairing.other), Tally()).total
        due.append(pairing.due(plans[pairing.other].due(score.wins, score.games)))
    return due


def _deciding(event: Event, pairs: Sequence[Pairing], rows: Iterable[GameRow]) -> list[Pairing]:
    """Return the pairings, with extra games where they decide most once the games that all pairs have are played."""
    first = {game for pairing in pairs for game in pairing.ids}
    looked = [row for row in rows if row.id in first]
    if len(looked) < len(first):
        return list(pairs)
    more = deciding_games(count(looked), event.deciding)
    return [pairing.due(pairing.games + more.get(frozenset((pairing.one, pairing.other)), 0)) for pairing in pairs]


def deciding_games(tallies: Tallies, most: int) -> dict[frozenset[str], int]:
    """Return how many more games neighbours in rating are given, `most` in all: {the two} -> games, an even number.

    Undecided neighbours get as many as would decide in 4 of 5 cases, starting with those that need fewest. Of those that need
    equally many either all get them or none, so that nobody's name matters. Raises JudgeError if scipy is missing.
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


# Rounds; see the top of this file


def _in_rounds(most: int, pairs: Sequence[Pairing], rows: Sequence[GameRow], key: Key, void: Collection[str]) -> list[Pairing]:
    """Return the pairings of all rounds so far, and of the one that is open."""
    if not pairs:
        return []
    round_of = {row.id: pairs[0].round_of(row.id) for row in rows}
    stored = {(round_of[row.id], frozenset((row.black, row.white))) for row in rows}
    last = max(round_of.values(), default=1)
    of_pair = {_of(pairing): pairing for pairing in pairs}
    due = [replace(of_pair[pair], round=number) for number, pair in stored if pair in of_pair]
    drawn = {name for number, pair in stored if number == last for name in pair}
    before = [row for row in rows if round_of[row.id] < last]
    due += _next_round(last, most, pairs, before, drawn, key)
    ids = {game: pairing for pairing in due for game in pairing.ids}
    if ids.keys() <= {*round_of, *void}:
        void_pairs = {_of(ids[game]) for game in void if game in ids}
        due += _next_round(last + 1, most, [pairing for pairing in pairs if _of(pairing) not in void_pairs], rows, (), key)
    return sorted(due, key=lambda pairing: (pairing.round, pairing.one, pairing.other))


def _next_round(
    number: int, most: int, pairs: Sequence[Pairing], before: Sequence[GameRow], drawn: Collection[str], key: Key
) -> list[Pairing]:
    """Return who meets whom in a round; none if nobody lacks opponents whom they have not met.

    most: how many opponents everybody has. before: the games of earlier rounds. drawn: who has games in this one already.
    """
    names = {name for pairing in pairs for name in (pairing.one, pairing.other)}
    if len(names - {*drawn}) < 2:
        return []
    tallies = count(before)
    met = Counter(player for player, _ in tallies)
    rating = {one.name: one.rating for one in ratings(tallies).players}
    place = {name: number for number, name in enumerate(sorted(names, key=key.draws_place))}

    def order(pairing: Pairing) -> tuple[float, int, int]:
        one, other = place[pairing.one], place[pairing.other]
        apart = abs(rating.get(pairing.one, CENTRE) - rating.get(pairing.other, CENTRE))
        return round(apart, 3), min(one, other), max(one, other)

    possible = [
        pairing for pairing in pairs
        if min(met[pairing.one], met[pairing.other]) < most and (pairing.one, pairing.other) not in tallies
    ]  # fmt: skip
    round_pairs, busy = list[Pairing](), set(drawn)
    # Pairs made earlier need not be known: each takes the nearest free player, so the others come out the same.
    for pairing in sorted(possible, key=order):
        if pairing.one not in busy and pairing.other not in busy:
            round_pairs.append(replace(pairing, round=number))
            busy |= {pairing.one, pairing.other}
    return round_pairs


def _of(pairing: Pairing) -> frozenset[str]:
    return frozenset((pairing.one, pairing.other))
