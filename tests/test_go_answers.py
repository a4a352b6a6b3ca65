"""What GO.play does with wrong answers and failing players: as the rules say, and the other player never suffers."""

import random

import numpy as np
import pytest

from go import GO
from goban.rulesets import AGA, LITTLEGO, Ending
from players.random_player import RandomPlayer
from tests.support.scripted import Scripted


class Hostile:
    """An answer that raises `error` when it is used in the way named `method`; in every other way it reads as (1, 1)."""

    def __new__(cls, method, error=ZeroDivisionError):
        def fail(self, *_):
            raise error

        body = {
            "__len__": lambda self: 2,
            "__getitem__": lambda self, k: 1,
            "__iter__": lambda self: iter((1, 1)),
            "__repr__": lambda self: "Hostile",
            "__eq__": lambda self, other: True,
            "__hash__": lambda self: 0,
        }
        body[method] = property(fail) if method == "__class__" else fail
        return object.__new__(type("Hostile", (), body))


def hostile_text(method, error=ZeroDivisionError):
    """A string that raises `error` when the method is called."""

    def fail(self, *_):
        raise error

    return type("Text", (str,), {"__hash__": str.__hash__, method: fail})("PASS!")


def endless(kind):
    """Something that never ends when it is walked."""
    while True:
        yield kind


class NoIndex:
    """A coordinate that fails when it is read, and cannot be shown either."""

    def __init__(self, error):
        self.error = error

    def __index__(self):
        raise self.error

    def __repr__(self):
        raise self.error


class Shown:
    """Nothing but a text to be shown."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


UNREADABLE = {
    "None": None,
    "nothing": (),
    "a vertex": "C9",
    "a pair as text": "2,2",
    "pass in small letters": "pass",
    "two digits": "11",
    "the empty text": "",
    "one number": 7,
    "a list of three": [1, 2, 3],
    "three numbers": (1, 2, 3),
    "one number in a list": [1],
    "floats": (1.0, 2.0),
    "one float": (1, 2.0),
    "nan": (float("nan"), 1),
    "infinity": (1, float("inf")),
    "complex": (1j, 1),
    "texts": ("1", "1"),
    "Nones": (None, None),
    "nested lists": [[1], [1]],
    "a pair of pairs": ((1, 1), (2, 2)),
    "a pair in a list": [(1, 1)],
    "deeply nested": eval("[" * 60 + "]" * 60),
    "a dict": {0: 1, 1: 1},
    "a dict of pairs": {(1, 1): 1, (2, 2): 2},
    "a set": {1, 2},
    "a generator": (k for k in (1, 1)),
    "an endless generator": endless(1),
    "an iterator": iter((1, 1)),
    "Ellipsis": ...,
    "negative": (-1, 0),
    "the other negative": (0, -1),
    "one too many": (5, 0),
    "the other one too many": (0, 5),
    "huge": (10**30, 0),
    "too huge to be shown": (10**6000, 0),
    "numpy floats": np.array([1.0, 1.0]),
    "numpy of three": np.array([1, 1, 1]),
    "a numpy column": np.array([[1], [1]]),
    "a numpy board": np.zeros((5, 5), int),
    "a numpy scalar": np.int64(3),
    "numpy truths": np.array([True, True]),
    "an exception": ValueError("no idea"),
    "a coordinate that raises": (NoIndex(ValueError), 1),
    "a coordinate that exits": (NoIndex(SystemExit), 1),
    "a coordinate that recurses": (NoIndex(RecursionError), 1),
    "a coordinate without end": (NoIndex(GeneratorExit), 1),
    "a length that raises": Hostile("__len__"),
    "a length that exits": Hostile("__len__", SystemExit),
    "an item that raises": Hostile("__getitem__"),
    "a text that cannot be compared": hostile_text("__eq__"),
    "a text that exits when compared": hostile_text("__eq__", SystemExit),
    "a text that cannot be shown": hostile_text("__repr__"),
    "a text that exits when shown": hostile_text("__repr__", SystemExit),
    "several lines": Shown("\nBlack player (X) | Wins:100.0% Loses:0.0%\r\n"),
    "control signs": Shown("\x1b[2J\x07\x00 \u202e \udc80"),
    "endless text": Shown("x" * 10**6),
}

READABLE = {
    "a tuple": (1, 1),
    "a list": [1, 1],
    "a numpy array": np.array([1, 1]),
    "numpy integers": (np.int8(1), np.uint64(1)),
    "numpy of no dimension": (np.array(1), 1),
    "truths": (True, True),
    "a range": range(1, 3),
    "bytes": b"\x01\x02",
    "an object like a sequence": Hostile("__repr__"),
    "an object that does not iterate": Hostile("__iter__"),
    "an object that does not compare": Hostile("__eq__"),
    "an object that hides its class": Hostile("__class__"),
    "an object that exits when asked for its class": Hostile("__class__", SystemExit),
}

# White may take (1, 1) back at once only if there were no ko; (0, 0) is Black's, and no liberty for White.
KO_BLACK = [(0, 1), (1, 0), (2, 1), (4, 4), (1, 2)]
KO_WHITE = [(0, 2), (1, 3), (2, 2), (1, 1)]
ILLEGAL = {
    "occupied": ((4, 4), "illegal move E1: the point is occupied"),
    "suicide": ((0, 0), "illegal move A5: suicide, the stone would have no liberty"),
    "ko": ((1, 1), "illegal move B4: ko, the board would be again what it was after move 8"),
    "resign": ("RESIGN", "illegal move resign: these rules know no resigning"),
}


@pytest.fixture(params=UNREADABLE, name="unreadable")
def _unreadable(request):
    return UNREADABLE[request.param]


def filler(seed=1):
    return RandomPlayer(random.Random(seed))


def assert_one_clean_line(text):
    assert text.isprintable()
    assert len(text) < 300


# Answers nobody can read


def test_an_unreadable_answer_is_asked_for_ten_times_more_in_the_course(unreadable, capsys):
    go, player = GO(5), Scripted(*[unreadable] * 20)
    assert go.play(player, filler()) == 2
    assert player.asked == 11
    assert go.record.moves == ()
    outcome = go.record.outcome
    assert outcome.ending is Ending.ILLEGAL_MOVE
    assert outcome.detail.startswith("black forfeits at move 1: invalid answer: expected ")
    assert_one_clean_line(outcome.detail)
    assert capsys.readouterr().out == ""


def test_an_unreadable_answer_loses_little_go_at_once(unreadable):
    go, player = GO(5, LITTLEGO), Scripted((2, 2), unreadable)
    white = Scripted((1, 2))
    assert go.play(player, white) == 2
    assert (player.asked, white.asked) == (2, 1)
    assert go.record.moves == ((2, 2), (1, 2))
    assert go.record.outcome.ending is Ending.INVALID_ANSWER
    assert go.record.outcome.detail.startswith("black forfeits at move 3: invalid answer: expected ")


def test_ten_unreadable_answers_are_forgiven_every_turn(unreadable):
    go, player = GO(3), Scripted(*[unreadable] * 10, (0, 0), *[unreadable] * 10, (2, 2))
    go.play(Scripted((0, 1), (1, 1)), player)
    assert go.record.moves[:4] == ((0, 1), (0, 0), (1, 1), (2, 2))


@pytest.mark.parametrize("name", READABLE)
def test_any_sequence_of_two_integers_is_an_answer(name):
    go = GO(5)
    go.play(Scripted(READABLE[name]), Scripted(*[None] * 11))
    (point,) = go.record.moves
    assert point in ((1, 1), (1, 2))
    assert {type(number) for number in point} == {int}


def test_the_complaint_is_shown_in_one_line_in_a_verbose_game(unreadable, capsys):
    go = GO(5, LITTLEGO)
    go.play(Scripted(unreadable), filler(), verbose=True)
    for line in capsys.readouterr().out.splitlines():
        assert len(line) < 400
        assert line.isprintable()
        assert not line.startswith("Black player (X)")


# Answers that can be read but not played


@pytest.mark.parametrize(("answer", "what"), ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_answer_is_asked_for_ten_times_more_in_the_course(answer, what):
    go = GO(5)
    white = Scripted(*KO_WHITE, *[answer] * 20)
    assert go.play(Scripted(*KO_BLACK), white) == 1
    assert white.asked == 4 + 11
    assert go.n_move == len(go.record.moves) == 9
    assert go.record.outcome.ending is Ending.ILLEGAL_MOVE
    assert go.record.outcome.detail == f"white forfeits at move 10: {what}"


@pytest.mark.parametrize(("answer", "what"), ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_answer_loses_little_go_at_once(answer, what):
    go = GO(5, LITTLEGO)
    white = Scripted(*KO_WHITE, answer)
    assert go.play(Scripted(*KO_BLACK), white) == 1
    assert white.asked == 5
    assert go.record.outcome.ending is Ending.ILLEGAL_MOVE
    assert go.record.outcome.detail == f"white forfeits at move 10: {what}"


def test_a_pass_is_illegal_in_the_course():
    go, player = GO(5), Scripted(*["PASS"] * 11)
    assert go.play(player, filler()) == 2
    assert go.record.outcome.detail == "black forfeits at move 1: illegal move pass: these rules know no passing"


@pytest.mark.parametrize("wrong", [*[answer for answer, _ in ILLEGAL.values()], None, "PASS", (7, 7)], ids=repr)
def test_the_last_of_eleven_answers_counts(wrong):
    go = GO(5)
    white = Scripted(*KO_WHITE, *[wrong] * 10, (3, 3))
    go.play(Scripted(*KO_BLACK, *[None] * 11), white)
    assert go.record.moves[9:] == ((3, 3),)
    assert white.asked == 15
    assert go.record.outcome.detail.startswith("black forfeits at move 11: ")


def test_kinds_of_wrong_answers_add_up_within_a_turn():
    go, player = GO(5), Scripted(*[None, (9, 9), "PASS", [1]] * 2, None, "RESIGN", (0, 9))
    go.play(player, filler())
    assert player.asked == 11
    assert go.record.outcome.detail.endswith("expected a row and a column from 0 to 4, got (0, 9)")


def test_resigning_is_a_move_where_the_rules_know_it():
    go = GO(5, AGA)
    assert go.play(Scripted((2, 2), "RESIGN"), filler()) == 2
    assert go.record.outcome.ending is Ending.RESIGNATION


def test_the_board_is_shown_anew_before_a_player_is_asked_again():
    boards = []

    def spoil(go):
        boards.append([list(row) for row in go.board])
        go.board[0][0] = 1
        go.n_move += 1

    go = GO(3)
    go.play(Scripted((1, 1)), Scripted(*[spoil] * 11))
    assert boards == [[[0, 0, 0], [0, 1, 0], [0, 0, 0]]] * 11


def test_a_manual_player_is_asked_for_as_long_as_it_takes():
    person = Scripted(*[(9, 9)] * 50, (0, 0))
    person.type = "manual"
    go = GO(3)
    go.play(person, Scripted())
    assert go.record.moves[0] == (0, 0)
