"""The zip for Gradescope: what is in it, and what it says of a submission."""

import io
import json
import zipfile
from dataclasses import replace

import pytest

from tournament.errors import BadEventError, BadRubricError
from tournament.events.event_files import make_event, make_machine, read_event_file
from tournament.events.events import Event
from tournament.events.machines import Machine
from tournament.records import Tier
from tournament.results.autograders import (
    Settings,
    autograder,
    event_toml,
    key_for,
    read_metadata,
    read_settings,
)
from tournament.results.rubric_files import read_rubric
from tournament.seats import Limits

SETTINGS = Settings("ab" * 32, "after_published", 20.0, 2)
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


def opened(event=EVENT, rubric=None, **options):
    packed = autograder(event, MACHINE, rubric or read_rubric(event.rubric), SETTINGS, **options)
    return zipfile.ZipFile(io.BytesIO(packed))


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
        entry = opened().getinfo(name)
        assert entry.external_attr >> 16 & 0o111
        assert opened().read(name).startswith(b"#!/usr/bin/env bash\n")


def test_our_modules_come_along_but_neither_attacks_nor_pages():
    names = opened().namelist()
    assert {"harness/go.py", "harness/goban/states.py", "harness/players/shipped/my_player_table.bin"} <= set(names)
    assert {"harness/tournament/__main__.py", "harness/tournament/results/rubrics/2019.toml"} <= set(names)
    assert not [name for name in names if "/shelf/" in name or "/pages/" in name or "__pycache__" in name]


def test_the_event_is_played_there_as_it_is_described_here(tmp_path):
    (tmp_path / "event.toml").write_text(event_toml(EVENT, MACHINE, "2019"))
    file = read_event_file(tmp_path / "event.toml")
    assert make_event(file.values) == EVENT
    assert make_machine(file.machine) == MACHINE


def test_settings_are_kept(tmp_path):
    (tmp_path / "settings.json").write_bytes(opened().read("settings.json"))
    assert read_settings(tmp_path / "settings.json") == SETTINGS


@pytest.mark.parametrize("text", ["", "[]", '{"key": "00", "more": 1}', "{"])
def test_other_settings_are_refused(tmp_path, text):
    (tmp_path / "settings.json").write_text(text)
    with pytest.raises(BadEventError, match=r"settings\.json: expected the settings as gradescope-autograder writes them"):
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
    assert opened().read("packages.txt") == b""
    assert b"g++" in opened(replace(EVENT, rules="littlego"), read_rubric("littlego-2023")).read("packages.txt")


def test_each_submission_has_chance_of_its_own_and_always_the_same():
    one, again, other = (key_for(SETTINGS, name).seeds("submission-random-001") for name in ("17", "17", "18"))
    assert one == again != other
    assert key_for(replace(SETTINGS, key="cd" * 32), "17").seeds("submission-random-001") != one


def test_gradescope_says_whose_it_is(tmp_path):
    path = tmp_path / "submission_metadata.json"
    users = [{"email": "a@example.org", "id": 1, "name": "Ann"}, {"email": "b@example.org", "id": 2, "name": "Bob\n"}]
    path.write_text(json.dumps({"id": 123456, "users": users, "assignment": {}, "previous_submissions": []}))
    found = read_metadata(path)
    assert (found.id, dict(found.fields)) == ("123456", {"name": "Ann; Bob\\n", "email": "a@example.org; b@example.org"})


@pytest.mark.parametrize(
    ("created", "submitted"),
    [('"2026-10-01T14:22:32.365935-07:00"', "2026-10-01T21:22:32.365935+00:00"), ('"soon"', None), ("7", None), ("[]", None)],
)
def test_when_it_came_is_taken_from_the_metadata(tmp_path, created, submitted):
    path = tmp_path / "submission_metadata.json"
    path.write_text(f'{{"id": 1, "users": [], "created_at": {created}}}')
    assert dict(read_metadata(path).fields).get("submitted") == submitted


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"id": 1, "users": [{}]}', '{"id": 1, "users": 7}', "[" * 10_000])
def test_a_submission_is_graded_whatever_the_metadata_say(tmp_path, text):
    path = tmp_path / "submission_metadata.json"
    if text is not None:
        path.write_text(text)
    assert (read_metadata(path).id, read_metadata(path).fields) == ("", ())
