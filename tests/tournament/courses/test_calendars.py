"""Who has an extension, and how many late days of the course everybody has left: without files and games."""

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from goban.common.moments import find_zone
from gojudge.errors import BadRosterError
from tests.support.steps import grows_alone
from tests.tournament.results.test_deadlines import DUE, deadline
from tournament.courses.calendars import (
    Extension,
    Participant,
    count_late_days,
    members,
    read_extensions,
    reasons,
    with_extensions,
    with_late_days,
)
from tournament.errors import BadCourseError
from tournament.results.deadlines import Late
from tournament.results.grading import refused_grade
from tournament.results.rubric_files import read_rubric

ANN = Participant("ann", ("Ann Lee",), {"id": "17", "email": "ann@example.org"})
KIM = Participant("kim", ("Kim Po",), {"id": "18", "email": "kim@example.org"})
TEAM = Participant("team", ("Ann Lee", "Kim Po"), {"sis user id": "17; 18", "email": "ann@example.org; kim@example.org"})
ALL = (ANN, KIM, Participant("bob", ("bob",), {}))


def due_of(everybody, *extensions):
    found = with_extensions(deadline(DUE), extensions, everybody, "class.csv")
    return {one.student: f"{one.due:%m-%d}" for one in found.own}


def extension(student, days):
    return Extension(student, "first", "course.toml: extension 1", days=days)


@pytest.mark.parametrize("student", ["ann", "ANN", "17", "Ann@Example.org"])
def test_a_person_is_named_by_submission_id_or_mail(student):
    assert due_of(ALL, extension(student, 2)) == {"ann": "10-03"}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("other", ["NFC", "NFD"])
def test_accents_may_be_written_in_either_way(form, other):
    """A Mac's files have them apart, other lists do not."""
    zoe = Participant(unicodedata.normalize(form, "zoë"), ("Zoë",), {"email": unicodedata.normalize(form, "zoë@example.org")})
    for student in ("Zoë", "zoë@example.org"):
        assert [*due_of([zoe, ANN], extension(unicodedata.normalize(other, student), 2))] == [zoe.name]
    assert members(zoe) == ("email zoë@example.org",)
    assert members(replace(zoe, fields={})) == ("name zoë",)


@pytest.mark.parametrize("student", ["17", "900", "alee", "ann-gh"])
def test_any_of_a_persons_ids_will_do(student):
    ids = {"ID": "17", "SIS User ID": "900", "SIS Login ID": "alee", "github_username": "ann-gh"}
    assert due_of([replace(ANN, fields=ids), KIM], extension(student, 2)) == {"ann": "10-03"}


def test_of_several_extensions_the_latest_counts_and_a_group_has_those_of_its_members():
    assert due_of(ALL, extension("ann", 3), extension("17", 2), extension("bob", 1)) == {"ann": "10-04", "bob": "10-02"}
    assert due_of([TEAM], extension("kim@example.org", 1), extension("17", 2)) == {"team": "10-03"}


def test_extensions_of_a_large_class_take_a_step_each():
    def work(size):
        everybody = [Participant(f"x{number}", (), {"id": str(number)}) for number in range(size)]
        return lambda: due_of(everybody, *[extension(str(number), 2) for number in range(size)])

    assert grows_alone(work, 30)


def test_a_name_goes_before_ids_and_what_means_two_people_is_refused():
    other = Participant("17", ("x",), {})
    assert due_of([*ALL, other], extension("17", 2)) == {"17": "10-03"}
    with pytest.raises(BadCourseError, match=r"^course.toml: extension 1: student: expected one person, not ann and x both, "):
        due_of([ANN, Participant("x", ("x",), {"id": "17"})], extension("17", 2))


def test_lines_of_a_file_are_read_as_strictly(tmp_path):
    path = tmp_path / "e.csv"

    def line_of(text):
        path.write_text(f"Student;Homework;Until;Days;Cut_off;Reason\n{text}\n")
        with pytest.raises(BadCourseError) as caught:
            read_extensions([], path, {"first": UTC})
        return str(caught.value)

    assert line_of("ann;first;tomorrow") == (
        "e.csv, line 2: until: expected a date and a time, as '2026-10-01 23:59:59' or '2026-10-01 23:59:59-07:00', got "
        "'tomorrow'"
    )
    assert line_of("ann;first;;two") == "e.csv, line 2: days: expected a whole number from 1 to 366, got 'two'"
    assert line_of(";first;;2") == "e.csv, line 2: student: expected a line of text, got nothing"
    assert line_of("ann;second;;2") == "e.csv, line 2: homework: expected one of first, got 'second'"
    path.write_text("student,homework,until\nann,first,2026-11-01 01:30\n")
    with pytest.raises(BadCourseError, match=r"expected an offset, as 2026-11-01 01:30:00-04:00, since clocks in America/New_"):
        read_extensions([], path, {"first": find_zone("America/New_York")})
    path.write_text("student,homework,until\nann,first,2026-11-01 01:30:00-05:00\n")
    assert read_extensions([], path, {"first": find_zone("America/New_York")})[0].until.fold == 1
    path.write_text("student,until\nann,2026-10-03 12:00\n")
    with pytest.raises(BadCourseError, match=r"^e.csv, line 1: expected columns student, homework, until, days, "):
        read_extensions([], path, {"first": UTC})
    path.write_text("homework,student,days,reason,until\nfirst,ann,2,ill,\nfirst,bob,,,2026-10-03 12:00-07:00\n")
    assert read_extensions([], path, {"first": UTC}) == (
        Extension("ann", "first", "e.csv, line 2", days=2, reason="ill"),
        Extension("bob", "first", "e.csv, line 3", datetime(2026, 10, 3, 19, tzinfo=UTC)),
    )


def test_a_reason_is_kept_by_the_name_of_who_has_it_and_of_nobody_else():
    given = [replace(extension("17", 2), reason="ill"), extension("kim", 2), replace(extension("nobody", 2), reason="away")]
    assert reasons(given, ALL) == {"ann": "ill"}


# Late days


def grade_of(each, free):
    grade = refused_grade(each.name, each.students, "", read_rubric("2019"), tuple(each.fields.items()))
    return replace(grade, late=Late(None, free=free))


def left_of(everybody, used, total=5):
    own = {one.student: one.left for one in with_late_days(deadline(DUE), total, everybody, used).own}
    return {each.name: own.get(each.name, total) for each in everybody}


def test_a_groups_late_days_are_each_members_and_it_has_as_many_as_who_has_least():
    """ann spends 2 alone, kim 3; then both 1 as a team; then there are 5 - 3 for ann and 5 - 4 for kim."""
    used = count_late_days([grade_of(ANN, 2), grade_of(KIM, 3)], {})
    assert left_of([TEAM], used) == {"team": 2}
    used = count_late_days([grade_of(TEAM, 1)], used)
    assert left_of([ANN, KIM], used) == {"ann": 2, "kim": 1}


def test_the_rosters_column_is_a_students_own_number_for_the_whole_course():
    generous = replace(ANN, fields={**ANN.fields, "late_days": "9"})
    used = count_late_days([grade_of(generous, 7)], {})
    assert left_of([generous, KIM], used) == {"ann": 2, "kim": 5}
    with pytest.raises(BadRosterError, match=r"^ann: late_days: expected a whole number from 0 to 1000, got 'x'$"):
        left_of([replace(ANN, fields={"late_days": "x"})], {})


@pytest.mark.parametrize(
    ("students", "fields", "found"),
    [
        (("Ann Lee",), {"email": "A@x.org", "id": "1"}, ("email a@x.org",)),
        (("Ann Lee",), {"id": "1"}, ("id 1",)),
        (("Ann Lee",), {}, ("name team",)),
        # One address for two people tells nobody who they are.
        (("Ann Lee", "Kim Po"), {"email": "a@x.org"}, ("student ann lee", "student kim po")),
        (("Ann Lee", "Kim Po"), {"email": "a@x.org", "idnumber": "1;2"}, ("id 1", "id 2")),
    ],
)
def test_people_are_known_by_mail_id_or_name(students, fields, found):
    assert members(Participant("Team", students, fields)) == found
