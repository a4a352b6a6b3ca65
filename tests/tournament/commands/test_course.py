"""A course in one file: what is due is done, once, and what was published is never lost."""

import csv
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from goban.common.command_lines import Subcommands
from gojudge.records import Entrant, Spent
from tests.support.courses import COURSE, ROSTER, Versioned, course, hand_in, play_with_stubs, tree, write_course
from tests.support.documents import ROOT
from tournament.__main__ import COMMANDS, main
from tournament.courses.course_files import read_course
from tournament.courses.ledgers import read_ledger
from tournament.pages.editions import read_nicknames
from tournament.results.grading import grades
from tournament.results.rubric_files import read_rubric
from tournament.store.store import lock_for_writing, read_store


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_course(tmp_path)


@pytest.fixture
def stubs(monkeypatch):
    play_with_stubs(monkeypatch)


def ledger():
    return read_ledger(Path("kept/published.jsonl"))


def marks(stage="first"):
    """The points of everybody when marks were published last."""
    return {mark.name: mark.points for mark in next(one for one in reversed(ledger()) if one.stage == stage).marks}


def rows(name):
    with read_store(Path(f"kept/{name}.db")) as store:
        return {row.id: row for row in store.rows()}


def nothing_is_due(capsys):
    before = tree()
    capsys.readouterr()
    assert course() == 0
    return capsys.readouterr().out == "nothing is due\n" and tree() == before


@pytest.mark.slow
def test_what_is_due_is_done_in_sandboxes_too(capsys):
    Path("course.toml").write_text(COURSE.replace("seed", 'require_tier = "T0"\nseed'))
    assert course("--jobs=1") == 0
    output = capsys.readouterr().out
    assert "first: check ann, bob\n" in output
    assert "ann: ok (ann.py, class MyPlayer): won " in output
    assert "first: play 4 games (new: ann, bob)\n" in output
    assert marks() == {"ann": "50", "bob": "40", "cy": "0"}
    assert nothing_is_due(capsys)
    assert "cy.py, line 1: SyntaxError" in Path("pages/instructor/first/player-cy.html").read_text()


def test_who_leaves_the_roster_and_the_folder_leaves_the_marks_of_a_homework_too(stubs, capsys):
    assert course() == 0
    Path("first/bob.py").unlink()
    assert course() == 0
    assert marks() == {"ann": "50", "bob": "0", "cy": "0"}
    Path("class.csv").write_text(re.sub(r"(?m)^bob.*\n", "", ROSTER))
    assert course() == 0
    assert marks() == {"ann": "50", "cy": "0"}
    assert not Path("pages/instructor/first/player-bob.html").exists()
    assert nothing_is_due(capsys)


def test_what_a_dry_run_cannot_copy_is_named_in_one_line(capsys):
    Path("kept").mkdir()
    Path("kept/files.json").touch()
    Path("kept/gone").symlink_to("nowhere")
    assert course("--dry-run") == 2
    line = capsys.readouterr().err
    assert line.startswith("course: course.toml: kept: ")
    assert "kept/gone" in line
    assert line.count("\n") == 1


def test_a_dry_run_says_what_would_be_done_and_changes_no_byte(stubs, capsys):
    before = tree()
    assert course("--dry-run") == 0
    said, told = (text.splitlines() for text in capsys.readouterr())
    assert tree() == before
    assert not Path("kept").exists()
    assert [line for line in said if "would" not in line] == [
        "first: ann: ok (ann.py, class MyPlayer)",
        "first: bob: ok (bob.py, class MyPlayer)",
        "first: cy: refused: cy.py, line 1: SyntaxError: '(' was never closed",
        "ladder: ann: ok (ann.py, class MyPlayer)",
        "ladder: bob: ok (bob.py, class MyPlayer)",
        "ladder: cy: refused: cy.py, line 1: SyntaxError: '(' was never closed",
    ]
    assert re.fullmatch(
        r"in all: about \d+ s, \d+ games? at a time: a first estimate, since nothing has been played yet by ann, bob", told[-2]
    )
    assert told[-1] == "sandboxes are taken to start, and pages to be written, as fast as docs/measurements.md says"
    assert course("--jobs=2") == 0
    done = capsys.readouterr().out.splitlines()
    assert [line.replace("would ", "") for line in said if "would" in line] == [line for line in done if ": ok" not in line]

    hand_in(Path(), "ann", 2)
    Path("class.csv").write_text(Path("class.csv").read_text() + "dee,Dee Poe,\nfay,,\n")
    before = {path: Path(path).stat().st_mtime_ns for path in tree()}, tree()
    assert course("--dry-run", "--jobs=2") == 0
    assert ({path: Path(path).stat().st_mtime_ns for path in tree()}, tree()) == before
    output = capsys.readouterr()
    assert re.match(r"in all: about [1-9] s, 2 games at a time, as measured so far", output.err.splitlines()[-2])
    assert output.out == (
        "first: ann: ok (ann.py, class MyPlayer)\n"
        "first: cy: refused: cy.py, line 1: SyntaxError: '(' was never closed\n"
        "first: nothing was handed in by Dee Poe, fay\n"
        "first: would check ann\n"
        "first: would play 2 games (handed in anew: ann)\n"
        "first: would publish marks\n"
        "first: would write the pages of the instructor edition\n"
        "ladder: ann: ok (ann.py, class MyPlayer)\n"
        "ladder: cy: refused: cy.py, line 1: SyntaxError: '(' was never closed\n"
        "ladder: nothing was handed in by Dee Poe, fay\n"
        "ladder: would check ann\n"
        "ladder: would play 2 games (handed in anew: ann)\n"
        "ladder: would publish the ranking\n"
        "ladder: would write the pages of the instructor edition\n"
    )


class Dawdling(Versioned):
    """Is charged 5 s for each answer, if it is bob."""

    def answer(self, state, complaint):
        reply = super().answer(state, complaint)
        return replace(reply, spent=Spent(cpu=5.0)) if self.entrant.name == "bob" else reply


def test_marks_of_others_are_published_before_the_slow_play_on(stubs, monkeypatch, capsys):
    monkeypatch.setattr("tournament.application.runs.open_entrant", lambda entrant, conditions: Dawdling(entrant))
    text = COURSE.replace('rubric = "tiny.toml"', 'rubric = "tiny.toml"\ngames = 20\nsubmission_seconds = 60')
    Path("course.toml").write_text(text)
    assert course("--jobs=1") == 0
    output = capsys.readouterr()
    first = [one for one in ledger() if one.stage == "first"]
    assert [one.final for one in first] == [False, True]
    played = [{mark.name: mark.games for mark in one.marks} for one in first]
    assert played[0]["ann"] == played[1]["ann"] == played[1]["bob"] == 20
    assert 0 < played[0]["bob"] < 20
    # The ladder does not wait for these games either.
    assert [one.stage for one in ledger()].index("ladder") < ledger().index(first[1])
    recognised = r"slow: bob used \d+ s of 60 s in \d of 20 games, at this rate \d+ min: its other games are played last\n"
    assert re.search(recognised, output.err)
    assert re.search(r"all other games are played; 1\d of bob are left", output.err)
    assert re.search(r"slow: bob used \d+ min of 60 s in 20 games\n", output.err)
    assert nothing_is_due(capsys)


@pytest.mark.slow
def test_a_ladder_in_rounds_plays_only_what_is_missing_and_ranks_by_rating(stubs, capsys):
    more = ["dee", "eve", "fay", "gus"]
    Path("class.csv").write_text(ROSTER + "".join(f"{name},{name},2026-10-01 10:00\n" for name in more))
    for name in more:
        hand_in(Path(), name)
    Path("course.toml").write_text(COURSE.replace("seed = 2", "seed = 2\nrounds = 2"))
    assert course("--dry-run") == 0
    assert "ladder: would play 12 games (new: ann, bob, dee, eve, fay, gus)\n" in capsys.readouterr().out
    assert course() == 0
    before = rows("ladder")
    assert 12 <= len(before) <= 14
    (ranking,) = [one for one in ledger() if one.stage == "ladder"]
    assert ranking.final
    assert [place.rating for place in ranking.places] == sorted((place.rating for place in ranking.places), reverse=True)
    assert nothing_is_due(capsys)

    Path("class.csv").write_text(Path("class.csv").read_text() + "hal,hal,2026-10-01 10:00\n")
    hand_in(Path(), "hal")
    assert course() == 0
    after = rows("ladder")
    assert before.items() < after.items()
    assert {"hal" in (row.black, row.white) for id, row in after.items() if id not in before} == {True}
    assert len(after) - len(before) == 4
    assert nothing_is_due(capsys)

    hand_in(Path(), "ann", 2)
    assert course() == 0
    kept = {id: row for id, row in after.items() if "ann" not in (row.black, row.white)}
    assert kept.items() < rows("ladder").items()
    assert len(rows("ladder")) - len(kept) <= 10
    assert nothing_is_due(capsys)


def new_hand_in():
    Path("class.csv").write_text(f"{ROSTER}dee,dee,2026-10-01 10:00\n")
    hand_in(Path(), "dee")


CHANGES = {
    "somebody hands in": new_hand_in,
    "somebody hands in again": lambda: hand_in(Path(), "bob", 2),
    "what could not be read can be": lambda: hand_in(Path(), "cy", 2),
    "what could be read cannot be": lambda: (hand_in(Path(), "bob", 2), Path("first/bob.py").write_text("(\n")),
    "a deadline is moved": lambda: Path("course.toml").write_text(COURSE.replace("2026-10-01", "2026-10-02")),
    "a roster says more": lambda: Path("class.csv").write_text(ROSTER.replace("\n", ",x\n").replace("d,x", "d,id")),
    "somebody leaves the folder": lambda: Path("first/bob.py").unlink(),
    "a page is lost": lambda: Path("pages/instructor/ladder/index.html").unlink(),
    "there is an edition more": lambda: Path("course.toml").write_text(
        COURSE.replace('["instructor"]', '["instructor", "class", "student"]')
    ),
    "the ladder ends": lambda: Path("course.toml").write_text(COURSE.partition("[ladder]")[0]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_once_it_is_done_nothing_is_due(stubs, capsys, change):
    assert course() == 0
    assert nothing_is_due(capsys)
    change()
    assert course() == 0
    assert nothing_is_due(capsys)


def test_only_the_pairs_that_changed_play_again(stubs):
    for name in ("cy", "dee"):
        hand_in(Path(), name)
    Path("class.csv").write_text(f"{ROSTER}dee,dee,2026-10-01 10:00\n")
    course()
    before = rows("ladder")
    assert len(before) == 12
    hand_in(Path(), "bob", 2)
    course()
    with read_store(Path("kept/ladder.db")) as store:
        old = {result.spec.id for result in store.results(superseded=True)}
        assert store.run_number() == 2
    assert old == {id for id in before if "bob" in id}
    assert len(old) == 6
    assert {id: row for id, row in rows("ladder").items() if "bob" not in id} == {
        id: row for id, row in before.items() if "bob" not in id
    }  # fmt: skip


def test_late_days_and_the_best_attempt_count(stubs):
    Path("class.csv").write_text(f"{ROSTER}again,bob,2026-10-03 07:00\n")
    hand_in(Path(), "again")
    course()
    (mark,) = (mark for mark in ledger()[0].marks if mark.name == "bob")
    assert (mark.submission, mark.points, mark.of) == ("bob", "40", "50")
    assert {id.partition("-")[0] for id in rows("first")} == {"ann", "bob", "bob.2"}
    # In the ladder the last attempt plays.
    assert {id.rpartition("-")[0] for id in rows("ladder")} == {"ann-bob"}
    assert main(["standings", "kept/first.db"]) == 0


def test_other_commands_find_the_deadline_of_the_course(stubs, capsys):
    course()
    main(["standings", "kept/first.db"])
    assert "1 day late: 50 - 10 = 40 points" in capsys.readouterr().out
    Path("course.toml").write_text(COURSE.replace("2026-10-01", "2026-10-02"))
    course()
    main(["standings", "kept/first.db"])
    assert "late:" not in capsys.readouterr().out
    assert [one.rubric.partition(" (")[0] for one in ledger() if one.stage == "first"] == [
        "Due 2026-10-01 23:59:59", "Due 2026-10-02 23:59:59"
    ]  # fmt: skip


def test_nothing_is_done_before_a_stage_begins(stubs, capsys):
    Path("course.toml").write_text(COURSE.replace("[ladder]", "[ladder]\nbegins = 2026-10-08T09:00:00"))
    course()
    assert not Path("kept/ladder.db").exists()
    assert capsys.readouterr().out.endswith("ladder: begins 2026-10-08 09:00:00 -0700\n")
    course("--dry-run", now="2026-10-08 09:00")
    assert "ladder: would play 2 games" in capsys.readouterr().out


def test_an_empty_folder_is_a_course_that_waits(stubs, capsys):
    for path in Path("first").iterdir():
        path.unlink()
    # But its first page, which says when what is due.
    assert course() == 0
    assert nothing_is_due(capsys)
    hand_in(Path(), "ann")
    assert course() == 0
    assert marks()["ann"] == "50"
    assert not Path("kept/ladder.db").exists()


def pages_of(edition):
    """The addresses of everybody's pages in an edition of the first homework."""
    names = {path.name for path in Path(f"pages/{edition}/first").glob("*.html")}
    return sorted(names - {"index.html", "games.html"})


@pytest.mark.slow
def test_a_students_page_keeps_its_address_whichever_attempt_counts(stubs):
    Path("course.toml").write_text(COURSE.replace('["instructor"]', '["instructor", "class", "student"]'))
    course()
    before = {edition: pages_of(edition) for edition in ("instructor", "class", "student")}
    assert before["instructor"] == ["player-ann.html", "player-bob.html", "player-cy.html", "player-random.html"]
    nickname = read_nicknames(Path("nicknames.csv"))["cy"]
    # The first one cannot be read, so the second counts.
    Path("class.csv").write_text(f"{ROSTER}again,cy,2026-10-01 12:00\n")
    hand_in(Path(), "again")
    course()
    assert marks()["cy"] == "50"
    assert {edition: [*{*pages_of(edition)} - {*before[edition]}] for edition in before} == {
        "instructor": ["player-cy.1.html"], "class": [f"player-{nickname}.1.html"], "student": []
    }  # fmt: skip
    for edition, page in (("instructor", "player-cy"), ("class", f"player-{nickname}"), ("student", "cy")):
        text = Path(f"pages/{edition}/first/{page}.html").read_text()
        assert "could not be played" not in text
        assert "<dd>50 <small>of 50</small></dd>" in text
    assert read_nicknames(Path("nicknames.csv")).keys() == {"ann", "bob", "cy"}
    assert 'href="player-cy.1.html">1</a>' in Path("pages/instructor/first/player-cy.html").read_text()
    assert '<a href="player-cy.html">Another attempt</a>' in Path("pages/instructor/first/player-cy.1.html").read_text()
    assert 'href="player-cy.html"><bdi>cy</bdi>' in Path("pages/instructor/first/index.html").read_text()
    mail = {line["name"]: line for line in csv.DictReader(Path("pages/student/first/mail.csv").read_text().splitlines())}
    assert {name: (line["page"], line["points"]) for name, line in mail.items()} == {
        "ann": ("ann.html", "50"), "bob": ("bob.html", "40"), "cy": ("cy.html", "50")
    }  # fmt: skip
    for student in ("cy", "cy.2"):
        assert main(["report", "kept/first.db", f"--student={student}", f"--out={student}"]) == 0
        assert "<dd>50 <small>of 50</small></dd>" in Path(f"{student}/index.html").read_text()


# What was published


def test_old_marks_lead_to_their_games_versions_and_key(stubs, capsys):
    for version in (1, 2, 1):
        hand_in(Path(), "ann", version)
        course()
    published = [one for one in ledger() if one.stage == "first"]
    assert len(published) == 3
    rubric = read_rubric("tiny.toml")
    for one in published:
        with read_store(Path("kept", one.store)) as store:
            counted = store.rows_after(one.run)
        (mark,) = (mark for mark in one.marks if mark.name == "ann")
        (found,) = grades(counted, rubric, [Entrant("ann")])
        assert (str(found.points), found.whole.total.games) == (mark.points, mark.games)
        assert Path(f"kept/first.submissions/ann-{mark.version[:12]}/ann.py").is_file()
    versions = [next(mark.version for mark in one.marks if mark.name == "ann") for one in published]
    assert versions[0] == versions[2] != versions[1]

    capsys.readouterr()
    assert course("--trace=ann") == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if ": seen ann, version " not in line]
    assert len(lines) == 6
    assert lines[0].startswith("2026-10-03 08:00:00 -0700 first: 50 of 50 points; 2 games in ")
    assert f"played by {Path('kept').resolve()}/first.submissions/ann-{versions[0][:12]}, key " in lines[0]
    assert course("--trace=cy") == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if ": seen cy, " not in line]
    assert [line.partition(" first: ")[2] for line in lines] == 3 * [
        "0 of 50 points; refused: cy.py, line 1: SyntaxError: '(' was never closed"
    ]
    secret = read_course(Path("course.toml"))
    with read_store(secret.store(secret.stages[0])) as store:
        assert store.key.secret.hex() not in Path("kept/published.jsonl").read_text()


def test_what_was_published_is_noticed_when_it_changes(stubs, capsys):
    course()
    hand_in(Path(), "ann", 2)
    course()
    path = Path("kept/published.jsonl")
    whole = path.read_text()
    lines = whole.splitlines(keepends=True)
    for text in (whole.replace('"points":"40"', '"points":"50"', 1), "".join(lines[1:]), whole.replace(lines[1], ""), "x"):
        path.write_text(text)
        capsys.readouterr()
        assert course() == 2
        assert "published.jsonl, line " in capsys.readouterr().err
    path.write_text(whole)
    Path("kept/first.db").rename("elsewhere.db")
    assert course("--trace=bob") == 1
    assert "expected a results file, found nothing, but the mark was made of 2" in capsys.readouterr().out


def test_the_ladder_has_a_past(stubs):
    edited = COURSE.replace('["instructor"]', '["instructor", "student"]')
    Path("course.toml").write_text(edited)
    assert course() == 0
    assert "Moved" not in Path("pages/instructor/ladder/index.html").read_text()
    for day, version in ((5, 2), (13, 3)):
        hand_in(Path(), "bob", version)
        assert course(now=f"2026-10-{day:02} 08:00") == 0
    index = Path("pages/instructor/ladder/index.html").read_text()
    assert "since 2026-10-05." in index
    page = Path("pages/instructor/ladder/player-bob.html").read_text()
    found = re.findall(r'<th scope="row" class="nowrap">(2026-\S+) 15:00</th><td class="number">(\d)</td>', page)
    assert found == [("2026-10-13", "3"), ("2026-10-05", "2"), ("2026-10-03", "1")]
    assert 'class="ratings"' in page
    assert "Rating over time" in Path("pages/student/ladder/bob.html").read_text()


def test_points_are_exact_in_the_ledger(stubs):
    Path("tiny.toml").write_text(Path("tiny.toml").read_text().replace("points = 50", "times_rate = 50"))
    course()
    found = {mark.name: mark for mark in ledger()[0].marks}
    with read_store(Path("kept/first.db")) as store:
        (ann,) = grades(store.rows(), read_rubric("kept/first.rubric.toml"), [Entrant("ann")])
    assert Fraction(found["ann"].points) == ann.points
    assert [json.loads(line)["run"] for line in Path("kept/published.jsonl").read_text().splitlines()[1:]] == [1, 1]


# Bad input


def lines_of(capsys):
    return capsys.readouterr().err.splitlines()


BAD = [
    ("course.toml", "name = 1\n", "course.toml: homework: expected tables [[homework]], or a [ladder], got neither"),
    (
        "course.toml", COURSE.replace('"first"\nrubric', '"nowhere"\nrubric'),
        "expected a folder or file of submissions, got '{folder}/nowhere', which does not exist",
    ),
    (
        "course.toml", COURSE.replace("size = 3", "size = 1"),
        "course.toml: ladder: size: expected a whole number from 2 to 19, got 1",
    ),
    (
        "course.toml", COURSE.replace('"tiny.toml"', '"2019-second"'),
        "course.toml: homework 1: rubric: expected a rubric with reference players, got '2019-second'; one that is about ranks "
        "is for round-robin",
    ),
    (
        "course.toml", COURSE.replace('roster = "class.csv"\n', ""),
        "deadline: expected a roster with a column submitted, got none",
    ),
    ("course.toml", COURSE.replace("size = 3", "size = three"), "course.toml: expected a TOML file: "),
    ("tiny.toml", "x", "{folder}/tiny.toml: not TOML: "),
    ("class.csv", "name\nann\n", "class.csv, line 1: expected columns submission, "),
    ("class.csv", "submission,submitted\nann,soon\n", "ann: submitted: expected a date and a time, as "),
]  # fmt: skip


@pytest.mark.parametrize(("file", "text", "line"), BAD)
def test_what_is_wrong_is_one_line_before_anything_is_played(stubs, capsys, tmp_path, file, text, line):
    Path(file).write_text(text)
    assert course() == 2
    (said,) = lines_of(capsys)
    assert said.startswith(f"course: {line.format(folder=tmp_path)}"), said
    assert not Path("kept/first.db").exists()


def test_an_event_that_has_begun_stays_as_it_is(stubs, capsys):
    course()
    capsys.readouterr()
    Path("course.toml").write_text(COURSE.replace("games = 2", "games = 4"))
    assert course() == 2
    assert lines_of(capsys) == [
        "course: course.toml: ladder: expected the event whose games ladder.db holds, got another: games (2 there, 4 here); "
        "set it back, or give it another name, by which everything is played anew"
    ]
    Path("course.toml").write_text(COURSE.replace("games = 2", "games = 4").replace("[ladder]", '[ladder]\nname = "long"'))
    assert course() == 0
    assert (len(rows("long")), len(rows("ladder"))) == (4, 2)


def test_two_runs_of_one_course_do_not_meet(stubs, capsys):
    Path("kept").mkdir()
    lock = lock_for_writing(Path("kept/course"))
    try:
        assert course() == course("--dry-run") == 2
    finally:
        lock.close()
    assert lines_of(capsys) == 2 * ["course: course.toml: another run of this course is at work; wait for it"]
    assert course("--trace=zoe") == 2
    assert lines_of(capsys) == [
        "course: --trace: expected the name of somebody of whom something was published or seen, got 'zoe'"
    ]  # fmt: skip
    assert course(now="soon") == 2
    assert lines_of(capsys)[0].startswith("course: --now: expected a date and a time, as ")


def test_the_recipes_of_the_documents_are_commands_that_there_are():
    blocks = re.findall(r"^```(?:crontab|ini)\n(.*?)^```", (ROOT / "docs/course.md").read_text(), re.S | re.M)
    lines = re.findall(r" -m tournament (course [^>\n]*)", "".join(blocks))
    assert len(lines) == 2
    for line in lines:
        name, *arguments = line.split()
        found = Subcommands("tournament", "", COMMANDS).parser(name).parse_args(arguments)
        assert found.course == Path("/srv/go-2026/course.toml")
