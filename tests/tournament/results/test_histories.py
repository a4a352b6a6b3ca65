"""Movement and versions on a ladder, from the rankings that were published."""

from datetime import UTC, datetime, timedelta

from tournament.results.histories import Place, Ranking, count_places_gained, history, week_before

START = datetime(2026, 10, 1, tzinfo=UTC)


def ranking(day, *places):
    return Ranking(
        START + timedelta(days=day),
        tuple(Place(name, version, rank, 1500.0, 1400.0, 1600.0) for rank, (name, version) in enumerate(places, 1)),
    )


FIRST = ranking(0, ("ann", "a1"), ("bob", "b1"))
SECOND = ranking(3, ("bob", "b2"), ("cy", "c1"), ("ann", "a1"))
THIRD = ranking(10, ("cy", "c1"), ("bob", "b2"), ("ann", "a1"), ("dee", "d1"))


def test_movement_is_that_since_a_week_before_the_last_board():
    assert week_before([FIRST, SECOND, THIRD]) == SECOND
    assert count_places_gained([FIRST, SECOND, THIRD]) == {"cy": 1, "bob": -1, "ann": 0}
    assert week_before([FIRST, SECOND, ranking(9.99)]) == FIRST


def test_a_young_ladder_moves_since_its_first_board():
    assert count_places_gained([FIRST, SECOND]) == {"bob": 1, "ann": -2}
    assert count_places_gained([FIRST]) == count_places_gained([]) == {}
    assert week_before([FIRST]) is None


def test_a_players_history_has_its_versions_and_no_board_on_which_nothing_changed():
    rankings = [FIRST, SECOND, THIRD, ranking(11, ("cy", "c1"), ("bob", "b1")), ranking(12, ("ann", "a1"), ("bob", "b1"))]
    spans = history(rankings, "bob")
    assert [(span.time.day, span.number, span.place.rank) for span in spans] == [(1, 1, 2), (4, 2, 1), (11, 2, 2), (12, 3, 2)]
    assert history(rankings, "dee")[0].number == 1
    assert history(rankings, "zoe") == []
