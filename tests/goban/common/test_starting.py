"""An old Python, or Ctrl-C at any moment of a command line's start, ends it without a traceback."""

import ast
import runpy
import signal
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest

from goban.common.command_lines import run
from goban.common.starting import OLDEST_PYTHON, SCRIPTS, end_at_ctrl_c, is_started

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
def test_a_command_line_begins_before_it_imports_anything_else(module):
    path = ROOT / f"{module.replace('.', '/')}.py"
    source = path if path.is_file() else path.with_suffix("") / "__main__.py"
    body = [node for node in ast.parse(source.read_text()).body if not isinstance(node, ast.Expr)]
    plain = [node for node in body if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")]
    assert ast.unparse(plain[0]) == "from goban.common.starting import begin, is_started"
    assert ast.unparse(plain[1]) == "if is_started(__name__):\n    begin()"


@pytest.mark.parametrize("script", [*sorted(STARTED), "my_player"])
def test_an_old_python_is_refused_in_one_line(script, monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, script, raising=False)
    monkeypatch.setattr(sys, "argv", [script])
    monkeypatch.setattr(sys, "version_info", (3, 10, 12, "final", 0))
    with pytest.raises(SystemExit, match="2"):
        runpy.run_module(script, run_name="__main__")
    line = f"expected Python 3.11 or newer, got 3.10.12 ({sys.executable}): type python3.11 for python3?\n"
    assert capsys.readouterr() == ("", line)


@pytest.mark.parametrize("code", [
    "import goban; goban.new_game", "import go", "import my_player3", "from players.registry import make_player",
    "import gojudge; gojudge.Limits", "import golearn; golearn.Plan", "import tournament; tournament.Course",
])  # fmt: skip
def test_an_old_python_that_imports_the_library_is_told_so_and_not_what_it_lacks(code):
    old = f"import sys; sys.version_info = (3, 9, 2, 'final', 0)\n{code}"
    done = subprocess.run([sys.executable, "-c", old], cwd=ROOT, capture_output=True, text=True, check=False)
    line = f"ImportError: expected Python 3.11 or newer, got 3.9.2 ({sys.executable}): type python3.11 for python3?"
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, line)


def test_the_oldest_python_is_the_one_of_the_package():
    assert f"if sys.version_info < {OLDEST_PYTHON}:" in (ROOT / "goban/__init__.py").read_text()
    assert SETTINGS["project"]["requires-python"] == ">=" + ".".join(map(str, OLDEST_PYTHON))


def test_an_old_python_can_read_all_that_is_imported_until_it_is_refused():
    code = "import sys; import tournament, goban.solver, golearn.qlearning, goban.common.starting; print(*sorted(sys.modules))"
    modules = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    ours = [ROOT.joinpath(*name.split(".")) for name in modules if (ROOT / name.partition(".")[0]).is_dir()]
    files = [each / "__init__.py" if each.is_dir() else each.with_suffix(".py") for each in ours]
    assert len(files) >= 6, files
    for path in [*files, ROOT / "go_play.py", ROOT / "my_player.py"]:
        ast.parse(path.read_text(), feature_version=(3, 8))
