"""Grades as course systems read them. Who is who comes from the roster's own columns.

    canvas     a CSV file for the gradebook: Student, ID, SIS User ID, SIS Login ID, Section, and the assignment; the second
               line holds the points possible
    moodle     a CSV file for Grades > Import: Name, Email address, ID number, Username, the assignment, and its feedback
    moodle-worksheet   one for an assignment's *Upload grading worksheet*: Identifier, Full name, Grade, Feedback comments
    autolab, blackboard, brightspace, prairielearn, sakai   a CSV file each, see SYSTEMS
    vocareum   a folder: for each submission a grade file of lines `criterion,points`, as its $vocareumGradeFile has them, and
               a report; list.csv says whose they are

and of a single grade what GitHub Classroom shows (`github_summary`, `github_result`), and Gradescope's `results.json`
(`results`): score, tests[], leaderboard[], visibility. Its texts are marked as plain, so that nothing that a submission printed
is taken for HTML or Markdown.

Sources: Canvas, its own exports, and
https://teaching.resources.osu.edu/toolsets/carmencanvas/guides/calculating-final-grades/import-csv-file-carmen-grades;
Moodle, https://docs.moodle.org/en/Grade_import; Autolab, its `assessment/grading.rb`; PrairieLearn, its `score-upload.ts`;
Sakai, its `ImportGradesHelper.java`; Blackboard, its help on working offline; Brightspace,
https://community.d2l.com/brightspace/kb/articles/3538-importing-grades; Vocareum,
https://help.vocareum.com/en/articles/14120536-using-custom-grading-scripts-in-vocareum-labs; Gradescope,
https://gradescope-autograders.readthedocs.io/en/latest/specs/ ("Output format").

No name or text becomes a formula, see `tournament.results.exports.cell`. An identifier that this would change is of no use
any more: whoever has one is left out, and named.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from goban.common.excerpts import printable
from gojudge.errors import BadRosterError
from gojudge.intake.rosters import NOT_TOLD_APART
from gojudge.intake.system_rosters import columns_of
from tournament.results.exports import cell, csv_line, plain_names
from tournament.results.grading import Grade, Part, late_lines
from tournament.results.rubrics import show_chance, show_points

LIST = "list.csv"
_OTHER = re.compile(r"[^a-z]+")
_BEFORE_QUOTE = re.compile(r'\\(?="|$)')
_NO_FAULTS: Mapping[str, str] = {}


@dataclass(frozen=True)
class Shape:
    """What a system wants to know of a student, and its file.

    identifiers: its columns that say who somebody is, one of which will do; needed: those that must be there besides. Each
    comes with the names that it may have in a roster, in small letters without anything else.
    columns: of the file: heading -> an identifier, 'name', 'points', 'feedback', or what stands in every line. headed: whether
    the headings are written. second: what stands below them, of columns that have it. sparse: whether an identifier that nobody
    has is left out. html: whether feedback is shown as HTML. mapped: whether people choose one identifier, which then everybody
    must have. small: whether the system knows identifiers in small letters alone.
    """

    identifiers: Mapping[str, Sequence[str]]
    needed: Mapping[str, Sequence[str]]
    columns: Mapping[str, str]
    headed: bool = True
    second: Mapping[str, str] = field(default_factory=dict)
    sparse: bool = False
    html: bool = False
    mapped: bool = False
    small: bool = False


SYSTEMS = {
    "canvas": Shape(
        {
            "ID": columns_of("id", "canvas id"), "SIS User ID": columns_of("sis user id"),
            "SIS Login ID": columns_of("sis login id"),
        },
        {"Section": ("section",)},
        {
            "Student": "name", "ID": "ID", "SIS User ID": "SIS User ID", "SIS Login ID": "SIS Login ID", "Section": "Section",
            "{assignment}": "points",
        },
        second={"Student": "    Points Possible", "{assignment}": "{full}"},
    ),
    "moodle": Shape(
        {
            "Email address": ("emailaddress", *columns_of("email")), "ID number": columns_of("id number", "id"),
            "Username": columns_of("username"),
        },
        {},
        {
            "Name": "name", "Email address": "Email address", "ID number": "ID number", "Username": "Username",
            "{assignment}": "points", "{assignment} (Feedback)": "feedback",
        },
        html=True, mapped=True,
    ),
    "moodle-worksheet": Shape(
        {"Identifier": ("participant", "identifier")}, {},
        {
            "Identifier": "participant", "Full name": "name", "Grade": "points", "Last modified (grade)": "",
            "Feedback comments": "feedback",
        },
        html=True,
    ),
    "autolab": Shape({"Email": columns_of("email")}, {}, {"Email": "Email", "Score": "points"}, headed=False, small=True),
    "blackboard": Shape({"Username": columns_of("username")}, {}, {"Username": "Username", "{assignment}": "points"}),
    "brightspace": Shape(
        {"OrgDefinedId": ("orgdefinedid", *columns_of("sid", "id number")), "Username": columns_of("username")},
        {},
        {
            "OrgDefinedId": "OrgDefinedId", "Username": "Username", "{assignment} Points Grade": "points",
            "End-of-Line Indicator": "#",
        },
        sparse=True,
    ),
    "prairielearn": Shape(
        {"uid": ("uid", *columns_of("email"))}, {}, {"uid": "uid", "instance": "1", "points": "points"},
    ),
    "sakai": Shape(
        {"Student ID": columns_of("username")}, {},
        {"Student ID": "Student ID", "Name": "name", "{assignment} [{full}]": "points"},
    ),
    "vocareum": Shape({"Email": columns_of("email")}, {}, {}),
}  # fmt: skip


@dataclass(frozen=True)
class Person:
    """One student with their grade. cells: the system's columns, all of them, '' where the roster says nothing."""

    student: str
    cells: Mapping[str, str]
    grade: Grade


@dataclass(frozen=True)
class People:
    """Everybody who can be told apart, and for all others one line that says why they are left out."""

    persons: tuple[Person, ...]
    left_out: tuple[str, ...]


def people(grades: Sequence[Grade], system: str) -> People:
    """Return the students of these grades with the identifiers of one of SYSTEMS.

    A submission of several students has their identifiers with `;` between them, and becomes as many people. Raises
    BadRosterError if the roster has not the columns that are needed, or gives two people the same identifier.
    """
    shape = SYSTEMS[system]
    columns = dict.fromkeys(column for grade in grades for column, _ in grade.fields)
    places = {name: _place(columns, known) for name, known in {**shape.identifiers, **shape.needed}.items()}
    if not any(places[name] for name in shape.identifiers) or not all(places[name] for name in shape.needed):
        wanted = " and ".join([" or ".join(shape.identifiers), *shape.needed])
        got = printable(", ".join(columns), 200) or "no columns but names"
        raise BadRosterError(f"{system}: expected a roster with the columns {wanted}, got {got}")
    persons: list[Person] = []
    left_out: list[str] = []
    for grade in grades:
        of_one = _people(grade, places, tuple(shape.identifiers))
        why_not = "; ".join(filter(None, (_why_not(person, tuple(shape.identifiers)) for person in of_one)))
        if why_not:
            left_out.append(f"{grade.person}: left out: {why_not}")
        else:
            persons += of_one
    _check_apart(persons, tuple(shape.identifiers), system)
    left_out += dict.fromkeys(f"{one.grade.person}: left out: not played yet" for one in persons if not one.grade.played)
    return People(tuple(one for one in persons if one.grade.played), tuple(left_out))


def _place(columns: Iterable[str], known: Sequence[str]) -> str:
    """Return the roster's column that has one of these names, '' if none has."""
    names = {_OTHER.sub("", column.lower()): column for column in columns}
    return next((names[name] for name in known if name in names), "")


def _people(grade: Grade, places: Mapping[str, str], identifiers: Sequence[str]) -> list[Person]:
    said = dict(grade.fields)
    parts = {name: [part.strip() for part in said.get(place, "").split(";")] for name, place in places.items()}
    number = max(len(parts[name]) for name in identifiers)
    students = grade.students if len(grade.students) == number else ("; ".join(grade.students),) * number
    return [
        Person(students[i], {name: of[i if len(of) == number else 0] for name, of in parts.items()}, grade)
        for i in range(number)
    ]


def _why_not(person: Person, identifiers: Sequence[str]) -> str:
    if person.grade.refused == NOT_TOLD_APART:
        return NOT_TOLD_APART
    if not any(person.cells[name] for name in identifiers):
        return f"the roster has no {' or '.join(identifiers)} for {person.student or person.grade.person}"
    changed = [text for name in identifiers if cell(text := person.cells[name]) != text]
    return f"a spreadsheet would take {changed[0]!r} for a formula" if changed else ""


def _check_apart(persons: Iterable[Person], identifiers: Sequence[str], system: str) -> None:
    taken: dict[tuple[str, str], str] = {}
    for person in persons:
        for name in identifiers:
            text = person.cells[name]
            other = taken.setdefault((name, text.casefold()), person.grade.person)
            if text and other != person.grade.person:
                both = f"{other} and {person.grade.person} have {text!r}"
                raise BadRosterError(f"{system}: expected a {name} of its own for each student, but {both}")


def points_csv(persons: Sequence[Person], system: str, assignment: str, full: str) -> str:
    """Return the file of one of SYSTEMS. assignment: what it is called there; full: the points possible."""
    shape = SYSTEMS[system]
    unused = {name for name in shape.identifiers if shape.sparse and not any(one.cells[name] for one in persons)}
    columns = {heading: what for heading, what in shape.columns.items() if what not in unused}
    above = [[*columns]] if shape.headed else []
    above += [[shape.second.get(heading, "") for heading in columns]] if shape.second else []
    rows: list[list[object]] = [[text.format(assignment=assignment, full=full) for text in row] for row in above]
    for one in persons:
        feedback = _in_a_line(one.grade)
        known = {
            **{name: text.lower() if shape.small else text for name, text in one.cells.items()},
            "participant": f"Participant {one.cells.get('Identifier')}", "name": one.student,
            "points": one.grade.points, "feedback": html.escape(feedback, quote=False) if shape.html else feedback,
        }  # fmt: skip
        rows.append([known.get(what, what) for what in columns.values()])
    return "".join(csv_line(map(_ending_where_it_ends, row)) for row in rows)


def _ending_where_it_ends(value: object) -> object:
    """Return a cell with a blank behind a backslash where a quotation mark follows: PHP, in which Moodle is written, and some
    programs in Java take both for a sign within the cell, and read the next line as part of it."""
    return _BEFORE_QUOTE.sub(r"\\ ", value) if isinstance(value, str) else value


def whole_columns(persons: Sequence[Person], system: str) -> list[str] | None:
    """Return the identifiers that all of these have, where the system asks which one to go by; None where it does not."""
    shape = SYSTEMS[system]
    return [name for name in shape.identifiers if all(one.cells[name] for one in persons)] if shape.mapped else None


def _in_a_line(grade: Grade) -> str:
    """Return what the points are for, or why there are none."""
    if grade.refused:
        return f"not played: {grade.refused}"
    parts = ", ".join(f"{part.opponent} {show_points(part.points)} of {show_points(part.full)}" for part in grade.parts)
    return "; ".join([parts, *late_lines(grade)])


def vocareum_files(persons: Iterable[Person]) -> dict[str, str]:
    """Return path -> contents: a folder for each submission with `grade.csv` and `report.txt`, and the list of whose they are.

    The criteria have the names of the rubric's opponents, and `late`.
    """
    persons, files = list(persons), dict[str, str]()
    folders = plain_names(one.grade.person for one in persons)
    lines = [csv_line(["Email", "Name", "grade_file", "report_file"])]
    for one in persons:
        grade = one.grade
        folder = folders[grade.person]
        paths = (f"{folder}/grade.csv", f"{folder}/report.txt")
        files[paths[0]], files[paths[1]] = vocareum_grade(grade), vocareum_report(grade)
        lines.append(csv_line([one.cells["Email"], one.student, *paths]))
    return {**files, LIST: "".join(lines)}


def vocareum_grade(grade: Grade) -> str:
    """Return a grade file: lines that the system adds up, the penalty of a late submission among them, if it has one."""
    lines: list[list[object]] = [[part.opponent, part.points] for part in grade.parts]
    penalty = grade.late.penalty if grade.late is not None else Fraction()
    # A number, for a text with this sign would be taken for a formula.
    lines += [["late", -Decimal(show_points(penalty))]] if penalty else []
    return "".join(map(csv_line, lines))


def vocareum_report(grade: Grade, faults: Mapping[str, str] = _NO_FAULTS) -> str:
    """Return what a student reads of a grade. faults: see `tournament.results.course_systems.results`."""
    if grade.refused:
        return f"{_in_a_line(grade)}\n"
    return "".join(f"against {name}: {points}\n{text}\n\n" for name, points, text in _parts(grade, faults)) + "".join(
        f"{line}\n" for line in late_lines(grade)
    )


def _parts(grade: Grade, faults: Mapping[str, str]) -> Iterable[tuple[str, str, str]]:
    """Yield of each opponent its name, points in words, and what else there is to say; no points while games are missing."""
    for part in grade.parts:
        points = f"{show_points(part.points)} of {show_points(part.full)} points" if grade.complete else "no points yet"
        fault = f"\nthe first of them: {faults[part.opponent]}" if part.opponent in faults else ""
        yield part.opponent, points, part_text(part) + fault


# In a repository of GitHub Classroom


def github_summary(grade: Grade, note: str = "", faults: Mapping[str, str] = _NO_FAULTS) -> str:
    """Return the summary of a workflow's job, in GitHub's Markdown. note: more lines. faults: see `vocareum_report`."""
    if grade.refused:
        return f"## This submission could not be played\n\n{_as_is(grade.refused)}{_as_is(note)}"
    points = f"{show_points(grade.points)} of {show_points(grade.full)} points"
    total = points if grade.complete else "Not all games were played: no points"
    lines = [f"## {total}", ""]
    for name, worth, text in _parts(grade, faults):
        lines += [f"### {name}: {worth}", "", _as_is(text)]
    return "\n".join([*lines, _as_is("\n".join([*late_lines(grade), note]).strip())])


def _as_is(text: str) -> str:
    """Return a text in a fence of its own, so that nothing in it is Markdown; '' for none."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}text\n{text.strip()}\n{fence}\n" if text.strip() else ""


def github_result(grade: Grade) -> str:
    """Return what a step of the workflow gives the reporter of GitHub Classroom: base64 of JSON, without points while games are
    missing."""
    tests = [
        {
            "name": f"against {part.opponent}",
            "status": "pass" if part.points == part.full else "fail",
            "score": float(show_points(part.points)),
            "message": grade.refused or part_text(part),
            "line_no": 0,
        }
        for part in grade.parts
    ]
    status = "error" if not grade.complete else "pass" if all(one["status"] == "pass" for one in tests) else "fail"
    full = float(show_points(grade.full)) if grade.complete else 0
    result = {"version": 1, "status": status, "max_score": full, "tests": tests if grade.complete else []}
    return base64.b64encode(json.dumps(result).encode()).decode()


VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")
DECIMALS = 2
OPEN_SHARE = 0.05
"""From this probability of another band on it is told."""
OPEN = "Open: how likely as many other games would give another band. The fewer games, the more is open, for everybody."
# Where a result that is shown again keeps its own text.
_OUTPUT = "graded_output"


def results(grade: Grade, visibility: str = "visible", faults: Mapping[str, str] = _NO_FAULTS) -> dict[str, Any]:
    """Return the contents of `results.json`; `visibility` is one of VISIBILITIES.

    faults: opponent -> what is said of the first game that was forfeited against it, where that is to be told.
    While games are missing there is no score, on top or in a test, of which Gradescope would make a sum. The leaderboard shows
    the points, the win rate over all games, and the mean time per move (less is better), of who has played all games. What a
    roster says besides is the extra data, which students do not see.
    """
    said: dict[str, Any] = {
        "output": _summary(grade),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "tests": [_test(part, number, grade, faults.get(part.opponent, "")) for number, part in enumerate(grade.parts, 1)],
    }
    if grade.complete:
        said = {"score": _number(grade), **said}
        said |= {"leaderboard": _leaderboard(grade)} if not grade.refused else {}
    return said | ({"extra_data": dict(grade.fields)} if grade.fields else {})


def tell_unfinished(reason: str) -> dict[str, Any]:
    """Return the contents of `results.json` for a submission about which nothing is known, through no fault of its own.

    It has no score. The specification then wants tests, which may be without one, too.
    """
    output = f"This submission was not graded, which says nothing about it: {reason}. Please tell the course's staff."
    tests = [{"name": "not graded", "output": reason}]
    return {"output": output, "output_format": "text", "stdout_visibility": "hidden", "tests": tests}


def not_another(before: int, most: int, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the contents of `results.json` for a submission over the limit: the result of the submission before,
    with a line on top.

    before: how many were graded; most: the limit; result: of the submission before. This is how Gradescope's documents limit
    submissions.
    """
    said = f"Not graded: {before} submissions were graded before, and the limit is {most}."
    if not result:
        return {**tell_unfinished(said.rstrip(".")), "output": said}
    extra = result["extra_data"] if isinstance(result.get("extra_data"), dict) else {}
    graded = str(extra.get(_OUTPUT, result.get("output", "")))
    output = f"{said} What follows is the result of the last one that was.\n\n{graded}"
    return {**result, "output": output, "extra_data": {**extra, _OUTPUT: graded}}


def _number(points: Grade | Part) -> float:
    return float(show_points(points.points, DECIMALS))


def _leaderboard(grade: Grade) -> list[dict[str, Any]]:
    """Return the columns. Who has forfeited every game is not compared by time: it would lead by answering nothing."""
    whole = grade.whole.total
    rate = round(100 * whole.wins / whole.games, 1) if whole.games else 0.0
    columns: list[dict[str, Any]] = [{"name": "points", "value": _number(grade)}, {"name": "games won (%)", "value": rate}]
    if grade.whole.forfeited < whole.games:
        columns.append({"name": "seconds per move", "value": round(grade.whole.mean, 3), "order": "asc"})
    return columns


def _test(part: Part, number: int, grade: Grade, fault: str) -> dict[str, Any]:
    told = part_text(part) + (f"\nthe first of them: {fault}" if fault else "")
    said: dict[str, Any] = {"name": f"against {part.opponent}", "number": str(number)}
    if grade.complete:
        full = float(show_points(part.full, DECIMALS))
        status = "passed" if part.points == part.full else "failed"
        said |= {"score": _number(part), "max_score": full, "status": status}
    return {**said, "output": told if not grade.refused else "not played"}


def part_text(part: Part) -> str:
    """Return one paragraph about the games against one reference player."""
    score = part.tally.total
    if not score.games:
        return "no game yet"
    lines = [
        f"{score.games} of {part.expected} games, {score.wins} won ({100 * float(part.rate):.1f} %, 95 % interval "
        f"{100 * part.low:.1f} to {100 * part.high:.1f} %)",
        *(["close to a threshold"] if part.uncertain else []),
        f"as Black {part.tally.black.text()}, as White {part.tally.white.text()} (won-lost-tied)",
        f"{part.tally.mean:.3f} s per move, longest {part.tally.worst:.3f} s",
    ]
    lines += [f"forfeited {number} x {reason.value}" for reason, number in sorted(part.tally.forfeits.items())]
    return "\n".join(lines)


def few_games(grade: Grade) -> str:
    """Return what the probability of another band says of a grade, and what it does not."""
    chance = show_chance(grade.other)
    return f"So few games leave room for luck: as many others would give another band with a chance of {chance}."


def _summary(grade: Grade) -> str:
    if grade.refused:
        return f"This submission could not be played: {grade.refused}"
    if grade.complete:
        lines = [f"{show_points(grade.points, DECIMALS)} of {show_points(grade.full, DECIMALS)} points", *late_lines(grade)]
        # Where nothing but faults was seen, luck is not what is missing.
        by_luck = grade.other >= OPEN_SHARE and grade.whole.forfeited < grade.whole.total.games
        lines += [few_games(grade)] if by_luck else []
    else:
        expected = sum(part.expected for part in grade.parts)
        lines = [f"{grade.whole.total.games} of {expected} games were played. Until all are, there are no points."]
    if grade.over_budget:
        lines.append(f"All games took {grade.whole.seconds:.0f} s, which is more than the rubric allows.")
    return "\n".join(lines)
