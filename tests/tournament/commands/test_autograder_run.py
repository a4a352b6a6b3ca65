"""The autograder as Gradescope uses it: the zip is unpacked, set up once, and run for a submission in a folder of its own.
Then as Vocareum and a workflow of GitHub Classroom do."""

import base64
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import zipfile
from functools import cache
from pathlib import Path

import pytest
import yaml

from goban.common.command_lines import LEFT
from gojudge.errors import HarnessFaultError
from gojudge.records import Tier
from gojudge.refereeing.referee import play
from gojudge.sandbox import launching, tiers
from gojudge.sandbox.launching import interpreter
from tests.support.event_files import SMALL_RUBRIC
from tests.support.missing import skip_if
from tests.support.scripts import script
from tests.support.sources import FIRST_LEGAL
from tournament.__main__ import main
from tournament.commands import autograder, autograder_run
from tournament.results.autograders import WORKFLOW, ZIP_BESIDE
from tournament.store.store import Store

AUTOGRADER = Path(autograder_run.__file__).parents[1] / "results/autograder"

METADATA = {"id": 17, "users": [{"email": "ann@example.org", "id": 1, "name": "Ann Lee"}]}


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Gradescope's folder, with the zip unpacked in `source` and a good submission."""
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL_RUBRIC)
    return unpacked(tmp_path)


@cache
def packed(*options, event=""):
    """The zip; to make it takes a second. event: what stands in the event file."""
    Path("event.toml").write_text(event)
    assert main(["autograder", "gradescope", "a.zip", "--rubric=small.toml", "--event=event.toml", *options]) == 0
    return Path("a.zip").read_bytes()


def unpacked(tmp_path, *options, harness=False, event=""):
    """Unpack the zip; our own modules only if somebody else is to run them."""
    root = tmp_path / "autograder"
    with zipfile.ZipFile(io.BytesIO(packed(*options, event=event))) as archive:
        archive.extractall(root / "source", [name for name in archive.namelist() if harness or "harness/" not in name])
    for name in ("submission", "results"):
        (root / name).mkdir(exist_ok=True)
    (root / "submission/my_player.py").write_text(FIRST_LEGAL)
    (root / "submission_metadata.json").write_text(json.dumps(METADATA))
    return root


def graded(root, status=0):
    assert main(["autograder-run", "gradescope", "--root", str(root)]) == status
    return json.loads((root / "results/results.json").read_text())


def only(monkeypatch, tier):
    """No stronger sandbox than this works."""
    monkeypatch.setattr(tiers, "best_tier", lambda: Tier(tier))


@pytest.mark.slow
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
    assert done.stdout.startswith("no package lists: what is installed must do\n")
    assert done.stdout.endswith("no bubblewrap\n")
    # Where it is copied to must not matter.
    copy = shutil.copy(root / "source/run_autograder", root)
    done = subprocess.run(["bash", copy], env=paths, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stderr
    assert "saved in" not in done.stderr, "its results file is gone"
    found = json.loads((root / "results/results.json").read_text())
    assert [test["name"] for test in found["tests"]] == ["against random"]
    assert [entry["name"] for entry in found["leaderboard"]] == ["points", "games won (%)", "seconds per move"]
    assert found["extra_data"] == {"name": "Ann Lee", "email": "ann@example.org", "tier": found["extra_data"]["tier"]}
    assert found["output"].endswith(f" of 10 points\nPlayed in a sandbox of tier {found['extra_data']['tier']}.")
    assert isinstance(found["execution_time"], int)


GUESSES = "import random\n" + FIRST_LEGAL.replace("next(", "random.choice([*(").replace(
    "test_check=True))", "test_check=True))])"
)
TIMES = re.compile(r"[\d.]+ s per move, longest [\d.]+ s")


def without_times(found):
    """Return the contents of `results.json` but for what the clock says."""
    found = {**found, "execution_time": 0, "leaderboard": [one for one in found["leaderboard"] if "second" not in one["name"]]}
    found["extra_data"] = {**found["extra_data"], "submitted": ""}
    return TIMES.sub("", json.dumps(found))


@pytest.mark.slow
def test_the_same_files_of_a_student_give_the_same_result_however_often_they_are_handed_in(tmp_path, monkeypatch):
    """Each time with another number, at another time, in another form, with other files of the system beside them."""
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL_RUBRIC.replace("games = 2", "games = 10"))
    root = unpacked(tmp_path, "--games=10", event="seed = 1")
    source = root / "submission/my_player.py"
    source.write_text(GUESSES)
    found = []
    for number in range(4):
        metadata = {**METADATA, "id": number, "created_at": f"2026-10-0{number + 1}T12:00:00Z"}
        (root / "submission_metadata.json").write_text(json.dumps(metadata))
        if number == 1:
            (root / "submission/.DS_Store").write_bytes(b"junk")
        if number == 2:
            source.unlink()
            with zipfile.ZipFile(root / "submission/hw.zip", "w") as archive:
                archive.writestr("__MACOSX/._my_player.py", b"junk")
                archive.writestr("hw/my_player.py", GUESSES)
        found.append(without_times(graded(root)))
    assert len(set(found)) == 1
    # Of somebody else, and of another file, other games are played: not all of these come out alike.
    others, first = set(), json.loads(found[0])["tests"][0]["output"]
    for number in range(2, 6):
        metadata = {**METADATA, "users": [{"email": "b@example.org", "id": number, "name": "Ann Lee"}]}
        (root / "submission_metadata.json").write_text(json.dumps({**metadata, "id": 17}))
        others.add(TIMES.sub("", graded(root)["tests"][0]["output"]))
        if others != {first}:
            break
    assert others != {first}


@pytest.mark.slow
def test_a_rubrics_deadline_goes_by_the_time_at_which_it_came(root):
    with open(root / "source/small.toml", "a") as file:
        file.write("[deadline]\ndue = 2026-10-01T12:00:00\nzone = 'UTC'\npercent_per_day = 100\n")
    in_time = graded(root)
    late = {**METADATA, "created_at": "2026-10-01T05:00:01-07:00"}
    assert "nobody says when it was handed in" in in_time["output"]
    found = handed_in(root, late)
    assert found["score"] == 0
    assert "handed in 2026-10-01 12:00:01 +0000, 1 day late" in found["output"]
    by = "Counted by this homework alone, no late days free: what is left of a course's late days is not known here."
    assert by in found["output"].splitlines()
    assert "Counted by" not in in_time["output"]
    # What Gradescope says of the assignment counts before what the rubric says, and a student's extension before that.
    assignment = {"due_date": "2026-09-30T12:00:00Z", "late_due_date": "2026-09-30T23:00:00Z"}
    found = handed_in(root, {**late, "assignment": assignment})
    assert "2 days late, after the cut-off" in found["output"]
    assert "\nDue 2026-09-30 12:00:00 +0000 (UTC).\n" in found["output"]
    users = [{**METADATA["users"][0], "assignment": {"due_date": "2026-10-02T00:00:00+02:00", "late_due_date": None}}]
    found = handed_in(root, {**late, "assignment": assignment, "users": users})
    assert "late" not in found["output"]
    assert "\nDue 2026-10-01 22:00:00 +0000 (UTC).\n" in found["output"]
    (root / "submission_metadata.json").write_text("{'users': []}")
    assert "in JSON. So this counts as in time, and as the first submission. Please tell" in graded(root)["output"]


def handed_in(root, metadata):
    (root / "submission_metadata.json").write_text(json.dumps(metadata))
    return graded(root)


@pytest.mark.slow
def test_one_submission_too_many_is_not_played(tmp_path, root):
    unpacked(tmp_path, "--attempts=2")
    first = graded(root)
    before = [{"submission_time": "2026-10-01T10:00:00Z", "score": 1.0}, {"score": first["score"], "results": first}]
    (root / "submission/my_player.py").write_text("class MyPlayer\n")
    found = handed_in(root, {**METADATA, "previous_submissions": before})
    assert (found["score"], found["tests"]) == (first["score"], first["tests"])
    assert found["output"].startswith("Not graded: 2 submissions were graded before, and the limit is 2. ")
    assert "SyntaxError" in handed_in(root, {**METADATA, "previous_submissions": before[:1]})["output"]


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


@pytest.mark.slow
def test_a_student_is_told_why_a_game_was_forfeited(root):
    (root / "submission/my_player.py").write_text(FIRST_LEGAL.replace("points = [", "points = 1 / 0 and ["))
    output = graded(root)["tests"][0]["output"]
    told = output.partition("forfeited 2 x crash\nthe first of them: ")[2].splitlines()
    assert told[0] == (
        "Black forfeits at move 1: crash (ZeroDivisionError: division by zero (my_player.py, line 3))."
    )
    assert told[1:3] == ["Traceback (most recent call last):", '  File "my_player.py", line 3, in get_input']
    assert told[-1] == "ZeroDivisionError: division by zero"


@pytest.mark.slow
def test_an_archive_alone_is_looked_into(root):
    (root / "submission/my_player.py").unlink()
    with zipfile.ZipFile(root / "submission/hw.zip", "w") as archive:
        archive.writestr("hw/my_player.py", FIRST_LEGAL)
    assert graded(root)["tests"][0]["output"].startswith("2 of 2 games")


_OPPONENT = SMALL_RUBRIC[SMALL_RUBRIC.index("[[opponent]]") :]
TWO = SMALL_RUBRIC.replace("games = 2", "games = 10") + _OPPONENT.replace("random", "greedy")


@pytest.mark.slow
def test_without_time_for_all_games_opponents_have_played_alike_and_nothing_is_booked(root, monkeypatch):
    """The clock is stopped by the games themselves: the time is over with the seventh."""
    (root / "source/small.toml").write_text(TWO)
    event = root / "source/event.toml"
    event.write_text(event.read_text().replace("games = 2", "games = 10"))
    add, games = Store.add, []

    def counted(self, *results):
        add(self, *results)
        games.extend(results)
        if len(games) >= 7:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(Store, "add", counted)
    found = graded(root)
    played = [game.spec.id for game in games]
    assert played[:7] == [f"submission-{name}-{number:03}" for number in range(1, 5) for name in ("random", "greedy")][:7]
    assert "The assignment's time-out of 10 minutes left no time for more." in found["output"]
    assert found["output"].startswith(f"{len(played)} of 20 games were played. Until all are, there are no points.\n")
    assert not [key for part in (found, *found["tests"]) for key in part if "score" in key]


def test_a_fault_of_ours_is_not_the_submissions(root, monkeypatch, capsys):
    def fail(*_, **__):
        raise HarnessFaultError("no sandbox")

    monkeypatch.setattr(autograder_run, "play_event", fail)
    found = graded(root, 2)
    assert found["output"] == (
        "This submission was not graded, which says nothing about it: the grading failed (no sandbox). Please tell the "
        "course's staff."
    )
    assert capsys.readouterr().err.endswith("autograder-run: no sandbox\n")


def test_a_zip_that_is_damaged_leaves_a_result_too(root):
    (root / "source/settings.json").write_text("{}")
    assert "settings.json: expected the settings" in graded(root, 2)["output"]


@pytest.mark.slow
def test_what_is_asked_of_the_sandbox_is_kept(tmp_path, root, monkeypatch):
    unpacked(tmp_path, event="require_tier = 'T2'")
    only(monkeypatch, "T1")
    assert "submissions must be run at tier T2, but T1 is all there is here" in graded(root, 2)["output"]


@pytest.mark.parametrize("tier", ["T0", "T1"])
def test_a_submission_is_never_root(tier, root, monkeypatch):
    only(monkeypatch, tier)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(launching, "can_be_another_user", lambda python: False)
    monkeypatch.setattr(launching, "what_keeps_others_out", lambda python: "only root may enter /root")
    found = graded(root, 2)
    assert f"at tier {tier} a submission would run as root: only root may enter /root" in found["output"]
    assert "which says nothing about it" in found["output"]
    assert "score" not in found


@pytest.mark.slow
@pytest.mark.parametrize("others", [True, False])
def test_setting_up_prefers_a_python_that_others_can_run(others, root, tmp_path):
    """As root, in an image where the first one lies in root's home directory."""
    for name, closed in (("first", True), ("second", not others)):
        (tmp_path / name).mkdir()
        # What asks whether others can run it asks in so many words; it is answered for the interpreter that there is.
        script(tmp_path / f"{name}/python3", f"""case "$*" in *what_keeps*) exit {int(closed)};; esac
exec "{sys.executable}" "$@\"""")
    script(tmp_path / "second/apt-get", "exit 0")
    unpacked(tmp_path, harness=True)
    text = (root / "source/setup.sh").read_text().replace('"$EUID"', "0")
    (root / "source/setup.sh").write_text(text)
    paths = {"AUTOGRADER_ROOT": str(root), "PATH": f"{tmp_path / 'first'}:{tmp_path / 'second'}"}
    command = [shutil.which("bash"), root / "source/setup.sh"]
    done = subprocess.run(command, env=paths, capture_output=True, text=True, check=True)
    chosen = tmp_path / ("second" if others else "first") / "python3"
    assert (root / "source/python").read_text() == f"{chosen}\n"
    assert (f"only root can run {chosen}: in a sandbox weaker than T2 nothing will be graded" in done.stdout) is not others


@pytest.mark.slow
@pytest.mark.parametrize("name", ["python3.11", "python3.15"])
def test_on_an_older_ubuntu_a_newer_python_is_installed(name, root, tmp_path):
    """22.04, where python3 is 3.10. Whatever the newer one is called, it is found."""
    (tmp_path / "bin").mkdir()
    script(tmp_path / "bin/python3", "exit 1")
    script(tmp_path / "new", f'exec "{sys.executable}" "$@"')
    link = f"{shutil.which('ln')} -s {tmp_path}/new {tmp_path}/bin/{name}"
    script(tmp_path / "bin/apt-get", f'case "$*" in *python3.11) {link};; esac')
    (tmp_path / "bin/cat").symlink_to(shutil.which("cat"))
    paths = {"AUTOGRADER_ROOT": str(unpacked(tmp_path, harness=True)), "PATH": str(tmp_path / "bin")}
    subprocess.run([shutil.which("bash"), root / "source/setup.sh"], env=paths, capture_output=True, check=True)
    assert (root / "source/python").read_text() == f"{tmp_path}/bin/{name}\n"


BAD = {
    "--minutes=1": "--minutes: expected a number from 2 to 40, got 1",
    "--attempts=-1": "--attempts: expected a whole number from 0 to 1000, got -1",
    "--move-time=0": "--move-time: expected a number above 0, at most 2400, got 0",
    "--jobs=0": "--jobs: expected a whole number from 1 to 16, got 0",
    "--games=3": "--games: expected an even number, for as many with each colour, got 3",
    "--rubric=2019-second": "--rubric: expected a rubric with reference players, got '2019-second'",
    "--requirements=none.txt": "none.txt: No such file or directory",
}


@pytest.mark.parametrize("option", BAD)
def test_bad_options_are_one_line(option, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["autograder", "gradescope", "a.zip", option]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"autograder: {BAD[option]}")
    assert err.count("\n") == 1
    assert not Path("a.zip").exists()


FITS = [
    ("--minutes=10", 2, "about 20.0 min, with 0.25 s for each of a submission's 12 answers in a game and"),
    ("--minutes=40", 0, "400 games: about 20.0 min, with"),
    ("--minutes=10 --move-time=0.01", 0, "400 games: about 0.8 min, with 0.01 s"),
    ("--minutes=12 --jobs=2", 0, "400 games, 2 at a time: about 10.0 min, with 0.25 s"),
    ("--minutes=10 --games=20", 0, "80 games: about 4.0 min"),
    ("--minutes=40 --rubric=own.toml", 2, "1200 games: about 120.0 min, with 0.25 s for each of a submission's 24"),
    ("--minutes=40 --rubric=littlego-2023", 2, "120 games: about 180.0 min, with 7.5 s"),
]
UNHURRIED = """
title = "Own"
rules = "course"
size = 7
games = 1200

[[opponent]]
name = "random"
bands = [{ from = 0, times_rate = 10 }]
"""


@pytest.mark.parametrize(("options", "status", "said"), FITS)
def test_the_zip_is_made_if_all_games_fit_into_the_time_out(options, status, said, tmp_path, monkeypatch, capsys):
    """The players' own time is left out of it: it is that of this machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(autograder, "_seconds_of_games", lambda plan: [0.0] * len(plan.rubric.opponents))
    monkeypatch.setattr(autograder, "autograder", lambda *_: b"a zip")
    Path("own.toml").write_text(UNHURRIED)
    assert main(["autograder", "gradescope", "a.zip", *options.split()]) == status
    error = capsys.readouterr().err
    assert said in error
    assert status or all(len(line) <= 132 for line in error.splitlines())
    assert Path("a.zip").exists() is (status == 0)


@pytest.mark.slow
def test_the_rubrics_players_are_asked_how_long_they_take(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = []

    def play_and_note(game, start, black, white):
        asked.append((game.black, game.white, start.rules.name))
        return play(game, start, black, white)

    monkeypatch.setattr(autograder, "play", play_and_note)
    assert main(["autograder", "gradescope", "a.zip", "--games=2", "--minutes=40"]) == 0
    assert asked == [(name, "random", "course") for name in ("random", "greedy", "aggressive", "smart")]


def test_the_zip_accepts_any_tier_unless_the_event_file_names_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL_RUBRIC)
    for event, tier in (("", "T0"), ("require_tier = 'T2'", "T2")):
        with zipfile.ZipFile(io.BytesIO(packed(event=event))) as archive:
            assert f'require_tier = "{tier}"'.encode() in archive.read("event.toml")


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


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["T0", "T1"])
def test_even_without_namespaces_a_hostile_submission_gets_at_nothing_of_roots(tier, tmp_path, monkeypatch):
    """As root, in a container: what it may not read, write or signal is closed by a user id of its own."""
    report = {report.tier: report for report in tiers.probe()}[tier]
    python = other_users_interpreter()
    skip_if(report.why_not or ("" if python else "no interpreter here can be run by other users, or we are not root"))
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL_RUBRIC)
    only(monkeypatch, tier)
    # Its own folder of temporary files is closed to others anyway.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        root = unpacked(Path(folder), event=f"python = '{python}'")
        (root / "open.txt").write_text("for everybody")
        source = textwrap.dedent(HOSTILE).replace("{root}", str(root)).replace("{judge}", str(os.getpid()))
        (root / "submission/my_player.py").write_text(source)
        found = graded(root)
    assert found["extra_data"]["tier"] == tier
    reached = "read what all may read" if tier == "T0" else "nothing"
    assert f"RuntimeError: It {reached}. (my_player.py" in found["tests"][0]["output"]


def unpacked_for(system, folder, *options, harness=False):
    """Unpack the zip for another system than Gradescope in a folder of its own; return it, and that of a good submission."""
    Path("small.toml").write_text(SMALL_RUBRIC)
    assert main(["autograder", system, "b.zip" if system == "vocareum" else ".", "--rubric=small.toml", *options]) == 0
    source, work = folder / "scripts", folder / "work"
    with zipfile.ZipFile("b.zip" if system == "vocareum" else ZIP_BESIDE) as archive:
        archive.extractall(source, [name for name in archive.namelist() if harness or "harness/" not in name])
        modes = {name: archive.getinfo(name).external_attr >> 16 for name in archive.namelist()}
    assert modes.get("grade.sh", 0o755) & 0o777 == 0o755
    work.mkdir()
    (work / "my_player.py").write_text(FIRST_LEGAL)
    return source, work


@pytest.mark.slow
def test_vocareum_calls_grade_sh_in_the_folder_of_the_submission(tmp_path, monkeypatch):
    """As its page on custom grading scripts describes it: two variables name the files, and a line per criterion is read."""
    monkeypatch.chdir(tmp_path)
    source, work = unpacked_for("vocareum", tmp_path, harness=True)
    grade, report = tmp_path / "grade", tmp_path / "report"
    for path in (grade, report):
        path.touch()
    (tmp_path / "bin").mkdir()
    script(tmp_path / "bin/python3", f'exec "{sys.executable}" "$@"')
    given = {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "VOC_USERID": "17", "VOC_HOME_DIR": str(work),
        "vocareumGradeFile": str(grade), "vocareumReportFile": str(report),
    }  # fmt: skip
    # A student's own module of this name must not be taken for ours.
    (work / "tournament.py").write_text("raise SystemExit(9)\n")
    done = subprocess.run(["bash", source / "grade.sh"], env=given, cwd=work, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    criterion, points = grade.read_text().strip().split(",")
    assert criterion == "random"
    assert 0 <= float(points) <= 10
    first, *said = report.read_text().splitlines()
    assert first == "VOC_NO_REPORT_OUTPUT"
    assert said[0] == f"against random: {points} of 10 points"
    assert said[1].startswith("2 of 2 games, ")
    assert "Played in a sandbox of tier T" in said[-1]


def test_on_vocareum_nothing_is_booked_of_what_could_not_be_graded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source, work = unpacked_for("vocareum", tmp_path)
    for name in ("grade", "report"):
        (tmp_path / name).touch()
    assert main(["autograder-run", "vocareum", "--root", str(source)]) == 2
    monkeypatch.setenv("vocareumGradeFile", str(tmp_path / "grade"))
    monkeypatch.setenv("vocareumReportFile", str(tmp_path / "report"))
    monkeypatch.setenv("VOC_HOME_DIR", str(work))
    with monkeypatch.context() as broken:
        broken.setattr(autograder_run, "play_event", lambda *_, **__: LEFT)
        assert main(["autograder-run", "vocareum", "--root", str(source)]) == 2
    assert (tmp_path / "grade").read_text() == ""
    assert "which says nothing about it" in (tmp_path / "report").read_text()
    # What cannot be played is another matter.
    (work / "my_player.py").write_text("class MyPlayer\n")
    assert main(["autograder-run", "vocareum", "--root", str(source)]) == 0
    assert (tmp_path / "grade").read_text() == "random,0\n"
    assert "my_player.py, line 1: SyntaxError" in (tmp_path / "report").read_text()


def test_without_a_python_that_will_do_vocareums_report_says_so(tmp_path):
    report = tmp_path / "report"
    given = {"PATH": "/nowhere", "vocareumReportFile": str(report)}
    found = subprocess.run([shutil.which("bash"), AUTOGRADER / "grade.sh"], env=given, check=False)
    assert found.returncode == 1
    assert "the container has no Python 3.11 or newer" in report.read_text()


@pytest.mark.slow
def test_a_workflow_of_github_classroom_writes_the_jobs_summary(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source, work = unpacked_for("github-classroom", tmp_path)
    (work / "my_player.py").write_text(FIRST_LEGAL.replace("points = [", "points = 1 / 0 and ["))
    # A checkout holds the autograder itself, and git's folder.
    shutil.copytree(".github", work / ".github")
    (work / ".git").mkdir()
    for name, place in (("GITHUB_STEP_SUMMARY", "summary"), ("GITHUB_OUTPUT", "output"), ("GITHUB_WORKSPACE", "work")):
        monkeypatch.setenv(name, str(tmp_path / place))
    (tmp_path / "output").write_text("earlier=1\n")
    assert main(["autograder-run", "github-classroom", "--root", str(source)]) == 0
    summary = (tmp_path / "summary").read_text()
    assert summary.startswith("## 0 of 10 points\n\n### random: 0 of 10 points\n")
    assert "ZeroDivisionError: division by zero (my_player.py, line 3)" in summary
    earlier, result = (tmp_path / "output").read_text().splitlines()
    found = json.loads(base64.b64decode(result.removeprefix("result=")))
    assert earlier == "earlier=1"
    assert (found["status"], found["max_score"]) == ("fail", 10)
    assert [(one["name"], one["status"], one["score"]) for one in found["tests"]] == [("against random", "fail", 0)]


@pytest.mark.slow
def test_the_workflow_is_one_that_github_runs(tmp_path, monkeypatch):
    """Its keys are those of GitHub's syntax for workflows; the reporter finds its result by the name of its README."""
    monkeypatch.chdir(tmp_path)
    unpacked_for("github-classroom", tmp_path, "--minutes=7.5")
    found = yaml.safe_load(Path(WORKFLOW).read_text())
    assert found.keys() == {"name", True, "permissions", "jobs"}  # YAML 1.1 reads `on` as true, and GitHub as a text
    (job,) = found["jobs"].values()
    assert job["timeout-minutes"] == 8
    *_, games, reporter = job["steps"]
    assert f"-P -m zipfile -e {ZIP_BESIDE} " in games["run"]
    assert reporter["env"] == {f"{games['id'].upper()}_RESULTS": f"${{{{ steps.{games['id']}.outputs.result }}}}"}
    assert reporter["with"] == {"runners": games["id"]}


NOT_THERE = {
    "vocareum a.zip --attempts=2": "--attempts: expected the system gradescope, got vocareum, which has a setting of its own",
    "github-classroom . --visibility=hidden": "--visibility: expected the system gradescope, got github-classroom, which",
    "vocareum a.zip --requirements=x": "--requirements: expected packages in the assignment's container",
    "github-classroom none": "expected the folder of the assignment's repository, got 'none'",
    "moodle a.zip": "argument SYSTEM: invalid choice: 'moodle'",
}


@pytest.mark.parametrize("given", NOT_THERE)
def test_what_a_system_does_not_know_is_one_line(given, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    try:
        status = main(["autograder", *given.split()])
    except SystemExit as error:
        status = error.code
    assert status == 2
    err = capsys.readouterr().err
    assert NOT_THERE[given] in err
    assert err.count("\n") == 1
