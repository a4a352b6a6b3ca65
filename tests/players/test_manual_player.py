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

from tests.support.go_play_runs import play_here
from tests.support.sgf_files import mill_games, mill_moves, told
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
    """Type some lines, then end the input; return (status, standard output, standard error).

    A process of its own is started only with options for it, and where it ends with a file open.
    """
    text = "".join(line + "\n" for line in lines)
    if not options and not any("--sgf" in argument for argument in arguments):
        return play_here("--seed=1", *arguments, typed=text)
    done = subprocess.run(command(*arguments), input=text, capture_output=True, text=True, timeout=PATIENCE, **options)
    return done.returncode, done.stdout, done.stderr


class Terminal:
    """go_play.py on a terminal of its own."""

    def __init__(self, *arguments, **environment):
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            command(*arguments), stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=self._take, start_new_session=True,
            env={**os.environ, "NO_COLOR": "1", **environment},
        )  # fmt: skip
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

    def open_terminal(*arguments, **environment):
        opened.append(Terminal(*arguments, **environment))
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
    assert "\nMove 2: O resigns\nGame ended: resignation." in out
    assert out.endswith("Black player (X) | Wins:100.0% Loses:0.0%\nWhite player (O) | Wins:0.0% Loses:100.0%\n")


def test_two_people_play_a_game_at_one_keyboard():
    status, out, err = typed("0,0", "1,1", "0,1", arguments=("-p1=manual", "-p2=manual", "-n=2"))
    assert [out.count(f"{who} to move: ") for who in "XO"] == [2, 1]
    assert "The game is a tie." in out
    assert out.endswith("Wins:0.0% Loses:0.0% Ties:100.0%\n")
    assert (status, err) == (0, "")


# Help, and second thoughts


def test_help_names_what_can_be_typed_under_these_rules():
    out = typed("help")[1]
    words = ["0,1", "undo", "exit"]
    assert out.startswith(typed()[1].partition("Type help")[0] + "Type help for all that can be typed.\n")
    assert [line.split()[0] for line in out.split(PROMPT)[1].splitlines()] == words
    out = typed("HELP", arguments=("-p1=manual", "--rules=aga", "-n=5"))[1]
    lines = out.partition(" or exit: ")[2].splitlines()[:5]
    assert [line.split()[0] for line in lines] == ["0,1", "pass", "resign", "undo", "exit"]
    assert out.count("Type help") == 1


AFTER_UNDO = """
Back before move 3:
   A B C D E
 5 . O . . .  5
 4 . . . . .  4
 3 . . X . .  3
 2 . . . . .  2
 1 . . . . .  1
   A B C D E
"""


def test_undo_takes_back_ones_last_move_and_the_reply(tmp_path):
    lines = ["2,2", "b5", "0,0", "4,4", "undo", "0,2", "undo", "undo", "C3", "exit"]
    _, out, err = typed(*lines, arguments=("-p1=manual", "-p2=manual", "--sgf", str(tmp_path / "g.sgf")))
    assert AFTER_UNDO + PROMPT in out
    assert "\nBack before move 2:\n" in out
    assert "Nothing to take back: you have not moved yet.\n" in out
    assert err == ""


def test_undo_against_a_program(tmp_path):
    status, out, err = typed("UNDO", "C3", "undo", "B2", "exit", arguments=("-p1=manual", "-p2=smart"))
    assert "Nothing to take back: you have not moved yet.\n" in out
    assert out.count("Move 1: X C3\n") == out.count("Back before move 1:\n") == out.count("Move 1: X B2\n") == 1
    assert (status, err) == (0, "")


# Leaving


def test_a_game_that_was_left_is_kept(tmp_path):
    file = tmp_path / "games.sgf"
    typed("C3", "b5", "exit", arguments=("-p1=manual", "-p2=manual", "--sgf", str(file)))
    typed("exit", arguments=("-p1=manual", "--sgf", str(file)))
    typed("E5", "undo", "A1", arguments=("-p1=manual", "-p2=manual", "--sgf", str(file)))
    games = mill_games(file.read_bytes())
    assert [told(game, "RE", "GC") for game in games] == [("Void", "left unfinished")] * 2
    assert [mill_moves(game) for game in games] == [[(1, (2, 2)), (2, (0, 1))], [(1, (0, 4)), (2, (4, 0))]]


def test_a_game_that_cannot_be_kept_is_one_line(tmp_path):
    status, _, err = typed("C3", "exit", arguments=("-p1=manual", "-p2=manual", "--sgf=/dev/full"))
    assert (status, err.count("\n")) == (2, 1)
    assert "No space left on device" in err


@pytest.mark.parametrize("word", ["exit", " Exit ", "quit", "QUIT"])
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


def test_lines_can_be_edited_in_a_terminal(terminal):
    screen = terminal("-p1=manual", "-p2=random")
    screen.until(PROMPT)
    # Two steps to the left and back over a 4.
    screen.type("C43\x1b[D\x7f\n")
    screen.until("Move 1: X C3\n")


def test_lines_typed_before_come_back_in_a_terminal(terminal):
    screen = terminal("-p1=manual", "-p2=random")
    screen.until(PROMPT)
    screen.type("9,9\n")
    screen.until(PROMPT)
    screen.type("\x1b[A\n")
    screen.until("got '9,9'.\n" + PROMPT)


COLOURED = {"NO_COLOR": "", "TERM": "xterm"}


def test_stones_and_what_was_taken_have_colours_in_a_terminal(terminal):
    """White's stone on A5 is taken from B5 and A4."""
    screen = terminal("-p1=manual", "-p2=manual", **COLOURED)
    for line in ("B5", "A5", "A4"):
        screen.until(" exit: ")
        screen.type(f"{line}\n")
    screen.until("Move 3: X A4\n   A B C D E\n")
    shown = screen.until("\n 3")
    assert shown == (
        " 5 \x1b[1;31m.\x1b[0m \x1b[1;36mX\x1b[0m . . .  5\n"
        " 4(\x1b[1;36;7mX\x1b[0m). . . .  4\n 3"
    )


@pytest.mark.parametrize("environment", [{**COLOURED, "NO_COLOR": "0"}, {**COLOURED, "TERM": "dumb"}, {**COLOURED, "TERM": ""}])
def test_there_are_no_colours_where_none_are_wanted(terminal, environment):
    screen = terminal("-p1=manual", "-p2=random", **environment)
    screen.until(PROMPT)
    screen.type("C3\nexit\n")
    assert "\x1b" not in screen.rest()[1]


def test_there_are_no_colours_outside_of_a_terminal():
    assert "\x1b" not in typed("C3", env={**os.environ, **COLOURED})[1]


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
