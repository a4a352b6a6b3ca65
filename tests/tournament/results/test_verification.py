import pytest

from tournament.records import GameResult, GameSpec, Turn
from tournament.results.verification import difference
from tournament.times import Spent
from tournament.verdicts import Termination

SPEC = GameSpec("alice-bob-001", "alice", "bob", (7, 0))


def game(moves, termination=Termination.SCORE, forfeited_by=0, winner=1, seconds=1.0):
    turns = tuple(Turn(move, Spent(seconds, seconds)) for move in moves.split())
    return GameResult(SPEC, winner, 3, 2.5, termination, forfeited_by, turns=turns)


def test_times_make_no_difference():
    assert difference(game("C3 D4", seconds=1), game("C3 D4", seconds=2)) is None


@pytest.mark.parametrize(
    ("then", "now", "number", "player", "before", "after"),
    [
        ("C3 D4 A1", "C3 D4 B1", 3, "alice", "A1", "B1"),
        ("C3 D4 A1", "C3 E5 A1", 2, "bob", "D4", "E5"),
        ("C3 D4 A1", "A1 D4 A1", 1, "alice", "C3", "A1"),
        ("C3 pass", "C3 D4", 2, "bob", "pass", "D4"),
    ],
)
def test_the_first_move_that_differs_is_its_players(then, now, number, player, before, after):
    found = difference(game(then), game(now))
    assert (found.move, found.player, found.before, found.now) == (number, player, before, after)


def test_who_forfeits_once_and_moves_once_is_not_deterministic():
    crashed = game("C3", Termination.CRASH, forfeited_by=2)
    assert str(difference(crashed, game("C3 D4"))) == (
        "alice-bob-001: move 2: white (bob) played nothing (crash) then, D4 now"
    )  # fmt: skip
    assert difference(game("C3 D4"), crashed).now == "nothing (crash)"


def test_two_ways_to_forfeit_are_a_difference():
    found = difference(game("C3", Termination.CRASH, 2), game("C3", Termination.TIME_OUT, 2))
    assert (found.move, found.player, found.before, found.now) == (2, "bob", "nothing (crash)", "nothing (time-out)")


def test_who_could_not_begin_once_is_named_also_with_white():
    found = difference(game("", Termination.START_UP_FAILURE, forfeited_by=2), game("C3 D4"))
    assert (found.move, found.player) == (1, "bob")
