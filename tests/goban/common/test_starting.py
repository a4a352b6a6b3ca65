"""Ctrl-C at any moment of a command line's start ends it without a traceback."""

import ast
import signal
import sys
import threading
import tomllib
from pathlib import Path

import pytest

from goban.common.command_lines import run
from goban.common.starting import SCRIPTS, end_at_ctrl_c, is_started

ROOT = Path(__file__).parents[3]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
STARTED = {place.partition(":")[0] for place in SETTINGS["project"]["scripts"].values()}


@pytest.fixture(autouse=True)
def usual_ctrl_c():
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_the_process_until_its_work_begins():
    end_at_ctrl_c()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    assert run("truth", lambda: signal.getsignal(signal.SIGINT) is signal.default_int_handler)


def test_whoever_ignores_ctrl_c_goes_on_ignoring_it():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_at_ctrl_c()
    assert run("truth", lambda: signal.getsignal(signal.SIGINT) is signal.SIG_IGN)


def test_a_command_line_may_be_called_in_another_thread():
    end_at_ctrl_c()
    statuses = []
    thread = threading.Thread(target=lambda: statuses.append(run("truth", lambda: 0)))
    thread.start()
    thread.join()
    assert statuses == [0]


def test_what_is_started_is_a_script_or_the_main_module(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["tests.py"])
    assert (is_started("__main__"), is_started("go_play")) == (True, False)
    for name in SCRIPTS.values():
        monkeypatch.setattr(sys, "argv", [f"/opt/go/bin/{name}.exe"])
        assert is_started("go_play")


@pytest.mark.parametrize("module", sorted(STARTED))
def test_a_command_line_imports_nothing_before_it_has_dealt_with_ctrl_c(module):
    path = ROOT / f"{module.replace('.', '/')}.py"
    source = path if path.is_file() else path.with_suffix("") / "__main__.py"
    body = [node for node in ast.parse(source.read_text()).body if not isinstance(node, ast.Expr)]
    plain = [node for node in body if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")]
    assert ast.unparse(plain[0]) == "from goban.common.starting import end_at_ctrl_c, is_started"
    assert ast.unparse(plain[1]) == "if is_started(__name__):\n    end_at_ctrl_c()"
