"""What strangers wrote, made fit to be shown."""

import json

import pytest

from goban.board.page import script_json
from tournament.pages.words import excerpt, show_name, visible

SHOWN = [
    ("ann", "ann"),
    ("Łukasz 李", "Łukasz 李"),
    ("<b>&", "<b>&"),
    ("\x1b[31mred", "\\x1b[31mred"),
    ("a\u202eb\u2066c\u200bd", "a\\u202eb\\u2066c\\u200bd"),
    ("line\nline\u2028line", "line\\nline\\u2028line"),
    ("e" + "\u0301" * 50, "e\u0301\u0301"),
    ("\ud800", "\\ud800"),
]


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_letters_stay_and_hidden_signs_are_seen(text, shown):
    assert visible(text, 60) == shown


NAMES = ["José Núñez", "王小明", "نرگس\u200cخانم", "👩\u200d💻", "a...b", "x" * 500, "ก\u0e31\u0e49"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_shown_as_it_is_written(name):
    assert show_name(name) == name


def test_a_name_draws_over_nobody_elses():
    assert show_name("Z" + "\u0335" * 99 + "\u202eb\n") == "Z\u0335\u0335b "


def test_a_long_text_is_cut():
    assert visible("x" * 10_000_000, 10) == "xxxxxxxxx…"


def test_of_a_long_printout_head_and_tail_are_kept():
    shown = excerpt("first\n" + "x" * 10_000_000 + "\nlast", 1000)
    assert shown.startswith("first\n")
    assert shown.endswith("\nlast")
    assert "signs left out]" in shown
    assert len(shown) < 1500


def test_lines_of_a_printout_stay_lines():
    assert excerpt("a\r\nb\tc\x07", 100) == "a\nb    c\\x07"


def test_data_cannot_leave_their_script():
    value = ["</script><!--", "\u2028", "a&b", {"é": "\x00"}]
    text = script_json(value)
    assert text.isascii()
    assert not set("<>&") & set(text)
    assert json.loads(text) == value
