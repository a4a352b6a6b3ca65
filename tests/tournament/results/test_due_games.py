"""Which games are due depends on stored games alone, so a run that is stopped anywhere ends like one that is not."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.game_rows import match, row
from tournament.events.event_files import make_event
from tournament.events.schedules import key_of_seed, open_batches, pairings
from tournament.records import Entrant
from tournament.results.due_games import deciding_games, due_games
from tournament.results.ratings import ratings
from tournament.results.rubric_files import read_rubric
from tournament.results.tallies import count

KEY = key_of_seed(1)
RUBRIC = read_rubric("2019")
GRADE = make_event({"kind": "grade", "games": 40, "until_decided": 0.05})
RATES = {"ann": 0.97, "bob": 0.4, "cy": 0.9}
CUP = make_event({"kind": "round-robin", "games": 5, "deciding": 120})
FIRST = replace(CUP, deciding=0)
PLAYERS = [Entrant(name) for name in ("ann", "bob", "cy", "dee", "eli")]
ENTRANTS = [*(Entrant(name) for name in RATES), *RUBRIC.references()]


def result_of(spec):
    """The game as it comes out whenever it is played: by chance, which hangs on its id. Who is in RATES wins so often."""
    rate = RATES[spec.black] if spec.black in RATES else 1 - RATES.get(spec.white, 0.5)
    return replace(row(spec.black, spec.white, "BW"[Random(spec.id).random() >= rate]), id=spec.id)


@cache
def undisturbed(event):
    """Rows of all games of an event, by id."""
    return play(event, PLAYERS if event.kind == "round-robin" else ENTRANTS)


def play(event, entrants, rng=None):
    """Rows of all games, by id. rng: stops the run again and again, after games of any pairs."""
    pairs, rows = pairings(event, entrants, KEY), {}
    while True:
        due = due_games(event, RUBRIC, pairs, rows.values)
        batches = open_batches(due, {id: game.black for id, game in rows.items()})
        missing = [game for batch in batches for game in batch.games(KEY)]
        if not missing:
            return rows
        if rng is not None:
            missing = rng.sample(missing, rng.randint(1, len(missing)))
        rows |= {game.id: result_of(game) for game in missing}


@given(st.integers(0, 2**32))
@settings(max_examples=20)
def test_a_grade_that_is_stopped_anywhere_plays_the_same_games(seed):
    assert play(GRADE, ENTRANTS, Random(seed)) == undisturbed(GRADE)


def test_games_end_where_they_decide_and_all_are_those_of_a_fixed_grade():
    found, fixed = undisturbed(GRADE), undisturbed(replace(GRADE, until_decided=0.0))
    assert len(fixed) == 3 * 4 * 40
    assert found.items() < fixed.items()
    of_pair = {pair: sum(id.startswith(pair) for id in found) for pair in ("ann-random", "bob-random", "cy-random")}
    assert of_pair["bob-random"] < 40
    assert of_pair["cy-random"] == 40


def test_nobodys_number_of_games_depends_on_others():
    alone = play(GRADE, [ENTRANTS[1], *RUBRIC.references()])
    assert alone.items() < undisturbed(GRADE).items()


@pytest.mark.parametrize("kind", ["grade", "match"])
def test_where_nothing_is_decided_games_are_not_even_read(kind):
    event = make_event({"kind": kind, "games": 4})
    pairs = pairings(event, ENTRANTS if kind == "grade" else ENTRANTS[:2], KEY)
    assert due_games(event, RUBRIC, pairs, lambda: 1 / 0) == pairs


def more_of(rows, event):
    """Pair -> games beyond those that all have."""
    games = Counter(frozenset((game.black, game.white)) for game in rows.values())
    assert len(games) == len(PLAYERS) * (len(PLAYERS) - 1) // 2
    return {pair: number - event.games for pair, number in games.items() if number > event.games}


@given(st.integers(0, 2**32))
@settings(max_examples=20)
def test_a_round_robin_that_is_stopped_anywhere_plays_the_same_games(seed):
    assert play(CUP, PLAYERS, Random(seed)) == undisturbed(CUP)


def test_more_games_are_played_by_neighbours_whom_the_first_ones_leave_open():
    first = undisturbed(FIRST)
    found = ratings(count(first.values())).players
    needed = {frozenset((one.name, below.name)): one.needed for one, below in pairwise(found) if one.needed}
    for budget in (0, 20, 60, 400):
        more = more_of(undisturbed(replace(CUP, deciding=budget)), CUP)
        assert more.items() <= needed.items()
        assert sum(more.values()) <= budget
        left_out = [games for pair, games in needed.items() if pair not in more]
        assert all(games > budget - sum(more.values()) for games in left_out)
    assert more


def test_nobodys_name_decides_who_plays_more():
    """The same results under names in the opposite order: the same games are given."""
    tallies = count(undisturbed(FIRST).values())
    names = {one.name: f"{99 - k}" for k, one in enumerate(PLAYERS)}
    turned = {(names[one], names[other]): tally for (one, other), tally in tallies.items()}
    for most in range(0, 200, 10):
        given = deciding_games(tallies, most)
        assert deciding_games(turned, most) == {frozenset(map(names.get, pair)): games for pair, games in given.items()}


def test_of_equal_needs_all_are_met_or_none():
    rows = [game for one, other in (("ann", "bob"), ("cy", "dee")) for game in match(one, other, "1" * 14 + "2" * 6)]
    rows += [game for one in ("ann", "bob") for other in ("cy", "dee") for game in match(one, other, "1" * 19 + "2")]
    both = deciding_games(count(rows), 1000)
    assert sorted(map(sorted, both)) == [["ann", "bob"], ["cy", "dee"]]
    (needed,) = set(both.values())
    assert deciding_games(count(rows), 2 * needed) == both
    assert deciding_games(count(rows), 2 * needed - 2) == {}
