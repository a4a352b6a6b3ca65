"""docs/judge.md: its examples grade a class and play a cup, and print no more than they say."""

import contextlib
import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

import gojudge
import tournament
from tests.support.courses import play_with_stubs, write_course
from tests.support.documents import ROOT
from tests.support.sources import FIRST_LEGAL
from tests.support.stub_runs import Inline

PAGE = (ROOT / "docs/judge.md").read_text()
TOML, CUP_TOML = re.findall(r"^```toml\n(.*?)^```", PAGE, re.S | re.M)
GRADE, CUP, COURSE, GAME, GAMES, DOCTOR = re.findall(r"^```python\n(.*?)^```", PAGE, re.S | re.M)
CUP_FILE = f'{CUP_TOML.replace("size = 5", "size = 3")}references = ["random"]\n'


@pytest.fixture
def names(tmp_path, monkeypatch):
    """A folder with two submissions, and one that cannot be read; their games are played by stubs, in this process."""
    monkeypatch.chdir(tmp_path)
    play_with_stubs(monkeypatch)
    (tmp_path / "hw2").mkdir()
    for name in ("ann", "bob"):
        (tmp_path / f"hw2/{name}.py").write_text(f"{FIRST_LEGAL}# {name}\n")
    (tmp_path / "hw2/cy.py").write_text("class MyPlayer(\n")
    (tmp_path / "hw2.toml").write_text(TOML)
    (tmp_path / "everyone.toml").write_text(CUP_FILE)
    return {"tournament": tournament, "gojudge": gojudge}


def test_a_class_is_graded(names, capsys):
    exec(GRADE, names)
    run, printed = names["run"], capsys.readouterr()
    assert [(grade.name, bool(grade.refused)) for grade in run.grades] == [("ann", False), ("bob", False), ("cy", True)]
    assert run.complete
    assert len(run.rows) == 2 * 4 * 4
    assert "cy: refused: " in printed.out
    assert "32 of 32 games are saved in hw2.db, 32 played now" in printed.out
    assert printed.err == ""
    assert "index.html" in {path.name for path in run.store.parent.joinpath("hw2.site").iterdir()}


def test_what_is_played_is_played_once_and_nothing_is_printed(names, capsys):
    event = tournament.read_event("hw2.toml")
    runs = []
    for _ in range(2):
        told = []
        intake = tournament.take_in(event, ["hw2"], store="hw2.db")
        runs.append(tournament.grade(event, intake, "hw2.db", tell=told.append))
    assert told[-1] == "32 of 32 games are saved in hw2.db, 0 played now"
    assert runs[0].grades == runs[1].grades
    assert [player.name for player in runs[0].standings.players if player.name in ("ann", "bob")]
    assert capsys.readouterr() == ("", "")


def test_what_was_not_meant_is_refused_before_anything_is_done(names, tmp_path):
    grade, cup = tournament.read_event("hw2.toml"), tournament.read_event("everyone.toml")
    intake = tournament.take_in(grade, "hw2", store="hw2.db")
    with pytest.raises(gojudge.JudgeError, match=r"^hw2: expected an event of the kind round-robin, got grade$"):
        tournament.round_robin(grade, intake, "everyone.db")
    with pytest.raises(gojudge.JudgeError, match=r"^everyone: expected an event of the kind grade, got round-robin$"):
        tournament.grade(cup, intake, "everyone.db")
    run = tournament.grade(grade, intake, "hw2.db")
    known = "instructor, class, named, agreed, student"
    with pytest.raises(gojudge.JudgeError, match=rf"^expected one of {known} as `edition`, got 'klass'; did you mean class\?$"):
        tournament.report(run.store, "site", edition="klass")
    assert not {path.name for path in tmp_path.iterdir()} & {"everyone.db", "site", "hw2.db.names.csv"}
    with tournament.read_store("hw2.db") as results:
        assert len(results.rows()) == 32


def test_a_cup_is_played(names, capsys):
    exec(CUP, names)
    run = names["run"]
    assert {player.name for player in run.standings.players} == {"ann", "bob", "random"}
    assert len(run.rows) == 3 * 2
    assert capsys.readouterr().out.count("\n") >= 3


def test_what_is_due_of_a_course_is_done_once_and_nothing_is_printed_but_by_the_example(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    play_with_stubs(monkeypatch)
    write_course(tmp_path)
    names = {"tournament": tournament}
    exec(COURSE, names)
    done, printed = names["done"], capsys.readouterr()
    assert [step.kind for step in done.steps if step.stage.name == "first"] == ["check", "play", "publish", "pages"]
    assert done.complete
    assert "first: publish marks" in printed.out
    assert "cy: refused: " in printed.out
    assert printed.err == ""
    told = []
    again = names["course"].do_due(tell=told.append)
    assert (again.steps, again.status) == ((), 0)
    assert told[-1] == "nothing is due"
    assert capsys.readouterr() == ("", "")


def test_a_look_at_a_course_does_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    play_with_stubs(monkeypatch)
    write_course(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    now = datetime(2026, 10, 3, 8, tzinfo=UTC)
    with tournament.Course("course.toml").look(now) as (stages, steps):
        assert [step.words for _, step in steps][:1] == ["check ann, bob"]
        assert list(stages) == ["first", "ladder"]
    assert sorted(tmp_path.rglob("*")) == before
    assert capsys.readouterr() == ("", "")


def test_a_time_without_a_zone_is_no_time_of_a_course(tmp_path):
    write_course(tmp_path)
    with pytest.raises(gojudge.JudgeError, match="now: expected a time with a zone, got '2026-10-03T08:00:00'"):
        tournament.Course(tmp_path / "course.toml").do_due(datetime(2026, 10, 3, 8))


def test_games_are_played_without_an_event(monkeypatch, capsys):
    monkeypatch.setattr(gojudge, "Runner", partial(gojudge.Runner, executor=Inline))
    names = {"tournament": tournament}
    exec(GAME, names)
    exec(GAMES, names)
    assert [turn.move for turn in names["result"].turns] == [turn.move for turn in names["played"][0].turns]
    assert names["account"].played == 1
    assert len(names["result"].turns) > 3
    assert names["result"].text in capsys.readouterr().out


def test_the_doctor_tries_attacks(monkeypatch):
    asked = []

    class Examined:
        def __init__(self, *of):
            asked.append(of)

        def __enter__(self):
            return self

        def __exit__(self, *of):
            """Nothing to end."""

        def examine(self, attack):
            return gojudge.Finding(attack, gojudge.Tier.T1, attack.expected[0], True, True, 0.0)

    monkeypatch.setattr("gojudge.shelf.doctor.Examination", Examined)
    monkeypatch.setattr("gojudge.sandbox.tiers.best_tier", lambda: gojudge.Tier.T1)
    monkeypatch.setattr("gojudge.shelf.doctor.sweep", lambda: None)
    names = {"gojudge": gojudge}
    with contextlib.redirect_stdout(None):
        exec(DOCTOR, names)
    assert (names["finding"].attack.name, names["finding"].holds) == ("plain", True)
    assert asked == [(gojudge.Tier.T1, "")]


EVERY_NAME = [(package, name) for package in (gojudge, tournament) for name in package.__all__]


@pytest.mark.parametrize(("package", "name"), EVERY_NAME)
def test_every_name_is_there(package, name):
    assert getattr(package, name) is not None
    assert name in dir(package)


@pytest.mark.parametrize("package", [gojudge, tournament])
def test_unknown_names_are_refused(package):
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'Gradebook'"):
        package.Gradebook  # noqa: B018


def test_an_event_without_a_rubric_of_opponents_is_no_grade(names, tmp_path):
    event = replace(tournament.read_event("hw2.toml"), rubric=None)
    intake = tournament.take_in(event, "hw2", store="hw2.db")
    with pytest.raises(gojudge.JudgeError, match="hw2: expected a rubric with reference players"):
        tournament.grade(event, intake, "hw2.db")
