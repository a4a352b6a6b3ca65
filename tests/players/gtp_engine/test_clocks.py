"""How long a move may take, by what a controller says of clocks."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.grids import BLACK, WHITE
from goban.rulesets import ruleset
from goban.states import new_game
from players.gtp_engine import seats
from players.gtp_engine.client_commands import SettingCommands
from players.gtp_engine.seats import Clocks, Seats, TimeSystem

KEPT = 0.5


def clocks(*settings):
    made = Clocks()
    if settings:
        made.set(TimeSystem(*settings))
    return made


@pytest.mark.parametrize("settings", [(), (0, 1, 0), (300, 30, 0)])
def test_without_settings_and_with_byo_yomi_for_no_stones_there_is_no_limit(settings):
    assert clocks(*settings).seconds(BLACK, 30) is None


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        ((300, 0, 0), 10.0 - KEPT),
        ((0, 30, 5), 6.0 - KEPT),
        ((300, 100, 5), 20.0 - KEPT),
        ((300, 10, 5), 10.0 - KEPT),
        ((0, 0, 0), 0.01),
        ((1, 100, 1), 100.0 - KEPT),
        ((1, 100, 3, True), 100.0 - KEPT),
        ((0, 100, 3, True), 100.0 - KEPT),
        ((60, 0, 0, False, 5), 60 / 30 + 5 * 29 / 30 - KEPT),
        ((60, 0, 0, False, 5, 60, 3), 3 - 0.3),
    ],
)
def test_main_time_is_shared_by_the_moves_to_come_and_a_period_by_its_stones(settings, seconds):
    assert clocks(*settings).seconds(BLACK, 30) == pytest.approx(seconds)


def test_what_a_controller_says_is_left_counts():
    made = clocks(300, 30, 5)
    made.set_left(WHITE, 12.0, 3)
    assert made.seconds(WHITE, 30) == pytest.approx(4.0 - 0.4)
    made.set_left(WHITE, 60.0, 0)
    assert made.seconds(WHITE, 30) == 6.0 - KEPT
    made.set_left(WHITE, -1.0, 0)
    assert clocks(0, 0, 0).seconds(WHITE, 1) == 0.01
    assert made.seconds(BLACK, 30) == 10.0 - KEPT


def test_of_japanese_byo_yomi_the_stones_that_are_left_are_periods():
    made = clocks(300, 20, 5, True)
    made.set_left(BLACK, 20.0, 5)
    assert made.seconds(BLACK, 30) == 20.0 - KEPT
    made.set_left(BLACK, 0.4, 1)
    assert made.seconds(BLACK, 30) == 0.2


def test_more_time_for_one_stone_than_its_period_has_is_fischer_time():
    """OGS sends this at the start of a game of half an hour and 20 seconds more for each move."""
    made = clocks(1780, 20, 1)
    made.set_left(BLACK, 1917.0, 1)
    assert made.seconds(BLACK, 100) == pytest.approx((1917 - 20) / 100 + 20 - KEPT)
    made.set_left(BLACK, 15.0, 1)
    assert made.seconds(BLACK, 100) == 15.0 - KEPT
    assert made.seconds(WHITE, 100) == 20.0 - KEPT


def test_answers_and_their_way_are_counted_where_the_controller_says_nothing():
    made = clocks(60, 0, 0)
    made.spend(BLACK, 29.75)
    assert (made.seconds(BLACK, 30), made.seconds(WHITE, 30)) == (1.0 - 0.25, 2.0 - 0.25)
    made.restart()
    assert made.seconds(BLACK, 30) == 2.0 - 0.25


def test_after_main_time_periods_begin_anew_whenever_their_stones_are_played():
    made = clocks(10, 30, 3)
    made.spend(BLACK, 11.75)
    assert made.seconds(BLACK, 30) == pytest.approx(28.0 / 3 - KEPT)
    for _ in range(3):
        made.spend(BLACK, 1.0)
    assert made.seconds(BLACK, 30) == 10.0 - KEPT


def test_an_answer_costs_as_long_as_it_took(monkeypatch):
    asked = Seats("random", 1)
    asked.clocks.set(TimeSystem(60))
    monkeypatch.setattr(seats, "time", SimpleNamespace(monotonic=iter((1000.0, 1029.75)).__next__))
    asked.ask(new_game(ruleset("aga"), 5))
    assert (asked.clocks.seconds(BLACK, 30), asked.clocks.seconds(WHITE, 30)) == (1.0 - 0.25, 2.0 - 0.25)


def test_limits_can_be_taken_away():
    made = clocks(0, 0, 0)
    made.set(None)
    assert made.seconds(BLACK, 1) is None


# Whole games


@dataclass
class Server:
    """A clock as a server keeps it for one player. periods: of Japanese byo-yomi; stones: of Canadian."""

    main: float
    period: float = 0
    periods: int = 0
    stones: int = 0
    increment: float = 0

    def __post_init__(self):
        self.left, self.to_play = self.main, 0
        if self.main == 0 and self.stones:
            self.left, self.to_play = self.period, self.stones

    def move(self, seconds):
        """Take a move's time off; False if it is lost."""
        self.left -= seconds
        if self.to_play:
            self.to_play -= 1
            if self.left >= 0 and not self.to_play:
                self.left, self.to_play = self.period, self.stones
            return self.left >= 0
        if self.left < 0 and self.stones:
            self.left += self.period
            self.to_play = self.stones - 1
            if self.left >= 0 and not self.to_play:
                self.left, self.to_play = self.period, self.stones
            return self.left >= 0
        while self.left < 0 and self.periods:
            self.left += self.period
            if self.left >= 0:
                # The period itself begins anew with every move.
                self.left, self.main = 0, 0
                return True
            self.periods -= 1
        self.left += self.increment
        return self.left >= 0

    def said(self):
        """What `time_left` says before a move."""
        if self.to_play:
            return self.left, self.to_play
        return (self.period, self.periods) if self.left <= 0 and self.periods else (self.left, 0)


SYSTEMS = [
    ("absolute 600", Server(600), 600),
    ("absolute 60", Server(60), 60),
    ("byoyomi 60 10 5", Server(60, 10, periods=5), 60 + 10 * 110),
    ("byoyomi 0 1 1", Server(0, 1, periods=1), 140),
    ("byoyomi 30 30 3", Server(30, 30, periods=3), 30 + 30 * 120),
    ("canadian 60 60 10", Server(60, 60, stones=10), 60 + 6 * 120),
    ("canadian 0 25 25", Server(0, 25, stones=25), 140),
    ("canadian 10 30 1", Server(10, 30, stones=1), 30 * 130),
    ("fischer 60 5", Server(60, increment=5), 60 + 5 * 140),
    ("fischer 10 1", Server(10, increment=1), 10 + 140),
    ("fischer-capped 60 5 60 8", Server(60, increment=5), 5 * 140),
    ("canadian 1780 20 1", Server(1800, increment=20), 1800 + 20 * 140),
]  # fmt: skip
WAY = 0.2


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(("settings", "server", "to_use"), SYSTEMS, ids=[one[0] for one in SYSTEMS])
def test_no_game_is_lost_on_time_and_half_of_it_is_used(settings, server, to_use, told):
    if not told and settings == "canadian 1780 20 1":
        pytest.skip("only what is left tells Fischer time from Canadian")
    server = Server(server.main, server.period, server.periods, server.stones, server.increment)
    made = played_by(settings)
    used = 0.0
    for move in range(140):
        if told:
            seconds, stones = server.said()
            # Fischer time by way of OGS has all that is left for one stone.
            made.set_left(BLACK, seconds, 1 if settings == "canadian 1780 20 1" else stones)
        seconds = made.seconds(BLACK, max(270 - 2 * move, 72) // 2 + 1)
        assert server.move(seconds + WAY), (move, seconds)
        made.spend(BLACK, seconds)
        used += seconds
    # The way takes its part whatever is played.
    assert used >= (to_use - 140 * WAY) / 2


def played_by(settings):
    seat = SimpleNamespace(clocks=Clocks())
    table = SettingCommands(seat).table()
    command = "kata-time_settings" if "fischer" in settings else "kgs-time_settings"
    assert table[command](tuple(settings.split())) == ""
    return seat.clocks


@given(
    st.sampled_from(["absolute {0}", "byoyomi {0} {1} {2}", "canadian {0} {1} {2}", "fischer {0} {1}"]),
    st.floats(30, 3600), st.floats(2, 60), st.integers(1, 5), st.lists(st.floats(0, 1), min_size=1, max_size=120),
)  # fmt: skip
def test_no_game_is_lost_however_much_of_its_time_is_used(form, main, turn, count, shares):
    canadian = "canadian" in form
    period = turn * count if canadian else turn
    server = Server(
        main, 0 if "fischer" in form or "absolute" in form else period, count if "byoyomi" in form else 0,
        count if canadian else 0, turn if "fischer" in form else 0,
    )  # fmt: skip
    made = played_by(form.format(main, period, count))
    for move, share in enumerate(shares):
        made.set_left(BLACK, *server.said())
        allowed = made.seconds(BLACK, max(270 - 2 * move, 72) // 2 + 1)
        assert allowed > 0
        assert server.move(share * allowed + (WAY if allowed > 0.01 else 0)), move
        made.spend(BLACK, share * allowed)
