"""A Python without packages: a command that needs one in the end says so before it plays, in one line."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sources import FIRST_LEGAL

ROOT = Path(__file__).parents[3]
MAIN = """import sys
sys.path.insert(0, sys.argv.pop(1))
for name in [name for name in sys.argv.pop(1).split(",") if name]:
    sys.modules[name] = None
from tournament.__main__ import main
sys.exit(main())
"""
COURSE = """name = "Go"
[[homework]]
name = "first"
submissions = "hw"
"""


def tournament(folder, arguments, hidden="", bare=True):
    """Run a command line; bare: without any installed package; hidden: without these, divided by commas."""
    command = [sys.executable, *["-I", "-S"] * bare, "-c", MAIN, str(ROOT), hidden, *arguments.split()]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "hw").mkdir()
    (tmp_path / "hw/ann.py").write_text(FIRST_LEGAL)
    (tmp_path / "course.toml").write_text(COURSE)
    (tmp_path / "deciding.toml").write_text("deciding = 10\n")
    return tmp_path


# What is played by each of these is lost time if a package is missed only afterwards.
@pytest.mark.parametrize(
    ("arguments", "package"),
    [
        ("grade hw --require-tier T0", "tabulate"),
        ("gauntlet random greedy", "tabulate"),
        ("round-robin hw random --require-tier T0 --event deciding.toml", "numpy"),
        ("probe random", "tabulate"),
        ("doctor plain", "tabulate"),
        ("sample class --site", "jinja2"),
        ("report cup.db --truth 1", "jinja2"),
        ("similarity cup.db", "numpy"),
    ],
)
def test_a_package_that_is_needed_in_the_end_is_named_before_anything_is_played(folder, arguments, package):
    before = sorted(folder.rglob("*"))
    done = tournament(folder, arguments)
    assert (done.returncode, done.stdout) == (2, "")
    name = arguments.split()[0]
    assert done.stderr == f"{name}: this needs {package}: make install, then run .venv/bin/python\n"
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("arguments", "hidden", "package"),
    [
        ("round-robin hw random --require-tier T0 --event deciding.toml", "scipy", "scipy"),
        ("report cup.db --truth 1", "tqdm", "tqdm"),
        ("sample class --site", "tabulate", "tabulate"),
    ],
)
def test_each_of_several_packages_is_looked_for(folder, arguments, hidden, package):
    done = tournament(folder, arguments, hidden, bare=False)
    assert done.returncode == 2
    assert f": this needs {package}: make install, " in done.stderr
    assert not list(folder.rglob("*.db"))


def test_a_course_says_it_before_its_games(folder):
    for package in ("jinja2", "numpy", "scipy", "tabulate"):
        done = tournament(folder, "course course.toml", package, bare=False)
        assert done.returncode == 2
        assert done.stderr.endswith(f"course: this needs {package}: make install, then run .venv/bin/python\n")
    assert not list(folder.rglob("*.db"))


def test_what_needs_no_package_plays_without_any(folder):
    assert tournament(folder, "play random greedy").returncode == 0
    assert tournament(folder, "round-robin random greedy --games 2").returncode == 0
    assert tournament(folder, "export round-robin.db json").returncode == 0
