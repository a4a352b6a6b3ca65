"""Names as course systems write them into names of files, such as Moodle's, and who in the roster has them."""

import zipfile

import pytest

from gojudge.intake import archives
from tests.support.exports import taken, write
from tests.support.sources import FIRST_LEGAL

IDS = {"email", "canvas_id", "participant", "username", "brightspace_id"}


def test_of_a_group_moodle_says_only_what_it_is_called_and_its_list_who_is_in_it(tmp_path):
    for name in ("Team Blue_7", "Team Red_8", "Cai Zed_9"):
        write(tmp_path / f"hw2/{name}_assignsubmission_file_", {"my_player.py": FIRST_LEGAL.encode()})
    people = ["Ann,Lee,a@x.org,Team Blue", 'Bob,Ray,b@x.org,"Team Blue, Lab 2"', "Cai,Zed,c@x.org,Lab 2"]
    people = ["First name,Last name,Email address,Groups", *people, "Eva,Po,e@x.org,Team Red"]
    (tmp_path / "class.csv").write_text("\n".join(people))
    intake = taken(tmp_path / "hw2", tmp_path / "into", tmp_path / "class.csv", only_listed=True)
    assert [(one.students, dict(one.fields)["email"]) for one in intake.entrants] == [
        (("Ann Lee", "Bob Ray"), "a@x.org; b@x.org"), (("Cai Zed",), "c@x.org"), (("Eva Po",), "e@x.org"),
    ]  # fmt: skip
    assert not intake.refused


# As Moodle 4.5 writes the names of files and of lists: nothing of `<>"'|&:\\/` in the first, and `&amp;` for a group's `&`.
NAMES_IN_MOODLE = {
    "Siobhán OBrien-Smith_1": "Siobhán,O'Brien-Smith", "علی\u200cرضا رضایی_2": "علی\u200cرضا,رضایی",
    "\u202bمحمد\u200f العربي\u202c_3": "\u202bمحمد\u200f,العربي\u202c", "राम शर्मा_4": "राम,शर्मा", "रोम शर्मा_5": "रोम,शर्मा",
    f"{'Wolfe ' * 16} {'schlegel' * 12}_6": f"{'Wolfe ' * 16},{'schlegel' * 12}",
    "Bees amp; Ants x_7": "Kim,Po", "Łódź, 3_8": "Eve,Ek", ". Teller_9": ".,Teller",
}  # fmt: skip


@pytest.mark.parametrize("flat", [False, True])
def test_people_are_found_whatever_moodle_and_they_themselves_make_of_their_names(flat, tmp_path):
    between = "_" if flat else "/"
    with zipfile.ZipFile(tmp_path / "hw2.zip", "w") as archive:
        for name in NAMES_IN_MOODLE:
            archive.writestr(f"{name}_assignsubmission_file{between}my_player.py", FIRST_LEGAL)
    groups = {"Kim,Po": "Bees & Ants_x", "Eve,Ek": '"Lab 2, Łódź, 3"'}
    lines = [f"{name},{number}@x.org,{groups.get(name, '')}" for number, name in enumerate(NAMES_IN_MOODLE.values(), 1)]
    (tmp_path / "class.csv").write_text("\n".join(["First name,Last name,Email address,Groups", *lines]))
    intake = taken(tmp_path / "hw2.zip", tmp_path / "into", tmp_path / "class.csv", only_listed=True)
    assert not intake.refused
    numbers = {dict(one.fields)["email"].partition("@")[0]: dict(one.fields)["participant"] for one in intake.entrants}
    assert numbers == {number: number for number in "123456789"}


def test_who_has_a_name_too_long_for_a_file_is_known_by_number(tmp_path, monkeypatch):
    """As one of 91 Thai letters, which have three bytes each. If nothing can be written, that is told."""
    with zipfile.ZipFile(tmp_path / "hw2.zip", "w") as archive:
        archive.writestr(f"{'ข' * 91}_10_assignsubmission_file/my_player.py", FIRST_LEGAL)
        archive.writestr("Kim Po_11_assignsubmission_file/my_player.py", FIRST_LEGAL)
    (tmp_path / "class.csv").write_text(f"Identifier,Full name\nParticipant 10,{'ข' * 91}\nParticipant 11,Kim Po\n")
    intake = taken(tmp_path / "hw2.zip", tmp_path / "into", tmp_path / "class.csv", only_listed=True)
    assert {one.students for one in intake.entrants} == {("ข" * 91,), ("Kim Po",)}
    assert not intake.refused
    monkeypatch.setattr(archives, "_LONGEST_NAME", 1000)
    intake = taken(tmp_path / "hw2.zip", tmp_path / "again", tmp_path / "class.csv", only_listed=True)
    assert any(line.startswith("left out: 'ขข") and "File name too long" in line for line in intake.folders)


def test_nobody_is_taken_for_somebody_else_who_has_no_letter_in_their_name(tmp_path):
    lines = [":,/,1@x.org,", "🎓,🦄,2@x.org,**", "Ann,Lee,3@x.org,", "?,!,4@x.org,"]
    (tmp_path / "class.csv").write_text("\n".join(["First name,Last name,Email address,Groups", *lines]))
    for name in ("🎓 🦄_12", "_13", "Kim Po_14"):
        write(tmp_path / "hw2", {f"{name}_assignsubmission_file/my_player.py": FIRST_LEGAL.encode()})
    intake = taken(tmp_path / "hw2", tmp_path / "into", tmp_path / "class.csv")
    assert {dict(one.fields).get("email") for one in intake.entrants if one.name not in intake.unlisted} == {"2@x.org"}
    assert len(intake.unlisted) == 2


def test_a_name_that_ends_in_somebodys_number_gives_and_takes_them_nothing(tmp_path):
    """Canvas lets a name end so, and a file's begin with a number."""
    names = ["kim_1000_77_my_player.py", "kim_1000_78_2026_table.py", "eve_1000_2000_55_my_player.py", "po_3000_56_561_hw2.py"]
    write(tmp_path / "hw2", dict.fromkeys(names, FIRST_LEGAL.encode()))
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert {dict(one.fields)["canvas_id"]: one.name for one in intake.entrants} == {"1000": "kim", "2000": "2000", "3000": "po"}


TIME, LATER = "2026-10-01-20-00-00", "2026-10-02-20-00-00"
FORGED = {
    "Blackboard's files": [
        f"HW2_ann_attempt_{TIME}_my_player.py", f"HW2_eve_attempt_{TIME}_HW2_ann_attempt_{LATER}_my_player.py",
    ],
    "Moodle's files": [
        "Ann_1_assignsubmission_file_my_player.py", "Eve_2_assignsubmission_file_Ann_1_assignsubmission_file_my_player.py"
    ],
    "Moodle's folders, by names of people": [
        "Ann_1_assignsubmission_file/my_player.py", "Ann_1_assignsubmission_file_2_assignsubmission_file/my_player.py",
    ],
    "Canvas's files": ["ann_1_7_my_player.py", "eve_2_8_ann_1_9_my_player.py"],
    "Brightspace's files": [
        "7-1 - Ann - Oct 1, 2026 1158 PM - my_player.py",
        "7-2 - Eve - Oct 1, 2026 1158 PM - 7-1 - Ann - Oct 2, 2026 1158 PM - my_player.py",
    ],
    "PrairieLearn's files": ["ann@x.org_1_go_1_1_70_my_player.py", "eve@x.org_1_go_1_1_71_ann@x.org_1_go_1_2_72_my_player.py"],
    "Autolab's files": ["1_ann@x.org_my_player.py", "1_eve@x.org_2_ann@x.org_my_player.py"],
}  # fmt: skip


@pytest.mark.parametrize("kind", FORGED)
def test_what_people_call_their_files_and_themselves_is_nobody_elses(kind, tmp_path):
    anns, _ = FORGED[kind]
    write(tmp_path / "one", {anns: FIRST_LEGAL.encode()})
    write(tmp_path / "hw2", dict.fromkeys(FORGED[kind], FIRST_LEGAL.encode()))
    (alone,) = taken(tmp_path / "one", tmp_path / "into").entrants
    intake = taken(tmp_path / "hw2", tmp_path / "into2")
    assert not intake.refused
    others = [dict(one.fields) for one in intake.entrants if (one.students, one.fields) != (alone.students, alone.fields)]
    assert len(others) == 1
    assert [one.students for one in intake.entrants].count(alone.students) == 1
    assert not [fields for fields in others if any(fields.get(key) == value for key, value in alone.fields if key in IDS)]


@pytest.mark.parametrize("name", ["_12_90_my_player.py", "_12_assignsubmission_file/my_player.py"])
def test_a_name_of_which_a_system_leaves_nothing_has_its_number(name, tmp_path):
    """Canvas leaves letters, digits and marks, Moodle no `:`."""
    write(tmp_path / "hw2", {name: FIRST_LEGAL.encode(), name.replace("12", "Kim_13"): FIRST_LEGAL.encode()})
    intake = taken(tmp_path / "hw2", tmp_path / "into")
    assert {"12", "13"} == {number for one in intake.entrants for _, number in one.fields if number.isdigit()}
