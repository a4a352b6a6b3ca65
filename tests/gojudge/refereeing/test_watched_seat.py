"""A seat that is watched: what its player does and prints is passed on at once."""

from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.records import Entrant, GameSpec
from gojudge.refereeing.watched_seat import WatchedSeat
from tests.support.stubs import Answers


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
