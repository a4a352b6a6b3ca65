"""How far a run is, where there is no terminal: a line a minute."""

from dataclasses import replace

import pytest

from tests.support.stores import game
from tournament.commands.progress import Progress
from tournament.verdicts import Termination


@pytest.fixture
def clock():
    """A clock that stands at its only item until somebody sets it."""
    return [0.0]


def test_a_line_a_minute_says_how_far_the_games_are(clock, capsys):
    with Progress(100, 10, lambda: clock[0]) as progress:
        progress.tick()
        for number in range(1, 31):
            progress.count(game(f"alice-bob-{number:03}"))
        clock[0] = 59.9
        progress.tick()
        assert capsys.readouterr().err == ""
        clock[0] = 60.0
        progress.tick()
        progress.tick()
        assert capsys.readouterr().err == "40 of 100 games, about 2 min left\n"


def test_there_is_a_line_too_while_no_game_ends_and_one_at_most(clock, capsys):
    with Progress(100, 0, lambda: clock[0]) as progress:
        progress.count(replace(game("alice-bob-001"), termination=Termination.CRASH, forfeited_by=2))
        clock[0] = 300.0
        progress.tick()
        progress.tick()
        clock[0] = 359.0
        progress.tick()
        assert capsys.readouterr().err == "1 of 100 games, 1 forfeits, about 495 min left\n"
        clock[0] = 361.0
        progress.tick()
        assert capsys.readouterr().err.startswith("1 of 100 games, 1 forfeits, about ")


def test_nothing_is_said_of_the_time_left_before_a_game_has_ended(clock, capsys):
    with Progress(100, 50, lambda: clock[0]) as progress:
        clock[0] = 60.0
        progress.tick()
        assert capsys.readouterr().err == "50 of 100 games\n"
