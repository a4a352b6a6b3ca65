"""Ranking by WINs: who won more games of a pair."""

import csv
import io
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gojudge.records import Entrant
from tests.support.game_rows import match
from tests.tournament.results.test_tallies import ROWS
from tournament.results.ratings import ratings
from tournament.results.rubric_files import read_rubric
from tournament.results.standings import ranking_text, standings, standings_csv

SECOND_STAGE = read_rubric("2019-second")


def chain(number):
    """Players p00, p01, ...: each beats all after him."""
    names = [f"p{k:02}" for k in range(number)]
    return [game for k, one in enumerate(names) for other in names[k + 1 :] for game in match(one, other, "11111111122")]


def ranked(rows, **options):
    return [(one.name, one.rank, one.won) for one in standings(rows, **options).players]


def test_who_wins_more_of_a_pair_gets_one_win_however_many_games_that_is():
    rows = match("ann", "bob", "11111122222") + match("bob", "cy", "1" * 11) + match("ann", "cy", "2" * 6 + "1" * 5)
    found = standings(rows).players
    assert [(one.name, one.won, one.lost, one.even) for one in found] == [("bob", 1, 1, 0), ("ann", 1, 1, 0), ("cy", 1, 1, 0)]
    assert [one.rank for one in found] == [1, 1, 1]


def test_where_opponents_differ_ranks_are_by_rating():
    """The third of four strong players has fewer WINs than the best of four weak ones, and stands above them."""
    weak = [replace(game, black=f"w{game.black}", white=f"w{game.white}", id=f"w{game.id}") for game in chain(4)]
    rows = [*chain(4), *weak, *match("wp00", "p03", "2" * 11)]
    by_wins, by_rating = ranked(rows), ranked(rows, by_rating=True, names=["absent"])
    places = [{name: rank for name, rank, _ in found} for found in (by_wins, by_rating)]
    assert places[0]["p02"] > places[0]["wp00"]
    assert places[1]["p02"] < places[1]["wp00"]
    assert [name for name, _, _ in by_rating] == [*(one.name for one in ratings(standings(rows).tallies).players), "absent"]
    assert by_rating[-1][1:] == (9, 0)


def test_equal_ratings_share_the_better_rank():
    rows = match("ann", "cy", "1" * 4) + match("bob", "cy", "1" * 4)
    assert ranked(rows, by_rating=True) == [("ann", 1, 1), ("bob", 1, 1), ("cy", 3, 0)]


def test_rank_points_of_the_second_stage():
    found = standings(chain(13), rubric=SECOND_STAGE).players
    assert [one.won for one in found] == list(range(12, -1, -1))
    assert [one.points for one in found] == [20, 20, 15, 15, 15, 10, 10, 10, 10, 10, 5, 5, 5]


def test_equals_share_the_better_rank_and_its_points():
    rows = match("ann", "bob", "1") + match("ann", "cy", "1") + match("ann", "dee", "1") + match("bob", "cy", "=")
    found = standings(rows + match("bob", "dee", "=") + match("cy", "dee", "="), rubric=SECOND_STAGE).players
    assert [(one.name, one.rank) for one in found] == [("ann", 1), ("bob", 2), ("cy", 2), ("dee", 2)]
    assert {one.points for one in found} == {20}
    assert ranked(chain(2) + match("cy", "dee", "1")) == [("cy", 1, 1), ("p00", 1, 1), ("p01", 3, 0), ("dee", 3, 0)]


def test_an_even_pair_is_a_win_for_nobody():
    (one, other) = standings(match("ann", "bob", "1212=")).players
    assert (one.won, one.lost, one.even) == (other.won, other.lost, other.even) == (0, 0, 1)


def test_among_equals_the_larger_share_of_games_won_is_listed_first():
    rows = match("ann", "cy", "1122122") + match("bob", "cy", "1222222") + match("dee", "cy", "1222222")
    assert ranked(rows) == [("cy", 1, 3), ("ann", 2, 0), ("bob", 2, 0), ("dee", 2, 0)]


def test_win_rates_are_known_by_colour():
    (ann, bob) = standings(match("ann", "bob", "1112")).players
    assert (ann.tally.black.text(), ann.tally.white.text()) == ("2-0", "1-1")
    assert (bob.tally.black.text(), bob.tally.white.text()) == ("1-1", "0-2")


def test_who_has_not_played_yet_is_last():
    assert ranked(match("zoe", "bob", "1"), names=["ann", "zoe"]) == [("zoe", 1, 1), ("ann", 2, 0), ("bob", 2, 0)]
    assert standings([]).players == ()


def test_without_a_rubric_of_ranks_there_are_no_rank_points():
    assert {one.points for one in standings(chain(3), rubric=read_rubric("2019")).players} == {None}


@given(ROWS, st.randoms())
def test_standings_do_not_depend_on_the_order_of_games(rows, rng):
    before = standings(rows)
    rng.shuffle(rows)
    assert standings(rows).players == before.players


@given(ROWS)
def test_every_decided_pair_is_one_win_and_one_defeat(rows):
    found = standings(rows).players
    pairs = {frozenset((game.black, game.white)) for game in rows}
    assert sum(one.won for one in found) == sum(one.lost for one in found)
    assert sum(one.won + one.lost + one.even for one in found) == 2 * len(pairs)
    assert [one.won for one in found] == sorted((one.won for one in found), reverse=True)
    for one in found:
        assert one.rank == 1 + sum(other.won > one.won for other in found)
        share = Fraction(sum(((g.winner == 1) == (g.black == one.name)) and g.winner > 0 for g in rows
                             if one.name in (g.black, g.white)), max(1, one.tally.total.games))  # fmt: skip
        assert share == Fraction(one.tally.total.wins, max(1, one.tally.total.games))


@pytest.mark.parametrize("number", [1, 2, 3, 10])
def test_a_chain_is_ranked_as_it_is(number):
    assert [name for name, _, _ in ranked(chain(number))] == [f"p{k:02}" for k in range(number if number > 1 else 0)]


def test_what_a_roster_says_besides_stands_behind_the_ranking():
    entrants = [Entrant("ann", fields=(("email", "ann@example.org"), ("rank", "7"))), Entrant("bob")]
    text = standings_csv(standings(match("ann", "bob", "1")).players, None, entrants)
    ann, bob = csv.DictReader(io.StringIO(text))
    assert (ann["rank"], ann["rating_high"], ann["email"], ann["roster_rank"]) == ("1", "", "ann@example.org", "7")
    assert (bob["email"], bob["roster_rank"]) == ("", "")


def test_the_file_says_how_many_games_would_decide_between_neighbours_in_rating():
    found = standings(match("ann", "bob", "1" * 60 + "2" * 45) + match("bob", "cy", "1" * 90 + "2" * 10))
    rated = ratings(found.tallies)
    lines = csv.DictReader(io.StringIO(standings_csv(found.players, rated)))
    needed = {line["name"]: line["games_to_decide"] for line in lines}
    assert needed == {"ann": str(rated.players[0].needed), "bob": "0", "cy": "0"}
    assert f"decide 1 of these in 4 of 5 cases: ann and bob {needed['ann']}." in ranking_text(found, rated)


def test_the_file_says_who_is_too_close_to_be_told_apart():
    equals = standings(match("ann", "bob", "12" * 9))
    rated = ratings(equals.tallies)
    assert "1 of these is too close" in ranking_text(equals, rated)
    lines = csv.DictReader(io.StringIO(standings_csv(equals.players, rated)))
    assert [line["games_to_decide"] for line in lines] == [">10000", "0"]
