"""Options behind a player's name: which there are, what they are set to, and what is said of others."""

import random

import pytest

from players.errors import BadPlayerError
from players.registry import check_player, make_player, read_options, split_names, split_options

VISITOR = """
from __future__ import annotations
class MyPlayer:
    type = "visitor"
    def __init__(self, rng, depth: int = 3, speed: float | None = None, *, fast: bool = False, book: str = "", other=None):
        self.rng, self.set = rng, (depth, speed, fast, book)
    def get_input(self, go, piece_type): return 0, 0
class Plain(MyPlayer):
    def __init__(self): pass
class Unmarked(MyPlayer):
    def __init__(self, *arguments, depth=3, **more): self.set = depth
class Fussy(MyPlayer):
    def __init__(self, depth: int = 1):
        from players.errors import BadPlayerError
        raise BadPlayerError(f"expected a small depth, got {depth}")
"""


@pytest.fixture(autouse=True)
def _visitor(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visitor.py").write_text(VISITOR)


def made(name):
    return make_player(name, random.Random(1))


def refusal(name):
    with pytest.raises(BadPlayerError) as caught:
        check_player(name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "player", "options"),
    [
        ("my", "my", ""),
        ("my:depth=3", "my", "depth=3"),
        ("a/b.py:depth=3,fast=yes", "a/b.py", "depth=3,fast=yes"),
        ("a.py:Class:book=C:x=y", "a.py:Class", "book=C:x=y"),
        ("module:Class", "module:Class", ""),
        ("a=b.py", "a=b.py", ""),
        ("my:3=depth", "my:3=depth", ""),
    ],
)
def test_options_begin_behind_the_first_colon_that_a_key_follows(name, player, options):
    assert split_options(name) == (player, options)


def test_a_comma_before_a_key_belongs_to_the_player_before_it():
    assert split_names("my,a:x=1,y=2,b:z=,smart") == ["my", "a:x=1,y=2", "b:z=", "smart"]


def test_values_are_read_as_the_constructor_says():
    assert made("visitor.py").set == (3, None, False, "")
    assert made("visitor.py:depth=-12,speed=0.5,fast=yes,book=a b=c").set == (-12, 0.5, True, "a b=c")
    assert made("visitor.py:MyPlayer:speed=2,fast=no").set == (3, 2.0, False, "")


def test_a_default_says_the_type_where_nothing_else_does():
    assert made("visitor.py:Unmarked:depth=7").set == 7


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("colour=red", "expected one of depth, speed, fast, book, got 'colour=red'"),
        ("rng=1", "expected one of depth, speed, fast, book, got 'rng=1'"),
        ("other=1", "expected one of depth, speed, fast, book, got 'other=1'"),
        ("depth=1,fast", "expected one of depth, speed, fast, book, got 'fast'"),
        ("depth=1,", "expected one of depth, speed, fast, book, got ''"),
        ("depth=1,depth=2", "expected depth once, got it again: 'depth=2'"),
        ("depth=deep", "depth: expected a whole number, got 'deep'"),
        ("depth=1_0", "depth: expected a whole number, got '1_0'"),
        ("depth=", "depth: expected a whole number, got ''"),
        ("speed=nan", "speed: expected a number, got 'nan'"),
        ("fast=True", "fast: expected yes or no, got 'True'"),
    ],
)
def test_a_wrong_option_is_refused_in_one_line(options, reason):
    assert refusal(f"visitor.py:{options}") == f"player 'visitor.py:{options}': {reason}"


def test_a_player_without_options_says_so():
    assert refusal("visitor.py:Plain:depth=1") == "player 'visitor.py:Plain:depth=1': expected no options, got 'depth=1'"
    assert refusal("random:depth=1") == "player 'random:depth=1': expected no options, got 'depth=1'"


def test_a_colon_without_a_key_is_explained():
    assert refusal("perfect:strong") == "expected options as perfect:key=value,key=value, got 'perfect:strong'"


def test_what_the_player_itself_refuses_is_said_in_its_words():
    with pytest.raises(BadPlayerError, match=r"^player 'visitor.py:Fussy:depth=9': expected a small depth, got 9$"):
        made("visitor.py:Fussy:depth=9")


def test_without_options_nothing_is_read():
    assert read_options("", int) == {}
