"""Engines from Python: asked for moves and anything else, ended in every way, and what is said where they fail."""

import copy
import os
import pickle
import random
import shlex
import subprocess
import sys
import threading

import numpy as np
import pytest

import goban
from goban.engines import Engine
from goban.errors import BadArgumentError, EngineError, GtpError
from tests.support.engines import PYTHON, SHELVED, with_gnugo

START = goban.new_game("aga", 5)


@pytest.fixture
def command_of(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(SHELVED))
    return lambda name: [PYTHON, "-S", "-B", str(SHELVED / name / "engine.py")]


def noted(engine, monkeypatch):
    """Note every command that an engine is asked."""
    asked, ask = [], engine.ask
    monkeypatch.setattr(engine, "ask", lambda command: (asked.append(command), ask(command))[1])
    return asked


def test_an_engine_moves_and_follows_the_game(command_of, monkeypatch):
    with Engine(command_of("plain")) as engine:
        asked = noted(engine, monkeypatch)
        state = START.play(engine.genmove(START)).play("C3")
        assert engine.genmove(state) in state.legal_moves()
        assert asked[-2:] == ["play w C3", "genmove b"]
        del asked[:]
        engine.genmove(START.play("B2"))
        assert asked[1] == "clear_board" or asked[0].startswith("boardsize")
        assert "play b B2" in asked


def test_a_new_game_is_told_from_the_start(command_of, monkeypatch):
    with Engine(command_of("plain")) as engine:
        state = START.play(engine.genmove(START)).play("C3")
        engine.new_game()
        asked = noted(engine, monkeypatch)
        engine.genmove(state)
        assert asked[0] == "boardsize 5"


def test_a_command_may_be_one_text(command_of):
    with Engine(shlex.join(command_of("plain"))) as engine:
        assert not engine.ask("no_such_command").ok
        assert "genmove" in engine.commands
        assert engine.name


def test_an_engine_resigns(command_of):
    state = START
    with Engine(command_of("resigns")) as engine:
        while (move := engine.genmove(state)) is not goban.RESIGN:
            state = state.play(move).play("pass")
    assert state.play(move).outcome.result() == "W+R"


def test_a_closed_engine_answers_no_more(command_of):
    engine = Engine(command_of("plain"))
    engine.close()
    engine.close()
    with pytest.raises(GtpError, match="the engine has ended, without an answer to 'name'"):
        engine.ask("name")


def test_an_engine_that_is_known_to_have_ended_leaves_no_pipe_open():
    """Python warns of what is left open, and a program that asks many engines would run out of files."""
    engine = Engine([PYTHON, "-S", "-c", ""])
    engine._process.wait()
    engine.close()
    assert (engine._process.stdin.closed, engine._process.stdout.closed) == (True, True)


@pytest.mark.parametrize("rng", [5, np.random.default_rng(1)], ids=type)
def test_what_is_no_source_of_seeds_is_refused_before_the_start(rng):
    with pytest.raises(BadArgumentError, match=r"expected a random.Random as `rng`, got "):
        Engine(["./nobody"], rng)


@pytest.mark.parametrize("command", [[], "", "  ", "gnugo 'half"])
def test_a_command_without_words_is_refused(command):
    with pytest.raises(EngineError, match="expected the command of an engine, got "):
        Engine(command)


@pytest.mark.parametrize("command", ["", "  ", "# nothing", "name\nversion", "name\rversion", ["name"], None], ids=repr)
def test_what_is_no_command_is_not_sent(command, command_of):
    with Engine(command_of("plain")) as engine:
        with pytest.raises(BadArgumentError, match="expected one line with a command, such as 'list_commands', got"):
            engine.ask(command)
        assert engine.name


def test_an_engine_is_asked_about_positions(command_of):
    with Engine(command_of("plain")) as engine, pytest.raises(BadArgumentError, match="expected a position"):
        engine.genmove("C3")


def test_an_engine_shows_its_command_and_whether_it_has_ended(tmp_path):
    program = tmp_path / "my engine"
    program.write_text("#!/bin/sh\ncat > /dev/null\n")
    program.chmod(0o755)
    with Engine(program) as engine:
        assert repr(engine) == f"<Engine '{program}'>"
    assert repr(engine) == f"<Engine '{program}', ended>"


def test_an_engine_that_is_not_there():
    with pytest.raises(EngineError, match=r"engine './nobody' cannot be started: No such file"):
        Engine(["./nobody"])


def test_an_engine_that_crashes(command_of):
    with Engine(command_of("crashes_at_start")) as engine, pytest.raises(GtpError, match="the engine has ended"):
        engine.genmove(START)


@with_gnugo
def test_gnugo_is_given_the_seed_of_the_game(monkeypatch):
    with Engine(["gnugo", "--mode", "gtp", "--level", "1"], random.Random(5)) as engine:
        asked = noted(engine, monkeypatch)
        engine.genmove(goban.new_game("aga", 9))
        assert any(command.startswith("set_random_seed ") for command in asked)
        assert engine.name == "GNU Go"


# Threads, copies, other processes


def test_threads_that_share_an_engine_have_their_own_answers(command_of):
    with Engine(command_of("plain")) as engine:
        found = []

        def ask():
            found.extend(engine.ask(command).text for command in ["protocol_version", "name"] * 20)

        threads = [threading.Thread(target=ask, daemon=True) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)  # who reads another's answer waits for its own for ever
        assert sorted(found) == sorted([engine.ask("protocol_version").text, engine.name] * 60)


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_engine_says_that_it_cannot_be_copied(way, command_of):
    with Engine(command_of("plain")) as engine, pytest.raises(TypeError, match="start another with the same command"):
        way(engine)


FORKED = """
import os, sys
from goban.engines import Engine
from goban.errors import EngineError

engine = Engine(sys.argv[1:])
name = engine.name
child = os.fork()
if child == 0:
    try:
        engine.ask("name")
    except EngineError as error:
        print(error, flush=True)
    sys.exit(0)
os.waitpid(child, 0)
print(engine.ask("name").text == name)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_leaves_the_engine_to_its_parent(command_of):
    """Two processes that ask count their commands alike, and each could take the other's answer for its own."""
    done = subprocess.run([sys.executable, "-c", FORKED, *command_of("plain")], capture_output=True, text=True, timeout=60)
    refused = "an Engine answers only the process that started it: start another with the same command"
    assert (done.stdout, done.stderr) == (f"{refused}\nTrue\n", "")
