"""The first hour: as a notebook, and typed as on Windows. `test_commands.py` types it where there is nothing but Python."""

import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from math import fsum

import pytest

from tests.support.documents import ROOT, Saved, shown, steps
from tests.support.hour_notebook import FEW, HOUR, IN_A_TERMINAL, LEARNS, MANY, NOTEBOOK, cells, notebook
from tests.support.without_unix import environment


@pytest.fixture
def folder(tmp_path):
    """What of the clone the steps before the judge need."""
    made = tmp_path / "clone"
    made.mkdir()
    for name in ("go.py", "go_play.py"):
        shutil.copy(ROOT / name, made)
    for name in ("goban", "players"):
        shutil.copytree(ROOT / name, made / name)
    return made


def before_the_judge():
    """The steps of the hour that need no package."""
    found = []
    for step in steps(HOUR):
        if not isinstance(step, Saved) and "tournament" in step.line:
            return found
        if isinstance(step, Saved) or not any(part in step.line for part in IN_A_TERMINAL):
            found.append(step)
    return found


def save(step, folder):
    (folder / step.name).parent.mkdir(parents=True, exist_ok=True)
    (folder / step.name).write_text(step.text)


def test_its_learner_rounds_alike_in_every_python():
    """From 3.12 on sum() rounds as `fsum` does, to another last digit: other moves, another table, other figures than shown."""
    (learner,) = (step for step in before_the_judge() if isinstance(step, Saved) and step.name == "hour/learner.py")
    names = {"__name__": "learner", "__file__": "hour/learner.py", "sum": fsum}
    exec(learner.text, names)
    player = names["MyPlayer"]()
    player.table = dict.fromkeys(names["looks"](names["GO"](5), 1), 0.1)
    one_by_one = 0.0
    for _ in range(10):
        one_by_one += 0.1
    assert player.value(names["GO"](5), 1) == one_by_one != fsum([0.1] * 10)


@pytest.mark.slow
def test_it_is_typed_as_on_windows(folder, tmp_path):
    """What is shown is compared up to where a player learns, here from few games."""
    assert sum(MANY in step.text for step in before_the_judge() if isinstance(step, Saved)) == 1
    (tmp_path / "hidden").mkdir()
    python = environment(tmp_path / "hidden")
    printed, wrong = dict(shown("printed by")), []
    for step in before_the_judge():
        if isinstance(step, Saved):
            save(replace(step, text=step.text.replace(MANY, FEW)), folder)
            continue
        if step.line == LEARNS:
            printed.clear()
        words = step.line.split()
        assert words[0] == "python3"
        done = subprocess.run([sys.executable, *words[1:]], cwd=folder, env=python, capture_output=True, text=True)
        if done.returncode or done.stdout != printed.get(step.line, done.stdout):
            wrong.append(f"{step.line}\n{done.stdout}{done.stderr}")
    assert wrong == []
    assert (folder / "hour/table.json").exists()
    assert not printed


def test_the_notebook_is_made_of_the_document():
    """If not: python3 -m tests.support.hour_notebook"""
    assert NOTEBOOK.read_text() == notebook(HOUR.read_text())


def test_the_notebook_saves_every_file_and_runs_every_command():
    code = [cell for kind, cell in cells(HOUR.read_text()) if kind == "code"]
    for step in steps(HOUR):
        if isinstance(step, Saved):
            assert f"%%writefile {step.name}\n{step.text}".rstrip("\n") in code
        else:
            typed = any(f"!{step.line}" in cell.splitlines() for cell in code)
            assert typed != any(part in step.line for part in IN_A_TERMINAL), step.line


def test_the_notebook_is_in_the_published_format():
    if find_spec("nbformat") is None:
        pytest.skip("no nbformat: pip install nbclient ipykernel")
    import nbformat

    nbformat.validate(nbformat.reads(NOTEBOOK.read_text(), as_version=4))


@pytest.mark.slow
def test_the_notebook_runs_in_jupyter(folder):
    """Without the judge's part, which the documents' own test types."""
    if find_spec("nbclient") is None or find_spec("ipykernel") is None:
        pytest.skip("no Jupyter: pip install nbclient ipykernel")
    import nbclient
    import nbformat

    made = nbformat.reads(NOTEBOOK.read_text(), as_version=4)
    made.cells = [cell for cell in made.cells if "tournament" not in cell.source]
    nbclient.NotebookClient(made, timeout=None, resources={"metadata": {"path": str(folder)}}).execute()
    out = "".join(output.get("text", "") for cell in made.cells for output in cell.get("outputs", ()))
    lines, out = {step.line for step in before_the_judge() if not isinstance(step, Saved)}, out.replace("\r\n", "\n")
    assert [command for command, text in shown("printed by") if command in lines and text not in out] == []
