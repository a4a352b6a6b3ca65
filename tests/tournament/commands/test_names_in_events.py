"""Files of any name through all commands: everybody is checked and graded, and nobody gets another's name later on."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from tests.support.courses import NOW, RUBRIC, course, play_with_stubs
from tests.support.sources import FIRST_LEGAL
from tournament.__main__ import main
from tournament.store.store import read_store

ODD = ["王伟.py", "Иван.py", "!!!.py", " .py", "😀.py", "bob.py", "José.py", "random.py", "caf\udce9.py"]
GRADE = ["grade", "hw", "--rubric=tiny.toml", "--seed=1"]


@pytest.fixture(autouse=True)
def hw(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play_with_stubs(monkeypatch)
    Path("tiny.toml").write_text(RUBRIC)
    Path("hw/やまだ").mkdir(parents=True)
    hand_in("やまだ/my_player.py", *ODD)
    return tmp_path / "hw"


def hand_in(*names):
    for name in names:
        Path("hw", name).write_text(f"{FIRST_LEGAL}# {name!a}\n")


def marks():
    with open("grade.grades/grades.csv", encoding="utf-8", newline="") as file:
        return {line["name"]: line for line in csv.DictReader(file)}


def owners(path="grade.db.files.json"):
    return {Path(file).name: name for file, name in json.loads(Path(path).read_text())["names"].items()}


def digests(path="grade.db"):
    with read_store(Path(path)) as store:
        return {one.name: one.digest for one in store.entrants() if one.is_submission}


def test_everybody_is_checked(capsys):
    assert main(["check", "hw", "--no-games"]) == 0
    output, err = capsys.readouterr()
    assert output.endswith("10 of 10 ok\n")
    assert "王伟: ok (王伟.py, class MyPlayer)\n" in output
    assert "'random.py' plays as random-2, for random is another player\n" in err


def test_everybody_is_graded_and_keeps_the_name_they_have(capsys):
    assert main(GRADE) == 0
    before, played = owners(), digests()
    assert len(marks()) == len(before) == 10
    assert {"王伟", "Иван", "やまだ", "bob", "Jose", "caf", "random-2"} <= marks().keys()
    # Whoever comes first in the alphabet comes last.
    hand_in("BOB.py", "Bob.py", "Jose.py", "!.py")
    capsys.readouterr()
    assert main(GRADE) == 0
    assert {file: owners()[file] for file in before} == before
    assert {name: digests()[name] for name in played} == played
    assert "'bob.py' plays as bob, 'BOB.py' as BOB-2\n" in capsys.readouterr().err
    assert len(marks()) == 14


def test_a_store_that_has_kept_no_names_is_gone_on_with():
    assert main(GRADE) == 0
    played = digests()
    Path("grade.db.files.json").unlink()
    hand_in("Bob.py")
    assert main(GRADE) == 0
    assert {name: digest for name, digest in digests().items() if name != "Bob-2"} == played


def test_a_roster_names_each_file_exactly_and_is_read_as_spreadsheets_save_it(capsys):
    hand_in("Bob.py")
    roster = "submission;name;students;email\nBob.py;b1;José Núñez;josé@example.org\nbob.py;Zoë;Übel;z@example.org\n"
    Path("r.csv").write_bytes(roster.encode("cp1252"))
    Path("listed.toml").write_text("only_listed = true\n")
    assert main([*GRADE, "--roster=r.csv", "--event=listed.toml"]) == 1
    err = capsys.readouterr().err
    assert err.count("r.csv: read as Windows-1252") == 1
    assert (marks()["b1"]["students"], marks()["b1"]["email"], marks()["Zoë"]["students"]) == (
        "José Núñez", "josé@example.org", "Übel"
    )  # fmt: skip
    assert {name for name, line in marks().items() if not line["refused"]} == {"b1", "Zoë"}
    for system in ("moodle", "vocareum"):
        assert main(["export", "grade.db", system]) == 1
    with open("grade.moodle.csv", encoding="utf-8", newline="") as file:
        assert [line["Name"] for line in csv.DictReader(file)] == ["Übel", "José Núñez"]
    assert Path("grade.vocareum/Zoë/grade.csv").is_file()


def test_a_second_stage_calls_everybody_as_the_first_did(hw):
    for path in hw.iterdir():
        if path.name not in ("bob.py", "José.py"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert main(GRADE) == 0
    hand_in("Bob.py")
    assert main(GRADE) == 0
    assert owners()["Bob.py"] == "Bob-2"
    arguments = ["round-robin", "hw", "--name=cup", "--size=3", "--games=1", "--seed=1", "--first-stage=grade.db"]
    assert main(arguments) == 0
    assert owners("cup.db.files.json") == owners()
    assert digests("cup.db") == digests()


def test_files_of_one_name_meet_in_a_match(capsys):
    Path("other").mkdir()
    Path("other/bob.py").write_text(FIRST_LEGAL)
    hand_in("Bob.py")
    for number, (one, other) in enumerate([("hw/Bob.py", "hw/bob.py"), ("hw/bob.py", "other/bob.py")]):
        assert main(["gauntlet", one, other, "--games=2", f"--name=m{number}", "--size=3", "--seed=1"]) == 0
    assert main(["gauntlet", "hw/bob.py", "hw", "--name=g", "--size=3", "--seed=1", "--games=1"]) == 0
    assert digests("m0.db").keys() == {"Bob", "bob-2"}
    assert digests("m1.db").keys() == {"bob", "bob-2"}
    assert len(digests("g.db")) == 11


COURSE = """name = "go"
editions = ["instructor", "class", "student"]
[[homework]]
name = "first"
submissions = "hw"
rubric = "tiny.toml"
seed = 1
[ladder]
size = 3
games = 1
seed = 2
"""


@pytest.mark.slow
def test_a_course_goes_on_whatever_files_are_called(capsys):
    Path("course.toml").write_text(COURSE)
    assert course() == 0
    assert "random.py' plays as random-2" in capsys.readouterr().err
    before, played = owners("kept/files.json"), digests("kept/first.db")
    assert course() == 0
    assert capsys.readouterr().out == "nothing is due\n"
    hand_in("BOB.py")
    assert course(now=NOW.replace("08:00", "09:00")) == 0
    assert owners("kept/files.json") == before | {"BOB.py": "BOB-2"}
    assert digests("kept/ladder.db").keys() == digests("kept/first.db").keys() == {*played, "BOB-2"}
    assert "王伟" in Path("pages/instructor/index.html").read_text("utf-8")
    with open("pages/student/first/mail.csv", encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len({line["page"].casefold() for line in lines}) == 11
    assert all(Path("pages/student/first", line["page"]).is_file() for line in lines)
