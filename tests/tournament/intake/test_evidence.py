"""What a source says of its classes and of itself: is there something to ask for moves, or a program?"""

from pathlib import PurePosixPath

import pytest

from tournament.intake.evidence import look

PATH = PurePosixPath("my_player.py")


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
