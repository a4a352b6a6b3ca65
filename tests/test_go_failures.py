"""What GO.play does with players that fail: they forfeit at once, and the other player never suffers."""

import random
import sys

import numpy as np
import pytest

from go import GO
from goban.game import TakeBackError
from goban.rulesets import COURSE, LITTLEGO, Ending
from players.random_player import RandomPlayer
from tests.support.scripted import Scripted


def filler(seed=1):
    return RandomPlayer(random.Random(seed))


class Nameless(type):
    @property
    def __name__(cls):
        raise ValueError


class NamelessError(Exception, metaclass=Nameless):
    pass


class UnreadableError(Exception):
    def __str__(self):
        sys.exit(1)


class LoudError(Exception):
    def __str__(self):
        return type("Text", (str,), {"__repr__": lambda self: "two\nlines"})("x")


class BareError(BaseException):
    pass


FAILURES = {
    "ValueError": ValueError("what?"),
    "an error of several lines": ValueError("one\ntwo\x1b[31m\r\u202e"),
    "an endless message": ValueError("x" * 10**6),
    "AssertionError": AssertionError(),
    "StopIteration": StopIteration(),
    "RecursionError": RecursionError("too deep"),
    "MemoryError": MemoryError(),
    "TimeoutError": TimeoutError(),
    "SystemExit": SystemExit(0),
    "SystemExit with a text": SystemExit("bye\nbye"),
    "GeneratorExit": GeneratorExit(),
    "an error of no usual kind": BareError("bare"),
    "a group of errors": ExceptionGroup("several", [ValueError(1), KeyError(2)]),
    "an error without a name": NamelessError(),
    "an error with a name of two lines": type("Two\nLines\x1b", (Exception,), {})("x"),
    "an error that cannot be read": UnreadableError(),
    "an error whose text cannot be read": LoudError(),
}


def failing(error):
    def fail(go):
        raise error

    return fail


@pytest.mark.parametrize("rules", [COURSE, LITTLEGO], ids=lambda rules: rules.name)
@pytest.mark.parametrize("error", FAILURES.values(), ids=FAILURES)
def test_an_exception_forfeits_at_once(error, rules):
    go = GO(5, rules)
    white = Scripted((0, 0), failing(error))
    assert go.play(Scripted((2, 2), (3, 3)), white) == 1
    assert white.asked == 2
    assert go.record.moves == ((2, 2), (0, 0), (3, 3))
    assert go.record.outcome.ending is Ending.CRASH
    assert go.record.outcome.detail.startswith("white forfeits at move 4: ")
    assert go.record.outcome.detail.isprintable()
    assert len(go.record.outcome.detail) < 300


def test_the_record_names_the_exception():
    go = GO(5)
    go.play(Scripted(failing(KeyError("state 5"))), filler())
    assert go.record.outcome.detail == "black forfeits at move 1: KeyError: 'state 5'"


def test_a_player_that_recurses_without_end_forfeits():
    def deeper(go):
        return deeper(go)

    go = GO(5)
    assert go.play(Scripted(deeper), filler()) == 2
    assert go.record.outcome.ending is Ending.CRASH


class Wrongly:
    """Players that are none."""

    class Without:
        pass

    class NotCallable:
        get_input = (1, 1)

    class TooFewParameters:
        def get_input(self, go):
            return 1, 1


@pytest.mark.parametrize(
    "player",
    [None, 5, "random", Wrongly.Without(), Wrongly.NotCallable(), Wrongly.TooFewParameters(), Scripted],
    ids=lambda player: type(player).__name__,
)
def test_an_object_that_cannot_play_forfeits(player):
    go = GO(5)
    assert go.play(filler(), player) == 1
    assert go.record.outcome.ending is Ending.CRASH
    assert len(go.record.moves) == 1


@pytest.mark.parametrize(
    "kind",
    [None, 5, ["manual"], np.array(["manual", "manual"]), property(lambda self: 1 / 0), property(lambda self: sys.exit(3))],
    ids=["None", "number", "list", "array", "raises", "exits"],
)
def test_a_strange_type_makes_no_manual_player(kind, capsys):
    player = type("Strange", (Scripted,), {"type": kind})((1, 1), failing(SystemExit(0)))
    go = GO(5)
    assert go.play(player, filler()) == 2
    assert go.record.outcome.ending is Ending.CRASH
    assert capsys.readouterr().out == ""


def test_a_program_that_exits_loses_and_a_person_may_leave():
    player = Scripted(failing(SystemExit(0)))
    player.type = "manual"
    with pytest.raises(SystemExit):
        GO(5).play(player, filler())


def test_control_c_stops_the_program():
    with pytest.raises(KeyboardInterrupt):
        GO(5).play(Scripted(failing(KeyboardInterrupt)), filler())


def test_the_next_game_is_unaffected_by_a_forfeit():
    go = GO(4)
    clean = GO(4)
    clean.play(filler(1), filler(2))
    for answer in (None, failing(ValueError()), "PASS"):
        go.play(Scripted(*[answer] * 11), filler(3))
        go.play(filler(1), filler(2))
        assert go.record == clean.record


class TakesBack:
    """Wants the other player to move again."""

    def get_input(self, go, piece_type):
        raise TakeBackError


def test_only_a_person_may_take_a_move_back():
    go = GO(5)
    assert go.play(filler(), TakesBack()) == 1
    assert (go.record.outcome.ending, len(go.record.moves)) == (Ending.CRASH, 1)
    assert go.record.outcome.detail.endswith("RuntimeError: the player took a move back")
