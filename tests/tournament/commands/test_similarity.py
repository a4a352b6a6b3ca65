"""similarity on a results file with copies beside it, as an instructor calls it."""

import csv
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gojudge.intake.submissions import take_in
from gojudge.records import Entrant
from lab.similarity import round_robin
from tests.support.habits import PLAYERS
from tests.support.sources import CORNER
from tournament.__main__ import main
from tournament.events.events import Event
from tournament.store.store import Run, open_store

ROOT = Path(__file__).parents[3]
EVENT = Event("cup", "round-robin", size=5, games=2)
RUN = Run("2026-01-01T00:00:00+00:00", "classroom", "Python 3")
HEAD = f"import helpers\n{CORNER}\n\n"
HELPERS = {
    "ann": (ROOT / "tournament/results/decisions.py").read_text(),
    "bob": (ROOT / "tournament/results/ratings.py").read_text(),
    "cy": (ROOT / "tournament/results/standings.py").read_text(),
    "dan": "# copied\n" + (ROOT / "tournament/results/decisions.py").read_text().replace("wins", "siege"),
}
# What is said of each of them under other names in the games.
PLAYS = {"ann": "p2", "bob": "p3", "cy": "p4", "dan": "p2", "smart": "p5", "greedy": "p6"}


@pytest.fixture(scope="module")
def event(tmp_path_factory):
    """A folder with a store and its copies: ann and dan play alike and read alike."""
    folder = tmp_path_factory.mktemp("event")
    for name, text in HELPERS.items():
        (folder / "hw" / name).mkdir(parents=True)
        (folder / "hw" / name / "my_player.py").write_text(HEAD)
        (folder / "hw" / name / "helpers.py").write_text(text)
    intake = take_in([folder / "hw"], folder / "cup.submissions")
    references = [Entrant(name, reference=name, digest=name) for name in ("smart", "greedy")]
    with open_store(folder / "cup.db", EVENT) as store:
        store.begin_run([*intake.entrants, *references], RUN)
        store.add(*round_robin({name: PLAYERS[one] for name, one in PLAYS.items()}, 1))
    return folder


@pytest.fixture
def store(event, tmp_path):
    shutil.copytree(event, tmp_path / "event")
    return tmp_path / "event/cup.db"


def run(capsys, *arguments):
    status = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_who_is_alike_is_ranked_with_the_evidence_and_left_to_a_person(store, capsys, tmp_path):
    status, out, err = run(capsys, "similarity", store, "--out", tmp_path / "pairs.csv")
    assert (status, err) == (0, "")
    assert out.startswith("cup: round-robin, course, 5x5, 30 games\n")
    assert re.findall(r"^\* +(\w+) & (\w+) ", out, re.M) == [("ann", "dan"), ("ann", "dan")]
    assert "A * is a reason to look at a pair, and no finding." in out
    assert re.search(r"^(Black|White) played [A-E][1-5]; .* \(as in \w+-\w+-001, move \d+\)\n   A B C D E\n", out, re.M)
    assert re.search(r"^helpers.py, lines \d+ to \d+ +\| helpers.py, lines \d+ to \d+$", out, re.M)
    found = list(csv.DictReader(io.StringIO((tmp_path / "pairs.csv").read_text())))
    assert [(line["one"], line["other"]) for line in found if int(line["plays_alike"])] == [("ann", "dan")]
    assert [line["one"] for line in found if line["reads_alike"] == "1"] == ["ann"]
    # Reference players are no submissions.
    assert {name for line in found for name in (line["one"], line["other"])} == set(HELPERS)
    assert all(None not in line for line in found)


def test_a_pair_can_be_looked_at_by_itself(store, capsys):
    status, out, _ = run(capsys, "similarity", store, "--pair", "cy", "bob")
    assert status == 0
    assert "\nbob & cy\n" in out
    assert "\nann & dan\n" not in out


@pytest.mark.parametrize(("names", "said"), [
    (("ann", "zoe"), "--pair: expected the name of a submission in the results file, got 'zoe'"),
    (("ann", "smart"), "--pair: expected the name of a submission in the results file, got 'smart'"),
    (("ann", "ann"), "--pair: expected two submissions, got 'ann' twice"),
])  # fmt: skip
def test_a_pair_that_is_none_is_one_line(store, capsys, names, said):
    assert run(capsys, "similarity", store, "--pair", *names) == (2, "", f"similarity: {said}\n")


@pytest.mark.parametrize("way", ["folder", "event", "course"])
def test_what_the_course_handed_out_gives_no_star_and_is_told(store, capsys, tmp_path, way):
    (tmp_path / "handouts").mkdir()
    (tmp_path / "handouts/tools.py").write_text(HELPERS["ann"])
    (tmp_path / "more").mkdir()
    (tmp_path / "more/x.py").write_text(HELPERS["cy"])
    event = tmp_path / "cup.toml"
    event.write_text('kind = "round-robin"\nbase = ["handouts", "more"]\n')
    course = tmp_path / "course.toml"
    course.write_text('name = "go"\nbase = "handouts"\n[[homework]]\nname = "cup"\nsubmissions = "hw"\n')
    given = {"folder": tmp_path / "handouts", "event": event, "course": course}
    status, out, err = run(capsys, "similarity", store, "--base", given[way])
    assert (status, err) == (0, "")
    _, read = out.split("Reading alike")
    assert "*   ann" not in read
    names = "ann, cy, dan" if way == "event" else "ann & dan"
    told = f"  helpers.py of {names}: handed out, by the course or by this project"
    assert f"\nLeft aside, without a star for what is alike in them:\n{told}\n" in read


@pytest.mark.parametrize(("arguments", "said"), [
    (["--base", "none"], "--base: none: cannot be read: No such file or directory"),
    (["--base", "empty"], "--base: empty: expected files, found none"),
    (["--base", "course.toml"], "--base: expected a course that has 'cup', found first in 'course.toml'"),
])  # fmt: skip
def test_handouts_that_are_not_there_are_one_line(store, capsys, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "course.toml").write_text('name = "go"\n[[homework]]\nname = "first"\nsubmissions = "hw"\n')
    assert run(capsys, "similarity", store, *arguments) == (2, "", f"similarity: {said}\n")


def test_ctrl_c_leaves_no_process(store):
    """While a submission is read. All processes hold the pipe of the output, which ends when the last of them does."""
    code = (
        "import os, signal, sys, time\n"
        "from tournament.similarity import fingerprints\n"
        "def read(files, entry):\n"
        "    os.write(1, b'reads ')\n"
        "    os.killpg(0, signal.SIGINT)\n"
        "    time.sleep(10_000)\n"
        "fingerprints._read = read\n"
        "from tournament.__main__ import main\n"
        f"sys.exit(main(['similarity', {str(store)!r}]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300, start_new_session=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "reads ", "similarity: stopped\n")


def test_a_store_that_is_none_is_one_line(tmp_path, capsys):
    status, out, err = run(capsys, "similarity", tmp_path / "none.db")
    assert (status, out) == (2, "")
    assert err == f"similarity: {tmp_path / 'none.db'}: expected a results file, found nothing\n"


def test_without_copies_games_are_compared_all_the_same(store, capsys):
    shutil.rmtree(store.parent / "cup.submissions")
    status, out, err = run(capsys, "similarity", store)
    assert status == 1
    assert re.findall(r"^\* +(\w+) & (\w+) ", out, re.M) == [("ann", "dan")]
    assert err.count("sources not compared: ") == len(HELPERS)


def test_a_copy_that_was_changed_or_is_no_text_breaks_nothing(store, capsys):
    copies = {path.name.split("-")[0]: path for path in (store.parent / "cup.submissions").iterdir()}
    (copies["ann"] / "helpers.py").write_bytes(b"\xff\0\n" * 99)
    status, out, err = run(capsys, "similarity", store)
    assert status == 1
    assert err == f"ann: sources not compared: {copies['ann']} does not hold the contents that played\n"
    assert "ann & dan" in out


def test_an_event_without_games_says_nothing_of_anybody(tmp_path, capsys):
    with open_store(tmp_path / "new.db", EVENT) as made:
        made.begin_run([Entrant("ann", digest="a"), Entrant("bob", digest="b")], RUN)
    status, out, _ = run(capsys, "similarity", tmp_path / "new.db", "--pair", "ann", "bob")
    assert status == 1
    assert "*  " not in out


def test_the_fault_of_a_damaged_copy_is_told_by_verify_too(store, capsys):
    shutil.rmtree(store.parent / "cup.submissions")
    status, _, err = run(capsys, "verify", store, "ann-bob-001", "--jobs", "1")
    assert status == 1
    assert "ann: games left out: " in err
