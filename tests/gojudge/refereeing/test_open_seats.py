"""Reference players play in this process; what fails there is our fault.

A seat that is watched: what its player does and prints is passed on at once.
"""

from types import SimpleNamespace

import pytest

from goban.rulesets import COURSE
from goban.states import new_game, state_from_rows
from gojudge.errors import HarnessFaultError
from gojudge.records import Entrant, GameSpec, Spent
from gojudge.refereeing import open_seats
from gojudge.refereeing.open_seats import ReferenceSeat, WatchedSeat
from players.championship_player import ChampionshipPlayer
from tests.support.stubs import Answers
from tests.support.submissions import spec


def answers(reference, seed, colour=1, number=4):
    seat = ReferenceSeat(Entrant("reference", reference=reference), COURSE, 5)
    seat.begin(spec(seed), colour)
    given = [seat.answer(new_game(COURSE, 5), "").answer for _ in range(number)]
    seat.end()
    seat.close()
    return given


def test_the_same_seed_gives_the_same_answers():
    assert answers("random", 1) == answers("random", 1) != answers("random", 2)
    assert answers("random", 1, colour=1) != answers("random", 1, colour=2)


def test_a_game_does_not_depend_on_those_before():
    seat = ReferenceSeat(Entrant("random", reference="random"), COURSE, 5)
    given = []
    for seed in (1, 2, 1):
        seat.begin(spec(seed), 1)
        given.append([seat.answer(new_game(COURSE, 5), "").answer for _ in range(3)])
        assert seat.end() == ""
    assert given[0] == given[2] != given[1]


def test_it_answers_to_the_position_that_it_is_shown():
    """The greedy player takes a stone wherever one can be taken, and its view of the game is the same from move to move."""
    seat = ReferenceSeat(Entrant("greedy", reference="greedy"), COURSE, 5)
    seat.begin(spec(), 1)
    for corner, beside, taking in (((0, 0), (0, 1), (1, 0)), ((4, 4), (3, 4), (4, 3))):
        rows = [[0] * 5 for _ in range(5)]
        rows[corner[0]][corner[1]], rows[beside[0]][beside[1]] = 2, 1
        assert seat.answer(state_from_rows(COURSE, rows, 1, 2), "").answer == taking


def test_it_has_no_sandbox_and_knows_its_time(monkeypatch):
    """It never sleeps: of seven seconds in which it computed for five it waited for a processor for two."""
    clocks = SimpleNamespace(monotonic=iter([100.0, 107.0]).__next__, process_time=iter([20.0, 25.0]).__next__)
    monkeypatch.setattr(open_seats, "time", clocks)
    seat = ReferenceSeat(Entrant("greedy", reference="greedy"), COURSE, 5)
    assert seat.tier == ""
    seat.begin(spec(), 2)
    reply = seat.answer(new_game(COURSE, 5), "")
    assert reply.spent == Spent(7.0, 5.0, waited=2.0)
    assert reply.spent.slept == 0
    assert seat.printed() == ""


def test_a_player_that_does_not_exist_is_our_fault():
    with pytest.raises(HarnessFaultError, match="reference player 'nobody'"):
        ReferenceSeat(Entrant("nobody", reference="nobody"), COURSE, 5).begin(spec(), 1)


def test_a_player_that_fails_is_our_fault(tmp_path):
    file = tmp_path / "failing.py"
    file.write_text("class MyPlayer:\n    def get_input(self, go, piece_type):\n        return 1 // 0\n")
    seat = ReferenceSeat(Entrant("failing", reference=str(file)), COURSE, 5)
    seat.begin(spec(), 1)
    with pytest.raises(HarnessFaultError, match="ZeroDivisionError"):
        seat.answer(new_game(COURSE, 5), "")


def test_nobody_is_asked_outside_a_game():
    with pytest.raises(HarnessFaultError, match="outside a game"):
        ReferenceSeat(Entrant("random", reference="random"), COURSE, 5).answer(new_game(COURSE, 5), "")


def test_it_is_ready_before_its_first_answer(monkeypatch):
    """What a player compiles is in nobody's time."""
    prepared = []
    monkeypatch.setattr(ChampionshipPlayer, "prepare", lambda self, rules, size: prepared.append((rules, size)))
    ReferenceSeat(Entrant("championship", reference="championship"), COURSE, 5).begin(spec(), 1)
    assert prepared == [(COURSE, 5)]


class Talks(Answers):
    """Prints its number of questions."""

    def printed(self):
        return f"asked {self.asked}"


def test_what_a_player_prints_is_told_with_its_answer():
    told = []
    seat = WatchedSeat(Talks(Entrant("alice"), [0, 0], [9, 9]), told.append)
    seat.begin(GameSpec("alice-bob-001", "alice", "bob", (1, 0)), 1)
    for _ in range(2):
        seat.answer(new_game(COURSE, 3), "")
    assert [(asked.printed, asked.move) for asked in told] == [("asked 1", (0, 0)), ("asked 2", None)]
    assert told[1].complaint.startswith("invalid answer")
    assert len(seat.questions) == 2
