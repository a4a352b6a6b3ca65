"""The first page of a course: how everything stands, what has changed, who is missing, and for the instructor who got what."""

import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest

from gojudge.intake.submissions import Refused
from gojudge.records import Entrant
from tests.support.courses import COURSE, course, hand_in, play_with_stubs, write_course
from tournament.courses.course_files import read_course
from tournament.courses.ledgers import Mark, Published
from tournament.courses.overviews import Listed, front_of
from tournament.pages.editions import START, read_nicknames
from tournament.pages.sites import Front, FrontCell, FrontPerson, FrontStage, write_front

EDITIONS = COURSE.replace('["instructor"]', '["instructor", "class", "student"]')
FRONT = Path("pages/instructor/index.html")
CLASS = Path("pages/class/index.html")
LISTED = """submission,name,submitted,students,id,email,section
ann,ann,2026-10-01 10:00,Ann Lee,a-17,ann@uni.example,morning
bob,bob,2026-10-02 10:00,Bob Ray,b-18,bob@uni.example,evening
cy,cy,2026-10-01 10:00,Cy Öz,c-19,cy@uni.example,morning
dee,dee,,Dee Poe,d-20,dee@uni.example,evening
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_course(tmp_path, EDITIONS)
    (tmp_path / "class.csv").write_text(LISTED)
    play_with_stubs(monkeypatch)


def words(page):
    """What a page says, in one line."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", Path(page).read_text())).split())


def people(page=FRONT):
    """The cells of each row of the last table of a page, without markup."""
    table = page.read_text().rpartition("<table")[2]
    rows = [re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.S) for row in re.findall(r"<tr\b[^>]*>(.*?)</tr>", table, re.S)]
    return [[re.sub(r"<[^>]*>|\n", "", cell) for cell in row] for row in rows]


def rows(page):
    """The cells of each row of a page's tables, without markup."""
    found = re.findall(r"<tr>(.*?)</tr>", page.read_text(), re.S)
    return [[re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.S)] for row in found]


def stage(page, name):
    """What a page says of a homework or of the ladder."""
    cards = re.findall(r'<li class="stage.*?</li>', page.read_text(), re.S)
    (found,) = [card for card in cards if f"<bdi>{name}</bdi></" in card]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", found)).split())


def test_it_leads_to_what_was_published():
    assert course() == 0
    for kind in ("instructor", "class"):
        links = re.findall(r'<h2><a href="(\w+/index.html)"', Path(f"pages/{kind}/index.html").read_text())
        assert links == ["first/index.html", "ladder/index.html"]
        for name in links:
            page = Path("pages", kind, name)
            assert 'href="../index.html" data-key="course">go</a>' in page.read_text()
            assert (page.parent / "../index.html").is_file()


STANDS = [
    ("2026-09-20 08:00", "begins Thu 2026-09-24 08:00:00 -0700"),
    ("2026-09-24 08:00", "open"),
    ("2026-10-01 23:59:59", "open"),
    ("2026-10-02 00:00", "late, until the cut-off"),
    ("2026-10-06 00:00", "closed"),
]


@pytest.mark.parametrize(("now", "stands"), STANDS)
def test_it_says_what_is_due_and_how_that_stands(now, stands):
    dated = EDITIONS.replace("points_per_day", "cut_off = 2026-10-05T12:00:00, points_per_day")
    Path("course.toml").write_text(dated.replace('name = "first"\n', 'name = "first"\nbegins = 2026-09-24T08:00:00\n'))
    assert course(now=now) == 0
    for page in (FRONT, CLASS):
        said = stage(page, "first")
        assert said.startswith(f"first {stands} Due Thu 2026-10-01 23:59:59 -0700 Cut-off Mon 2026-10-05 12:00:00 -0700")
        assert ("Published nothing yet" in said) == stands.startswith("begins")
        assert 'datetime="2026-10-01T23:59:59-07:00"' in page.read_text()
        assert "Times are those of America/Los_Angeles." in words(page)
        assert stage(page, "ladder").startswith("ladder open ")


def test_it_says_who_has_an_extension():
    extension = '[[extension]]\nstudent = "dee"\nhomework = "first"\ndays = 3\n'
    Path("course.toml").write_text(EDITIONS.replace("[ladder]", f"{extension}[ladder]"))
    assert course() == 0
    assert "1 with an extension dee: Sun 2026-10-04 23:59:59 -0700" in stage(FRONT, "first")
    assert "extension" not in CLASS.read_text()


def test_it_says_who_is_missing():
    assert course() == 0
    assert "Handed in 3 of 4 Published Sat 2026-10-03 08:00:00 -0700: marks of 4 submissions" in stage(FRONT, "first")
    assert stage(FRONT, "first").endswith("1 missing dee")
    assert "Handed in 3 of 4" in stage(CLASS, "first")
    hand_in(Path(), "dee")
    Path("class.csv").write_text(LISTED.replace("dee,dee,,", "dee,dee,2026-10-03 07:00,"))
    assert course() == 0
    assert "Handed in 4 of 4" in stage(FRONT, "first")
    assert "missing" not in FRONT.read_text()


def test_the_instructor_sees_everybody_with_links_and_what_they_are_sought_by():
    assert course() == 0
    head, *rows = people()
    assert head == ["Name", "first", "ladder", "Person", "id", "email", "section"]
    assert [[row[0], *row[3:]] for row in rows] == [
        ["ann", "Ann Lee", "a-17", "ann@uni.example", "morning"], ["bob", "Bob Ray", "b-18", "bob@uni.example", "evening"],
        ["cy", "Cy Öz", "c-19", "cy@uni.example", "morning"], ["dee", "Dee Poe", "d-20", "dee@uni.example", "evening"],
    ]  # fmt: skip
    assert rows[2][1:3] == ["refused", "refused"]
    assert rows[3][1:3] == ["missing", "–"]
    assert rows[0][1:3] in (["50 of 50", "rank 1"], ["50 of 50", "rank 2"])
    text = FRONT.read_text()
    assert 'data-sought="cy Cy Öz c-19 cy@uni.example morning" data-section="morning"' in text
    links = re.findall(r'href="(\w+/player-\w+\.html)"', text)
    assert {"first/player-ann.html", "ladder/player-ann.html", "first/player-cy.html"} <= set(links)
    assert all((FRONT.parent / link).is_file() for link in links)
    assert "Section People first , mean evening 2 40.0, 1 missing morning 2 25.0" in words(FRONT)


def test_the_class_sees_nobody():
    assert course() == 0
    hand_in(Path(), "bob", 2)
    assert course() == 0
    shown = CLASS.read_text()
    assert "Everybody" not in shown
    for secret in ("ann", "bob", "cy", "dee", "Lee", "Ray", "Poe", "a-17", "uni.example", "morning", "evening"):
        assert not re.search(rf"\b{secret}\b", shown), secret
    assert not Path("pages/student/index.html").exists()


def test_it_says_what_has_changed_since_the_publication_before():
    assert course() == 0
    assert "Nothing since the first publication." in words(FRONT)
    hand_in(Path(), "cy", 2)
    assert course(now="2026-10-03 09:00") == 0
    assert "first , since Sat 2026-10-03 08:00:00 -0700: cy: refused → 50 of 50" in words(FRONT)
    assert "ladder , since Sat 2026-10-03 08:00:00 -0700: cy: new, rank" in words(FRONT)
    assert "first , since Sat 2026-10-03 08:00:00 -0700: 1 changed" in words(CLASS)
    assert people()[3][:2] == ["cy", "50 of 50"]


def test_it_is_written_again_only_when_it_says_something_else(capsys):
    assert course() == 0
    capsys.readouterr()
    before = FRONT.stat().st_mtime_ns
    assert course(now="2026-10-03 08:30") == 0
    assert capsys.readouterr() == ("nothing is due\n", "")
    assert FRONT.stat().st_mtime_ns == before
    Path("class.csv").write_text(LISTED + "eve,eve,,Eve Orr,e-21,eve@uni.example,morning\n")
    assert course() == 0
    assert "Handed in 3 of 5" in stage(FRONT, "first")


@pytest.mark.parametrize("change", [
    FRONT.unlink,
    lambda: Path("course.toml").write_text(EDITIONS.partition("[ladder]")[0]),
    lambda: Path("course.toml").write_text(EDITIONS.replace('"go"', '"go-more"')),
], ids=["it is lost", "the ladder ends", "the course has another name"])  # fmt: skip
@pytest.mark.slow
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


def test_before_anything_is_handed_in_it_says_what_is_due():
    for path in Path("first").iterdir():
        path.unlink()
    assert course() == 0
    assert "Due Thu 2026-10-01 23:59:59 -0700" in stage(FRONT, "first")
    assert "<a href" not in FRONT.read_text().partition("<main")[2]


def test_who_has_not_played_yet_has_no_points(tmp_path):
    here = read_course(Path("course.toml"))
    page = here.pages_of(here.stages[0], "instructor") / START
    page.parent.mkdir(parents=True)
    page.touch()
    said = [("ann", "a1", 0, ""), ("bob", "b1", 2, ""), ("cy", "", 0, "no player in it")]
    marks = [Mark(name, name, version, "0", "50", games, refused) for name, version, games, refused in said]
    last = Published(datetime(2026, 10, 2, tzinfo=UTC), "first", "first.db", 1, "51b0", "", False, tuple(marks))
    front = front_of(here, "instructor", [last], {}, datetime(2026, 10, 3, tzinfo=UTC))
    assert {one.name: one.cells[0] for one in front.people} == {
        "ann": FrontCell("not played yet", ""), "bob": FrontCell("0 of 50", "0"),
        "cy": FrontCell("refused", "0", bad=True),
    }  # fmt: skip


def test_who_has_several_attempts_is_one_person_and_missing_only_without_any():
    fields = (("attempt_of", "ann"), ("id", "17"))
    first = Refused("ann", ("Ann",), Path("ann"), "it is not there", (("id", "17"),))
    listed = Listed(None, [Entrant("ann.2", ("Ann",), fields=fields)], [first])
    assert (len(listed.there), listed.missing) == (1, [])
    assert Listed(None, [], [first]).missing == ["ann"]


def test_two_names_that_look_the_same_have_a_row_each(tmp_path):
    names = ["x" * 90 + "1", "x" * 90 + "2"]
    found = [FrontPerson(name, (), {}, "", [FrontCell(f"{k} of 100", str(k))]) for k, name in enumerate(names)]
    stages = [FrontStage("first", True, "open", "open")]
    write_front(Front("go", "instructor", "UTC", stages, (), found), tmp_path / "index.html")
    assert [row[1] for row in people(tmp_path / "index.html")[1:]] == ["0 of 100", "1 of 100"]


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
