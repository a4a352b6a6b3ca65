"""What an instructor writes goes through roster, store and every export as it was written."""

import csv
import io
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from gojudge.intake.rosters import read_roster
from gojudge.records import Entrant
from tests.support.game_rows import wins
from tests.support.stores import opened
from tournament.events.event_files import make_event
from tournament.pages.contents import gather_students
from tournament.pages.editions import edition
from tournament.pages.sites import LIST, write_students
from tournament.results.course_systems import people, points_csv, results, vocareum_files
from tournament.results.exports import Extras, from_cell, write_csv, write_json
from tournament.results.grade_report import grades_csv, grades_json, grades_text
from tournament.results.grading import class_grades
from tournament.results.rubric_files import read_rubric
from tournament.results.standings import standings, standings_csv

RUBRIC = read_rubric("2019")
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
SIGNS = st.characters(categories=["L", "M", "N", "P", "S", "Zs", "Cf"], exclude_characters=f"{TURNING};\ufeff")
TEXTS = st.text(SIGNS, min_size=1, max_size=80).map(str.strip).filter(bool)
# What would be a formula is an identifier that no course system can have.
PLAIN = TEXTS.filter(lambda text: from_cell(f"'{text}") != text and not text.startswith("'"))


def table(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def handed_in(folder, row):
    """The entrants that a roster of one line makes, as they come out of a store."""
    with (folder / "r.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["submission", "name", "students", "email", "id", "sisuserid", "section"], ["a.py", *row]])
    (line,) = read_roster(folder / "r.csv")
    entrant = Entrant(line.name, line.students, digest="a", fields=line.fields)
    with opened(folder / "cup.db", entrant) as store:
        return store.entrants()


def in_all_exports(folder, entrants):
    """Yield (name, students, e-mail, section) as each export has them; None where it does not say."""
    rows = [game for opponent in RUBRIC.opponents for game in wins(entrants[0].name, opponent.name, 1, 2)]
    (grade,) = found = class_grades(rows, RUBRIC, entrants, (), 2)
    for line in (*table(grades_csv(found, RUBRIC)), *grades_json(found)):
        students = line["students"] if isinstance(line["students"], str) else "; ".join(line["students"])
        said = line.get("roster", line)
        yield line["name"], students, said["email"], said["section"]
    assert grade.person in grades_text(found, RUBRIC, make_event({"kind": "grade"}))
    extra = results(grade)["extra_data"]
    yield None, None, extra["email"], extra["section"]
    canvas = table(points_csv(people(found, "canvas").persons, "canvas", "Go", "100"))[1]
    yield None, canvas["Student"], None, canvas["Section"]
    (moodle,) = table(points_csv(people(found, "moodle").persons, "moodle", "Go", "100"))
    yield None, moodle["Name"], moodle["Email address"], None
    (vocareum,) = table(vocareum_files(people(found, "vocareum").persons)["list.csv"])
    yield vocareum["grade_file"].rpartition("/")[0], vocareum["Name"], vocareum["Email"], None
    (rank,) = table(standings_csv(standings((), [one.name for one in entrants], None).players, None, entrants))
    yield rank["name"], None, rank["email"], rank["section"]
    write_csv((), folder / "games.csv", Extras(), entrants)
    write_json((), folder / "games.json", Extras(), {}, entrants)
    ((name, fields),) = json.loads((folder / "games.json").read_text())["roster"].items()
    yield name, None, fields["email"], fields["section"]
    with opened(folder / "cup.db", *entrants) as store:
        pages = gather_students(store, [edition("student", entrants, {entrants[0].name: "Nick"}, entrants[0].name)], None, {})
        write_students(pages, entrants, folder / "mail")
    (mail,) = table((folder / "mail" / LIST).read_text("utf-8"))
    yield mail["name"], mail["students"], mail["email"], mail["section"]


@settings(max_examples=40)
@given(PLAIN, PLAIN, TEXTS)
def test_any_name_comes_out_as_it_was_written(tmp_path_factory, student, address, section):
    folder = tmp_path_factory.mktemp("names")
    entrants = handed_in(folder, ["ann", student, address, "1", "", section])
    for name, students, email, part in in_all_exports(folder, entrants):
        assert name in (None, "ann")
        assert students in (None, student)
        assert email in (None, address)
        assert part is None or from_cell(part) == section or part == section


NAMES = ["José Núñez", "王小明", "محمد علي", "Mary-Ann O'Neil", "наталья", "हिन्दी", "นิว", "Łucja, Żak", "a" * 60, "王" * 33]


def test_short_names_do_so_too(tmp_path):
    for number, name in enumerate(NAMES):
        folder = tmp_path / str(number)
        folder.mkdir()
        written = (name, "王" * 200, "josé@example.org", "Übung 3")
        entrants = handed_in(folder, [*written[:3], "1", "", written[3]])
        for found in in_all_exports(folder, entrants):
            assert all(one in (None, own) for one, own in zip(found, written, strict=True))
