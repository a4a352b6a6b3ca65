"""Installed from a wheel into an environment of its own, and used from another folder."""

import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.support.missing import needs, no_package, no_program

ROOT = Path(__file__).parents[1]
PACKAGES = ("goban", "gojudge", "golearn", "players", "tournament")
MODULES = ("go.py", "go_play.py", *(path.name for path in ROOT.glob("my_player*.*")))
# Of the pages only README needs them.
NOT_SHIPPED = {"__pycache__", "screenshots"}

# A wheel is built without a network.
pytestmark = [pytest.mark.slow, needs(no_package("setuptools", 77))]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy, so that nothing is left in the clone."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in (*PACKAGES, *MODULES, "pyproject.toml", "setup.py", "README.md", "LICENSE"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source)
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, source], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """An environment with the wheel and, behind it, the other packages of this one."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    options = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin/python", "install", *options, wheel]
    subprocess.run(pip, check=True, capture_output=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


@pytest.fixture
def command(environment, tmp_path):
    """Run a command of the environment in an empty folder; it must end with status 0."""

    def run(name, *arguments):
        done = subprocess.run([environment / "bin" / name, *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_the_wheel_has_all_files_of_the_packages(wheel):
    ours = {str(path.relative_to(ROOT)) for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file()}
    ours = {path for path in ours if not NOT_SHIPPED & set(Path(path).parts)} | set(MODULES)
    found = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert found == ours


def test_the_wheel_says_which_packages_have_types(wheel):
    assert {f"{name}/py.typed" for name in PACKAGES} <= set(zipfile.ZipFile(wheel).namelist())


def test_poetry_takes_it(wheel):
    """It refuses a project that asks for its own extras, so the tests' extra writes out what two others ask for."""
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        needed = re.findall(r"^Requires-Dist: (.+)", files.read(name).decode(), re.M)
    wanted = dict.fromkeys(("test", "env", "plots"))
    for extra in wanted:
        wanted[extra] = {line.split(";")[0] for line in needed if line.endswith(f'extra == "{extra}"')}
    assert not [line for line in needed if line.startswith("go-competition-harness")]
    assert wanted["env"] | wanted["plots"] <= wanted["test"]


def test_our_modules_are_those_of_the_environment(environment, command):
    said = command("python", "-c", "import go, goban.solver.book as b; print(go.__file__, len(b.shipped_book('course')))")
    place, entries = said.split()
    assert place.startswith(str(environment))
    assert int(entries) > 1000


def test_games_are_played(command):
    said = command("go-play", "-p1=my", "-p2=random", "-t=3", "--seed=1")
    assert said == "Black player (X) | Wins:100.0% Loses:0.0%\nWhite player (O) | Wins:0.0% Loses:100.0%\n"


def test_who_wins_is_explained(command):
    assert command("go-truth", "--help").startswith("usage: go-truth ")


def test_a_player_is_an_engine(command):
    assert command("go-gtp", "--help").startswith("usage: go-gtp ")


def test_a_table_is_trained(command, tmp_path, monkeypatch):
    """Few games, in plain Python: to compile all of an installation anew takes longer."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    said = command("go-train", "--games=2", "--evaluations=1", "--evaluation-games=1")
    assert said.splitlines()[-1] == "done after 2 of 2 games; saved trained.bin, trained.npz"
    assert {path.name for path in tmp_path.iterdir()} == {"trained.bin", "trained.npz"}


def test_hints_name_the_programs_that_are_installed(command):
    assert command("go-tournament", "--help").startswith("example: go-tournament check ")
    assert command("go-tournament", "key", "--help").startswith("example: go-tournament key ")


def test_a_submission_is_checked(command, tmp_path):
    (tmp_path / "hw").mkdir()
    (tmp_path / "hw/my_player.py").write_text(
        "class MyPlayer:\n"
        "    def get_input(self, go, piece_type):\n"
        "        points = [(i, j) for i in range(go.size) for j in range(go.size)]\n"
        "        return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))\n"
    )
    assert re.match(r"hw: ok \(my_player.py, class MyPlayer\)", command("go-tournament", "check", "hw"))


@needs(no_program("bwrap", "bubblewrap"))
def test_attacks_are_contained_where_our_modules_lie_among_other_packages(command):
    said = command("go-tournament", "doctor", "plain", "reads_reference_players", "littlego/trivial")
    assert "2 of 2 attacks and 1 of 1 programs hold at T" in said
