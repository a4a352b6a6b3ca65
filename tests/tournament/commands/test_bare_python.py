"""A Python without packages: a command that needs one in the end says so before it plays, in one line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sources import FIRST_LEGAL

ROOT = Path(__file__).parents[3]
MAIN = """import contextlib, io, json, sys
place, hidden, *lines = sys.argv[1:]
sys.path.insert(0, place)
if hidden:
    sys.modules[hidden] = None
from tournament.__main__ import main
done = []
for line in lines:
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as errors:
        status = main(line.split())
    done.append((status, output.getvalue(), errors.getvalue()))
print(json.dumps(done))
"""
COURSE = """name = "Go"
[[homework]]
name = "first"
submissions = "hw"
"""


def tournament(folder, *lines, hidden="", bare=True):
    """Run command lines, one after the other in one Python; return for each its status, its output and its errors.

    bare: without any installed package; hidden: without this one.
    """
    command = [sys.executable, *["-I", "-S"] * bare, "-c", MAIN, str(ROOT), hidden, *lines]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "hw").mkdir()
    (tmp_path / "hw/ann.py").write_text(FIRST_LEGAL)
    (tmp_path / "course.toml").write_text(COURSE)
    (tmp_path / "deciding.toml").write_text("deciding = 10\n")
    return tmp_path


# What is played by each of these is lost time if a package is missed only afterwards.
NEEDED = {
    "grade hw --require-tier T0": "tabulate",
    "gauntlet random greedy": "tabulate",
    "round-robin hw random --require-tier T0 --event deciding.toml": "numpy",
    "probe random": "tabulate",
    "doctor plain": "tabulate",
    "sample class --site": "jinja2",
    "report cup.db --truth 1": "jinja2",
    "similarity cup.db": "numpy",
}


def test_a_package_that_is_needed_in_the_end_is_named_before_anything_is_played(folder):
    before = sorted(folder.rglob("*"))
    for (line, package), done in zip(NEEDED.items(), tournament(folder, *NEEDED), strict=True):
        said = f"{line.split()[0]}: this needs {package}: make install, then run .venv/bin/python\n"
        assert done == [2, "", said], line
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("line", "package"),
    [
        ("round-robin hw random --require-tier T0 --event deciding.toml", "scipy"),
        ("report cup.db --truth 1", "tqdm"),
        ("sample class --site", "tabulate"),
    ],
)
def test_each_of_several_packages_is_looked_for(folder, line, package):
    ((status, _, errors),) = tournament(folder, line, hidden=package, bare=False)
    assert status == 2
    assert f": this needs {package}: make install, " in errors
    assert not list(folder.rglob("*.db"))


@pytest.mark.slow
def test_a_course_says_it_before_its_games(folder):
    for package in ("jinja2", "numpy", "scipy", "tabulate"):
        ((status, _, errors),) = tournament(folder, "course course.toml", hidden=package, bare=False)
        assert status == 2
        assert errors.endswith(f"course: this needs {package}: make install, then run .venv/bin/python\n")
    assert not list(folder.rglob("*.db"))


def test_what_needs_no_package_plays_without_any(folder):
    lines = ("play random greedy", "round-robin random greedy --games 2", "export round-robin.db json")
    assert [status for status, _, _ in tournament(folder, *lines)] == [0, 0, 0]
