"""How long games will take: by what was measured, and where nothing was, by an estimate that says so."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gojudge.records import PROGRAM, Entrant
from tests.support.game_rows import row
from tournament.courses.due import estimate, measure_answers, writing

NAMES = ["ann", "bob", "cy", "dee"]
CLASS = [*map(Entrant, NAMES), Entrant("random", reference="random")]
PAIRS = st.dictionaries(st.sampled_from([frozenset(pair) for pair in combinations([*NAMES, "random"], 2)]), st.integers(1, 50))
KNOWN = st.dictionaries(st.sampled_from([*NAMES, "random"]), st.floats(0, 100))


def test_a_game_lasts_as_long_as_both_players_answers():
    first = row("ann", "bob", "B", black_seconds=4.0, white_seconds=1.0)
    rows = [first, row("bob", "ann", "W", 2, black_seconds=2.0, white_seconds=6.0)]
    assert measure_answers(rows) == {"ann": 5.0, "bob": 1.5}
    found = estimate({frozenset(("ann", "bob")): 100}, measure_answers(rows), CLASS)
    assert found.seconds == pytest.approx(650, rel=0.02)
    assert found.words(2) == "about 5 min, 2 games at a time, as measured so far"


def test_the_first_source_that_knows_counts():
    sources = [row("ann", "bob", "B", black_seconds=1.0)], [row("ann", "cy", "B", black_seconds=9.0, white_seconds=3.0)]
    assert measure_answers(*sources) == {"ann": 1.0, "bob": 0.0, "cy": 3.0}


@given(PAIRS, KNOWN)
def test_it_is_said_whose_games_were_not_measured(games, known):
    found = estimate(games, known, CLASS)
    unknown = {name for pair in games for name in pair} - {*known, "random"}
    assert found.mean | found.first == unknown
    assert not (found.mean and found.first)
    words = found.words(1)
    assert all(name in words for name in unknown)
    assert ("as measured so far" in words) == (not unknown)
    assert ("a first estimate" in words) == bool(found.first)


@given(PAIRS, KNOWN, PAIRS)
def test_more_games_take_longer_and_estimates_add_up(games, known, more):
    one, other = estimate(games, known, CLASS), estimate(more, known, CLASS)
    both = estimate(Counter(games) + Counter(more), known, CLASS)
    # A sandbox that is open already does not start again.
    starts = 0.12 * sum(2 - ("random" in pair) for pair in games.keys() & more.keys())
    assert (one + other).seconds == pytest.approx(both.seconds + starts)
    assert both.seconds >= max(one.seconds, other.seconds)


def test_who_has_not_played_is_taken_to_be_like_the_others():
    known = {"ann": 2.0, "bob": 4.0, "random": 50.0}
    rest = estimate({frozenset(("cy", "dee")): 10}, known, CLASS)
    assert rest.seconds == pytest.approx(60, rel=0.02)
    assert rest.mean == {"cy", "dee"}
    # So are those whom rounds are still to find.
    assert estimate({frozenset(): 10}, known, CLASS).seconds == pytest.approx(rest.seconds)


def test_programs_take_longer_where_nothing_is_known():
    pair = {frozenset(("ann", "random")): 10}
    one, other = (estimate(pair, {}, [Entrant("ann", kind=kind), CLASS[-1]]).seconds for kind in ("class", PROGRAM))
    assert one < other


def test_starts_of_sandboxes_and_pages_are_in_it_and_pages_are_not_written_at_the_same_time():
    """By the figures of docs/measurements.md."""
    quick = dict.fromkeys(["ann", "bob", "random"], 0.0)
    one, two = (estimate({frozenset(pair): 1}, quick, CLASS) for pair in (("ann", "random"), ("ann", "bob")))
    assert two.seconds - one.seconds == pytest.approx(0.12)
    pages = writing(0)
    assert writing(199_000).pages == pytest.approx(39, rel=0.1)
    assert (one + pages + pages).words(1000) == "about 2 s, 1000 games at a time, as measured so far"
