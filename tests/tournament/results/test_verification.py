from concurrent.futures import Future
from dataclasses import replace

import pytest

from gojudge.errors import ClusterError
from gojudge.records import Entrant, GameResult, GameSpec, Spent, Termination, Turn
from tests.support.stubs import conditions
from tournament.application.worker_checks import Blame, WorkerChecks, blame, difference

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


def limit(name):
    """Alice is a submission, Bob a player of ours."""
    return 5.0 if name == "alice" else None


@pytest.mark.parametrize(
    ("claimed", "here", "again", "whose"),
    [
        (game("C3 D4"), game("C3 D4"), game("C3 D4"), Blame.NOBODY),
        (game("A1 D4"), game("C3 D4", seconds=0.01), game("C3 D4"), Blame.WORKER),
        (game("C3 A1"), game("C3 D4", seconds=4.0), game("C3 D4"), Blame.WORKER),
        # The same moves, counted otherwise.
        (game("C3 D4", winner=2), game("C3 D4", seconds=4.0), game("C3 D4"), Blame.WORKER),
        # She does not play the same game twice.
        (game("A1 D4"), game("C3 D4", seconds=0.01), game("B1 D4"), Blame.PLAYER),
        # She thinks for as long as she may, or nearly.
        (game("A1 D4"), game("C3 D4", seconds=0.5), game("C3 D4"), Blame.CLOCK),
        (game("", Termination.TIME_OUT, 1, 2), game("C3 D4", seconds=4.0), game("C3 D4"), Blame.CLOCK),
        (game("C3 D4"), game("", Termination.TIME_OUT, 1, 2), game("", Termination.TIME_OUT, 1, 2), Blame.CLOCK),
        # No time-out is honest of what takes a second elsewhere.
        (game("", Termination.TIME_OUT, 1, 2), game("C3 D4", seconds=1.0), game("C3 D4"), Blame.WORKER),
        (game("", Termination.START_UP_FAILURE, 1, 2), game("C3 D4", seconds=0.01), game("C3 D4"), Blame.WORKER),
    ],
)
def test_whose_doing_it_is_that_a_worker_claims_something_else(claimed, here, again, whose):
    assert blame(claimed, here, again, limit)[0] is whose


class Asked:
    """An executor of games, and a pool of one that is its only checker. It notes whom it is asked by, and answers none."""

    address, wrong = "worker-2", {}

    def __init__(self, name, asked):
        self.name, self.asked = name, asked

    def submit(self, *_):
        self.asked.append(self.name)
        answer = Future()
        if self.name == "worker":
            answer.set_exception(ClusterError("the connection was lost"))
        return answer

    def checkers(self, address):
        return [self]

    def is_late(self, address):
        return False

    def is_expelled(self, address):
        return False


def test_a_game_that_three_workers_have_lost_is_played_here():
    asked, people = [], [Entrant("alice"), Entrant("bob")]
    pool, here = (Asked(name, asked) for name in ("worker", "here"))
    checks = WorkerChecks(pool, conditions(), people, None, 1.0, asked.append, judge=lambda: here)
    checks.enter([replace(game("C3 D4"), worker="worker-1")])
    for _ in range(9):
        checks.step()
    assert asked == ["worker", "worker", "worker", "here"]
