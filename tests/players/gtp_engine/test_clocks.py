"""How long a move may take, by what a controller says of clocks."""

import pytest

from goban.grids import BLACK, WHITE
from players.gtp_engine.clocks import Clocks


def clocks(*settings):
    made = Clocks()
    if settings:
        made.set(*settings)
    return made


@pytest.mark.parametrize("settings", [(), (0, 1, 0), (300, 30, 0)])
def test_without_settings_and_with_byo_yomi_for_no_stones_there_is_no_limit(settings):
    assert clocks(*settings).seconds(BLACK, 30) is None


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        ((300, 0, 0), 10.0),
        ((0, 30, 5), 6.0),
        ((300, 100, 5), 20.0),
        ((300, 10, 5), 10.0),
        ((0, 0, 0), 0.01),
        ((1, 100, 1), 100.0),
    ],
)
def test_main_time_is_shared_by_the_moves_to_come_and_a_period_by_its_stones(settings, seconds):
    assert clocks(*settings).seconds(BLACK, 30) == seconds


def test_what_a_controller_says_is_left_counts():
    made = clocks(300, 30, 5)
    made.set_left(WHITE, 12.0, 3)
    assert made.seconds(WHITE, 30) == 4.0
    made.set_left(WHITE, 60.0, 0)
    assert made.seconds(WHITE, 30) == 6.0
    made.set_left(WHITE, -1.0, 0)
    assert clocks(0, 0, 0).seconds(WHITE, 1) == 0.01
    assert made.seconds(BLACK, 30) == 10.0


def test_answers_are_counted_where_the_controller_says_nothing():
    made = clocks(60, 0, 0)
    made.spend(BLACK, 30.0)
    assert (made.seconds(BLACK, 30), made.seconds(WHITE, 30)) == (1.0, 2.0)
    made.restart()
    assert made.seconds(BLACK, 30) == 2.0


def test_after_main_time_periods_begin_anew_whenever_their_stones_are_played():
    made = clocks(10, 30, 3)
    made.spend(BLACK, 12.0)
    assert made.seconds(BLACK, 30) == pytest.approx(28.0 / 3)
    for _ in range(3):
        made.spend(BLACK, 1.0)
    assert made.seconds(BLACK, 30) == 10.0


def test_limits_can_be_taken_away():
    made = clocks(0, 0, 0)
    made.set_free()
    assert made.seconds(BLACK, 1) is None
