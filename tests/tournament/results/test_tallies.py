from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gojudge.records import Termination
from tests.support.game_rows import row
from tournament.results.ratings import count, together

NAMES = st.sampled_from(["ann", "bob", "cy", "dee"])
ROWS = st.lists(
    st.builds(
        row,
        NAMES,
        NAMES,
        st.sampled_from("BW="),
        st.integers(1, 99),
        black_moves=st.integers(0, 12),
        white_moves=st.integers(0, 12),
        black_seconds=st.integers(0, 9).map(float),
        white_seconds=st.integers(0, 9).map(float),
        black_worst=st.integers(0, 5).map(float),
        white_worst=st.integers(0, 5).map(float),
    ).filter(lambda game: game.black != game.white),
    max_size=40,
)


@given(ROWS)
def test_counting_agrees_with_counting_one_question_at_a_time(rows):
    tallies = count(rows)
    assert set(tallies) == {pair for game in rows for pair in ((game.black, game.white), (game.white, game.black))}
    for (player, opponent), tally in tallies.items():
        as_black = [game for game in rows if (game.black, game.white) == (player, opponent)]
        as_white = [game for game in rows if (game.black, game.white) == (opponent, player)]
        assert tally.black.wins == sum(game.winner == 1 for game in as_black)
        assert tally.white.wins == sum(game.winner == 2 for game in as_white)
        assert tally.total.ties == sum(game.winner == 0 for game in as_black + as_white)
        assert tally.total.games == len(as_black + as_white)
        assert tally.answers == sum(g.black_moves for g in as_black) + sum(g.white_moves for g in as_white)
        assert tally.worst == max([g.black_worst for g in as_black] + [g.white_worst for g in as_white])
        assert tally.total.wins == tallies[opponent, player].total.losses


def test_forfeits_are_counted_for_who_forfeited():
    rows = [
        row("ann", "bob", "W", termination=Termination.CRASH, forfeited_by=1),
        row("bob", "ann", "B", termination=Termination.CRASH, forfeited_by=2),
        row("bob", "ann", "W", termination=Termination.TIME_OUT, forfeited_by=1),
    ]
    tallies = count(rows)
    assert tallies["ann", "bob"].forfeits == Counter({Termination.CRASH: 2})
    assert tallies["bob", "ann"].forfeits == Counter({Termination.TIME_OUT: 1})


def test_times_are_those_of_the_players_own_answers():
    first = row("ann", "bob", "W", black_moves=2, black_seconds=1.0, black_worst=0.75, white_moves=2, white_seconds=9.0)
    second = row("bob", "ann", "W", white_moves=2, white_seconds=2.0, white_worst=1.5)
    tally = count([first, second])["ann", "bob"]
    assert (tally.answers, tally.seconds, tally.worst, tally.mean) == (4, 3.0, 1.5, 0.75)
    assert together([]).mean == 0


@pytest.mark.parametrize(("results", "text"), [("BB", "2-0"), ("W", "0-1"), ("B=W", "1-1-1")])
def test_scores_as_text(results, text):
    assert count([row("ann", "bob", result) for result in results])["ann", "bob"].total.text() == text
