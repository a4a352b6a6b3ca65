"""Grades as Canvas, Moodle and Vocareum read them: their columns, taken from the roster's."""

import csv
import io

import pytest

from gojudge.errors import BadRosterError
from gojudge.intake.rosters import NOT_TOLD_APART
from gojudge.records import Entrant
from tests.support.game_rows import wins
from tournament.results.course_systems import SYSTEMS, people, points_csv, vocareum_files, whole_columns
from tournament.results.grading import grades, refused_grade
from tournament.results.rubric_files import read_rubric

RUBRIC = read_rubric("2019")
WON = {"random": 95, "greedy": 85, "aggressive": 80, "smart": 65}
ROWS = [game for opponent, won in WON.items() for game in wins("ann", opponent, won, 100)]
ROSTER = (("id", "4711"), ("sis_login_id", "alee"), ("e-mail", "ann@example.org"), ("section", "A"))


def graded(*fields, name="ann", students=("Lee, Ann",)):
    return grades(ROWS, RUBRIC, [Entrant(name, students, fields=fields)])[0]


def refused(name, *fields):
    return refused_grade(name, (name,), "rosa.zip: not a zip file", RUBRIC, fields)


def table(text):
    return list(csv.reader(io.StringIO(text)))


def test_canvas_has_its_columns_and_the_points_possible_in_the_second_line():
    found = people([graded(*ROSTER)], "canvas").persons
    assert table(points_csv(found, "canvas", "Little Go (99)", "100")) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Little Go (99)"],
        ["    Points Possible", "", "", "", "", "100"],
        ["Lee, Ann", "4711", "", "alee", "A", "65.5"],
    ]


def test_moodle_has_who_they_are_the_points_and_what_for():
    found = people([graded(*ROSTER), refused("rosa", ("e-mail", "r@example.org"))], "moodle").persons
    assert table(points_csv(found, "moodle", "Little Go", "100")) == [
        ["Name", "Email address", "ID number", "Username", "Little Go", "Little Go (Feedback)"],
        ["Lee, Ann", "ann@example.org", "4711", "", "65.5",
         "random 30 of 30, greedy 17 of 30, aggressive 12 of 20, smart 6.5 of 20"],
        ["rosa", "r@example.org", "", "", "0", "not played: rosa.zip: not a zip file"],
    ]  # fmt: skip


def test_moodles_worksheet_says_who_somebody_is_by_a_number_alone():
    found = people([graded(("participant", "123"), students=("Participant 123",))], "moodle-worksheet").persons
    head, line = table(points_csv(found, "moodle-worksheet", "Little Go", "100"))
    assert head == ["Identifier", "Full name", "Grade", "Last modified (grade)", "Feedback comments"]
    assert line[:4] == ["Participant 123", "Participant 123", "65.5", ""]


def test_moodle_s_own_reader_keeps_lines_apart_and_shows_what_was_written():
    """For PHP `\\"` does not end a cell, and `<module>` is no text in HTML."""
    names = ('Ann \\"', "Ba\\ck, Slash\\")
    reason = "got '<module>' & \\"
    found = people([refused_grade("a", (name,), reason, RUBRIC, (("email", "a@x.org"),)) for name in names], "moodle")
    text = points_csv(found.persons, "moodle", "Go\\", "100")
    assert '\\"' not in text.replace("\\ ", "")
    assert [line[5] for line in table(text)[1:]] == ["not played: got '&lt;module&gt;' &amp; \\ "] * 2


def test_a_column_to_map_from_is_one_that_everybody_has():
    """Moodle refuses the whole file otherwise."""
    some = [refused("ann", ("email", "a@x.org"), ("id", "1")), refused("bob", ("email", "b@x.org"), ("id", ""))]
    assert whole_columns(people(some, "moodle").persons, "moodle") == ["Email address"]
    assert whole_columns(people(some[1:], "prairielearn").persons, "prairielearn") is None


def test_autolab_knows_e_mails_in_small_letters():
    """It refuses the whole file for one that it does not know."""
    found = people([graded(("email", "Ann.Lee@Example.ORG"))], "autolab").persons
    assert table(points_csv(found, "autolab", "Go", "100")) == [["ann.lee@example.org", "65.5"]]


def test_who_may_have_handed_in_gets_no_points_for_nothing():
    grade = refused_grade("kim", ("Kim Po",), NOT_TOLD_APART, RUBRIC, (("email", "k@x.org"),))
    found = people([grade], "moodle")
    assert (found.persons, found.left_out) == ((), (f"kim: left out: {NOT_TOLD_APART}",))


@pytest.mark.parametrize(
    ("system", "lines"),
    [
        ("autolab", [["ann@example.org", "65.5"]]),
        ("blackboard", [["Username", "Go {1}"], ["alee", "65.5"]]),
        ("brightspace", [["Username", "Go {1} Points Grade", "End-of-Line Indicator"], ["alee", "65.5", "#"]]),
        ("prairielearn", [["uid", "instance", "points"], ["ann@example.org", "1", "65.5"]]),
        ("sakai", [["Student ID", "Name", "Go {1} [100]"], ["alee", "Lee, Ann", "65.5"]]),
    ],
)
def test_the_other_systems_have_their_columns(system, lines):
    found = people([graded(*ROSTER, ("username", "alee"))], system).persons
    assert table(points_csv(found, system, "Go {1}", "100")) == lines


def test_vocareum_has_a_grade_file_per_submission_and_a_list_of_whose_it_is():
    files = vocareum_files(people([graded(*ROSTER)], "vocareum").persons)
    assert files["ann/grade.csv"] == "random,30\ngreedy,17\naggressive,12\nsmart,6.5\n"
    assert "against greedy: 17 of 30 points\n100 of 100 games, 85 won" in files["ann/report.txt"]
    assert table(files["list.csv"])[1] == ["ann@example.org", "Lee, Ann", "ann/grade.csv", "ann/report.txt"]


def test_vocareum_s_list_says_where_the_files_are_whatever_submissions_are_called():
    """A cell that would be a formula has another sign before it, and the folder of that name would not be found."""
    names = ["-kim", "_-kim", "a;=1", "ann", "+"]
    found = people([refused(name, ("email", f"{number}@x.org")) for number, name in enumerate(names)], "vocareum")
    files = vocareum_files(found.persons)
    listed = [line[2] for line in table(files["list.csv"])[1:]]
    assert listed == ["__-kim/grade.csv", "_-kim/grade.csv", "a;_=1/grade.csv", "ann/grade.csv", "_+/grade.csv"]
    assert all(path in files for path in listed)


@pytest.mark.parametrize(
    ("system", "columns", "line"),
    [
        ("canvas", ["email"], "canvas: expected a roster with the columns ID or SIS User ID or SIS Login ID and Section"),
        ("canvas", ["id"], "or SIS User ID or SIS Login ID and Section, got id"),
        ("canvas", ["section"], "SIS Login ID and Section, got section"),
        ("moodle", ["team"], "moodle: expected a roster with the columns Email address or ID number or Username, got team"),
        ("vocareum", ["id"], "vocareum: expected a roster with the columns Email, got id"),
        ("vocareum", [], "got no columns but names"),
    ],
)
def test_missing_columns_are_named(system, columns, line):
    with pytest.raises(BadRosterError) as caught:
        people([graded(*((column, "x") for column in columns))], system)
    assert line in str(caught.value)


@pytest.mark.parametrize("column", ["SIS User ID", "sis_user_id", "sis user-id", "SISUserID"])
def test_a_column_may_be_written_as_people_write_it(column):
    (person,) = people([graded((column, "u1"), ("section", "A"))], "canvas").persons
    assert person.cells["SIS User ID"] == "u1"


def test_who_has_no_identifier_is_left_out_and_named():
    found = people([graded(*ROSTER), refused("eve")], "canvas")
    assert [person.student for person in found.persons] == ["Lee, Ann"]
    assert found.left_out == ("eve: left out: the roster has no ID or SIS User ID or SIS Login ID for eve",)


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_has_not_played_has_no_points_there_and_is_named(system):
    fields = (("e-mail", "f@example.org"), ("id", "9"), ("section", "A"), ("username", "fay"), ("participant", "2"))
    (unplayed,) = grades([], RUBRIC, [Entrant("fay", fields=fields)])
    found = people([graded(*ROSTER, ("username", "alee"), ("participant", "1")), unplayed], system)
    assert [person.grade.name for person in found.persons] == ["ann"]
    assert found.left_out == ("fay: left out: not played yet",)


@pytest.mark.parametrize("text", ["=1+1", "+7", "-7", "@x"])
def test_no_cell_becomes_a_formula(text):
    """An identifier would be spoilt by the sign that prevents it; a name or a section is not looked up."""
    found = people([graded(("id", text), ("section", "A"))], "canvas")
    assert found.left_out == (f"ann: left out: a spreadsheet would take {text!r} for a formula",)
    shown = points_csv(people([graded(("id", "7"), ("section", text))], "canvas").persons, "canvas", text, "100")
    assert not [cell for line in table(shown) for cell in line if cell.startswith(("=", "+", "-", "@"))]


def test_a_team_has_a_line_for_each_of_its_students():
    team = graded(("email", "a@example.org; k@example.org"), students=("Ann", "Kim"))
    lines = table(points_csv(people([team], "moodle").persons, "moodle", "Go", "100"))
    assert [[*line[:2], line[4]] for line in lines[1:]] == [["Ann", "a@example.org", "65.5"], ["Kim", "k@example.org", "65.5"]]


def test_nobody_gets_the_points_of_another():
    two = [graded(("email", "a@example.org")), graded(("email", "A@example.org"), name="bob")]
    with pytest.raises(BadRosterError, match=r"a Email address of its own|ann and bob have 'A@example\.org'"):
        people(two, "moodle")


def test_every_system_says_who_somebody_is():
    assert all(shape.identifiers for shape in SYSTEMS.values())
