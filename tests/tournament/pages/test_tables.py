"""Pages of a grade: points and what they are for, refused submissions, and reference players apart."""

import csv
import re
from html import unescape
from statistics import fmean, median

import pytest

from benchmarks.made_up_events import forfeit, game, grade_specs, make_store
from tests.support.page_events import BOTS, NICKNAMES, REFUSED, grade_store
from tournament.__main__ import main
from tournament.pages.contents import gather, gather_students
from tournament.pages.editions import edition
from tournament.pages.sites import write_folder
from tournament.pages.tables import figures
from tournament.results.grade_report import everybody, write_refusals
from tournament.results.rubric_files import read_rubric
from tournament.store.store import read_store

NICKNAMES = NICKNAMES | {"quinn": "Calm-Finch", "rosa": "Noble-Owl"}
RUBRIC = read_rubric("2019")


def contents_of(path, kind="instructor", student=""):
    with read_store(path) as store:
        shown = edition(kind, everybody(store.entrants(), REFUSED), NICKNAMES, student)
        return gather(store, shown, RUBRIC, {}, refused=REFUSED)


def words(path):
    """What a page says, in one line."""
    text = re.sub(r"<(style|script).*?</\1>", "", path.read_text(), flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


@pytest.fixture
def store(tmp_path):
    return grade_store(tmp_path / "grade.db")


@pytest.fixture
def site(tmp_path, store):
    write_folder(contents_of(store), tmp_path / "site")
    return tmp_path / "site"


def test_points_are_those_of_the_grade_most_first_and_refused_submissions_last(store):
    marks = contents_of(store).marks
    points = [line.grade.points for line in marks[:3]]
    assert points == sorted(points, reverse=True)
    assert sorted(line.name for line in marks[:3]) == ["ann", "bob", "cyra"]
    assert [(line.name, line.rank, line.points) for line in marks[3:]] == [("quinn", 0, "0"), ("rosa", 0, "0")]
    assert [mark.opponent for mark in marks[0].marks] == ["random", "greedy", "aggressive", "smart"]


def test_equal_points_share_the_better_rank(tmp_path):
    names = ["ann", "bob", "cyra"]
    lost = [forfeit(spec, 1 if spec.black in BOTS else 0) for spec in grade_specs(names, BOTS, 2)]
    path = make_store(tmp_path / "g.db", [*names, *BOTS], lost, references=BOTS, rubric="2019")
    assert [line.rank for line in contents_of(path).marks[:3]] == [1, 1, 1]


def test_points_are_open_where_the_interval_reaches_into_another_band(store):
    marks = [mark for line in contents_of(store).marks for mark in line.marks if mark.games]
    half = next(mark for mark in marks if mark.rate == "50 %" and mark.opponent == "aggressive")
    assert (half.points, half.band, half.open, half.interval) == ("5", "below: 10 x rate", "1.5 to 12.75", "15 to 85 %")
    assert (half.between, half.other) == ("1.5 to 12.75", "36 %")
    (line,) = [line for line in contents_of(store).marks if line.name == "ann"]
    assert line.grade.other > max(part.other for part in line.grade.parts) > 0


def test_the_pages_say_how_likely_another_band_is(site):
    table = words(site / "player-ann.html").split("Reference player Points of")[1]
    assert table.startswith(" Games won Won-lost as Black as White Band 95 % interval Open random ")
    assert "below: 10 x rate 1.5 to 12.75 (win rate 15 to 85 %) ~36 %" in table
    assert "points; open: 36 %" in (site / "index.html").read_text()
    said = "Open: how likely as many other games would give another band. The fewer games, the more is open, for everybody."
    for page in ("index", "player-ann"):
        assert words(site / f"{page}.html").count(said) == 1


def test_who_has_not_played_is_neither_ranked_nor_counted(tmp_path):
    names = ["ann", "bob", "cyra", "dora"]
    games = [game(spec) for spec in grade_specs(names[:2], BOTS, 2)]
    path = make_store(tmp_path / "g.db", [*names, *BOTS], games, references=BOTS, rubric="2019")
    contents = contents_of(path)
    first, second = contents.marks[:2]
    assert ({first.name, second.name}, first.rank) == ({"ann", "bob"}, 1)
    assert [(line.name, line.rank, line.points) for line in contents.marks[2:]] == [
        ("quinn", 0, "0"), ("rosa", 0, "0"), ("cyra", 0, "–"), ("dora", 0, "–"),
    ]  # fmt: skip
    shown = dict(figures(contents.count.grades))
    points = [float(line.grade.points) for line in contents.marks[:4]]
    assert (shown["Submissions"], shown["Not played yet"]) == ("6", "2")
    assert (shown["Mean"], shown["Median"]) == (f"{fmean(points):.1f}", f"{median(points):g}")
    write_folder(contents, tmp_path / "site")
    row = (tmp_path / "site/index.html").read_text().split('data-v="dora"')[1].split("</tr>")[0]
    assert "not played yet" in row
    assert not re.search("[0-9] %|>0", row)
    assert "None of its games has been played yet." in words(tmp_path / "site/player-dora.html")


def test_the_start_page_is_about_marks(site):
    said = words(site / "index.html")
    assert "Marks CSCI-561 competition 2019, first stage: 4 games per opponent, 100 points at most." in said
    assert "Submissions 5" in said
    assert "Refused 2 " in said
    assert "rosa the archive cannot be unpacked: BadZipFile: File is not a zip file" in said
    assert "aggressive 20 from 90 %: 20; from 70 %: 15 x rate; below: 10 x rate" in said
    assert "<rect" in (site / "index.html").read_text()
    assert (site / "grades.csv").read_text().startswith("name,students,email,points,of,")
    assert not (site / "crosstable.html").exists()


def test_reference_players_are_not_among_the_submissions(site):
    table = (site / "index.html").read_text().split("<tbody>")[1].split("</tbody>")[0]
    assert re.findall(r'<th scope="row" data-v="(\w+)"', table)[3:] == ["quinn", "rosa"]
    assert not set(BOTS) & set(re.findall(r'<th scope="row" data-v="(\w+)"', table))


def test_a_refused_submission_has_a_page_that_says_why_and_what_to_do(site):
    said = words(site / "player-quinn.html")
    assert "Points 0 of 100 This submission could not be played quinn.py, line 8: SyntaxError: Missing parentheses" in said
    assert "python3 -m tournament check my_player.py" in said
    assert "Losses" not in said


def test_only_the_instructor_and_its_own_students_see_why_a_submission_was_refused(tmp_path, store):
    write_folder(contents_of(store, "class"), tmp_path / "class")
    everything = "".join(path.read_text() for path in (tmp_path / "class").rglob("*.*") if path.parent.name != "assets")
    assert "Calm-Finch" in everything
    for secret in ("quinn", "rosa", "SyntaxError", "BadZipFile", "Person of", "uni.example"):
        assert secret not in everything, secret
    write_folder(contents_of(store, "student", "quinn"), tmp_path / "own")
    everything = "".join(path.read_text() for path in (tmp_path / "own").rglob("*.*") if path.parent.name != "assets")
    assert "SyntaxError: Missing parentheses" in everything
    for secret in ("rosa", "Noble-Owl", "BadZipFile", "ann", "Quiet-Heron"):
        assert not re.search(rf"\b{secret}\b", everything), secret


def test_a_marks_page_has_points_first_then_forfeits_by_cause_then_losses(site):
    said = words(site / "player-ann.html")
    assert "4 × ZeroDivisionError, ann.py line 12 First: Black forfeits at move 7: crash (ZeroDivisionError" in said
    assert said.index("Reference player Points of") < said.index("4 × ZeroDivisionError") < said.index("Losses")
    assert said.index("Losses") < said.index("Time per answer")


def test_everybodys_page_and_the_list_to_mail_from(tmp_path, store, capsys):
    assert main(["report", str(store), "--edition", "students"]) == 0
    out = tmp_path / "grade.students"
    assert capsys.readouterr().err == f"5 pages written to {out}: mail them with {out / 'mail.csv'}\n"
    lines = list(csv.DictReader((out / "mail.csv").read_text().splitlines()))
    assert [(line["name"], line["students"], line["page"]) for line in lines] == [
        (name, f"Person of {name}", f"{name}.html") for name in ("ann", "bob", "cyra", "quinn", "rosa")
    ]
    assert {line["of"] for line in lines} == {"100"}
    assert {line["name"]: line["email"] for line in lines if line["email"]} == {"quinn": "quinn@uni.example"}
    for line in lines:
        assert f"Points {line['points']} of 100" in words(out / line["page"])
    assert sorted(path.name for path in out.iterdir()) == sorted(["mail.csv", *(line["page"] for line in lines)])


def test_a_page_of_all_is_the_page_of_one(tmp_path, store):
    assert main(["report", str(store), "--edition", "students", "--out", str(tmp_path / "all")]) == 0
    one = ["--student", "bob", "--out", str(tmp_path / "bob.html")]
    assert main(["report", str(store), *one]) == 0
    assert (tmp_path / "all" / "bob.html").read_bytes() == (tmp_path / "bob.html").read_bytes()


def test_pages_of_all_read_each_students_games_only(store, monkeypatch):
    with read_store(store) as opened:
        everyone = everybody(opened.entrants(), REFUSED)
        editions = [edition("student", everyone, NICKNAMES, name) for name in ("ann", "quinn")]
        monkeypatch.setattr(opened, "results", None)
        found = list(gather_students(opened, editions, RUBRIC, {}, refused=REFUSED))
    assert [contents.album.games for contents in found] == [16, 0]


def test_every_page_has_the_date_of_the_last_game(tmp_path, site):
    assert all("Games of 2026-01-01, 00:00 UTC." in words(path) for path in site.glob("*.html"))
    assert all('<p class="date">2026-01-01</p>' in path.read_text() for path in site.glob("*.html"))


def test_a_resubmission_that_was_refused_has_no_points_for_old_games(tmp_path):
    path = tmp_path / "g.db"
    make_store(path, ["quinn", *BOTS], [game(spec) for spec in grade_specs(["quinn"], BOTS, 2)], references=BOTS, rubric="2019")
    write_refusals(path, REFUSED)
    (line,) = [line for line in contents_of(path).marks if line.name == "quinn"]
    assert (line.points, line.rank) == ("0", 0)


BAD = [
    (("--edition", "students", "--student", "ann"), "report: --student: expected without --edition; --edition students writes"),
]


@pytest.mark.parametrize(("arguments", "line"), BAD)
def test_bad_input_is_one_line(store, capsys, arguments, line):
    assert main(["report", str(store), *arguments]) == 2
    said = capsys.readouterr().err
    assert said.startswith(line)
    assert said.count("\n") == 1


def test_no_nicknames_are_drawn_for_a_reader_who_is_nobody(store, capsys):
    before = sorted(store.parent.iterdir())
    assert main(["report", str(store), "--student=nobody"]) == 2
    assert "--student: expected the name of a submission" in capsys.readouterr().err
    assert sorted(store.parent.iterdir()) == before
