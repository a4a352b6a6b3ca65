"""What a source says: can Python read it, is there something to ask for moves, or a program?"""

import ast
import codecs
import sys
from pathlib import PurePosixPath

import pytest

from goban.common.player_sources import PlayerSourceError, class_in, look, python_tree
from tests.support.sources import CORNER

PLAYER = CORNER.encode()
PATH = PurePosixPath("my_player.py")


UNREADABLE = [
    (b"x = 1\nprint 'hello'\n", "my_player.py, line 2: SyntaxError: Missing parentheses in call to 'print'"),
    (b"x = 1\nprint 'hello'\n", "(this looks like Python 2)"),
    (b"try:\n pass\nexcept A, b:\n pass", "line 3: SyntaxError: multiple exception types must be parenthesized (this"),
    (b"def f(:\n", "my_player.py, line 1: SyntaxError: invalid syntax"),
    (b"if 1:\n        x = 1\n\ty = 2", "my_player.py, line 3: TabError: its indentation mixes tabs and spaces"),
    (b"x = 1\ny = '\xe9'\n", "my_player.py, line 2: expected utf-8 text, got the byte 0xe9; save it as UTF-8"),
    (b"\n\n\nx = '\xe9'\n", "my_player.py, line 4: expected utf-8 text, got the byte 0xe9"),
    (b"x = 1\ny = '\0'\n", "my_player.py, line 2: expected text, got a NUL byte"),
    (codecs.BOM_UTF16_LE + "x = 1".encode("utf-16-le"), "expected UTF-8, got UTF-16; save it as UTF-8"),
    ("x = 'é'".encode("utf-16-be"), "my_player.py: expected UTF-8, got UTF-16; save it as UTF-8"),
    (b"\0" * 9, "my_player.py, line 1: expected text, got a NUL byte"),
    (codecs.BOM_UTF8 + b"# coding: latin-1\n", "line 1: encoding problem: utf-8"),
    (b"# coding: klingon\n", "line 1: unknown encoding: klingon"),
    (b"# coding: punycode\n" + b"a" * 99, "line 1: expected a coding such as utf-8, got 'punycode'"),
    (b"# coding: ascii\nx = '\xc3\xa9'", "line 2: expected ascii text, got the byte 0xc3"),
    (b"x = " + b"-" * 200_000 + b"1", "its source is nested too deeply to be read"),
    (b"x = a" + b".b" * 200_000, "its source is nested too deeply to be read"),
    (b"(" * 1000, "too many nested parentheses"),
    (b"#" * 2**20 + b"#", "expected at most 1 MiB of Python, got 1.0; tables belong in a file of their own"),
]


@pytest.mark.parametrize(("source", "line"), UNREADABLE)
def test_a_source_that_python_cannot_read_is_told_so_by_line(source, line):
    with pytest.raises(PlayerSourceError) as caught:
        python_tree(source, PATH)
    said = str(caught.value)
    assert line in said
    assert said.isprintable()


FINE = [codecs.BOM_UTF8 + PLAYER, b"# coding: latin-1\n# \xe9\n" + PLAYER, PLAYER.replace(b"\n", b"\r\n")]


@pytest.mark.parametrize("source", FINE)
def test_other_ways_to_save_a_source_are_fine(source):
    assert isinstance(python_tree(source, PATH).body[-1], ast.ClassDef)


def test_a_notebook_is_no_source():
    with pytest.raises(PlayerSourceError, match=r"^my_player\.py: it is a notebook; export it as a script"):
        python_tree(b'{"cells": [], "nbformat": 4}', PATH)


# What newer versions of Python know, and what the oldest one here says of it.
NEWER = [
    (b"x = 1\nclass Box[T]:\n    pass\n", 2, (3, 12)),
    (b"def f[T](x): pass\n", 1, (3, 12)),
    (b"type X = int\n", 1, (3, 12)),
    (b"x = 1\ny = t'{x}'\n", 2, (3, 14)),
]


@pytest.mark.parametrize(("source", "line", "since"), NEWER)
def test_syntax_of_a_newer_python_names_the_one_that_runs(source, line, since):
    if sys.version_info >= since:
        assert python_tree(source, PATH).body
        return
    with pytest.raises(PlayerSourceError) as caught:
        python_tree(source, PATH)
    here = f"Python {sys.version_info.major}.{sys.version_info.minor} runs here"
    assert str(caught.value).startswith(f"my_player.py, line {line}: SyntaxError: ")
    assert str(caught.value).endswith(f" ({here})")


# What plays

def said(source, **others):
    files = {"my_player.py": source, **{f"{name}.py": text for name, text in others.items()}}
    return look({name: text.encode() for name, text in files.items()}, PATH)


def may_play(source, name="MyPlayer", **others):
    found = said(source, **others)
    return name in found.players or name in found.unsure


HOLDING = [
    "class MyPlayer(Base): pass",
    "class MyPlayer:\n def get_input(self, go, piece_type=None): pass",
    "class MyPlayer:\n def get_input(self, *args): pass",
    "class MyPlayer:\n def get_input(*args): pass",
    "class MyPlayer:\n def get_input(self, go, piece_type, time=3): pass",
    "class MyPlayer:\n @staticmethod\n def get_input(go, piece_type): pass",
    "class MyPlayer:\n get_input = lambda self, go, piece: None",
    "class MyPlayer:\n if True:\n  def get_input(self, go, piece_type): pass",
    "@final\nclass MyPlayer: pass",
    "class Agent: pass\nMyPlayer = Agent",
    "from agent import MyPlayer",
    "from agent import Agent as MyPlayer",
    "try:\n import numpy\nexcept ImportError:\n pass\nelse:\n class MyPlayer(Agent): pass",
    "try:\n pass\nexcept Exception:\n MyPlayer = None",
    "if 1:\n class MyPlayer(Agent): pass",
    "raise SystemExit\nclass MyPlayer(Agent): pass",
    "import os; os.abort()\nclass MyPlayer(Agent): pass",
    "x = '\\d'\nclass MyPlayer(Agent): pass",
]


@pytest.mark.parametrize("source", HOLDING)
def test_a_module_that_holds_the_class_in_some_way(source):
    assert may_play(source)


NOT_HOLDING = [
    "def MyPlayer(): return Agent()",
    "def f():\n class MyPlayer(Agent): pass",
    "class A:\n class MyPlayer(Agent): pass",
    "# class MyPlayer",
    "'class MyPlayer:'",
    "import MyPlayer.x",
]


@pytest.mark.parametrize("source", NOT_HOLDING)
def test_a_module_that_does_not_hold_it(source):
    assert not may_play(source)


def test_the_class_may_have_another_name():
    assert may_play("class Agent(Base): pass", "Agent")


UNFIT = [
    ("class MyPlayer: pass", "line 1: expected a method get_input(self, go, piece_type) in class MyPlayer, found none"),
    ("class MyPlayer:\n def move(self): pass", "a method get_input(self, go, piece_type) in class MyPlayer, found none"),
    ("class MyPlayer:\n def get_input(self, go): pass",
     "line 2: expected get_input(self, go, piece_type), got get_input(self, go)"),
    ("class MyPlayer:\n def get_input(go, piece_type): pass", "got get_input(go, piece_type)"),
    ("class MyPlayer:\n def get_input(self, go, piece_type, time): pass", "got get_input(self, go, piece_type, time)"),
    ("class MyPlayer:\n def get_input(self, go, piece_type, *, time): pass", "got get_input(self, go, piece_type, *, time)"),
    ("class MyPlayer:\n async def get_input(self, go, piece_type): pass", "expected a plain method get_input, got an async"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "line"), UNFIT)
def test_a_class_that_cannot_play_is_told_so_by_line(source, line):
    assert line in said(source).unfit["MyPlayer"]


METHOD = "\n def get_input(self, go, piece_type): pass\n"
PLAYERS = [
    (f"class A:{METHOD}class B(A): pass", ["B"]),
    (f"class A:{METHOD}class B(A):{METHOD}class C(B): x = 1", ["C"]),
    (f"class A(ABC):{METHOD}class B: pass", ["A"]),
    (f"class B:{METHOD}class A:{METHOD}", ["B", "A"]),
    (f"class A:{METHOD}class A: pass", []),
    (f"class A(object): pass\nclass B(object):{METHOD}", ["B"]),
]


@pytest.mark.parametrize(("source", "players"), PLAYERS)
def test_a_class_plays_by_its_own_method_or_that_of_a_base_in_the_same_file(source, players):
    assert said(source).players == players


def test_a_star_brings_what_the_submissions_own_file_has_and_nothing_else():
    assert not may_play("from agent import *")
    assert may_play("from agent import *", agent=f"class MyPlayer:{METHOD}")
    assert may_play("from agent import *", agent="from base import *", base=f"class MyPlayer:{METHOD}")
    assert not may_play("from agent import *", agent="from my_player import *")
    assert not may_play("from agent import *", agent="print 'Python 2'")


PROGRAMS = [
    ("open('input.txt')", (False, True)),
    ("open('data/input.txt')", (False, True)),
    ("import read\nread.readInput(5)", (False, True)),
    ("from read import readInput", (False, True)),
    ("if __name__ == '__main__': pass", (True, False)),
    ("def main(): pass\nmain()", (True, False)),
    ("import random\nrandom.seed(1)\nprint('loaded')", (False, False)),
    ('"""Reads input.txt."""\n# input.txt\nclass A:\n  "input.txt"', (False, False)),
    ("def main(): pass\nclass A:\n  main()", (False, False)),
]


@pytest.mark.parametrize(("source", "evidence"), PROGRAMS)
def test_a_program_has_a_main_part_or_reads_its_input(source, evidence):
    found = said(source)
    assert (found.main, found.reads) == evidence


DECIDING = [
    (f"class Agent:{METHOD}", "Agent"),
    (f"class Agent:{METHOD}class MyPlayer:{METHOD}", "MyPlayer"),
    (f"class Myplayer:{METHOD}", "Myplayer"),
    ("class MyPlayer: pass\nMyPlayer.get_input = print\n", "MyPlayer"),
    ("class Agent: pass\nMyPlayer = wrapped(Agent)", "MyPlayer"),
    (f"class MyPlayer:{METHOD}MyPlayer = MyPlayer()\nclass MyPlayer:{METHOD}", "MyPlayer"),
    (f"class MyPlayer:{METHOD}class Other(MyPlayer):{METHOD}", "MyPlayer"),
]


@pytest.mark.parametrize(("source", "name"), DECIDING)
def test_the_class_that_plays(source, name):
    assert class_in(said(source), PATH, "", "") == name


NO_CLASS = [
    (f"class MyPlayer:{METHOD}MyPlayer = MyPlayer()",
     "my_player.py, line 3: expected a class MyPlayer, found an object MyPlayer"),
    (f"class Agent:{METHOD}MyPlayer = Agent()", "my_player.py, line 3: expected a class MyPlayer, found an object MyPlayer"),
    ("class Myplayer: pass\ndef get_input(go, piece_type): pass",
     "my_player.py: expected a class MyPlayer, found Myplayer; call it MyPlayer"),
    ("class my_player: pass", "my_player.py: expected a class MyPlayer, found my_player; call it MyPlayer"),
    ("class Player: pass\nclass Agent: pass", "my_player.py: expected a class MyPlayer, found Agent, Player"),
    ("class MyPlayer:\n def getInput(self, go, piece): pass",
     "my_player.py, line 1: expected a method get_input(self, go, piece_type) in class MyPlayer, found getInput"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "line"), NO_CLASS)
def test_what_is_said_where_no_class_plays(source, line):
    with pytest.raises(PlayerSourceError) as caught:
        class_in(said(source), PATH, "", "")
    assert str(caught.value) == line
