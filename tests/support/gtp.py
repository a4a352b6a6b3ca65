"""Talking to our GTP engine: in this process, or as a controller does, through pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from unittest import mock

from goban.rulesets import ruleset
from players.gtp_engine import __main__ as command
from players.gtp_engine.__main__ import Engine
from tests.support.waiting import PATIENCE

ROOT = Path(__file__).parents[2]


def engine_of(player="random", rules="aga", size=9, seed=1, input_waits=lambda seconds: True):
    """An engine in this process; there is always a next command, unless told otherwise."""
    return Engine(player, ruleset(rules), size, seed, input_waits)


def answers(engine, text):
    """Return what the engine answers to commands, one a line: 'ok' for a success without a result, '? ...' for a failure."""
    found = ["".join(engine.answer(line)) for line in text.strip().splitlines()]
    assert all(answer.endswith("\n\n") and "\n\n" not in answer[:-1] and answer[0] in "=?" for answer in found)
    return [answer.strip().removeprefix("=").strip() or "ok" for answer in found]


def start(*arguments, flags=(), folder=None, **options):
    """Start an engine in a process of its own."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, *flags, "-m", "players.gtp_engine", *map(str, arguments)]
    return subprocess.Popen(words, cwd=folder or ROOT, env=paths, **{**pipes, **options})


def talk(text, *arguments, **options):
    """Send a whole transcript at once and end the input; return (status, standard output, standard error)."""
    data = text if isinstance(text, bytes) else text.encode()
    with start(*arguments, **options) as process:
        try:
            out, err = process.communicate(data, timeout=PATIENCE)
        finally:
            process.kill()
    return process.returncode, out.decode("ascii"), err.decode()


@cache
def _nothing():
    """What is always at its end. It stays open, since threads read it."""
    return os.open(os.devnull, os.O_RDWR)


def start_in_vain(*arguments):
    """Return the same of a command line in this process that ends before it reads a command."""
    streams = mock.patch.object(command, "keep_streams", return_value=(_nothing(), _nothing()))
    with streams, redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        try:
            status = command.main(arguments)
        except SystemExit as leaving:
            status = leaving.code
    return status, out.getvalue(), err.getvalue()
