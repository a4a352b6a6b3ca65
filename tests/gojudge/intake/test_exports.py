"""What course systems hand out of a class: whose it is, when it came, and that what is wrong costs only its owner."""

import zipfile
from pathlib import Path
from unicodedata import is_normalized, normalize

import pytest

from gojudge.errors import BadRosterError
from gojudge.intake import archives, submissions
from gojudge.intake.copies import Submission
from gojudge.intake.exports import LOGIN, export_in
from gojudge.intake.owners import match_lines
from gojudge.intake.rosters import RosterLine
from tests.support import exports
from tests.support.exports import BROKEN, CLASS, ROSTERS, SYSTEMS, contents, own_roster, taken, write, zipped
from tests.support.missing import no_program
from tests.support.sources import FIRST_LEGAL
from tests.support.steps import grows_alone, steps

NO_GIT = no_program("git")
OF_ALL = [pytest.param(name, marks=pytest.mark.skipif(name == "github" and bool(NO_GIT), reason=NO_GIT)) for name in SYSTEMS]
NAMES = {
    "gradescope": ["Ann_Lee_s102", "Ann_Lee_s103", "Cai_Zed", "Eva_Muller", "Jose_Nunez", "王小明"],
    "canvas": ["leeann_102", "leeann_103", "mullereva", "nunezjose", "zedcai", "王小明"],
    "moodle": ["Ann_Lee_102", "Ann_Lee_103", "Cai_Zed", "Eva_Muller", "Jose_Nunez", "王小明"],
    "blackboard": ["Ann_Lee_ann", "Ann_Lee_ann2", "Cai_Zed", "Eva_Muller", "Jose_Nunez", "王小明"],
    "github": ["ann", "ann2", "cai", "eva", "jose", "wang"],
}
TOLD = {
    "gradescope": "is an export of Gradescope's: 8 submissions, 8 with their time",
    "canvas": "is an export of Canvas's: 8 submissions, 2 marked late",
    "moodle": "is an export of Moodle's: 8 submissions",
    "blackboard": "is an export of Blackboard's: 8 submissions, 8 with their time",
    "github": "is an export of GitHub Classroom's: 8 submissions, 8 with their time",
}


@pytest.fixture(scope="module")
def of_all(tmp_path_factory):
    """System -> the folder that it hands out, and a zip of that; and one as Windows programs and Macs write it."""
    made = {}
    for name, make in SYSTEMS.items():
        if name != "github" or not NO_GIT:
            folder = tmp_path_factory.mktemp("exports") / "hw2"
            make(folder)
            odd = zipped(folder, folder.with_name("odd.zip"), lambda path: normalize("NFD", path).replace("/", "\\"))
            made[name] = (folder, zipped(folder, folder.with_name("hw2.zip")), odd)
    return made


def said(intake):
    """Name -> what is known of them, of all."""
    return {one.name: dict(one.fields) for one in (*intake.entrants, *intake.refused)}


@pytest.mark.parametrize("form", [0, 1, 2], ids=["folder", "zip", "odd zip"])
@pytest.mark.parametrize("system", OF_ALL)
def test_everybody_is_found_without_a_roster(system, form, of_all, tmp_path):
    source = of_all[system][form]
    intake = taken(source, tmp_path / "into")
    assert [one.name for one in intake.entrants] == NAMES[system]
    assert all(is_normalized("NFC", student) for one in intake.entrants for student in one.students)
    assert len(intake.refused) == 2
    # Which system it is, is told in one line; what is no submission is left aside; what systems leave behind is nothing.
    assert [line.partition("' ")[2] for line in intake.folders] == [TOLD[system]]
    assert [path.name for path in intake.aside] == ["read me.txt"]
    assert "go-seat" not in str(intake.aside)
    reasons = {one.name: one.reason for one in intake.refused}
    assert any("SyntaxError" in reason for reason in reasons.values())
    for one in intake.entrants:
        assert {path.name for path in one.folder.iterdir()} <= {"my_player.py", "helper.py", "notes.md", "README.md"}


@pytest.mark.parametrize("system", OF_ALL)
def test_what_a_system_says_of_somebody_is_kept(system, of_all, tmp_path):
    found = said(taken(of_all[system][0], tmp_path / "into"))
    ann = next(fields for name, fields in found.items() if "102" in name or name in ("ann", "Ann_Lee_ann"))
    assert ann == {
        "gradescope": {
            "email": "ann@example.org", "sid": "s102", "submitted": "2026-10-02 12:00:00+00:00", "attempt": "3 of 3",
        },
        "canvas": {"canvas_id": "102", "marked_late": "yes", "attempt": "3 of 3"},
        "moodle": {"participant": "102"},
        "blackboard": {"username": "ann", "submitted": "2026-10-02 12:00:00", "attempt": "3 of 3"},
        "github": {"github_username": "ann", "submitted": "2026-10-02 12:00:00+00:00"},
    }[system]  # fmt: skip


@pytest.mark.parametrize("system", OF_ALL)
def test_a_roster_of_ones_own_wins(system, of_all, tmp_path):
    roster = tmp_path / "class.csv"
    head, *lines = own_roster().splitlines()
    times = {"ann": "2026-09-30 08:00"}
    roster.write_text("\n".join([f"{head},submitted", *(f"{line},{times.get(line.split(',')[0], '')}" for line in lines)]))
    intake = taken(of_all[system][1], tmp_path / "into", roster, only_listed=True)
    assert [one.name for one in intake.entrants] == ["ann", "ann2", "cai", "eva", "jose", "wang"]
    assert [one.name for one in intake.refused] == ["bob", "nia"]
    assert intake.unlisted == ()
    found = said(intake)
    assert found["ann"]["submitted"] == "2026-09-30 08:00"
    assert found["jose"].get("submitted", "").removesuffix("+00:00") in ("", "2026-10-01 20:00:00")
    assert {one.name: one.students for one in intake.entrants}["wang"] == ("王小明",)


@pytest.mark.parametrize("system", OF_ALL)
def test_a_systems_own_list_of_the_class_is_a_roster(system, of_all, tmp_path):
    roster = tmp_path / "class.csv"
    roster.write_text(ROSTERS[system]())
    intake = taken(of_all[system][0], tmp_path / "into", roster)
    students = {student for one in (*intake.entrants, *intake.refused) for student in one.students}
    assert students == {one.name for one in CLASS}
    jose = said(intake)["Jose_Nunez"]
    assert jose.items() >= {
        "gradescope": {"sid": "s101", "email": "jose@example.org"},
        "canvas": {"id": "101", "sis user id": "s101", "sis login id": "jose", "section": "CS 561-01"},
        "moodle": {"email": "jose@example.org", "groups": "Übung 3"},
        "blackboard": {"username": "jose", "sid": "s101"},
        "github": {"identifier": "s101", "github_username": "jose"},
    }[system].items()
    # Of two of one name, which only their name joins, nobody is taken for the other.
    alike = [one.reason for one in intake.refused if "several handed in under this name" in one.reason]
    assert len(alike) == (2 if system == "moodle" else 0)
    assert intake.unlisted == (("Ann_Lee_102", "Ann_Lee_103") if system == "moodle" else ())


def test_moodles_grading_worksheet_tells_those_of_one_name_apart_and_says_when_they_came(of_all, tmp_path):
    roster = tmp_path / "Grades-hw2.csv"
    head = "Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,Last modified (submission)"
    time = '"Thursday, 1 October 2026, 11:58 PM"'
    lines = [f"Participant {one.number},{one.name},{one.sid},{one.email},Submitted,,100.00,{time}" for one in CLASS]
    roster.write_text("\ufeff" + "\n".join([head, *lines]))
    intake = taken(of_all["moodle"][0], tmp_path / "into", roster, only_listed=True)
    assert intake.unlisted == ()
    assert said(intake)["Ann_Lee_102"].items() >= {"email": "ann@example.org", "submitted": "2026-10-01 23:58:00"}.items()


# As the systems' own code writes them: the first is an older attempt, which does not play; and what is known of whose they are.
MORE = {
    "Autolab": (
        ["1_kim@x.org_my_player.py", "12_kim@x.org_my_player.py", "2_o'neil_j+1@cs.x.org_my_player.py"],
        {"kim@x.org": {"email": "kim@x.org", "attempt": "12 of 12"},
         "o'neil_j+1@cs.x.org": {"email": "o'neil_j+1@cs.x.org", "attempt": "2 of 2"}},
    ),
    "Autolab, by a name of one word": (
        ["kim@x.org_1_hw2.py", "kim@x.org_3_hw2.py", "a_1@x.org_1_hw2.py"],
        {"kim@x.org": {"email": "kim@x.org", "attempt": "3 of 3"}, "a_1@x.org": {"email": "a_1@x.org"}},
    ),
    "PrairieLearn": (
        ["HW2/kim@x.org_1_go_1_1_71_a.py", "HW2/kim@x.org_1_go_2_1_109_a.py", "HW2/Team 7_1_go_1_1_80_a.py"],
        {"kim@x.org": {"email": "kim@x.org"}, "Team 7": {}},
    ),
    "PrairieLearn, of a question in a folder": (
        ["HW2/kim@x.org_1_hw/go/b_1_1_71_my_player.py", "HW2/kim@x.org_1_hw/go/b_1_2_109_my_player.py"],
        {"kim@x.org": {"email": "kim@x.org", "attempt": "2 of 2"}},
    ),
    "nbgrader": (
        ["li+wei+hw2+2026-10-01 19:00:00.5 UTC+aB_-9x/my_player.py", "li+wei+hw2+2026-10-01 20:00:00.5 UTC+7/my_player.py"],
        {"li+wei": {"username": "li+wei", "submitted": "2026-10-01 20:00:00+00:00", "attempt": "2 of 2"}},
    ),
    "nbgrader, collected": (
        ["li/hw2/my_player.py", "li/hw2/timestamp.txt"], {"li": {"username": "li", "submitted": "2026-10-01 20:00:00+00:00"}},
    ),
    "Sakai": (
        ["hw 2/van Dam, Jo(jo)/Submission attachment(s)/my_player.py", "hw 2/van Dam, Jo(jo)/timestamp.txt",
         "hw 2/, (wang)/Submission attachment(s)/my_player.py", "hw 2/, (wang)/timestamp.txt", "hw 2/grades.csv"],
        {"Jo van Dam": {"username": "jo", "submitted": "2026-10-01 20:00:00+00:00"},
         "wang": {"username": "wang", "submitted": "2026-10-01 20:00:00+00:00"}},
    ),
}  # fmt: skip
WHEN = {"nbgrader, collected": b"2026-10-01 20:00:00.123456 UTC\n", "Sakai": b"2026-10-01T20:00:00.123456789Z"}


@pytest.mark.parametrize("form", ["folder", "zip"])
@pytest.mark.parametrize("kind", MORE)
def test_the_newest_attempt_of_each_plays_in_the_other_systems(kind, form, tmp_path):
    paths, whose = MORE[kind]
    write(tmp_path / "hw2", {path: FIRST_LEGAL.encode() if path.endswith(".py") else WHEN[kind] for path in paths})
    if kind not in WHEN:
        write(tmp_path / "hw2", {paths[0]: BROKEN.encode()})
    source = zipped(tmp_path / "hw2", tmp_path / "hw2.zip") if form == "zip" else tmp_path / "hw2"
    intake = taken(source, tmp_path / "into")
    assert not intake.refused
    assert {one.students[0]: dict(one.fields) for one in intake.entrants} == whose
    assert f"is an export of {kind.partition(',')[0]}'s: {len(whose)} submission" in intake.folders[0]
    assert not intake.aside


def test_what_is_of_several_questions_or_assignments_is_told(tmp_path):
    write(tmp_path / "pl", {f"k@x.org_1_{q}_1_1_7{k}_{q}.py": FIRST_LEGAL.encode() for k, q in enumerate(("go", "chess"))})
    intake = taken(tmp_path / "pl", tmp_path / "into")
    assert intake.folders[1] == "2 questions, such as 'chess': of each student only the last answer plays"
    write(tmp_path / "nb", {f"li/{name}": b"x" for name in ("hw1/timestamp.txt", "hw2/timestamp.txt", "hw2/my_player.py")})
    (one,) = taken(tmp_path / "nb", tmp_path / "into2").refused
    assert one.reason == "expected one assignment, found hw1, hw2: leave the folders of one"


@pytest.mark.parametrize("flat", [False, True])
def test_both_shapes_of_moodles_are_read(flat, tmp_path):
    exports.moodle(tmp_path / "hw2", "", flat)
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert [one.name for one in intake.entrants] == NAMES["moodle"]


def test_names_stay_with_their_owners_from_one_export_to_the_next(tmp_path):
    """Numbers of submissions and files are others each time."""
    names = []
    for again in ("1", "2"):
        folder = tmp_path / again
        write(folder, {f"leeann_12_{again}7_my_player-{again}.py": FIRST_LEGAL.encode()})
        write(folder, {f"rayann_13_{again}8_my_player.py": FIRST_LEGAL.encode()})
        intake = taken(folder, tmp_path / "into")
        names.append(dict(intake.files))
    assert names[0] == names[1] == {"Canvas 12": "leeann", "Canvas 13": "rayann"}


# What is odd costs only its owner


def gradescope(folder, *entries, **files):
    write(folder, {"submission_metadata.yml": "".join(entries).encode()})
    for number in (1, 2):
        write(folder / f"submission_{number}", files or {"my_player.py": FIRST_LEGAL.encode()})


def entry(number, *people, time="2026-10-01 20:00:00 Z"):
    lines = [f"submission_{number}:", "  :submitters:"]
    lines += [f"  - :name: {name}\n    :sid: '{name[0]}'\n    :email: {name[0]}@x.org" for name in people]
    return "\n".join([*lines, f"  :created_at: {time}", "  :history: []", ""])


def test_a_group_is_one_submission(tmp_path):
    gradescope(tmp_path / "hw2", entry(1, "Ann", "Bob"), entry(2, "Cai"))
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert [(one.name, one.students, dict(one.fields)["email"]) for one in intake.entrants] == [
        ("Ann_Bob", ("Ann", "Bob"), "A@x.org; B@x.org"), ("Cai", ("Cai",), "C@x.org"),
    ]  # fmt: skip
    lines = ["First Name,Last Name,SID,Email,Role", "Ann,Lee,A,a@x.org,Student", "Bob,Ray,B,b@x.org,Student"]
    (tmp_path / "class.csv").write_text("\n".join(lines))
    intake = taken(tmp_path / "hw2", tmp_path / "into", tmp_path / "class.csv")
    assert (intake.entrants[0].students, dict(intake.entrants[0].fields)["sid"]) == (("Ann Lee", "Bob Ray"), "A; B")
    assert intake.unlisted == ("Cai",)


DAMAGES = ["submission_1: [\n", "submission_1:\n\t:submitters: x\n", "submission_1: *nobody\n", "%!\n"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_entry_that_cannot_be_read_costs_only_its_owners_name(damage, tmp_path):
    gradescope(tmp_path / "hw2", damage, entry(2, "Cai"))
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert [one.name for one in intake.entrants] == ["Cai", "submission_1"]
    assert intake.folders[1] == "submission_metadata.yml: 1 of 2 entries cannot be read: whose these are is not known"


def test_names_are_read_however_ruby_writes_them(tmp_path):
    # A text that Ruby takes for bytes; and one with a tag of its own.
    named = entry(1, "Ann").replace("name: Ann", "name: !binary |-\n      Sm9zw6kgTsO6w7Fleg==")
    gradescope(tmp_path / "hw2", named, entry(2, "Bob").replace("name: Bob", 'name: !ruby/string "Zo\\xEB \\u738B"'))
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert [one.students for one in intake.entrants] == [("José Núñez",), ("Zoë 王",)]


def test_results_that_others_refer_to_are_read(tmp_path):
    first = entry(1, "Ann").replace("  :history: []", "  :results: &1\n    tests: []\n\n    output: |\n      x\n  :history: []")
    second = entry(2, "Bob").replace("  :history: []", "  :results: *1\n  :history:\n  - :results: *1")
    gradescope(tmp_path / "hw2", first, second)
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert [(one.name, dict(one.fields).get("attempt")) for one in intake.entrants] == [("Ann", None), ("Bob", "2 of 2")]
    assert len(intake.folders) == 1


@pytest.mark.parametrize(("first", "attempt"), [
    (entry(1, "Ann", time="&1\n    utc: *1"), None),
    (entry(1, "Ann").replace("  :history: []", "  :history: &1\n  - :history: *1"), "2 of 2"),
])  # fmt: skip
def test_what_holds_itself_is_read_no_deeper(first, attempt, tmp_path):
    gradescope(tmp_path / "hw2", first, entry(2, "Bob"))
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert [(one.name, dict(one.fields).get("attempt")) for one in intake.entrants] == [("Ann", attempt), ("Bob", None)]


def test_a_name_is_no_list_however_long_it_would_be_as_text(tmp_path):
    lists = ["&0 [x, x]", *(f"&{n} [*{n - 1}, *{n - 1}]" for n in range(1, 17))]
    before = "\n  - ".join(["  :lists:", *lists, ""]).rstrip("- \n")
    first = entry(1, "Ann").replace(":name: Ann", ":name: *16").replace("  :submitters:", f"{before}\n  :submitters:")
    gradescope(tmp_path / "hw2", first, entry(2, "Bob"))
    assert [one.name for one in taken(tmp_path / "hw2", tmp_path / "into").entrants] == ["Bob", "submission_1"]


@pytest.mark.parametrize("text", [None, b"", b"\xff\xfe\0", b"- a list\n", b"&a [*a]\n", b"submission_1: 7\n"])
def test_without_metadata_submissions_are_called_by_their_numbers(text, tmp_path):
    gradescope(tmp_path / "hw2")
    path = tmp_path / "hw2/submission_metadata.yml"
    path.unlink() if text is None else path.write_bytes(text)
    assert [one.name for one in taken(tmp_path / "hw2", tmp_path / "into").entrants] == ["submission_1", "submission_2"]


def test_of_two_submissions_of_one_student_the_later_one_plays(tmp_path):
    gradescope(tmp_path / "hw2", entry(1, "Ann", time="2026-10-01 21:00:00 Z"), entry(2, "Ann"))
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert [(one.name, dict(one.fields)["submitted"]) for one in intake.entrants] == [("Ann", "2026-10-01 21:00:00+00:00")]
    assert intake.folders[1] == "'submission_2' is left aside: 'submission_1' is Ann's later one"


CANVAS = {
    "nunezjose_LATE_12345_678901_my_player.py": ("nunezjose", "12345", "yes", ["my_player.py"]),
    "nunezjose_12345_678901_my_player-3.py": ("nunezjose", "12345", "no", ["my_player.py"]),
    "anon_a1B2c_678901_my_player.py": ("anon_a1B2c", None, "no", ["my_player.py"]),
    "LATE_anon_a1B2c_678901_my_player.py": ("anon_a1B2c", None, "yes", ["my_player.py"]),
    "o_brien_12_34_my_player-1.py": ("o_brien", "12", "no", ["my_player.py"]),
}


@pytest.mark.parametrize("name", CANVAS)
def test_canvas_names_say_who_and_whether_late(name, tmp_path):
    write(tmp_path / "hw2", {name: FIRST_LEGAL.encode()})
    (one,) = taken(tmp_path / "hw2", tmp_path / "into").entrants
    fields = dict(one.fields)
    files = [path.name for path in one.folder.iterdir()]
    assert (one.name, fields.get("canvas_id"), fields["marked_late"], files) == CANVAS[name]


def test_all_files_of_one_play_together_on_canvas_and_the_later_of_two_counts(tmp_path):
    write(tmp_path / "hw2", {
        "leeann_7_10_my_player.py": b"class MyPlayer\n", "leeann_7_21_helper-1.py": exports.HELPER.encode(),
        "leeann_7_20_my_player-1.py": exports.IMPORTS.encode(), "leeann_7_22_table-1.bin": b"x",
        "rayann_8_1_my_player.py": b"x",
    })  # fmt: skip
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert sorted(path.name for path in intake.entrants[0].folder.iterdir()) == ["helper.py", "my_player.py", "table.bin"]
    assert intake.folders[1] == (
        "'leeann_7_10_my_player.py' is left aside: 'leeann_7_20_my_player-1.py' came later under the same name"
    )


def test_one_line_says_of_all_earlier_files_that_they_are_left_aside(tmp_path):
    write(tmp_path / "hw2", {f"leeann_7_{number}_my_player-{number}.py": b"class MyPlayer\n" for number in range(1, 9)})
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert intake.folders[1:] == (
        "'leeann_7_1_my_player-1.py' and 6 more are left aside: 'leeann_7_8_my_player-8.py' came later under the same name",
    )


def test_blackboards_names_say_whose_a_file_is_and_when_it_came(tmp_path):
    """A username may have underscores: where it begins, only the text beside the files says. No text need be there, and one
    that says nothing takes no time."""
    write(tmp_path / "hw2", {
        "PA_1_a_lee_attempt_2026-10-01-08-00-00_my_player.py": exports.IMPORTS.encode(),
        "PA_1_a_lee_attempt_2026-10-01-08-00-00_helper.py": exports.HELPER.encode(),
        "PA_1_a_lee_attempt_2026-10-01-08-00-00.txt": b"\xef\xbb\xbfNombre: Ann (A.) Lee (a_lee)\r\nTarea: PA_1\r\n",
        "PA_1_1234567_attempt_2026-10-02-08-00-00_my_player.py": FIRST_LEGAL.encode(),
        "PA_1_bo_attempt_2026-13-02-08-00-00_my_player.py": FIRST_LEGAL.encode(),
        "PA_1_bo_attempt_2026-13-02-08-00-00.txt": b"Name: Zed (cai)\n",
        "PA_1_cy_attempt_2026-10-02-08-00-00_my_player.py": FIRST_LEGAL.encode(),
        "PA_1_cy_attempt_2026-10-02-08-00-00.txt": b"Name:" + 900_000 * b" ",
    })  # fmt: skip
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert {one.students: (one.name, dict(one.fields)) for one in intake.entrants} == {
        ("Ann (A.) Lee",): ("Ann_A._Lee", {"username": "a_lee", "submitted": "2026-10-01 08:00:00"}),
        ("1234567",): ("1234567", {"username": "1234567", "submitted": "2026-10-02 08:00:00"}),
        ("bo",): ("bo", {"username": "bo"}),
        ("cy",): ("cy", {"username": "cy", "submitted": "2026-10-02 08:00:00"}),
    }


BRIGHTSPACE = {
    "4711-90 - Ann-Marie Lee - Oct 1, 2026 926 PM/my_player.py": b"old",
    "4711-90 - Ann-Marie Lee - Oct 2, 2026 1205 AM/hw/my_player.py": FIRST_LEGAL.encode(),
    "4712-90 - José Núñez - 3 October, 2026 1530/my_player.py": FIRST_LEGAL.encode(),
    "4713-90 - José Núñez - 3 Oktober 2026 1530/my_player.py": FIRST_LEGAL.encode(),
    "4714-90 - Bo - Oct 3, 2026 330 PM - my_player.py": exports.IMPORTS.encode(),
    "4714-90 - Bo - Oct 3, 2026 330 PM - helper.py": exports.HELPER.encode(),
    "index.html": b"<html>",
}


@pytest.mark.parametrize("form", [0, 1], ids=["folder", "zip"])
@pytest.mark.parametrize("swapped", [False, True])
def test_brightspaces_names_say_whose_a_folder_is_and_when_it_came(tmp_path, form, swapped):
    """Or a file. Which of the numbers is the student's is seen from the other, which all have."""
    ends = {f"{number}-90": f"90-{number}" if swapped else f"{number}-90" for number in range(4711, 4715)}
    write(tmp_path / "hw2", {ends[name[:7]] + name[7:] if name[0] == "4" else name: text for name, text in BRIGHTSPACE.items()})
    source = zipped(tmp_path / "hw2", tmp_path / "hw2.zip") if form else tmp_path / "hw2"
    intake = taken(source, tmp_path / "into")
    assert intake.folders[0].endswith("is an export of Brightspace's: 4 submissions, 3 with their time")
    assert {one.name: (one.students, dict(one.fields)) for one in intake.entrants} == {
        "Ann_Marie_Lee": (
            ("Ann-Marie Lee",), {"brightspace_id": "4711", "submitted": "2026-10-02 00:05:00", "attempt": "2 of 2"}
        ),
        "Jose_Nunez_4712": (("José Núñez",), {"brightspace_id": "4712", "submitted": "2026-10-03 15:30:00"}),
        "Jose_Nunez_4713": (("José Núñez",), {"brightspace_id": "4713"}),
        "Bo": (("Bo",), {"brightspace_id": "4714", "submitted": "2026-10-03 15:30:00"}),
    }  # fmt: skip
    assert intake.aside == ()


def test_blind_marking_gives_numbers_for_names(tmp_path):
    for number in (4, 5):
        write(tmp_path / f"hw2/Participant_{number}_assignsubmission_file_", {"my_player.py": FIRST_LEGAL.encode()})
    assert [one.name for one in taken(tmp_path / "hw2", tmp_path / "into").entrants] == ["Participant_4", "Participant_5"]


def test_what_somebody_hands_in_beside_is_taken_in_too(tmp_path):
    exports.canvas(tmp_path / "hw2")
    write(tmp_path / "hw2", {"by_mail.py": FIRST_LEGAL.encode(), "zoe/my_player.py": FIRST_LEGAL.encode()})
    names = [one.name for one in taken(tmp_path / "hw2", tmp_path / "into").entrants]
    assert set(names) == {*NAMES["canvas"], "by_mail", "zoe"}


def test_a_class_of_folders_is_no_export_though_some_are_called_like_one(tmp_path):
    for name in ("ann", "bob", "cai", "submission_3", "eva_12_34_my_player.py"):
        write(tmp_path / "hw2" / name, {"my_player.py": FIRST_LEGAL.encode()})
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert len(intake.entrants) == 5
    assert intake.folders == ()


# Zips


def test_what_is_wrong_in_a_zip_costs_only_whose_it_is(tmp_path):
    path = tmp_path / "hw2.zip"
    link = zipfile.ZipInfo("export/submission_1/link")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "w") as archive:
        for number in (1, 2, 3, 4):
            archive.writestr(f"export/submission_{number}/my_player.py", FIRST_LEGAL)
        archive.writestr(link, "/etc/passwd")
        archive.writestr("export/submission_2/../../../evil", "x")
        archive.writestr("/etc/evil", "x")
        entries = [entry(number, name) for number, name in enumerate(("Ann", "Bob", "Cai", "Eva"), 1)]
        archive.writestr("export/submission_metadata.yml", "".join(entries))
    data = bytearray(path.read_bytes())
    # The contents of the third do not fit what the zip says of them.
    at = data.index(b"export/submission_3/my_player.py") + len("export/submission_3/my_player.py")
    data[at + 20] ^= 0xFF
    path.write_bytes(data)
    intake = taken(path, tmp_path / "into")
    assert [one.name for one in intake.entrants] == ["Eva"]
    reasons = {one.name: one.reason for one in intake.refused}
    assert reasons["Ann"] == "expected regular files, got 'link', which is not one"
    assert reasons["Bob"] == "expected file names within the submission"
    assert reasons["Cai"].startswith("my_player.py cannot be unpacked: BadZipFile")
    assert not (tmp_path / "evil").exists()


def test_folders_without_end_in_a_zip_are_not_made_and_cost_only_whose_they_are(tmp_path):
    path = tmp_path / "hw2.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in (1, 2):
            archive.writestr(f"export/submission_{number}/my_player.py", FIRST_LEGAL)
        for number in range(3):
            archive.writestr(f"export/submission_1/{number}/{'d/' * 300}x.py", "x")
            archive.writestr(f"export/submission_1/{number}/..", "x")
        archive.writestr("export/submission_metadata.yml", entry(1, "Ann") + entry(2, "Bob"))
    faults = archives.unpack(path, tmp_path / "all")
    assert max(len(place.parts) for place in (tmp_path / "all").rglob("*")) - len((tmp_path / "all").parts) <= 22
    assert sorted({fault.partition(", got ")[0] for fault in faults.values()}) == [
        "expected file names within the submission", "expected files at most 12 folders deep"
    ]  # fmt: skip
    assert [one.name for one in taken(path, tmp_path / "into").entrants] == ["Bob"]


def test_a_zip_of_one_students_is_one_submission_as_before(tmp_path):
    with zipfile.ZipFile(tmp_path / "ann.zip", "w") as archive:
        archive.writestr("my_player.py", FIRST_LEGAL)
        archive.writestr("data/a_1_2_b.py", "x = 1\n")
    intake = taken(tmp_path / "ann.zip", tmp_path / "into")
    assert [(one.name, one.entry) for one in intake.entrants] == [("ann", "my_player.py")]
    assert intake.folders == ()


def test_a_zip_that_is_too_large_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "_OF_CLASS", archives.Bounds(entries=12, mib=1))
    exports.canvas(tmp_path / "hw2")
    with pytest.raises(BadRosterError, match=r"hw2\.zip'?: expected at most 12 files and folders, found more"):
        taken(zipped(tmp_path / "hw2", tmp_path / "hw2.zip"), tmp_path / "into")


def test_nothing_is_left_of_what_was_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    exports.canvas(tmp_path / "hw2")
    taken(zipped(tmp_path / "hw2", tmp_path / "hw2.zip"), tmp_path / "into")
    assert not [*(tmp_path / "tmp").iterdir()]


def test_a_roster_without_submissions_needs_an_export(tmp_path):
    write(tmp_path / "hw2/ann", {"my_player.py": FIRST_LEGAL.encode()})
    (tmp_path / "class.csv").write_text("First Name,Last Name,SID,Email,Role\nAnn,Lee,A,a@x.org,Student\n")
    with pytest.raises(BadRosterError, match=r"class\.csv, line 1: expected a column submission, since these are no course"):
        taken(tmp_path / "hw2", tmp_path / "into", tmp_path / "class.csv")


# Large classes


def of_classroom(number):
    called = (f"X {number}",)
    return Submission(Path(f"hw2-x{number}"), "", called, title=f"x{number}", owner=str(number), fields=((LOGIN, "?"),))


@pytest.mark.parametrize("line", [
    lambda number: RosterLine(number, "", students=(f"X {number}",), fields=(("login", f"x{number}"),)),
    lambda number: RosterLine(number, "", students=(f"X {number}",)),
    lambda number: RosterLine(number, "", students=(f"Y {number}",)),
    lambda number: RosterLine(number, f"hw2-y{number}"),
], ids=["login", "name", "nobody's", "missing"])  # fmt: skip
def test_a_class_of_twice_the_size_is_matched_in_twice_the_steps(line):
    def work(size):
        class_, lines = [of_classroom(number) for number in range(size)], [line(number) for number in range(size)]
        return lambda: submissions._match(lines, class_, "class.csv")

    assert grows_alone(work, 50)


@pytest.mark.parametrize("name", ["submission_{}/a.py", "X_{}_assignsubmission_file_/a.py"])
def test_an_export_of_twice_the_size_is_read_in_twice_the_steps(tmp_path, name):
    def work(size):
        write(tmp_path / f"{size}", {name.format(number): b"" for number in range(size)})
        return lambda: export_in(tmp_path / f"{size}")

    assert grows_alone(work, 50)


def test_a_name_of_a_thousand_words_is_not_turned_around_by_each():
    line = RosterLine(1, "", students=("x " * 1000,))
    assert steps(lambda: match_lines([line], [of_classroom(1)])) < 1000


def test_a_fault_is_found_without_looking_at_all_others(tmp_path):
    for number in range(80):
        (tmp_path / f"submission_{number}").mkdir()

    faults = {tmp_path / f"submission_0/{number}": "damaged" for number in range(500)}
    assert steps(lambda: export_in(tmp_path, faults=faults)) < steps(lambda: export_in(tmp_path)) + 100 * len(faults)
    export = export_in(tmp_path, faults={tmp_path / "submission_7/x": "damaged", tmp_path / "submission_71": "none"})
    assert {one.source.name: one.fault for one in export.submissions if one.fault} == {
        "submission_7": "damaged", "submission_71": "none",
    }  # fmt: skip


def test_names_that_no_file_can_have_are_not_looked_at(tmp_path):
    with zipfile.ZipFile(tmp_path / "hw2.zip", "w") as archive:
        for name in ("-" * 256 + "/x", "a/" * 99 + "x", "b" * 255):
            archive.writestr(name, "")
    assert archives.names_in_zip(tmp_path / "hw2.zip") == ["a/" * 99 + "x", "b" * 255]


def test_contents_of_the_class_are_what_was_handed_in():
    """The zip of who made one holds the player; a helper that writes nothing would let all of this pass."""
    assert [*contents(CLASS[2])] == ["hw 2.zip"]
    assert sum(bool(one.files) for one in CLASS) == 7
