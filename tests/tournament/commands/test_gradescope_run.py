"""The autograder as Gradescope uses it: the zip is unpacked, set up once, and run for a submission in a folder of its own."""

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import zipfile
from functools import cache
from pathlib import Path

import pytest

from tests.support.missing import skip_if
from tests.support.sources import FIRST_LEGAL
from tournament.__main__ import main
from tournament.commands import gradescope_run
from tournament.errors import HarnessFaultError
from tournament.records import Tier
from tournament.sandbox import launching, tiers
from tournament.sandbox.interpreters import interpreter

RUBRIC = """
title = "Small"
rules = "course"
size = 3
games = 2

[[opponent]]
name = "random"
bands = [{ from = 0, times_rate = 10 }]
"""
METADATA = {"id": 17, "users": [{"email": "ann@example.org", "id": 1, "name": "Ann Lee"}]}


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Gradescope's folder, with the zip unpacked in `source` and a good submission."""
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(RUBRIC)
    return unpacked(tmp_path)


@cache
def packed(*options):
    """The zip; to make it takes a second."""
    assert main(["gradescope-autograder", "a.zip", "--rubric=small.toml", *options]) == 0
    return Path("a.zip").read_bytes()


def unpacked(tmp_path, *options, harness=False):
    """Unpack the zip; our own modules only if somebody else is to run them."""
    root = tmp_path / "autograder"
    with zipfile.ZipFile(io.BytesIO(packed(*options))) as archive:
        archive.extractall(root / "source", [name for name in archive.namelist() if harness or "harness/" not in name])
    for name in ("submission", "results"):
        (root / name).mkdir(exist_ok=True)
    (root / "submission/my_player.py").write_text(FIRST_LEGAL)
    (root / "submission_metadata.json").write_text(json.dumps(METADATA))
    return root


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def graded(root, status=0):
    assert main(["gradescope-run", "--root", str(root)]) == status
    return json.loads((root / "results/results.json").read_text())


def only(monkeypatch, tier):
    """No stronger sandbox than this works."""
    monkeypatch.setattr(tiers, "best_tier", lambda: Tier(tier))


def test_the_two_scripts_set_it_up_and_grade(root, tmp_path):
    """As Gradescope does it, with nothing but Python and an `apt-get` that has no network."""
    unpacked(tmp_path, harness=True)
    (tmp_path / "bin").mkdir()
    script(tmp_path / "bin/apt-get", "echo apt-get $* >&2; exit 100")
    script(tmp_path / "bin/python3", f'exec "{sys.executable}" "$@"')
    paths = {"AUTOGRADER_ROOT": str(root), "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", root / "source/setup.sh"], env=paths, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "apt-get install -y --no-install-recommends bubblewrap" in done.stderr
    assert "no package lists: what is installed must do\nno bubblewrap\n" in done.stdout
    # Where it is copied to must not matter.
    copy = shutil.copy(root / "source/run_autograder", root)
    done = subprocess.run(["bash", copy], env=paths, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stderr
    found = json.loads((root / "results/results.json").read_text())
    assert [test["name"] for test in found["tests"]] == ["against random"]
    assert [entry["name"] for entry in found["leaderboard"]] == ["points", "games won (%)", "seconds per move"]
    assert found["extra_data"] == {"name": "Ann Lee", "email": "ann@example.org", "tier": found["extra_data"]["tier"]}
    assert found["output"].endswith(f" of 10 points\nPlayed in a sandbox of tier {found['extra_data']['tier']}.")
    assert isinstance(found["execution_time"], int)


def test_grading_again_gives_the_same_points(root):
    (root / "submission/my_player.py").write_text("import random\n" + FIRST_LEGAL.replace("next(", "random.choice([*(").replace(
        "test_check=True))", "test_check=True))])"))  # fmt: skip
    one, again = graded(root), graded(root)
    assert [test["output"].splitlines()[1] for test in one["tests"]] == [
        test["output"].splitlines()[1] for test in again["tests"]
    ]


def test_a_rubrics_deadline_goes_by_the_time_at_which_it_came(root):
    with open(root / "source/small.toml", "a") as file:
        file.write("[deadline]\ndue = 2026-10-01T12:00:00\nzone = 'UTC'\npercent_per_day = 100\n")
    in_time = graded(root)
    (root / "submission_metadata.json").write_text(json.dumps({**METADATA, "created_at": "2026-10-01T05:00:01-07:00"}))
    late = graded(root)
    assert "nobody says when it was handed in" in in_time["output"]
    assert late["score"] == 0
    assert "handed in 2026-10-01 12:00:01 +0000, 1 day late" in late["output"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("my_player.py", "class MyPlayer\n", "my_player.py, line 1: SyntaxError"),
        ("notes.txt", "hello", "This submission could not be played: "),
        ("my_player.zip", "no zip", "This submission could not be played: "),
    ],
)
def test_what_cannot_be_taken_in_gets_0_and_the_reason(root, name, text, said):
    (root / "submission/my_player.py").unlink()
    (root / "submission" / name).write_text(text)
    found = graded(root)
    assert found["score"] == 0
    assert said in found["output"]
    assert [test["output"] for test in found["tests"]] == ["not played"]


def test_a_student_is_told_why_a_game_was_forfeited(root):
    (root / "submission/my_player.py").write_text(FIRST_LEGAL.replace("points = [", "points = 1 // 0 and ["))
    output = graded(root)["tests"][0]["output"]
    assert output.endswith(
        "forfeited 2 x crash\nthe first: black forfeits at move 1: ZeroDivisionError: integer division or modulo by zero "
        "(my_player.py, line 3)"
    )


def test_an_archive_alone_is_looked_into(root):
    (root / "submission/my_player.py").unlink()
    with zipfile.ZipFile(root / "submission/hw.zip", "w") as archive:
        archive.writestr("hw/my_player.py", FIRST_LEGAL)
    assert graded(root)["tests"][0]["output"].startswith("2 of 2 games")


def test_without_time_for_all_games_the_points_are_those_of_the_games_played(root, monkeypatch):
    monkeypatch.setattr(gradescope_run, "_MARGIN_SECONDS", 600 - 0.01)
    (root / "submission/my_player.py").write_text("import time\ntime.sleep(1)\n" + FIRST_LEGAL)
    found = graded(root)
    assert "The assignment's time-out of 10 minutes left no time for more." in found["output"]
    assert "not final" in found["output"]


def test_a_fault_of_ours_is_not_the_submissions(root, monkeypatch, capsys):
    def fail(*_):
        raise HarnessFaultError("no sandbox")

    monkeypatch.setattr(gradescope_run, "play_event", fail)
    found = graded(root, 2)
    assert found["output"] == (
        "This submission was not graded, which says nothing about it: the grading failed (no sandbox). Please tell the "
        "course's staff."
    )
    assert capsys.readouterr().err.endswith("gradescope-run: no sandbox\n")


def test_a_zip_that_is_damaged_leaves_a_result_too(root):
    (root / "source/settings.json").write_text("{}")
    assert "settings.json: expected the settings" in graded(root, 2)["output"]


def test_what_is_asked_of_the_sandbox_is_kept(tmp_path, root, monkeypatch):
    unpacked(tmp_path, "--require-tier=T2")
    only(monkeypatch, "T1")
    assert "submissions must be run at tier T2, but T1 is all there is here" in graded(root, 2)["output"]


def test_a_submission_is_never_root_without_a_wall_around_it(root, monkeypatch):
    only(monkeypatch, "T0")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(launching, "can_be_another_user", lambda python: False)
    assert "at tier T0 a submission would run as root" in graded(root, 2)["output"]


def test_on_an_older_ubuntu_a_newer_python_is_installed(root, tmp_path):
    """22.04, where python3 is 3.10."""
    (tmp_path / "bin").mkdir()
    script(tmp_path / "bin/python3", "exit 1")
    script(tmp_path / "new", f'exec "{sys.executable}" "$@"')
    link = f"{shutil.which('ln')} -s {tmp_path}/new {tmp_path}/bin/python3.11"
    script(tmp_path / "bin/apt-get", f'case "$*" in *python3.11) {link};; esac')
    (tmp_path / "bin/cat").symlink_to(shutil.which("cat"))
    paths = {"AUTOGRADER_ROOT": str(root), "PATH": str(tmp_path / "bin")}
    subprocess.run([shutil.which("bash"), root / "source/setup.sh"], env=paths, capture_output=True, check=True)
    assert (root / "source/python").read_text() == f"{tmp_path}/bin/python3.11\n"


BAD = {
    "--minutes=1": "--minutes: expected a number from 2 to 40, got 1",
    "--jobs=0": "--jobs: expected a whole number from 1 to 16, got 0",
    "--games=3": "--games: expected an even number, for as many with each colour, got 3",
    "--rubric=2019-second": "--rubric: expected a rubric with reference players, got '2019-second'",
    "--requirements=none.txt": "none.txt: No such file or directory",
}


@pytest.mark.parametrize("option", BAD)
def test_bad_options_are_one_line(option, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["gradescope-autograder", "a.zip", option]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"gradescope-autograder: {BAD[option]}")
    assert err.count("\n") == 1
    assert not Path("a.zip").exists()


HOSTILE = """
    import os

    def tried(name, work):
        try:
            work()
        except OSError:
            return ""
        return name

    DONE = [
        tried("read what all may read", lambda: open("{root}/open.txt")),
        tried("wrote the result", lambda: open("{root}/results/results.json", "w")),
        tried("removed the result", lambda: os.unlink("{root}/results/results.json")),
        tried("read the key", lambda: open("{root}/source/settings.json")),
        tried("read the rubric", lambda: open("{root}/source/small.toml")),
        tried("read the metadata", lambda: open("{root}/submission_metadata.json")),
        tried("opened the folder", lambda: os.chmod("{root}/source", 0o777)),
        tried("became root", lambda: os.setuid(0)),
        tried("could signal the judge", lambda: os.kill({judge}, 0)),
        tried("read the judge's memory", lambda: open("/proc/{judge}/mem", "rb")),
    ]

    class MyPlayer:
        def get_input(self, go, piece_type):
            raise RuntimeError("It " + (", ".join(filter(None, DONE)) or "nothing") + ".")
"""


def other_users_interpreter():
    """An interpreter that other users can run, '' if there is none."""
    for program in (sys.executable, "/usr/bin/python3.11", "/usr/bin/python3.12", "/usr/bin/python3.13"):
        if Path(program).exists() and launching.can_be_another_user(interpreter(program)):
            return program
    return ""


@pytest.mark.parametrize("tier", ["T0", "T1"])
def test_even_without_namespaces_a_hostile_submission_gets_at_nothing_of_roots(tier, tmp_path, monkeypatch):
    """As root, in a container: what it may not read, write or signal is closed by a user id of its own."""
    report = {report.tier: report for report in tiers.probe()}[tier]
    python = other_users_interpreter()
    skip_if(report.why_not or ("" if python else "no interpreter here can be run by other users, or we are not root"))
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(RUBRIC)
    only(monkeypatch, tier)
    # Its own folder of temporary files is closed to others anyway.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        root = unpacked(Path(folder), f"--python={python}")
        (root / "open.txt").write_text("for everybody")
        source = textwrap.dedent(HOSTILE).replace("{root}", str(root)).replace("{judge}", str(os.getpid()))
        (root / "submission/my_player.py").write_text(source)
        found = graded(root)
    assert found["extra_data"]["tier"] == tier
    reached = "read what all may read" if tier == "T0" else "nothing"
    assert f"RuntimeError: It {reached}. (my_player.py" in found["tests"][0]["output"]
