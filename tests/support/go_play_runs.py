"""Runs of go_play.py as a user types it, in a process of its own or in that of the test, and a player to visit them."""

from __future__ import annotations

import contextlib
import io
import re
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import go_play
from tests.support.waiting import PATIENCE

SCRIPT = Path(__file__).parents[2] / "go_play.py"

SHARES = r"Wins:(\d+\.\d)% Loses:(\d+\.\d)%(?: Ties:(\d+\.\d)%)?\n"
RESULT = re.compile(rf"Black player \(X\) \| {SHARES}White player \(O\) \| {SHARES}")

LEGAL = """
import random, time
class MyPlayer:
    def get_input(self, go, piece_type):
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        return random.choice([p for p in points if go.valid_place_check(*p, piece_type, test_check=True)])
"""


def start(*arguments, flags=("-S",), **options):
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # A shell that runs tests in the background may have them ignore Ctrl-C; a user's does not.
    heed = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    return subprocess.Popen([sys.executable, *flags, SCRIPT, *arguments], text=True, **(pipes | heed | options))


def play(*arguments, **options):
    """Return (status, standard output, standard error)."""
    process = start(*arguments, **options)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, out, err


def play_here(*arguments, typed=""):
    """Return the same of a run in this process: to start one takes longer than most games."""
    typing = mock.patch.object(sys, "stdin", io.StringIO(typed))
    with typing, contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            status = go_play.main([*map(str, arguments)])
        except SystemExit as leaving:
            status = leaving.code
    return status, out.getvalue(), err.getvalue()


def shares(text):
    """Return Black's and White's (wins, losses, ties) from exactly two result lines."""
    found = RESULT.fullmatch(text)
    assert found, text
    numbers = [float(number or 0) for number in found.groups()]
    return numbers[:3], numbers[3:]


def write(folder, text, name="visitor.py"):
    path = folder / name
    path.write_text(text)
    return str(path)
