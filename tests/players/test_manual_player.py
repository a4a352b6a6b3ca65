"""A person at the keyboard: what is read, what is explained, how to leave. Through pipes and through a terminal."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE

SCRIPT = Path(__file__).parent.parent.parent / "go_play.py"
PROMPT = "X to move: row,column or its name (0,1 is B5) or exit: "

# Black's last stone, C4, takes the one on B4; White may not retake at once:
#   . X O . .
#   X . X O .
#   . X O . .
KO = ["0,1", "0,2", "1,0", "1,3", "2,1", "2,2", "4,4", "1,1", "1,2"]


def command(*arguments):
    return [sys.executable, "-S", str(SCRIPT), "--seed=1", *arguments]


def typed(*lines, arguments=("-p1=manual", "-p2=manual"), **options):
    """Type some lines, then end the input; return (status, standard output, standard error)."""
    text = "".join(line + "\n" for line in lines)
    done = subprocess.run(command(*arguments), input=text, capture_output=True, text=True, timeout=PATIENCE, **options)
    return done.returncode, done.stdout, done.stderr


class Terminal:
    """go_play.py on a terminal of its own."""

    def __init__(self, *arguments):
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            command(*arguments), stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=self._take, start_new_session=True
        )
        os.close(theirs)
        self.text = ""

    @staticmethod
    def _take():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def until(self, text):
        """Read until the text appears; return what came up to and including it."""
        while text not in self.text and self._read():
            pass
        before, found, self.text = self.text.partition(text)
        assert found, f"{text!r} did not appear in {before!r}"
        return before + found

    def rest(self):
        """Read to the end; return (status, text)."""
        while self._read():
            pass
        return self.process.wait(PATIENCE), self.text

    def _read(self, patience=PATIENCE):
        if not select.select([self.ours], [], [], patience)[0]:
            return False
        try:
            data = os.read(self.ours, 10000)
        except OSError:
            return False
        self.text += data.decode().replace("\r\n", "\n")
        return bool(data)

    def type(self, text):
        os.write(self.ours, text.encode())

    def press_ctrl_c_until(self, text):
        """Python misses a Ctrl-C that comes after it has printed a prompt and before it waits: then press again."""
        for _ in range(30):
            self.type("\x03")
            while text not in self.text and self._read(patience=10):
                pass
            if text in self.text:
                break
        self.until(text)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.ours)


@pytest.fixture
def terminal():
    opened = []

    def open_terminal(*arguments):
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield open_terminal
    for one in opened:
        one.close()


# What is shown

BOARD = """
Move 2: O B5
   A B C D E
 5 .(O). . .  5
 4 . . . . .  4
 3 . . X . .  3
 2 . . . . .  2
 1 . . . . .  1
   A B C D E
"""


def test_the_board_has_coordinates_and_the_last_move_is_marked():
    _, out, _ = typed("2,2", "b5")
    assert BOARD + PROMPT in out


def test_the_example_in_the_prompt_is_true_on_every_size():
    for size, name in [("2", "B2"), ("9", "B9"), ("19", "B19")]:
        _, out, _ = typed("0,1", arguments=("-p1=manual", "-p2=manual", "-n", size))
        assert f"(0,1 is {name})" in out
        assert f"Move 1: X {name}\n" in out


@pytest.mark.parametrize("text", ["1,3", " 1 , 3 ", "D4", "d4", "  d4\t", "D04"])
def test_ways_to_write_a_point(text):
    assert "Move 1: X D4\n" in typed(text)[1]


# What is refused


NO_POINTS = ["", "5,0", "-1,0", "1,2,3", "1 2", "F1", "A6", "A0", "I3", "C", "3", "D\u0664", "\u0661,\u0662"]


@pytest.mark.parametrize("text", [*NO_POINTS, "x" * 500, "9" * 5000 + ",1"], ids=lambda text: ascii(text[:10]))
def test_what_is_no_point_is_called_invalid_and_asked_again(text):
    status, out, err = typed(text, "C3")
    expected = "Invalid: expected row,column from 0,0 to 4,4 or a point from A1 to E5, got "
    line = next(line for line in out.splitlines() if expected in line)
    assert line.endswith(".")
    assert len(line) < 220
    assert "Move 1: X C3\n" in out
    assert (status, err) == (0, "")


def test_on_wide_boards_the_missing_column_is_named():
    assert "from A1 to J9 (no column I), got 'i3'." in typed("i3", arguments=("-p1=manual", "-n=9"))[1]


def test_bytes_that_are_no_text_are_one_invalid_line(tmp_path):
    for encoding in ("utf-8", "ascii"):
        environment = os.environ | {"PYTHONIOENCODING": encoding}
        run = subprocess.run(
            command("-p1=manual", "-p2=manual"), input=b"\xff\xfe\n\xc3\xa9\nC3\n", capture_output=True, env=environment
        )
        assert run.stdout.count(b"Invalid: ") == 2
        assert b"Move 1: X C3\n" in run.stdout
        assert (run.returncode, run.stderr) == (0, b"")


ILLEGAL = [
    ("course", ["C3", "C3"], "Illegal: C3: the point is occupied."),
    ("course", ["0,1", "4,4", "1,0", "0,0"], "Illegal: 0,0: suicide, the stone would have no liberty."),
    ("course", [*KO, "1,1"], "Illegal: 1,1: ko, the board would be again what it was after move 8."),
    ("aga", [*KO, "1,1"], "Illegal: 1,1: situational superko, the board would be again what it was after move 8."),
    ("tromp-taylor", [*KO, "B4"], "Illegal: B4: positional superko, the board would be again what it was after move 8."),
    ("course", ["pass"], "Illegal: pass: these rules know no passing."),
    ("course", ["resign"], "Illegal: resign: these rules know no resigning."),
    ("littlego", ["Resign"], "Illegal: Resign: these rules know no resigning."),
]


@pytest.mark.parametrize(("rules", "lines", "reason"), ILLEGAL)
def test_an_illegal_move_is_explained_and_asked_again(rules, lines, reason):
    status, out, err = typed(*lines, "E3", arguments=("-p1=manual", "-p2=manual", "--rules", rules, "-n=5"))
    assert reason in out
    assert f"Move {len(lines)}: {'XO'[(len(lines) - 1) % 2]} E3\n" in out
    assert (status, err) == (0, "")


def test_ko_lasts_one_turn():
    _, out, _ = typed(*KO, "4,0", "3,3", "1,1")
    assert "Move 12: O B4\n" in out


# Passing, resigning, the result


@pytest.mark.parametrize("rules", ["littlego", "aga", "tromp-taylor", "alphago7"])
def test_pass_is_accepted_where_the_rules_know_it(rules):
    status, out, err = typed("C3", "PASS", "pass", arguments=("-p1=manual", "-p2=manual", "--rules", rules))
    assert ", pass" in out
    assert "Move 2: O pass\n" in out
    assert "Game ended: two passes." in out
    assert (status, err) == (0, "")


def test_resign_is_accepted_where_the_rules_know_it():
    _, out, _ = typed("E5", "resign", arguments=("-p1=manual", "-p2=manual", "--rules=aga"))
    assert ", pass, resign or exit: " in out
    assert "Game ended: resignation." in out
    assert out.endswith("Black player (X) | Wins:100.0% Loses:0.0%\nWhite player (O) | Wins:0.0% Loses:100.0%\n")


def test_two_people_play_a_game_at_one_keyboard():
    status, out, err = typed("0,0", "1,1", "0,1", arguments=("-p1=manual", "-p2=manual", "-n=2"))
    assert [out.count(f"{who} to move: ") for who in "XO"] == [2, 1]
    assert "The game is a tie." in out
    assert out.endswith("Wins:0.0% Loses:0.0% Ties:100.0%\n")
    assert (status, err) == (0, "")


# Leaving


@pytest.mark.parametrize("word", ["exit", " Exit "])
def test_exit_leaves_with_status_0(word):
    status, out, err = typed("C3", word, "C4", arguments=("-p1=manual",))
    assert (status, err) == (0, "")
    assert out.endswith(PROMPT)


def test_the_end_of_the_input_leaves_with_status_0():
    status, out, err = typed("C3", arguments=("-p1=manual",))
    assert (status, err) == (0, "")
    assert out.endswith(f"{PROMPT}\nEnd of input.\n")


def test_no_input_at_all_is_the_end_of_the_input():
    run = subprocess.run(command("-p1=manual"), capture_output=True, text=True, preexec_fn=lambda: os.close(0))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("\nEnd of input.\n")


def test_leaving_after_some_games_shows_their_results():
    status, out, err = typed("0,0", "1,1", "0,1", "0,0", "exit", arguments=("-p1=manual", "-p2=manual", "-n=2", "-t=3"))
    assert (status, err) == (0, "stopped after 1 of 3 games\n")
    assert out.endswith("Wins:0.0% Loses:0.0% Ties:100.0%\n")


# In a terminal


def test_a_game_in_a_terminal(terminal):
    screen = terminal("-p1=manual", "-p2=random", "-t=2")
    screen.until(PROMPT)
    screen.type("9,9\n")
    screen.until("Invalid: expected row,column from 0,0 to 4,4 or a point from A1 to E5, got '9,9'.\n" + PROMPT)
    screen.type("2,2\n")
    assert "Move 1: X C3\n" in screen.until(PROMPT)
    screen.type("C3\n")
    screen.until("Illegal: C3: the point is occupied.\n" + PROMPT)
    screen.type("exit\n")
    assert screen.rest() == (0, "exit\n")


def test_the_end_of_the_input_in_a_terminal(terminal):
    screen = terminal("-p1=manual")
    screen.until(PROMPT)
    screen.type("\x04")
    assert screen.rest() == (0, "\nEnd of input.\n")


def test_ctrl_c_in_a_terminal_prints_the_percentages(terminal):
    screen = terminal("-p1=manual", "-t=3")
    screen.until(PROMPT)
    screen.press_ctrl_c_until("\nstopped after 0 of 3 games\n")
    status, text = screen.rest()
    assert status == 130
    assert text.startswith("Black player (X) | Wins:0.0%")
