"""The first page of a course leads to all of its pages, and shows the instructor what everybody got."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.courses import COURSE, course, hand_in, play_with_stubs, write_course
from tournament.courses.course_files import read_course
from tournament.courses.ledgers import Mark, Published
from tournament.courses.overviews import front_of
from tournament.pages.editions import START, read_nicknames
from tournament.pages.sites import Front, FrontCell, FrontStage, write_front

EDITIONS = COURSE.replace('["instructor"]', '["instructor", "class", "student"]')
FRONT = Path("pages/instructor/index.html")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_course(tmp_path, EDITIONS)
    play_with_stubs(monkeypatch)


def rows(page):
    """The cells of each row of a page's tables, without markup."""
    found = re.findall(r"<tr>(.*?)</tr>", page.read_text(), re.S)
    return [[re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.S)] for row in found]


def test_it_leads_to_what_was_published():
    assert course() == 0
    head, first, ladder, *_ = rows(FRONT)
    assert head == ["Pages", "What", "Published"]
    assert first[:2] == ["first", "marks of 3 submissions"]
    assert ladder[:2] == ["ladder", "ranking of 2 players"]
    for kind in ("instructor", "class"):
        for name in re.findall(r'href="(\w+/index.html)"', Path(f"pages/{kind}/index.html").read_text()):
            page = Path("pages", kind, name)
            assert 'href="../index.html" data-key="course">go</a>' in page.read_text()
            assert (page.parent / "../index.html").is_file()


def test_the_instructor_sees_what_everybody_got_and_the_class_sees_no_name():
    assert course() == 0
    people = rows(FRONT)[3:]
    assert people[0] == ["Name", "first", "ladder"]
    assert [name for name, *_ in people[1:]] == ["ann", "bob", "cy"]
    assert people[3] == ["cy", "refused", "–"]
    assert people[1][1:] in (["50 of 50", "rank 1"], ["50 of 50", "rank 2"])
    shown = Path("pages/class/index.html").read_text()
    assert "Everybody" not in shown
    assert not re.search(r"\b(ann|bob|cy)\b", shown)
    assert not Path("pages/student/index.html").exists()


def test_it_follows_what_is_published_later():
    assert course() == 0
    hand_in(Path(), "cy", 2)
    assert course() == 0
    assert ["cy", "50 of 50"] in [row[:2] for row in rows(FRONT)]


@pytest.mark.parametrize("change", [
    FRONT.unlink,
    lambda: Path("course.toml").write_text(EDITIONS.partition("[ladder]")[0]),
    lambda: Path("course.toml").write_text(EDITIONS.replace('"go"', '"go-more"')),
], ids=["it is lost", "the ladder ends", "the course has another name"])  # fmt: skip
def test_it_is_written_anew(capsys, change):
    assert course() == 0
    change()
    assert course() == 0
    assert FRONT.is_file()
    text = FRONT.read_text()
    assert ("ladder/index.html" in text) == ("[ladder]" in Path("course.toml").read_text())
    assert ("go-more" in text) == ("more" in Path("course.toml").read_text())
    capsys.readouterr()
    assert course() == 0
    assert capsys.readouterr().out == "nothing is due\n"


def test_who_has_not_played_yet_has_no_points(tmp_path):
    here = read_course(Path("course.toml"))
    page = here.pages_of(here.stages[0], "instructor") / START
    page.parent.mkdir(parents=True)
    page.touch()
    said = [("ann", "a1", 0, ""), ("bob", "b1", 2, ""), ("cy", "", 0, "no player in it")]
    marks = [Mark(name, name, version, "0", "50", games, refused) for name, version, games, refused in said]
    last = Published(datetime(2026, 10, 2, tzinfo=UTC), "first", "first.db", 1, "51b0", "", False, tuple(marks))
    assert front_of(here, "instructor", [last]).people == {
        "ann": [FrontCell("not played yet", "")], "bob": [FrontCell("0 of 50", "0")], "cy": [FrontCell("refused", "0")],
    }  # fmt: skip


def test_two_names_that_look_the_same_have_a_row_each(tmp_path):
    names = ["x" * 90 + "1", "x" * 90 + "2"]
    people = {name: [FrontCell(f"{k} of 100", str(k))] for k, name in enumerate(names)}
    write_front(Front("go", "instructor", [FrontStage("first", True, "marks", "now", False)], people), tmp_path / "index.html")
    assert [cell for _, cell in rows(tmp_path / "index.html")[3:]] == ["0 of 100", "1 of 100"]


SECTIONS = """submission,name,students,section,agreed,submitted
ann,ann,Ann Lee,A,yes,2026-10-01 10:00
bob,bob,Bob Ray,A,no,2026-10-02 10:00
cy,cy,Cy Po,A,yes,2026-10-01 10:00
dee,dee,Dee Fox,A,,2026-10-01 10:00
eve,eve,Eve Orr,B,yes,2026-10-01 10:00
"""


@pytest.mark.slow
def test_leaderboards_are_over_all_and_of_each_section():
    """Everybody has 50 points, and bob 40, for he was a day late. cy could not be played."""
    Path("course.toml").write_text(COURSE.replace('["instructor"]', '["instructor", "class", "named", "agreed"]'))
    Path("class.csv").write_text(SECTIONS)
    for name in ("dee", "eve"):
        hand_in(Path(), name)
    assert course() == 0
    assert rows(Path("pages/instructor/first/leaderboard.html")) == [
        ["Rank", "Name", "Section", "Points"],
        ["1", "ann", "A", "50"], ["1", "dee", "A", "50"], ["1", "eve", "B", "50"], ["4", "bob", "A", "40"],
        ["Rank", "of all", "Name", "Points"],
        ["1", "1", "ann", "50"], ["1", "1", "dee", "50"], ["3", "4", "bob", "40"],
        ["Rank", "of all", "Name", "Points"],
        ["1", "1", "eve", "50"],
    ]  # fmt: skip
    nicknames = read_nicknames(Path("nicknames.csv"))
    agreed = [row[1] for row in rows(Path("pages/agreed/first/leaderboard.html"))[1:5]]
    assert sorted(agreed) == sorted(["Ann Lee", "Eve Orr", nicknames["bob"], nicknames["dee"]])
    named = Path("pages/named/first/leaderboard.html").read_text()
    assert "Points are those before any penalty." in named
    assert all(name in named for name in ("Ann Lee", "Bob Ray", "Dee Fox", "Eve Orr", "Section B"))
    # One in a section would be known by it.
    assert "Section B" not in Path("pages/class/first/leaderboard.html").read_text()
    for path in Path("pages/agreed").rglob("*.*"):
        assert not re.search(r"\b(bob|dee)\b|Bob Ray|Dee Fox", path.read_text()), path
    assert {row[3] for row in rows(Path("pages/named/ladder/leaderboard.html"))[1:5]} <= {"0", "1", "2", "3"}
    assert 'href="leaderboard.html"' in Path("pages/named/ladder/index.html").read_text()


def test_who_agreed_is_asked_before_anything_is_played(capsys):
    Path("course.toml").write_text(COURSE.replace('["instructor"]', '["agreed"]'))
    Path("class.csv").write_text(SECTIONS.replace("A,no", "A,never"))
    assert course() == 2
    assert capsys.readouterr().err == "course: bob: agreed: expected yes or no, got 'never'\n"
    assert not Path("kept/first.db").exists()
