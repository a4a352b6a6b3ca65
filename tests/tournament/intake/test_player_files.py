"""Finding the player by reading the source, never by running it."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.errors import BadSubmissionError
from tournament.intake.player_files import Found, find_player
from tournament.records import CLASS, PROGRAM

PLAYER = b"class MyPlayer:\n    def get_input(self, go, piece_type):\n        return 0, 0\n"


def found(files, class_name="MyPlayer"):
    return find_player({name: data.encode() if isinstance(data, str) else data for name, data in files.items()}, class_name)


def complaint(files, class_name="MyPlayer"):
    with pytest.raises(BadSubmissionError) as caught:
        found(files, class_name)
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()
    return str(caught.value)


PLACES = [
    ({"my_player.py": PLAYER, "table.bin": b"\0", "other.py": PLAYER}, Found("", "my_player.py", CLASS)),
    ({"hw2/my_player.py": PLAYER, "hw2/old/my_player.py": PLAYER}, Found("hw2", "my_player.py", CLASS)),
    ({"a/b/my_player.py": PLAYER, "readme.py": b"x = 1"}, Found("a/b", "my_player.py", CLASS)),
    ({"alice.py": PLAYER, "helpers.py": b"x = 1", "read.txt": b"\0"}, Found("", "alice.py", CLASS)),
    ({"my_player.py": PLAYER, "my_player3.py": b"input.txt"}, Found("", "my_player.py", CLASS)),
    ({"my_player3.py": b"x = 1", "my_player.java": b""}, Found("", "my_player3.py", PROGRAM)),
    ({"d/my_player11.cpp": b"int main() {}"}, Found("d", "my_player11.cpp", PROGRAM)),
    ({"my_player.java": b"class my_player {}"}, Found("", "my_player.java", PROGRAM)),
    ({"my_player.py": b"open('input.txt')"}, Found("", "my_player.py", PROGRAM)),
]


@pytest.mark.parametrize(("files", "place"), PLACES)
def test_where_a_player_is_found(files, place):
    assert found(files) == place


NOWHERE = [
    ({"notes.txt": b""}, "expected my_player.py, found notes.txt"),
    ({"all.zip": b""}, "expected my_player.py, found all.zip (archives within archives are not unpacked)"),
    ({"a/my_player.py": PLAYER, "b/my_player.py": PLAYER}, "expected one player, found some in the folders a, b"),
    ({"a.py": PLAYER, "b.py": PLAYER}, "expected one file with a class MyPlayer, found it in a.py, b.py"),
    ({"a.py": b"", "b.py": b""}, "expected one file with a class MyPlayer, found none in a.py, b.py"),
    ({"my_player.py": b"class Player: pass\nclass Agent: pass"}, "expected a class MyPlayer, found Agent, Player"),
    ({"sam.py": b"class Player: pass"}, "sam.py: expected a class MyPlayer, found Player"),
    ({f"m{k}.py": PLAYER for k in range(51)}, "expected my_player.py, found 51 other .py files"),
    ({"my_player.py": b"print(1)"}, "my_player.py: expected a class MyPlayer, found no class"),
]


@pytest.mark.parametrize(("files", "line"), NOWHERE)
def test_what_is_said_where_there_is_none(files, line):
    assert complaint(files).endswith(line)


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
    "from agent import *",
    "try:\n import numpy\nexcept ImportError:\n pass\nelse:\n class MyPlayer(Agent): pass",
    "try:\n pass\nexcept Exception:\n MyPlayer = None",
    "if 1:\n class MyPlayer(Agent): pass",
    "raise SystemExit\nclass MyPlayer(Agent): pass",
    "import os; os.abort()\nclass MyPlayer(Agent): pass",
    "x = '\\d'\nclass MyPlayer(Agent): pass",
]


@pytest.mark.parametrize("source", HOLDING)
def test_a_module_that_holds_the_class_in_some_way(source):
    assert found({"my_player.py": source}).kind == CLASS


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
    assert "expected a class MyPlayer" in complaint({"my_player.py": source})


def test_the_class_may_have_another_name():
    assert found({"my_player.py": "class Agent(Base): pass"}, "Agent").entry == "my_player.py"


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
    assert line in complaint({"my_player.py": source})


UNREADABLE = [
    (b"x = 1\nprint 'hello'\n", "my_player.py, line 2: SyntaxError: Missing parentheses in call to 'print'"),
    (b"x = 1\nprint 'hello'\n", "(this looks like Python 2)"),
    (b"try:\n pass\nexcept A, b:\n pass", "line 3: SyntaxError: multiple exception types must be parenthesized (this"),
    (b"def f(:\n", "my_player.py, line 1: SyntaxError: invalid syntax"),
    (b"if 1:\n        x = 1\n\ty = 2", "line 3: TabError: inconsistent use of tabs and spaces in indentation"),
    (b"x = 1\ny = '\xe9'\n", "my_player.py, line 2: expected utf-8 text, got the byte 0xe9; save it as UTF-8"),
    (b"\n\n\nx = '\xe9'\n", "my_player.py, line 4: expected utf-8 text, got the byte 0xe9"),
    (b"x = 1\ny = '\0'\n", "my_player.py, line 2: expected text, got a NUL byte"),
    (codecs.BOM_UTF16_LE + "x = 1".encode("utf-16-le"), "expected UTF-8, got UTF-16; save it as UTF-8"),
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
    assert line in complaint({"my_player.py": source})


FINE = [codecs.BOM_UTF8 + PLAYER, b"# coding: latin-1\n# \xe9\n" + PLAYER, PLAYER.replace(b"\n", b"\r\n")]


@pytest.mark.parametrize("source", FINE)
def test_other_ways_to_save_a_source_are_fine(source):
    assert found({"my_player.py": source}).kind == CLASS


@given(st.binary(max_size=200))
def test_any_bytes_are_a_player_or_one_line(data):
    for source in (data, PLAYER + data, data + b"\n" + PLAYER):
        said = ""
        try:
            assert found({"my_player.py": source}).entry == "my_player.py"
        except BadSubmissionError as error:
            said = str(error)
        assert said.isprintable()
        assert said.isascii()
