"""The zip for Gradescope: what is in it, and what it says of a submission."""

import io
import json
import shutil
import subprocess
import zipfile
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest

from gojudge.records import Tier
from gojudge.seats import Limits
from tests.support.scripts import script
from tournament import results
from tournament.errors import BadEventError, BadRubricError
from tournament.events.event_files import make_event, make_machine, read_event_file
from tournament.events.events import Event, Machine
from tournament.results.autograders import (
    AutograderSettings,
    Handed,
    autograder,
    event_toml,
    key_for,
    read_settings,
    read_submission_metadata,
)
from tournament.results.rubric_files import read_rubric

SCRIPTS = Path(results.__file__).parent / "autograder"

SETTINGS = AutograderSettings("ab" * 32, "after_published", 20.0, 2)
EVENT = Event("grade", "grade", "course", 5, 100, rubric="2019", limits=Limits(memory_mib=300))
MACHINE = Machine(Tier.T1, "/usr/bin/python3")
OWN = """
title = "Own"
rules = "littlego"
size = 5
games = 2

[[opponent]]
name = "champion"
player = "old/champion.py"
bands = [{ from = 0, times_rate = 10 }]
"""


def opened(event=EVENT, rubric=None, system="gradescope", **options):
    packed = autograder(system, event, MACHINE, rubric or read_rubric(event.rubric), SETTINGS, **options)
    return zipfile.ZipFile(io.BytesIO(packed))


@cache
def of_2019():
    """Made once: packing takes a quarter of a second."""
    return opened()


@pytest.fixture
def own_rubric(tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "own.toml").write_text(OWN)
    (tmp_path / "old/champion.py").write_text("import helper\n\nclass MyPlayer: ...\n")
    (tmp_path / "old/helper.py").write_text("DEPTH = 2\n")
    (tmp_path / "old/unrelated.py").write_text("")
    return tmp_path / "own.toml"


def test_gradescope_finds_its_two_scripts_at_the_top_and_may_run_them():
    for name in ("setup.sh", "run_autograder"):
        entry = of_2019().getinfo(name)
        assert entry.external_attr >> 16 & 0o111
        assert of_2019().read(name).startswith(b"#!/usr/bin/env bash\n")


def test_our_modules_come_along_but_neither_attacks_nor_pages():
    names = of_2019().namelist()
    assert {"harness/go.py", "harness/goban/states.py", "harness/players/shipped/my_player_table.bin"} <= set(names)
    assert {"harness/tournament/__main__.py", "harness/tournament/results/rubrics/2019.toml"} <= set(names)
    assert not [name for name in names if "/shelf/" in name or "__pycache__" in name]
    # Students are told of their faults in the words of their pages.
    assert {name.split("/pages/")[1] for name in names if "/pages/" in name} == {"__init__.py", "words.py"}


def test_the_event_is_played_there_as_it_is_described_here(tmp_path):
    (tmp_path / "event.toml").write_text(event_toml(EVENT, MACHINE, "2019"))
    file = read_event_file(tmp_path / "event.toml")
    assert make_event(file.values) == EVENT
    assert make_machine(file.machine) == MACHINE


def test_settings_are_kept(tmp_path):
    (tmp_path / "settings.json").write_bytes(of_2019().read("settings.json"))
    assert read_settings(tmp_path / "settings.json") == SETTINGS


@pytest.mark.parametrize("text", ["", "[]", '{"key": "00", "more": 1}', "{"])
def test_other_settings_are_refused(tmp_path, text):
    (tmp_path / "settings.json").write_text(text)
    with pytest.raises(BadEventError, match=r"settings\.json: expected the settings as autograder writes them"):
        read_settings(tmp_path / "settings.json")


def test_a_rubric_of_ones_own_brings_its_players_and_what_they_need(own_rubric):
    archive = opened(replace(EVENT, rules="littlego", rubric=str(own_rubric)))
    names = {name for name in archive.namelist() if not name.startswith("harness/")}
    assert {"own.toml", "old/champion.py", "old/helper.py"} <= names
    assert "old/unrelated.py" not in names
    assert b'rubric = "own.toml"' in archive.read("event.toml")


def test_a_player_elsewhere_is_refused(own_rubric, tmp_path):
    (tmp_path / "rubrics").mkdir()
    moved = tmp_path / "rubrics/own.toml"
    moved.write_text(OWN.replace("old/", "../old/"))
    with pytest.raises(BadRubricError, match="player: expected a file beside the rubric or below"):
        opened(replace(EVENT, rubric=str(moved)))


def test_compilers_are_installed_where_programs_play():
    assert of_2019().read("packages.txt") == b""
    assert b"g++" in opened(replace(EVENT, rules="littlego"), read_rubric("littlego-2023")).read("packages.txt")


def test_the_same_files_of_the_same_student_play_the_same_games_and_others_play_others():
    def seeds(*of, settings=SETTINGS):
        return key_for(settings, *of).seeds("submission-random-001")

    files = "ab" * 32
    assert seeds("ann", files) == seeds("ann", files)
    others = [seeds("bob", files), seeds("ann", "cd" * 32), seeds("ann", files, settings=replace(SETTINGS, key="cd" * 32))]
    assert len({seeds("ann", files), *others}) == 4


def handed(tmp_path, **said):
    path = tmp_path / "submission_metadata.json"
    path.write_text(json.dumps(said))
    return read_submission_metadata(path)


ANN, BOB = {"email": "a@example.org", "id": 1, "name": "Ann"}, {"email": "b@example.org", "id": 2, "name": "Bob\n"}


def test_gradescope_says_whose_it_is(tmp_path):
    found = handed(tmp_path, id=123456, users=[ANN, BOB], assignment={}, previous_submissions=[])
    assert dict(found.fields) == {"name": "Ann; Bob", "email": "a@example.org; b@example.org"}
    wei = {"id": 3, "name": "王伟 José\u202eNúñez", "email": "josé@example.org"}
    assert dict(handed(tmp_path, users=[wei]).fields) == {"name": "王伟 JoséNúñez", "email": "josé@example.org"}


def test_a_group_is_the_same_in_any_order_and_whatever_its_members_are_called_by_then(tmp_path):
    def student(*users):
        return handed(tmp_path, id=1, users=users).student

    married = {**ANN, "name": "Ann Po", "email": "po@example.org"}
    assert student(ANN, BOB) == student(BOB, ANN) == student(BOB, married)
    assert len({student(ANN), student(BOB), student(ANN, BOB), student()}) == 4
    # Should the numbers be left out one day, e-mails do, in any case of their letters.
    mail, again = {"email": "A@example.org"}, {"email": "a@Example.org "}
    assert student(mail) == student(again) != student({"email": "c@example.org"})


DUE, LATER, LATEST = "2026-10-01T23:59:00-07:00", "2026-10-05T23:59:00-07:00", "2026-10-09T23:59:00-07:00"


@pytest.mark.parametrize(
    ("assignment", "own", "due", "late_due"),
    [
        ({"due_date": DUE, "late_due_date": None}, [{}], DUE, None),
        ({"due_date": DUE, "late_due_date": LATER}, [{}], DUE, LATER),
        ({"due_date": DUE, "late_due_date": None}, [{"due_date": LATER, "late_due_date": LATEST}], LATER, LATEST),
        ({"due_date": DUE, "late_due_date": LATER}, [{"due_date": LATEST}], LATEST, LATEST),
        ({"due_date": DUE, "late_due_date": LATER}, [{"due_date": DUE, "late_due_date": None}], DUE, None),
        ({"due_date": DUE, "late_due_date": None}, [{}, {"due_date": LATER}], LATER, None),
        ({"due_date": "soon"}, [7], None, None),
        (None, [], None, None),
        ({"due_date": DUE}, [], DUE, None),
    ],
)
def test_dates_are_the_assignments_with_the_extension_of_the_student(tmp_path, assignment, own, due, late_due):
    users = [{**ANN, "id": number, **({"assignment": dates} if dates else {})} for number, dates in enumerate(own)]
    found = handed(tmp_path, assignment=assignment, users=users)
    moments = [text and datetime.fromisoformat(text) for text in (due, late_due)]
    assert [found.due, found.late_due] == moments


def test_earlier_submissions_are_counted_if_they_were_graded(tmp_path):
    before = [
        {"submission_time": "2026-10-01T10:00:00-07:00", "score": 3.0, "autograder_error": False},
        {"submission_time": "2026-10-01T11:00:00-07:00", "score": 0.0, "autograder_error": True},
        {"submission_time": "2026-10-01T12:00:00-07:00", "score": None, "autograder_error": False},
        {"submission_time": "2026-10-01T13:00:00-07:00", "score": 0.0, "results": {"score": 0.0, "output": "0 of 10"}},
        {"submission_time": "2026-10-02T13:00:00-07:00", "score": 9.0, "results": {"score": 9.0}},
        "nothing",
    ]
    found = handed(tmp_path, created_at="2026-10-01T14:00:00-07:00", previous_submissions=before)
    # The last one came later: this is an older submission that is graded again.
    assert (found.graded, found.result) == (2, {"score": 0.0, "output": "0 of 10"})
    found = handed(tmp_path, previous_submissions=before)
    assert (found.graded, found.result) == (3, {"score": 9.0})


@pytest.mark.parametrize(
    ("created", "submitted"),
    [('"2026-10-01T14:22:32.365935-07:00"', "2026-10-01T21:22:32.365935+00:00"), ('"soon"', None), ("7", None), ("[]", None)],
)
def test_when_it_came_is_taken_from_the_metadata(tmp_path, created, submitted):
    path = tmp_path / "submission_metadata.json"
    path.write_text(f'{{"id": 1, "users": [], "created_at": {created}}}')
    assert dict(read_submission_metadata(path).fields).get("submitted") == submitted


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"users": [{}]}', '{"users": 7, "assignment": []}', "[" * 10_000])
def test_a_submission_is_graded_whatever_the_metadata_say(tmp_path, text):
    """What is no table is told."""
    path = tmp_path / "submission_metadata.json"
    if text is not None:
        path.write_text(text)
    unread = "submission_metadata.json is not what Gradescope writes: expected a table in JSON"
    assert read_submission_metadata(path) == Handed(unread="" if text is None or text.startswith("{") else unread)


@pytest.mark.parametrize("name", ["python3.11", "python3.15"])
def test_vocareum_finds_a_python_under_the_name_of_its_version(name, tmp_path):
    """Where python3 is an older one."""
    script(tmp_path / "python3", "exit 1")
    script(tmp_path / name, f'echo {name} "$@"')
    bash = shutil.which("bash")
    found = subprocess.run([bash, SCRIPTS / "grade.sh"], env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert found.stdout.splitlines()[-1].startswith(f"{name} -s -P -m tournament autograder-run vocareum ")
