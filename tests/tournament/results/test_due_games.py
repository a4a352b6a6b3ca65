"""Which games are due depends on stored games alone, so a run that is stopped anywhere ends like one that is not."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gojudge.records import Entrant
from tests.support.game_rows import match, row
from tournament.events.event_files import make_event
from tournament.events.schedules import key_of_seed, open_batches, pairings
from tournament.results.due_games import deciding_games, due_games, games_in_all
from tournament.results.ratings import count, ratings
from tournament.results.rubric_files import read_rubric

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


def play(event, entrants, rng=None, rows=None):
    """Rows of all games, by id. rng: stops the run again and again, after games of any pairs. rows: of games so far."""
    pairs, rows = pairings(event, entrants, KEY), dict(rows or {})
    while True:
        due = due_games(event, RUBRIC, pairs, rows.values, KEY)
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
    assert due_games(event, RUBRIC, pairs, lambda: 1 / 0, KEY) == pairs


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


# Rounds

FIELD = [Entrant(name) for name in "abcdefghijklmnopq"]


def swiss(rounds, games=2):
    """A round robin in which everybody has so many opponents."""
    return make_event({"kind": "round-robin", "games": games, "rounds": rounds})


def round_of(id):
    """The round in a game's id."""
    return int(id.rpartition("-")[2][:-3])


def opponents(rows):
    """Name -> those they have met, once for each pair."""
    pairs = {(round_of(game.id), frozenset((game.black, game.white))) for game in rows.values()}
    return {one.name: [name for _, pair in pairs if one.name in pair for name in pair - {one.name}] for one in FIELD}


@pytest.mark.slow
@given(st.integers(2, len(FIELD)), st.integers(1, 20), st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_everybody_meets_as_many_as_there_are_rounds_and_nobody_twice(players, rounds, games):
    event, entrants = swiss(rounds, games), FIELD[:players]
    rows = play(event, entrants)
    for one in entrants:
        met = opponents(rows)[one.name]
        assert len(set(met)) == len(met) >= min(rounds, players - 1)
        of_round = Counter(round_of(game.id) for game in rows.values() if one.name in (game.black, game.white))
        assert set(of_round.values()) == {games}
    # No more than each needs, but for those whom an odd one out has to meet.
    assert len(rows) <= games * (players * min(rounds, players - 1) // 2 + rounds)


@pytest.mark.slow
@given(st.integers(2, len(FIELD)), st.integers(1, 8), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_rounds_that_are_stopped_anywhere_play_the_same_games(players, rounds, seed):
    event = swiss(rounds)
    assert play(event, FIELD[:players], Random(seed)) == play(event, FIELD[:players])


@pytest.mark.slow
@given(st.integers(4, 14), st.integers(1, 6), st.integers(1, 3), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_who_comes_later_plays_and_nothing_else_is_played_anew(players, rounds, more, seed):
    event, entrants = swiss(rounds), FIELD[: players + more]
    before = play(event, FIELD[:players])
    rows = play(event, entrants, rows=before)
    assert before.items() <= rows.items()
    new = {one.name for one in FIELD[players : players + more]}
    others = [id for id, game in rows.items() if id not in before and not new & {game.black, game.white}]
    assert not others or players <= rounds or players % 2
    assert len(rows) - len(before) <= 2 * (rounds + 1) * (more + 1)
    assert all(len(opponents(rows)[name]) >= min(rounds, players + more - 1) for name in new)
    assert play(event, entrants, Random(seed), before) == rows


@pytest.mark.slow
@given(st.integers(6, 14), st.integers(2, 6), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_who_hands_in_anew_plays_again_and_others_do_not(players, rounds, seed):
    event, entrants = swiss(rounds), FIELD[:players]
    before = play(event, entrants)
    kept = {id: game for id, game in before.items() if "c" not in (game.black, game.white)}
    rows = play(event, entrants, rows=kept)
    assert kept.items() <= rows.items()
    assert all(len(met) >= min(rounds, players - 1) for name, met in opponents(rows).items() if Entrant(name) in entrants)
    assert len(rows) - len(kept) <= 2 * 2 * (rounds + 2)
    assert play(event, entrants, Random(seed), kept) == rows


def test_without_pairings_nothing_is_due_whatever_was_played():
    event = swiss(2)
    rows = play(event, FIELD[:3])
    assert rows
    assert due_games(event, None, [], rows.values, KEY) == []


def test_a_round_waits_for_no_game_that_is_void():
    event, void = swiss(4), set()
    pairs, rows = pairings(event, FIELD[:8], KEY), {}
    for _ in range(100):
        due = due_games(event, RUBRIC, pairs, rows.values, KEY, void)
        batches = open_batches(due, {id: game.black for id, game in rows.items()})
        missing = [game for batch in batches for game in batch.games(KEY) if game.id not in void]
        if not missing:
            break
        void |= {game.id for game in missing if "c" in (game.black, game.white)}
        rows |= {game.id: result_of(game) for game in missing if game.id not in void}
    assert not missing
    assert opponents(rows)["c"] == []
    assert all(len(opponents(rows)[one.name]) >= 4 for one in FIELD[:8] if one.name != "c")
    # As soon as they can be played they are, and what was played stays.
    assert rows.items() < play(event, FIELD[:8], rows=rows).items()
    assert len(opponents(play(event, FIELD[:8], rows=rows))["c"]) >= 4


def test_in_each_round_the_nearest_meet_and_the_first_is_drawn_by_the_key():
    event = swiss(3)
    pairs = pairings(event, FIELD[:16], KEY)
    first = due_games(event, RUBRIC, pairs, list, KEY)
    assert len(first) == 8
    assert {pairing.round for pairing in first} == {1}
    assert first != due_games(event, RUBRIC, pairs, list, key_of_seed(2))
    # Who is first in the alphabet wins: in the second round winners meet winners.
    rows = [replace(row(*game, "BW"[min(game) != game[0]]), id=pairing.id_of(number)) for pairing in first
            for number in (1, 2) for game in [pairing.colours(number)]]  # fmt: skip
    winners = {min(pairing.one, pairing.other) for pairing in first}
    second = [pairing for pairing in due_games(event, RUBRIC, pairs, lambda: rows, KEY) if pairing.round == 2]
    assert len(second) == 8
    assert all(len(winners & {pairing.one, pairing.other}) in (0, 2) for pairing in second)


@pytest.mark.slow
@given(st.integers(2, 17), st.integers(1, 20))
@settings(max_examples=15, deadline=None)
def test_how_many_games_there_will_be_is_known_before_within_a_few(players, rounds):
    event = swiss(rounds)
    pairs = pairings(event, FIELD[:players], KEY)
    rows = play(event, FIELD[:players])
    said = games_in_all(event, pairs, due_games(event, RUBRIC, pairs, list, KEY))
    assert 0 <= len(rows) - said <= 2 * rounds
    assert games_in_all(event, pairs, due_games(event, RUBRIC, pairs, rows.values, KEY)) == len(rows)
