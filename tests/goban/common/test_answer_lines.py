"""Which line of get_input returned an answer: in branches, behind decorators and wrappers, and from hostile code."""

import random
import sys

import pytest

from go import GO
from goban.common.player_faults import AnswerLines, passages
from players.registry import make_player

BRANCHES = """\
class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move == 0:
            return 2, 2
        for move in [(0, 0), (1, 1)]:
            if go.valid_place_check(*move, piece_type, test_check=True):
                return move
        try:
            return go.missing
        except AttributeError:
            return (
                4,
                4,
            )
"""


def asked(tmp_path, source, moves=0):
    """Ask a player from a file; return its answer, and the places that it came from."""
    (tmp_path / "visitor.py").write_text(source)
    player = make_player(str(tmp_path / "visitor.py"), random.Random(1))
    go = GO(5)
    go.n_move = moves
    with AnswerLines(player, str(tmp_path.resolve())) as lines:
        answer = player.get_input(go, 1)
    assert sys.gettrace() is None
    return answer, lines.places()


@pytest.mark.parametrize(("moves", "line"), [(0, 4), (2, 7)])
def test_of_several_branches_it_is_the_one_that_returned(tmp_path, moves, line):
    assert asked(tmp_path, BRANCHES, moves)[1] == [("visitor.py", line, "get_input")]


def test_of_a_statement_of_several_lines_it_is_the_first(tmp_path):
    assert asked(tmp_path, BRANCHES.replace("[(0, 0), (1, 1)]", "[]"), 2) == ((4, 4), [("visitor.py", 11, "get_input")])


HEAD = "import functools\nclass MyPlayer:\n"
LATER = "\n    def think(self, go, n=0):\n        best = n, n\n        return best\n"
CASES = {
    "a helper whose answer is kept": (
        "    def get_input(self, go, p):\n        move = self.think(go)\n        return move" + LATER, [(5, "get_input")],
    ),
    "a line that hands on": (
        "    def get_input(self, go, p):\n        return self.think(go)" + LATER, [(4, "get_input"), (7, "think")],
    ),
    "through two that hand on, in the line of the method": (
        "    def get_input(self, go, p): return tuple(self.turn(go))\n    def turn(self, go):\n"
        "        return self.think(go)" + LATER,
        [(3, "get_input"), (5, "turn"), (8, "think")],
    ),
    "another function is called for an argument first": (
        "    def get_input(self, go, p):\n        return self.think(go, self.number())\n    def number(self):\n"
        "        return 1" + LATER,
        [(4, "get_input")],
    ),
    "a generator": (
        "    def get_input(self, go, p):\n        return next(self.moves(go))\n    def moves(self, go):\n"
        "        x = 3\n        yield x, x",
        [(4, "get_input"), (7, "moves")],
    ),
    "a lambda": ("    get_input = lambda self, go, p: (1, 1)", [(3, "<lambda>")]),
    "another name": (
        "    def choose(self, go, p):\n        x = 1\n        return x, x\n    get_input = choose", [(5, "choose")],
    ),
    "a decorator of its own": (
        "    def loud(f):\n        def asked(*a):\n            move = f(*a)\n            print('hm')\n            return move\n"
        "        return asked\n    @loud\n    def get_input(self, go, p):\n        x = 1\n        return x, x",
        [(12, "get_input")],
    ),
    "a decorator that keeps the names": (
        "    def loud(f):\n        @functools.wraps(f)\n        def asked(*a):\n            return f(*a)\n"
        "        return asked\n"
        "    @loud\n    def get_input(self, go, p):\n        x = 1\n        return x, x",
        [(11, "get_input")],
    ),
    "a static method": ("    @staticmethod\n    def get_input(go, p):\n        x = 1\n        return x, x", [(6, "get_input")]),
    "of a base class": (
        "    pass\nclass Base:\n    def get_input(self, go, p):\n        x = 1\n        return x, x\n"
        "class MyPlayer(Base): pass", [(7, "get_input")],
    ),
    "no Python": ("    get_input = functools.partial(divmod)\n    def __init__(self):\n        self.get_input = max", []),
    "it traces itself": (
        "    def get_input(self, go, p):\n        import sys\n        sys.settrace(lambda *a: None)\n        x = 1\n"
        "        sys.settrace(None)\n        return x, x", [(8, "get_input")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_line(tmp_path, name):
    body, expected = CASES[name]
    assert [(line, function) for _, line, function in asked_safely(tmp_path, HEAD + body)] == expected


def asked_safely(tmp_path, source):
    try:
        return asked(tmp_path, source)[1]
    except TypeError:  # a player whose answer is an error has no line
        return []


def test_a_helper_file_is_named_from_the_folder(tmp_path):
    (tmp_path / "parts").mkdir()
    brain = tmp_path / "parts" / "brain.py"
    brain.write_text("class Base:\n    def get_input(self, go, p):\n        x = 1\n        return x, x\n")
    places = asked(tmp_path, "from parts.brain import Base\nclass MyPlayer(Base): pass\n")[1]
    assert places == [("parts/brain.py", 4, "get_input")]


def test_it_finds_no_tracing_and_runs_untraced(tmp_path):
    source = (
        "import sys\nclass MyPlayer:\n    def get_input(self, go, p):\n"
        "        found = sys.gettrace(), sys._getframe().f_trace\n        return found\n"
    )
    assert asked(tmp_path, source)[0] == (None, None)


def test_whoever_traces_already_is_left_alone(tmp_path):
    (tmp_path / "visitor.py").write_text(BRANCHES)
    player = make_player(str(tmp_path / "visitor.py"), random.Random(1))
    before = sys.gettrace()

    def other(frame, event, argument):
        return None

    sys.settrace(other)
    try:
        with AnswerLines(player, str(tmp_path)) as lines:
            player.get_input(GO(5), 1)
        assert (sys.gettrace(), lines.places()) == (other, [])
    finally:
        sys.settrace(before)


def test_an_error_leaves_nothing_behind(tmp_path):
    with pytest.raises(ZeroDivisionError):
        asked(tmp_path, HEAD + "    def get_input(self, go, p):\n        return 1 / 0")
    assert sys.gettrace() is None


def test_passages_show_the_lines_around_and_nothing_hidden(tmp_path):
    text = "one\n\ttwo <b>\nthree\nfour \u202e" + "x" * 500 + "\nfive\nsix\nseven\neight\n"
    (tmp_path / "visitor.py").write_text(text, "utf-8")
    ((file, line, function, first, lines),) = passages([("visitor.py", 5, "get_input")], str(tmp_path))
    assert (file, line, function, first) == ("visitor.py", 5, "get_input", 2)
    assert lines[0] == "    two <b>"
    assert lines[2].startswith("four \\u202exxx")
    assert (len(lines[2]), lines[3:]) == (160, ["five", "six", "seven"])


@pytest.mark.parametrize(
    "place",
    [
        ("../secret.py", 1, "f"), ("/etc/passwd", 1, "f"), ("link.py", 1, "f"), ("visitor.py", 0, "f"), ("visitor.py", 9, "f"),
        ("visitor.py", "1", "f"), ("visitor.py", True, "f"), ("gone.py", 1, "f"),
        ("data.txt", 1, "f"), ("a\0.py", 1, "f"), (".", 1, "f"),
    ],
)  # fmt: skip
def test_no_place_leads_out_of_the_folder(tmp_path, place):
    home = tmp_path / "home"
    home.mkdir()
    for path in (tmp_path / "secret.py", home / "visitor.py", home / "data.txt"):
        path.write_text("one\n")
    (home / "link.py").symlink_to(tmp_path / "secret.py")
    assert passages([place], str(home)) == []
