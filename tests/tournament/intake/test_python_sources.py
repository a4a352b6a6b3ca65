"""Sources that Python can read, and what is said of those that it cannot."""

import ast
import codecs
from pathlib import PurePosixPath

import pytest

from tests.support.sources import CORNER
from tournament.errors import BadSubmissionError
from tournament.intake.python_sources import python_tree

PLAYER = CORNER.encode()
PATH = PurePosixPath("my_player.py")


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
    with pytest.raises(BadSubmissionError) as caught:
        python_tree({"my_player.py": source}, PATH)
    said = str(caught.value)
    assert line in said
    assert said.isascii()
    assert said.isprintable()


FINE = [codecs.BOM_UTF8 + PLAYER, b"# coding: latin-1\n# \xe9\n" + PLAYER, PLAYER.replace(b"\n", b"\r\n")]


@pytest.mark.parametrize("source", FINE)
def test_other_ways_to_save_a_source_are_fine(source):
    assert isinstance(python_tree({"my_player.py": source}, PATH).body[-1], ast.ClassDef)
