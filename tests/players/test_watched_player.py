"""Whose turn it is, who is slow, and where a player's own code is."""

import inspect
import random
import re

import pytest

from go import GO
from players.registry import make_player
from players.watched_player import WatchedPlayer, _waited_seconds


@pytest.fixture
def told():
    return []


def watched(tmp_path, told, body, seconds=5.0):
    (tmp_path / "visitor.py").write_text(f"class MyPlayer:\n    def get_input(self, go, piece_type):\n        {body}\n")
    player = make_player(str(tmp_path / "visitor.py"), random.Random(1))
    return WatchedPlayer(player, 2, "visitor", seconds, told.append)


def test_it_answers_as_the_player_does_and_is_nobodys_turn_otherwise(tmp_path, told):
    player = watched(tmp_path, told, "return 1, 2")
    assert player.get_input(GO(5), 2) == (1, 2)
    assert (player.turn(inspect.currentframe()), player.failure(GO(5).position(2)), player.trace(), told) == ("", "", "", [])


def test_its_turn_begins_with_the_question(tmp_path, told):
    player = watched(tmp_path, told, "return go.ask(go)")
    go = GO(5)
    go.ask = lambda view: player.turn(inspect.currentframe())
    turn = r"it was the turn of white \(visitor\), at move 1 for \d+\.\d s \(visitor\.py, line 3\)"
    assert re.fullmatch(turn, player.get_input(go, 2))


def test_a_failure_is_placed_in_its_own_code_and_forgotten_with_the_next_answer(tmp_path, told):
    player = watched(tmp_path, told, "return eval('1 / go.size') if go.size else 1 / 0")
    go = GO(5)
    go.size = 0
    with pytest.raises(ZeroDivisionError):
        player.get_input(go, 2)
    assert player.failure(GO(5).position(2)) == " (visitor.py, line 3)"
    assert player.trace().splitlines()[1].endswith('visitor.py", line 3, in get_input')
    go.size = 5
    player.get_input(go, 2)
    # It has answered 0.2, and that is no move.
    assert (player.failure(GO(5).position(2)), player.error) == (" (visitor.py, line 2)", None)


@pytest.mark.parametrize(("waits", "taken"), [((7.0, 7.0), "9.0"), ((7.0, 9.5), "6.5"), ((7.0, 11.0), "")])
def test_a_busy_machine_makes_no_player_slow(tmp_path, told, monkeypatch, waits, taken):
    """As at the judge: only what it used is its own."""
    player = watched(tmp_path, told, "return 1, 2")
    monkeypatch.setattr("players.watched_player._waited_seconds", iter(waits).__next__)
    monkeypatch.setattr("time.perf_counter", iter((100.0, 109.0)).__next__)
    player.get_input(GO(5), 2)
    assert [line.partition(" took ")[2].partition(" s ")[0] for line in told] == ([taken] if taken else [])


def test_what_nobody_counts_is_nothing(monkeypatch):
    assert _waited_seconds() >= 0
    monkeypatch.setattr("players.watched_player._counter_of", lambda thread: None)
    assert _waited_seconds() == 0


def test_a_slow_answer_is_told_once_even_if_it_fails(tmp_path, told):
    player = watched(tmp_path, told, "return 1 / 0", seconds=-1.0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            player.get_input(GO(5), 2)
    (line,) = told
    assert re.match(r"white \(visitor\) took -?\d+\.\d s for move 1, where the course allows -1 s; ", line)


def test_a_person_stays_one():
    player = WatchedPlayer(make_player("manual", random.Random(1)), 1, "manual", 5.0, print)
    assert player.type == "manual"
