"""GTP as text: what counts as a command, and what an answer looks like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.errors import GtpError
from goban.grids import BLACK, WHITE
from goban.gtp import (
    LONGEST_LINE,
    Command,
    colour_of,
    failure,
    read_command,
    real_number_of,
    success,
    vertex_of,
    whole_number_of,
)

COMMANDS = [
    ("name", Command("", "name")),
    ("12 play b C3", Command("12", "play", ("b", "C3"))),
    ("007 name", Command("007", "name")),
    ("play B  Q16\r", Command("", "play", ("B", "Q16"))),
    ("\tplay\tw\tA1", Command("", "play", ("w", "A1"))),
    ("play b c3 # play w c4", Command("", "play", ("b", "c3"))),
    ("pl\x00ay\x07 b \x7fC3\x1b", Command("", "play", ("b", "C3"))),
    ("name#no blank before it", Command("", "name")),
    ("12", Command("12", "")),
    ("12name", Command("", "12name")),
    ("² name", Command("", "²", ("name",))),
]


@pytest.mark.parametrize(("line", "command"), COMMANDS)
def test_a_line_is_a_command(line, command):
    assert read_command(line) == command


@pytest.mark.parametrize("line", ["", "  ", "\t\r", "# quit", "   # 12 quit", "\x00\x01"])
def test_blanks_and_comments_are_no_command(line):
    assert read_command(line) is None


ANSWERS = [
    (success(""), "=\n\n"),
    (success("3", "C3"), "=3 C3\n\n"),
    (success("", "a\nb"), "= a\nb\n\n"),
    (success("4", "\na\n\n \nb\n"), "=4\na\nb\n\n"),
    (failure("", "illegal move"), "? illegal move\n\n"),
    (failure("5", "two\nlines\x1b"), "?5 two lines\\x1b\n\n"),
]


@pytest.mark.parametrize(("answer", "text"), ANSWERS)
def test_an_answer_ends_with_its_only_empty_line(answer, text):
    assert answer == text


@given(st.text(), st.text())
def test_no_result_and_no_reason_can_break_an_answer(result, reason):
    for answer in (success("1", result), failure("1", reason)):
        assert answer.endswith("\n\n")
        assert "\n\n" not in answer[:-1]


def test_colours_in_any_case():
    assert [colour_of(word) for word in ("b", "B", "Black", "w", "WHITE")] == [BLACK, BLACK, BLACK, WHITE, WHITE]


def test_vertices_in_any_case_and_passes():
    assert [vertex_of(word, 9) for word in ("a9", "J1", "PASS", "Pass")] == [(0, 0), (8, 8), None, None]


def test_numbers():
    assert whole_number_of("361") == 361
    assert [real_number_of(word) for word in ("6.5", "-7", "1e1", "+.5", "-0")] == [6.5, -7, 10, 0.5, 0]
    assert str(real_number_of("-0")) == "0.0"


UNREADABLE = [
    *((colour_of, word) for word in ("", "c", "bl", "1", "b,", "W" * 300)),
    *((lambda word: vertex_of(word, 9), word) for word in ("I5", "A10", "K1", "resign", "", "5A", "A-1", "A²")),
    *((whole_number_of, word) for word in ("-1", "1.0", "", "1_0", "²", "9" * 400, "2147483648", "0x10")),
    *((real_number_of, word) for word in ("nan", "inf", "-inf", "1e999", "", "1_0", "٣", "seven")),
]


@pytest.mark.parametrize(("read", "word"), UNREADABLE)
def test_what_cannot_be_read_is_a_syntax_error_of_one_short_line(read, word):
    with pytest.raises(GtpError, match=r"^syntax error: .*(expected|off the)") as caught:
        read(word)
    assert len(str(caught.value)) < 200


@given(st.text(max_size=80))
def test_any_line_is_a_command_or_nothing(line):
    command = read_command(line)
    assert command is None or not any(set(word) & set(" #\t\r") for word in (command.id, command.name, *command.words))


def test_an_endless_line_is_cut():
    assert len(read_command("a" * 10**7).name) == LONGEST_LINE + 1
