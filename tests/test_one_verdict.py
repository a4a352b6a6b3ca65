"""A player's mistake is told in the same words by go_play.py, the board in a browser, `check` and the judge."""

import json
import os
import random
import re
import signal
import sys
from contextlib import closing, redirect_stdout
from dataclasses import replace
from io import StringIO

import pytest

import go_play
from goban.board.processes import Program
from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.records import PlayerFaultError
from gojudge.refereeing.open_seats import Conditions, open_entrant
from gojudge.sandbox.unprotected_seats import open_unprotected
from players.errors import BadPlayerError
from players.player_process import _Seat
from tests.support.go_play_runs import start, write
from tests.support.sources import FIRST_LEGAL
from tests.support.submissions import LIMITS, best_tier, seat_for, spec, submission, tiers
from tests.support.waiting import PATIENCE, wait_until
from tournament.__main__ import main

METHOD = "class MyPlayer:\n    def get_input(self, go, piece_type):\n"


def asked(*lines):
    """A player that does this when it is asked."""
    return METHOD + "".join(f"        {line}\n" for line in lines)


def after(*lines):
    """A player whose file does this first."""
    return "".join(f"{line}\n" for line in lines) + FIRST_LEGAL


HERE = f"Python {sys.version_info.major}.{sys.version_info.minor} runs here"
NO_METHOD = "my_player.py, line 1: expected a method get_input(self, go, piece_type) in class MyPlayer, found"
NO_INPUT = "EOFError: EOF when reading a line; it asks for input, and nobody is at the keyboard"
RELATIVE = "ImportError: attempted relative import with no known parent package; write"
NEWER = ("x = 1\nclass Box[T]: pass\n", f"my_player.py, line 2: SyntaxError: invalid syntax ({HERE})")
if sys.version_info >= (3, 12):
    NEWER = ("class Box[T]: pass\n", "my_player.py: expected a class MyPlayer, found Box")

# What can be seen in the source.
SOURCES = {
    "syntax": ("print(1\n", "my_player.py, line 1: SyntaxError: '(' was never closed"),
    "indentation": (
        asked("return bestt") + "  x = 1\n",
        "my_player.py, line 4: IndentationError: unindent does not match any outer indentation level",
    ),
    "tabs": (
        "if 1:\n        x = 1\n\ty = 2\n", "my_player.py, line 3: TabError: its indentation mixes tabs and spaces",
    ),
    "python2": (
        "print 'hello'\n",
        "my_player.py, line 1: SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)? "
        "(this looks like Python 2)",
    ),
    "newer": NEWER,
    "latin1": (b"# \xe9\n", "my_player.py, line 1: expected utf-8 text, got the byte 0xe9; save it as UTF-8"),
    "utf16": ("x = 1".encode("utf-16"), "my_player.py: expected UTF-8, got UTF-16; save it as UTF-8"),
    "nul": ("x = 1\0\n", "my_player.py, line 1: expected text, got a NUL byte"),
    "notebook": (
        json.dumps({"cells": [], "nbformat": 4}),
        "my_player.py: it is a notebook; export it as a script, a file that ends in .py",
    ),
    "empty": ("", "my_player.py: expected a class MyPlayer, found no class"),
    "function": ("def get_input(go, piece_type): pass\n", "my_player.py: expected a class MyPlayer, found no class"),
    "misspelt_class": (
        "class Myplayer: pass\n", "my_player.py: expected a class MyPlayer, found Myplayer; call it MyPlayer",
    ),
    "misspelt_method": ("class MyPlayer:\n    def getInput(self, go, piece_type): pass\n", f"{NO_METHOD} getInput"),
    "no_method": ("class MyPlayer:\n    def play(self): pass\n", f"{NO_METHOD} none"),
    "no_self": (
        "class MyPlayer:\n    def get_input(go, piece_type): pass\n",
        "my_player.py, line 2: expected get_input(self, go, piece_type), got get_input(go, piece_type)",
    ),
    "async": (
        "class MyPlayer:\n    async def get_input(self, go, piece_type): pass\n",
        "my_player.py, line 2: expected a plain method get_input, got an async one",
    ),
    "object": (
        asked("return 0, 0") + "MyPlayer = MyPlayer()\n",
        "my_player.py, line 4: expected a class MyPlayer, found an object MyPlayer",
    ),
    "merged": (
        f"{FIRST_LEGAL}<<<<<<< HEAD\nx = 1\n=======\n",
        "my_player.py, line 5: SyntaxError: invalid syntax (a merge has left its marks)",
    ),
    "markdown": (
        f"```python\n{FIRST_LEGAL}```\n",
        "my_player.py, line 1: SyntaxError: invalid syntax (this mark belongs to Markdown; delete the line)",
    ),
    "prompt": (
        f">>> {FIRST_LEGAL}",
        "my_player.py, line 1: SyntaxError: invalid syntax (this was copied from a terminal, with its prompt)",
    ),
    "web_page": (
        "<!DOCTYPE html>\n<html></html>\n",
        "my_player.py, line 1: SyntaxError: invalid syntax (it is a web page; download the file itself)",
    ),
    "rich_text": (
        "{\\rtf1\\ansi}\n", "my_player.py, line 1: SyntaxError: unexpected character after line continuation character "
        "(it is rich text; save it as plain text)",
    ),
    "outside": (
        "class MyPlayer:\n    x = 1\n\ndef get_input(self, go, piece_type): pass\n",
        f"{NO_METHOD} one outside of it (line 4); indent it below the class",
    ),
    "inside": (
        "class MyPlayer:\n    def __init__(self):\n        def get_input(self, go, piece_type): pass\n",
        f"{NO_METHOD} one inside another function (line 3); indent it less",
    ),
    "only_if_started": (
        "if __name__ == '__main__':\n    class MyPlayer:\n        def get_input(self, go, piece_type): pass\n",
        "my_player.py, line 2: the class MyPlayer is only there where the file is started by itself: it stands below "
        "`if __name__ == ...`",
    ),
    "swapped": (
        "class MyPlayer:\n    def get_input(self, piece_type, go): pass\n",
        "my_player.py, line 2: expected get_input(self, go, piece_type), got get_input(self, piece_type, go)",
    ),
    "deep": ("x = " + "-" * 200_000 + "1", "my_player.py: its source is nested too deeply to be read"),
}  # fmt: skip

# What goes wrong while the file is loaded, or the player is made.
STARTING = {
    "import_raises": (after("import json", "json.loads('')"),
                      "JSONDecodeError: Expecting value: line 1 column 1 (char 0) (my_player.py, line 2)"),
    "import_exits": (after("import sys", "sys.exit(3)"), "it calls sys.exit() (my_player.py, line 2)"),
    "import_asks": (after("input('depth? ')"), f"{NO_INPUT} (my_player.py, line 1)"),
    "import_plays": (after("import go_play", "go_play.main()"),
                     "RuntimeError: go_play.main() plays games with players; a player does not call it (my_player.py, line 2)"),
    "argparse": (after("import argparse", "p = argparse.ArgumentParser()", "p.add_argument('depth')", "p.parse_args()"),
                 "it calls sys.exit() (my_player.py, line 4)"),
    "relative": (after("from .helper import x"), f"{RELATIVE} `from helper import x` (my_player.py, line 1)"),
    "relative_module": (after("from . import helper"), f"{RELATIVE} `import helper` (my_player.py, line 1)"),
    "no_module": (after("import nothing_like_this"),
                  "ModuleNotFoundError: No module named 'nothing_like_this' (my_player.py, line 1)"),
    "no_file": (after("open('none.json')"),
                "FileNotFoundError: [Errno 2] No such file or directory: 'none.json' (my_player.py, line 1)"),
    "broken_helper": (after("import broken"), "broken.py, line 2: SyntaxError: invalid syntax"),
    "other_object": (after("from helper import y as MyPlayer").replace("class MyPlayer", "class Other"),
                     "my_player.py: expected a class MyPlayer, found Other"),
    "needs_arguments": (FIRST_LEGAL + "    def __init__(self, depth): pass\n",
                        "TypeError: MyPlayer.__init__() missing 1 required positional argument: 'depth'; a player is made "
                        "without arguments"),
    "other_needs_arguments": (FIRST_LEGAL.replace("MyPlayer", "QLearner") + "    def __init__(self, side): pass\n",
                              "TypeError: QLearner.__init__() missing 1 required positional argument: 'side'; a player is made "
                              "without arguments"),
    "no_name_in_go": (after("from go import Go"),
                      "ImportError: cannot import name 'Go' from 'go'; write `from go import GO` (my_player.py, line 1)"),
    "newer_name": (after("from typing import later"),
                   f"ImportError: cannot import name 'later' from 'typing'; {HERE} (my_player.py, line 1)"),
    "newer_function": (after("import itertools", "itertools.later()"),
                       f"AttributeError: module 'itertools' has no attribute 'later'; {HERE} (my_player.py, line 2)"),
    "capitals": (after("import Helper"),
                 "ModuleNotFoundError: No module named 'Helper'; there is helper.py: capitals count (my_player.py, line 1)"),
    "capitals_of_a_file": (after("open('Table.json')"),
                           "FileNotFoundError: [Errno 2] No such file or directory: 'Table.json'; there is table.json: "
                           "capitals count (my_player.py, line 1)"),
    "pickled_by_another": (after("import pickle", "pickle.loads(b'c__main__\\nQTable\\n.')"),
                           "AttributeError: Can't get attribute 'QTable' on __main__; what it reads names the class QTable "
                           "of the program that saved it: keep it in a file beside yours, and save anew "
                           "(my_player.py, line 2)"),
    "pickle_cut_off": (after("import pickle", "pickle.loads(b'')"),
                       "EOFError: Ran out of input; the file that it reads is empty, or was cut off (my_player.py, line 2)"),
    "other_numpy": (after("import pickle", "pickle.loads(b'cnumpy._later\\nx\\n.')"),
                    "ModuleNotFoundError: No module named 'numpy._later'; what it reads was saved with another release of "
                    "numpy (my_player.py, line 2)"),
    "bytes_as_text": (after("b'\\x80'.decode()"),
                      "UnicodeDecodeError: 'utf-8' codec can't decode byte 0x80 in position 0: invalid start byte; it is no "
                      "text in UTF-8: what was saved as bytes is opened with 'rb' (my_player.py, line 1)"),
    "cannot_be_made": (FIRST_LEGAL + "    def __init__(self):\n        1 / 0\n",
                       "ZeroDivisionError: division by zero (my_player.py, line 6)"),
    "not_callable": ("class MyPlayer:\n    get_input = 5\n", "expected a method get_input(go, piece_type), but it has none"),
}  # fmt: skip

# What goes wrong when it is asked. Black's first move, but where another number is given.
INVALID = "invalid answer: expected"
ASKED = {
    "floats": (asked("return 2.0, 2.0"), f"{INVALID} two whole numbers, got (2.0, 2.0) (my_player.py, line 2)"),
    "texts": (asked("return '2', '2'"), f"{INVALID} two whole numbers, got ('2', '2') (my_player.py, line 2)"),
    "nothing": (asked("go.size"), f"{INVALID} (row, column), got None: get_input returned nothing (my_player.py, line 2)"),
    "generator": (asked("yield 2, 2"), f"{INVALID} (row, column), got a generator: get_input has yield where return is meant "
                                       "(my_player.py, line 2)"),
    "awaited": (asked("async def think(): pass", "return think()"),
                "invalid answer: expected a plain method get_input, got an async one (my_player.py, line 2)"),
    "negative": (asked("return -1, -1"), f"{INVALID} a row and a column from 0 to 4, got (-1, -1) (my_player.py, line 2)"),
    "off": (asked("return [7, 1]"), f"{INVALID} a row and a column from 0 to 4, got (7, 1) (my_player.py, line 2)"),
    "huge": (asked("return 10**30, 1"),
             f"{INVALID} a row and a column from 0 to 4, got (1000000000000000000000000000000, 1) (my_player.py, line 2)"),
    "name": (asked("return 'C3'"), f"{INVALID} (row, column), got 'C3' (my_player.py, line 2)"),
    "three": (asked("return 1, 2, 3"), f"{INVALID} (row, column), got (1, 2, 3) (my_player.py, line 2)"),
    "pass": (asked("return 'PASS'"), "illegal move pass: these rules know no passing"),
    "occupied": (asked("return 2, 2"), "illegal move C3: the point is occupied"),
    "changed": (asked("go.board[2][2] = 0", "return 2, 2"),
                "illegal move C3: the point is occupied; your copy go.board was changed in this turn"),
    "crash": (asked("return think()") + "def think():\n    return 1 / 0\n",
              "ZeroDivisionError: division by zero (my_player.py, line 5)"),
    "misremembered": (asked("go.valid_check(1, 1)"), "AttributeError: 'GO' object has no attribute 'valid_check'; did you mean "
                                                     "valid_place_check? (my_player.py, line 3)"),
    "exits": (asked("import sys", "sys.exit()"), "it calls sys.exit() (my_player.py, line 4)"),
    "odd_error": (asked("raise BaseException('odd')"), "BaseException: odd (my_player.py, line 3)"),
    "keyboard": (asked("return input()"), f"{NO_INPUT} (my_player.py, line 3)"),
    "relative_late": (asked("from .helper import x"), f"{RELATIVE} `from helper import x` (my_player.py, line 3)"),
}  # fmt: skip

MISTAKES = {**SOURCES, **STARTING, **ASKED}

# What some of these programs took for a mistake, and is none.
FINE = {
    "other_name": FIRST_LEGAL.replace("MyPlayer", "Myplayer"),
    "a_base": FIRST_LEGAL + "class Other(MyPlayer): pass\n",
    "table": after("import json, pathlib", "with open('table.json') as file: T = json.load(file)",
                   "assert pathlib.Path('table.json').read_text() == '{}'",
                   "assert pathlib.Path(__file__).with_name('table.json').read_text() == '{}'")
             + "    def __init__(self): open('table.json').close()\n",
    "helper": after("from helper import x"),
    "course": after("from host import GO", "from read import readInput", "from write import writePass",
                    "from random_player import RandomPlayer"),
    "pickles": after("import pickle") + "    def __init__(self): assert type(pickle.loads(pickle.dumps(self))) is MyPlayer\n"
               "    def __reduce__(self): return type(self).__new__, (type(self),)\n",
    "arguments": after("import argparse, sys", "assert sys.argv == ['my_player.py']", "argparse.ArgumentParser().parse_args()"),
    "remembers": "turn = 0\nclass Memory: games = []\n" + FIRST_LEGAL.replace("        points", """\
        global turn
        assert turn in (go.n_move, go.n_move - 1), "an earlier game is remembered"
        assert Memory.games in ([], [self]), "an earlier player is remembered"
        Memory.games[:] = [self]
        turn += 2
        points"""),
    "counts_turns": FIRST_LEGAL.replace("        points", """\
        self.turn += 2
        assert self.turn in (go.n_move + 1, go.n_move + 2), "this object has played before"
        points""") + "    def __init__(self): self.turn = 0\n",
}  # fmt: skip

BESIDE = {"helper.py": "x, y = 1, object()\n", "broken.py": "x = 1\ndef f(:\n", "table.json": "{}"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder for each player."""
    top = tmp_path_factory.mktemp("hw")
    for name, source in {**{name: source for name, (source, _) in MISTAKES.items()}, **FINE}.items():
        (top / name).mkdir()
        (top / name / "my_player.py").write_bytes(source if isinstance(source, bytes) else source.encode())
        for file, text in BESIDE.items():
            (top / name / file).write_text(text)
    return top


@pytest.fixture(scope="module")
def checked(folder):
    """Name -> what `check` says, of all at once."""
    with redirect_stdout(StringIO()) as out:
        assert main(["check", str(folder)]) == 1
    return dict(line.split(": ", 1) for line in out.getvalue().splitlines()[:-1])


def sentence(line):
    """What is said, without who says it of whom and when."""
    return re.sub(r"^.*?(forfeits (at move \d+|before move 1): |/my_player\.py': )", "", line)


@pytest.mark.slow
@pytest.mark.parametrize("name", MISTAKES)
def test_check_and_the_judge(name, checked):
    assert sentence(checked[name]) == MISTAKES[name][1]
    assert ("forfeits" in checked[name]) == (name not in SOURCES)


@pytest.mark.slow
@pytest.mark.parametrize("name", FINE)
def test_what_is_fine_is_so_everywhere(name, folder, checked, capsys, monkeypatch):
    assert checked[name].startswith("ok (")
    monkeypatch.chdir(folder)
    arguments, stdin = list(sys.argv), sys.stdin
    assert go_play.main([f"-p1={name}/my_player.py", f"-p2={name}/my_player.py", "-t=3", "--seed=1"]) == 0
    assert capsys.readouterr().err == ""
    assert (sys.argv, sys.stdin) == (arguments, stdin)
    assert os.path.samefile(os.getcwd(), folder)
    assert "move" in _Seat(str(folder / name / "my_player.py"), 1).answer(new_game(COURSE, 5))


@pytest.mark.parametrize("name", MISTAKES)
def test_go_play(name, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    status = go_play.main([f"-p1={name}/my_player.py", "-p2=random", "--seed=1"])
    said = [line for line in capsys.readouterr().err.splitlines() if name in line]
    assert (status, [sentence(line) for line in said]) == (0 if name in ASKED else 2, [MISTAKES[name][1]])


@pytest.mark.parametrize("name", MISTAKES)
def test_the_board(name, folder):
    state = new_game(COURSE, 5)
    if name in ("occupied", "changed"):
        state = state.play((0, 0)).play((2, 2))
    try:
        said = _Seat(str(folder / name / "my_player.py"), 1).answer(state)["fault"]
    except BadPlayerError as error:
        said = str(error)
    assert sentence(said) == MISTAKES[name][1]


NO_NETWORK = "import socket; socket.create_connection(('127.0.0.1', 80))"
ONLY_IN_A_SANDBOX = [
    (NO_NETWORK, "; there is no network here"),
    ("open('/usr/log', 'w')", "; only your own folder can be written"),
]


@tiers("T1", "T2", "T3")
@pytest.mark.parametrize(("code", "advice"), ONLY_IN_A_SANDBOX)
def test_what_a_sandbox_refuses_is_told_as_that(tier, code, advice, tmp_path):
    seat = seat_for(submission(tmp_path / "hw", asked(code)), tier)
    with closing(seat):
        seat.begin(spec(), 1)
        with pytest.raises(PlayerFaultError) as caught:
            seat.answer(new_game(COURSE, 5), "")
    assert caught.value.fault.detail.endswith(f"{advice} (my_player.py, line 3)")


# It sleeps nearly always, so that it is never asked between two lines.
FIRST = "    if not number: print('here', flush=True)"
LOOP = after("import time", "", "for number in range(10**6):", FIRST, "    time.sleep(1)")
LINE = "my_player.py, line 3: loops at module level"


@tiers()
def test_the_judge_tells_the_line_of_a_loop_at_module_level(tier, tmp_path):
    seat = seat_for(submission(tmp_path / "hw", LOOP), tier, start_seconds=0.8)
    with closing(seat), pytest.raises(PlayerFaultError) as caught:
        seat.begin(spec(), 1)
    assert caught.value.fault.detail == f"the submission was not loaded within 0.8 s; {LINE}"


def test_a_check_without_a_sandbox_tells_it_too(tmp_path):
    seat = open_unprotected(submission(tmp_path / "hw", LOOP), COURSE, 5, replace(LIMITS, start_seconds=0.8))
    with closing(seat), pytest.raises(PlayerFaultError) as caught:
        seat.begin(spec(), 1)
    assert caught.value.fault.detail == f"the player was not made within 1.6 s; {LINE}"


def test_go_play_tells_it_at_ctrl_c(tmp_path):
    write(tmp_path, LOOP, "my_player.py")
    process = start("-p1=my_player.py", "--seed=1", cwd=tmp_path)
    assert process.stdout.readline() == "here\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, f"{LINE}\ngo_play.py: stopped\n")


def test_the_board_tells_it_when_it_is_asked(tmp_path):
    program = Program("players.player_process", str(write(tmp_path, LOOP, "my_player.py")), "1")
    try:
        wait_until(lambda: program.where(1.0) == LINE)
    finally:
        program.stop()


HANGS = asked("import time", "print('here', flush=True)", "while True:", "    time.sleep(1)")
HANGING_LINE = " (my_player.py, line 6)"


@tiers()
def test_a_trial_tells_at_which_line_a_player_does_not_answer(tier, tmp_path):
    conditions = Conditions("course", 5, replace(LIMITS, move_seconds=0.5), tier=tier, tells_where=True)
    with closing(open_entrant(submission(tmp_path / "hw", HANGS), conditions)) as seat:
        for _ in range(2):
            seat.begin(spec(), 1)
            with pytest.raises(PlayerFaultError) as caught:
                seat.answer(new_game(COURSE, 5), "")
            assert caught.value.fault.detail == f"no answer within 0.5 s{HANGING_LINE}"
            assert seat.end() == "[move 1]\nhere\n"


def test_games_that_count_do_not_tell_it_as_it_may_be_another_one_each_time(tmp_path):
    with closing(seat_for(submission(tmp_path / "hw", HANGS), best_tier(), move_seconds=0.5)) as seat:
        seat.begin(spec(), 1)
        with pytest.raises(PlayerFaultError) as caught:
            seat.answer(new_game(COURSE, 5), "")
    assert caught.value.fault.detail == "no answer within 0.5 s"


def test_a_trial_without_a_sandbox_tells_it_too(tmp_path):
    seat = open_unprotected(submission(tmp_path / "hw", HANGS), COURSE, 5, replace(LIMITS, move_seconds=1.0))
    with closing(seat):
        seat.begin(spec(), 1)
        with pytest.raises(PlayerFaultError) as caught:
            seat.answer(new_game(COURSE, 5), "")
    assert caught.value.fault.detail == f"no answer within 1 s{HANGING_LINE}"


def test_check_tells_it(tmp_path, capsys):
    submission(tmp_path / "hw", HANGS)
    assert main(["check", str(tmp_path / "hw"), "--move-seconds", "0.5", "--rules", "tromp-taylor"]) == 1
    assert f"hw: black forfeits at move 1: no answer within 0.5 s{HANGING_LINE}\n" in capsys.readouterr().out


def test_a_notebook_is_told_what_to_do(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/my_player.ipynb").write_text("{}")
    assert go_play.main(["-p1=mine/my_player.ipynb"]) == 2
    assert "it is a notebook; export it as a script" in capsys.readouterr().err
    assert main(["check", "mine/my_player.ipynb", "--no-games"]) == 1
    assert "it is a notebook; export it as a script" in capsys.readouterr().out


def test_chance_is_the_same_whatever_a_file_draws_while_it_is_loaded(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    drawing = "import random\nDRAWN = [random.random()]\nrandom.seed(5)\n"
    player = FIRST_LEGAL.replace("return next(", "return random.choice(list(").replace("=True))", "=True)))")
    games = []
    for source in ("import random\n", drawing):
        (tmp_path / "my_player.py").write_text(source + player)
        random.seed(3)
        assert go_play.main(["-p1=my_player.py", "-p2=random", "-t=3", "--seed=4", "--show"]) == 0
        games.append(capsys.readouterr().out)
    assert games[0] == games[1]
