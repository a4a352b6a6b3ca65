"""What comes from a player's process is read as text from a stranger."""

import json
import random
import socket

import pytest

from goban.common.player_faults import CHANGED_BOARD
from goban.errors import BadAnswerError
from goban.game import judge_answer
from goban.grids import grid_of
from goban.moves import read_answer
from goban.rulesets import PRESETS
from goban.states import new_game
from gojudge.inside.protocol import (
    LINE_LIMIT,
    Channel,
    ClosedError,
    ProtocolError,
    decode_state,
    encode_state,
    read_message,
    read_move,
)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.name)
def test_a_state_arrives_as_it_was_sent(rules):
    rng = random.Random(1)
    state = new_game(rules, 5)
    while not state.is_over and state.n_move < 60:
        sent = json.loads(json.dumps(encode_state(state)))
        received = decode_state(sent, rules, grid_of(5))
        assert received == state
        assert received.last_point == state.last_point
        assert received.legal_moves() == state.legal_moves()
        state = state.play(rng.choice([move for move in state.legal_moves() if move != state.legal_moves()[-1]] or [None]))


BAD_LINES = [
    b"", b"[]", b"1", b"null", b"{", b"\xff", b"I win", b"[" * 60000, b'{"a":' * 10000, b'{"answer": ' + b"9" * 5000 + b"}",
]  # fmt: skip


@pytest.mark.parametrize("line", BAD_LINES, ids=lambda line: repr(line[:12]))
def test_a_line_that_is_no_object_is_refused(line):
    with pytest.raises(ProtocolError):
        read_message(line)


GOOD_ANSWERS = [
    ({"answer": 1, "move": [1, 2]}, (1, 2)),
    ({"answer": 1, "move": [-1, 99]}, (-1, 99)),
    ({"answer": 1, "move": "PASS"}, "PASS"),
    ({"answer": 1, "move": "RESIGN"}, "RESIGN"),
]


@pytest.mark.parametrize(("message", "answer"), GOOD_ANSWERS)
def test_an_answer_is_two_numbers_or_a_word(message, answer):
    assert read_move(message) == answer


BAD_ANSWERS = [
    {"answer": 1},
    {"answer": 1, "move": [1]},
    {"answer": 1, "move": [1, 2, 3]},
    {"answer": 1, "move": [True, False]},
    {"answer": 1, "move": [1.0, 2]},
    {"answer": 1, "move": "pass"},
    {"answer": 1, "move": {"0": 1}},
    {"answer": 1, "move": [1, 2], "winner": 1},
    {"answer": 1, "text": 5, "why": "x"},
    {"answer": 1, "text": "x", "why": 5},
    {"answer": 1, "text": "x"},
    {"answer": 1, "move": [1, 2], "remark": "we win"},
    {"answer": 1, "move": 5, "remark": CHANGED_BOARD},
    {"answer": 1, "text": "x", "move": [1, 2]},
]


@pytest.mark.parametrize("message", BAD_ANSWERS, ids=str)
def test_anything_else_is_no_answer(message):
    with pytest.raises(ProtocolError):
        read_move(message)


def test_what_is_no_move_keeps_its_text_and_is_taken_for_none():
    answer = read_move({"answer": 1, "text": "(1.5, 2)", "why": "expected two whole numbers, got (1.5, 2)\n"})
    assert repr(answer) == "(1.5, 2)"
    with pytest.raises(BadAnswerError, match=r"^expected two whole numbers, got \(1\.5, 2\)\\n$"):
        read_answer(answer, 5)


def test_a_move_may_have_the_one_remark_there_is():
    answer = read_move({"answer": 1, "move": [2, 2], "remark": CHANGED_BOARD})
    state = new_game(PRESETS["course"], 5).play((2, 2))
    assert judge_answer(answer, state)[:2] == ((2, 2), f"illegal move C3: the point is occupied{CHANGED_BOARD}")
    assert judge_answer(read_move({"answer": 1, "move": [1, 2], "remark": CHANGED_BOARD}), state)[:2] == ((1, 2), "")


@pytest.fixture
def channels():
    ours, theirs = socket.socketpair()
    pair = Channel(ours), Channel(theirs)
    yield pair
    for channel in pair:
        channel.close()


def test_messages_arrive_one_by_one_however_they_are_cut(channels):
    ours, theirs = channels
    for piece in (b'{"a"', b": 1}\n{", b'"b": 2}\n'):
        theirs.socket.sendall(piece)
    assert [ours.receive(), ours.receive()] == [{"a": 1}, {"b": 2}]
    assert ours.take() is None


def test_a_line_without_end_is_refused_before_it_fills_memory(channels):
    ours, theirs = channels
    ours.socket.setblocking(False)
    theirs.socket.setblocking(False)
    for _ in range(2):
        theirs.socket.send(b" " * LINE_LIMIT)
        ours.fill()
    with pytest.raises(ProtocolError, match="64 KiB"):
        ours.take()


def test_a_closed_channel_says_so(channels):
    ours, theirs = channels
    theirs.close()
    with pytest.raises(ClosedError):
        ours.receive()
    with pytest.raises(ClosedError):
        ours.send({"a": 1})
