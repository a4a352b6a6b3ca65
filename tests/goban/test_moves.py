"""Moves and how they are read from an answer. Hostile answers: tests/test_go_answers.py."""

from operator import index

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.errors import BadAnswerError, BadPointError
from goban.moves import PASS, RESIGN, move_name, read_answer


@pytest.mark.parametrize(("move", "name"), [((1, 1), "B4"), ((0, 4), "E5"), (PASS, "pass"), (RESIGN, "resign")])
def test_moves_are_named_as_people_write_them(move, name):
    assert move_name(move, 5) == name


def test_a_point_off_the_board_has_no_name():
    with pytest.raises(BadPointError, match=r"\(5, 0\)"):
        move_name((5, 0), 5)


@given(st.integers(2, 19), st.data())
def test_every_point_is_read_as_itself(size, data):
    point = data.draw(st.tuples(*[st.integers(0, size - 1)] * 2))
    assert read_answer(point, size) == read_answer(list(point), size) == point


@pytest.mark.parametrize(("text", "move"), [("PASS", PASS), ("RESIGN", RESIGN)])
def test_pass_and_resign_are_words(text, move):
    assert read_answer(text, 5) is move
    assert read_answer(type("Word", (str,), {})(text), 5) is move


@pytest.mark.parametrize("text", ["pass", "Resign", " PASS", "PASS\n", "", "11", "B4", "1,1"])
def test_other_words_are_no_answer(text):
    with pytest.raises(BadAnswerError) as caught:
        read_answer(text, 5)
    assert str(caught.value) == f"expected (row, column), got {text!r}"


@pytest.mark.parametrize("answer", [(5, 0), (0, 5), (-1, 2), (2, -1), (10**9, 1)], ids=repr)
def test_a_point_off_the_board_is_quoted_with_what_was_expected(answer):
    with pytest.raises(BadAnswerError) as caught:
        read_answer(answer, 5)
    assert str(caught.value) == f"expected a row and a column from 0 to 4, got {answer!r}"


@pytest.mark.parametrize("kind", [tuple, list])
def test_a_pair_whose_length_exits_is_no_answer(kind):
    def leave(_):
        raise SystemExit

    with pytest.raises(BadAnswerError):
        read_answer(type("Answer", (kind,), {"__len__": leave})(), 5)


def test_ctrl_c_while_an_answer_is_read_is_no_answer():
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_answer(type("Answer", (tuple,), {"__len__": stop})(), 5)


LEAVES = st.sampled_from(
    [None, True, False, 0, 1, 2, 18, 19, -1, 10**30, 1.0, float("nan"), 1j, "", "PASS", "11", b"11", b"\1\1"]
)
JUNK = LEAVES | st.lists(LEAVES | st.lists(LEAVES, max_size=2), max_size=3) | st.dictionaries(LEAVES, LEAVES, max_size=3)


@given(JUNK, st.integers(2, 19))
def test_an_answer_is_two_integers_on_the_board_or_refused_in_one_line(answer, size):
    refusal = ""
    try:
        move = read_answer(answer, size)
    except BadAnswerError as error:
        refusal = str(error)
    if refusal:
        assert refusal.startswith("expected ")
        assert refusal.isprintable()
        assert len(refusal) < 130
    else:
        assert answer == "PASS" or move == tuple(index(number) for number in answer)
        assert not isinstance(answer, dict)
        assert move is PASS or all(0 <= number < size for number in move)


@pytest.mark.parametrize("answer", [{0: 1, 1: 1}, {1: 0, 0: 1}], ids=repr)
def test_a_dict_is_no_sequence(answer):
    with pytest.raises(BadAnswerError):
        read_answer(answer, 5)
