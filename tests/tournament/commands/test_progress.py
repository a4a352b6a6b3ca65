"""How far a run is, where there is no terminal: a line a minute, with a time left that is believed; what asks it to stop."""

import signal
import sys
from dataclasses import replace

import pytest

from goban.common.command_lines import say
from gojudge.records import GameSpec, Spent, Termination, Turn
from tests.support.stores import game
from tournament.application.runs import stop_signals
from tournament.commands.event_options import GameProgress, TimeLeft, say_result

ALICE = frozenset(("alice", "bob"))
FAST, SLOW = frozenset(("ann", "random")), frozenset(("ann", "perfect"))


@pytest.fixture
def clock():
    """A clock that stands at its only item until somebody sets it."""
    return [0.0]


def test_a_line_a_minute_says_how_far_the_games_are(clock, capsys):
    with GameProgress(100, 10, {ALICE: 90}, lambda: clock[0]) as progress:
        progress.tick()
        clock[0] = 50.0
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
    with GameProgress(100, 0, {ALICE: 100}, lambda: clock[0]) as progress:
        progress.count(replace(game("alice-bob-001"), termination=Termination.CRASH, forfeited_by=2))
        clock[0] = 300.0
        progress.tick()
        progress.tick()
        clock[0] = 359.0
        progress.tick()
        assert capsys.readouterr().err == "1 of 100 games, 1 forfeit, about 5 min left\n"
        clock[0] = 361.0
        progress.tick()
        assert capsys.readouterr().err.startswith("1 of 100 games, 1 forfeit, about ")


def test_before_a_game_has_ended_it_is_too_early_to_say(clock, capsys):
    with GameProgress(100, 50, {ALICE: 50}, lambda: clock[0]) as progress:
        clock[0] = 60.0
        progress.tick()
        assert capsys.readouterr().err == "50 of 100 games, too early to say how long\n"


def test_without_tqdm_a_terminal_gets_the_lines(clock, capsys, monkeypatch, as_terminal):
    as_terminal(sys.stderr)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with GameProgress(100, 50, {ALICE: 50}, lambda: clock[0]) as progress:
        clock[0] = 60.0
        progress.tick()
        assert capsys.readouterr().err == "50 of 100 games, too early to say how long\n"


# The estimate


def ended(pair, seconds):
    """A game of two that took so long."""
    one, other = sorted(pair)
    return replace(game(f"{one}-{other}-001"), spec=GameSpec("x", one, other, (1, 2)), turns=(Turn("C3", Spent(seconds)),))


def test_a_line_that_is_printed_stands_by_itself_and_not_behind_the_bar(clock, capsys, as_terminal):
    as_terminal(sys.stderr)
    with GameProgress(100, 10, {ALICE: 90}, lambda: clock[0]):
        for print_line in (say, say_result):
            capsys.readouterr()
            print_line("bob: ok")
            out, err = capsys.readouterr()
            # What was last on the line before the bob's is blank, and the bar comes back below it.
            before = err.split("bob: ok")[0].rstrip("\r").split("\r")[-1] if print_line is say else err.split("\r")[-2]
            assert (before.strip(), "bob: ok\n" in out + err, "10/100" in err) == ("", True, True)


def test_fast_games_at_the_beginning_say_little_of_slow_ones_at_the_end():
    time_left = TimeLeft({FAST: 100, SLOW: 10}, 0.0)
    for _ in range(100):
        time_left.count(ended(FAST, 0.1), 10.0)
    time_left.count(ended(SLOW, 60.0), 70.0)
    assert time_left.seconds(70.0) == pytest.approx(9 * 60, rel=0.01)


def test_games_that_run_side_by_side_take_their_share():
    time_left = TimeLeft({FAST: 100}, 0.0)
    for _ in range(20):
        time_left.count(ended(FAST, 4.0), 20.0)
    # Four at a time.
    assert time_left.seconds(20.0) == pytest.approx(80)


def test_what_is_left_of_the_longest_game_is_the_least():
    time_left = TimeLeft({FAST: 1000, SLOW: 2}, 0.0)
    for _ in range(1000):
        time_left.count(ended(FAST, 1.0), 100.0)
    time_left.count(ended(SLOW, 300.0), 310.0)
    assert time_left.seconds(320.0) == pytest.approx(290)


def test_while_no_game_ends_the_time_left_does_not_become_nothing():
    time_left = TimeLeft({FAST: 11}, 0.0)
    for _ in range(10):
        time_left.count(ended(FAST, 1.0), 10.0)
    assert time_left.seconds(10.5) == pytest.approx(1)
    # The last one has taken four minutes by now.
    assert time_left.seconds(250.0) == pytest.approx(240)


def test_while_a_player_compiles_the_games_left_are_not_taken_to_be_as_slow():
    time_left = TimeLeft({FAST: 120}, 0.0)
    for _ in range(11):
        time_left.count(ended(FAST, 0.1), 2.0)
    assert time_left.seconds(2.0) == time_left.seconds(20.0) == pytest.approx(109 * 2 / 11)


def test_of_players_nobody_has_seen_it_is_too_early_to_say():
    time_left = TimeLeft({FAST: 10, frozenset(("bob", "smart")): 11}, 0.0)
    time_left.count(ended(FAST, 1.0), 1.0)
    assert time_left.seconds(1.0) is None
    time_left = TimeLeft({FAST: 10, frozenset(("bob", "random")): 11}, 0.0)
    time_left.count(ended(FAST, 1.0), 1.0)
    assert time_left.seconds(1.0) == pytest.approx(20)


def test_the_end_is_no_time_left():
    time_left = TimeLeft({FAST: 1}, 0.0)
    time_left.count(ended(FAST, 1.0), 1.0)
    assert time_left.seconds(300.0) == 0.0


@pytest.mark.parametrize(
    ("games", "said"),
    [(2, "less than a minute left"), (20, "less than a minute left"), (60, "about 1 min left"), (240, "about 4 min left")],
)
def test_minutes_are_never_rounded_to_none(clock, capsys, games, said):
    with GameProgress(60 + games, 0, {FAST: 60 + games}, lambda: clock[0]) as progress:
        clock[0] = 60.0
        for _ in range(60):
            progress.count(ended(FAST, 1.0))
        progress.tick()
        assert capsys.readouterr().err == f"60 of {60 + games} games, {said}\n"


def test_signals_are_collected_while_games_are_played_and_mean_afterwards_what_they_did_before():
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    with stop_signals() as seen:
        for number in numbers:
            signal.raise_signal(number)
    assert seen == [*numbers]
    found = [signal.getsignal(number) for number in numbers]
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)
    assert found == before
