"""What players say is shown whatever the script, and hides nothing; what instructors write stays as it is."""

import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.common.excerpts import (
    as_written,
    error_line,
    is_terminal,
    message_line,
    printable,
    quoted,
    shows_colours,
    suggestion,
)

LETTERS = [
    "Łukasz Müller", "王伟", "Иван Йотов", "やまだ はなこ", "محمد", "דָּוִד", "हिन्दी", "ไม่", "Γιώργος", "²⅓№½", "«!?»—…",
    "→ ∑ 😀",
]  # fmt: skip


@pytest.mark.parametrize("text", LETTERS)
def test_letters_of_any_script_are_shown_as_they_are(text):
    assert printable(text, 60) == as_written(text) == text
    assert quoted([text]) == f"[{text!r}]"
    assert error_line(ValueError(text)) == f"ValueError: {text}"


HIDDEN = [
    ("\x1b[31m", "\\x1b[31m"), ("a\nb\u2028c", "a\\nb\\u2028c"), ("a\u202eb\u2067", "a\\u202eb\\u2067"),
    ("\u200b\u200d", "\\u200b\\u200d"),
    ("\ud800\ue000", "\\ud800\\ue000"), ("\u3164", "\\u3164"), ("a\u00a0b\u3000c", "a b c"),
    ("\U000e0041", "\\U000e0041"), ("e" + "\u0301" * 99, "e\u0301\u0301"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), HIDDEN)
def test_what_would_not_be_seen_is_escaped(text, shown):
    assert printable(text, 100) == shown


def test_a_text_is_cut_by_what_is_shown():
    assert printable("王" * 100, 100) == "王" * 100
    assert printable("王" * 101, 100) == "王" * 97 + "..."
    assert printable("\x00" * 100, 20) == ("\\x00" * 5)[:17] + "..."
    # What is left out is no way to hide the rest.
    assert printable("e" + "\u0301" * 100 + "x" * 10, 100) == "e\u0301\u0301..."
    assert message_line("a  b\n王\x1b") == "a b 王\\x1b"


@given(st.text(), st.integers(10, 80))
def test_any_text_becomes_one_line_without_anything_hidden(text, length):
    line = printable(text, length)
    assert len(line) <= length
    assert line.isprintable()


def test_where_an_object_lies_in_memory_is_not_said():
    """It differs from run to run, and what is said of a player is exported with its games."""
    thing = object()
    assert quoted([thing, print, (k for k in "ab")])[:37] == "[<object object>, <built-in function "
    assert error_line(TypeError(f"expected 5, got {thing!r}, twice")) == "TypeError: expected 5, got <object object>, twice"
    assert quoted("a bug at 0x7f00") == "'a bug at 0x7f00'"


WRITTEN = [
    ("José Núñez", "José Núñez"), ("نرگس\u200cخانم", "نرگس\u200cخانم"),
    ("👩\u200d💻", "👩\u200d💻"), ("a\u00a0b\u3000c", "a\u00a0b\u3000c"),
    ("a\nb\tc\r\u2029", "a b c  "), ("\u202aamy@x.org\u202c", "amy@x.org"), ("\x1b[2J\x00", "[2J"),
    ("e" + "\u0301" * 5, "e" + "\u0301" * 5),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kept"), WRITTEN)
def test_what_is_written_stays_but_for_what_controls(text, kept):
    assert as_written(text) == kept
    assert as_written(kept) == kept


NAMES = ["random", "greedy", "aggressive"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("greddy", "; did you mean greedy?"), ("Agressiv", "; did you mean aggressive?"), ("chess", ""), ("x" * 10**6, "")],
)
def test_the_likeliest_name_is_suggested_if_any_is_like_it(name, said):
    assert suggestion(name, NAMES) == said


class Window(io.TextIOBase):
    """An editor's, as IDLE makes it: it calls itself a terminal, and has no descriptor."""

    def isatty(self):
        return True


class Cell(io.StringIO):
    """A notebook's: it has the descriptor of the terminal that the notebook was started from."""

    def __init__(self, number):
        super().__init__()
        self.fileno = lambda: number


@pytest.fixture
def terminal():
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as stream:
        yield stream
    os.close(ours)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")
def test_only_what_a_line_can_be_written_over_on_is_a_terminal(terminal, tmp_path):
    ended = (tmp_path / "ended").open("w")
    ended.close()
    for stream in (None, Window(), Cell(terminal.fileno()), ended, io.StringIO()):
        assert not is_terminal(stream, {"TERM": "xterm"})
    assert [is_terminal(terminal, {"TERM": kind} if kind else {}) for kind in ("xterm", "", "dumb")] == [True, True, False]
    assert [shows_colours(each, {"TERM": "xterm"}) for each in (terminal, Window())] == [True, False]
