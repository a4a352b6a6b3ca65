"""What goes wrong in a player's code, in words; most of it is in `tests/test_one_verdict.py`, where it is said."""

import errno
import os
import re

import pytest

from goban.common import player_faults
from goban.common.player_faults import endless, fault_line, fault_words, no_class, own_places, place

SOURCE = """import time

# a loop
for number in range(10):
    if number:
        time.sleep(1)
    else:
        number = 0

if number:
    pass
else:
    train(
        number
    )
"""
LINES = [(1, 1), (4, 4), (6, 4), (8, 4), (10, 10), (13, 10), (14, 10), (15, 10), (99, 10)]


@pytest.mark.parametrize(("line", "first"), LINES)
def test_a_loop_is_named_by_the_line_where_it_begins(tmp_path, line, first):
    (tmp_path / "my_player.py").write_text(SOURCE)
    calls = [("/usr/lib/python3/runpy.py", 5, "run"), ("/home/it/my_player.py", line, "<module>"), ("<string>", 1, "f")]
    assert endless(calls, "/home/it", str(tmp_path)) == f"my_player.py, line {first}: loops at module level"


PLACES = ["/home/ann/go/go.py", "/home/O'Brien & Söhne (2)/go/go.py", r"C:\Users\Ann (new)\go\go.py"]


@pytest.mark.parametrize("file", PLACES)
def test_where_a_module_lies_is_not_said(file):
    error = ImportError(f"cannot import name 'Go' from 'go' ({file})", name="go", path=file)
    assert fault_words(error) == "ImportError: cannot import name 'Go' from 'go'; write `from go import GO`"


ODD = [
    ([], ""),
    ([("/usr/lib/x.py", 1, "f")], ""),
    ([("/home/it/my_player.py", 0, "<module>")], ""),
    ([("/home/it/../../etc/passwd", 3, "<module>")], "../../etc/passwd, line 3: loops at module level"),
    ([("/home/it/none.py", 3, "<module>")], "none.py, line 3: loops at module level"),
    ([("/home/it/fifo", 3, "<module>")], "fifo, line 3: loops at module level"),
    ([("/home/it/link", 3, "<module>")], "link, line 3: loops at module level"),
    ([("/home/it/my_player.py", 3, "__init__"), ("/home/it/my_player.py", 9, "f")], "my_player.py, line 3: loops in __init__"),
]


@pytest.mark.parametrize(("calls", "said"), ODD)
def test_what_a_stranger_calls_its_files_is_no_matter(tmp_path, calls, said):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    assert endless(calls, "/home/it", str(tmp_path)) == said


def test_places_are_those_in_the_players_own_folder():
    calls = [("/home/it/a.py", 1, "f"), ("/home/item/b.py", 2, "g"), ("/home/it/c/d.py", 3, "h"), ("/x.py", 4, "i")]
    assert own_places(calls, "/home/it") == [("a.py", 1, "f"), ("c/d.py", 3, "h")]
    assert place(calls, "/home/it") == " (c/d.py, line 3)"
    assert place(calls, "") == ""


def test_a_class_of_nearly_the_name_is_pointed_at():
    assert no_class("MyPlayer", ["A", "my_player"]) == "expected a class MyPlayer, found A, my_player; call it MyPlayer"
    assert no_class("MyPlayer", list("abcdef")) == "expected a class MyPlayer, found a, b, c, d and 2 more"


class HostileError(OSError):
    reason = property(lambda self: 1 / 0)
    __str__ = None


def test_a_hostile_error_is_told_all_the_same():
    assert fault_words(HostileError(errno.EACCES, "no")) == "HostileError: (its message cannot be read)"
    assert fault_line(KeyError(3), "/home/it") == "KeyError: 3"


def test_only_a_file_that_may_not_be_written_is_said_to_lie_elsewhere(tmp_path):
    refused = PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "none"))
    assert fault_words(refused).endswith("/none'; only your own folder can be written")
    assert fault_words(FileNotFoundError(errno.ENOENT, "No such file", "x")) == "FileNotFoundError: [Errno 2] No such file: 'x'"


ADVICE = [
    ("GO(5)", "NameError: name 'GO' is not defined; write `from go import GO`"),
    ("xrange(5)", "NameError: name 'xrange' is not defined; this looks like Python 2"),
    ("raw_input()", "NameError: name 'raw_input' is not defined; this looks like Python 2"),
    ("anything", "NameError: name 'anything' is not defined"),
    (
        "MyPlayer()",
        "TypeError: MyPlayer.__init__() missing 1 required positional argument: 'colour'; a player is made without arguments",
    ),
    ("Other()", "TypeError: Other.__init__() missing 1 required positional argument: 'colour'"),
    (
        "open('/no/table.txt')",
        "FileNotFoundError: [Errno 2] No such file or directory: '/no/table.txt'; hand the file in beside yours, and open it "
        "as Path(__file__).parent / its name",
    ),
    ("open('C:\\\\no\\\\table.txt')", None),
    ("open('/proc/no_maps')", "FileNotFoundError: [Errno 2] No such file or directory: '/proc/no_maps'"),
    ("open('no_table.txt')", "FileNotFoundError: [Errno 2] No such file or directory: 'no_table.txt'"),
]  # fmt: skip
CLASSES = "class MyPlayer:\n    def __init__(self, colour): pass\nclass Other:\n    def __init__(self, colour): pass\n"


@pytest.mark.parametrize(("call", "said"), ADVICE)
def test_what_may_help_is_added(call, said):
    with pytest.raises(Exception) as raised:  # noqa: PT011
        exec(f"{CLASSES}{call}", {})
    words = fault_words(raised.value)
    assert words == said if said else words.endswith("open it as Path(__file__).parent / its name")


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (player_faults._NEWER, "type " + "a" * 10**6), (player_faults._RELATIVE, "from " + "." * 10**6),
        (player_faults._RELATIVE, "from ." + " " * 10**6 + "x"),
    ],
    ids=["type", "dots", "blanks"],
)  # fmt: skip
def test_a_long_line_is_gone_through_once(pattern, line):
    """With a second repeat that may begin anywhere in the first, this would take hours."""
    assert re.match(pattern, line) is None
