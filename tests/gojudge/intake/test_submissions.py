"""From a folder of submissions to entrants; one bad submission stops none of the others."""

import os
import zipfile
from pathlib import Path

import pytest

from gojudge.errors import BadRosterError
from gojudge.intake.copies import digest_of
from gojudge.intake.names import Kept
from gojudge.intake.submissions import take_in
from tests.support.missing import needs, no_program
from tests.support.sources import CORNER


@pytest.fixture
def hw(tmp_path):
    (tmp_path / "hw").mkdir()
    return tmp_path / "hw"


@pytest.fixture
def copies(tmp_path):
    return tmp_path / "copies"


def put(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def zipped(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def names(intake):
    return [entrant.name for entrant in intake.entrants]


def reasons(intake):
    return {one.name: one.reason for one in intake.refused}


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_a_class_of_folders_files_and_archives(hw, copies):
    put(hw, {"ann/my_player.py": CORNER, "ann/table.txt": "t", "bob.py": CORNER, "notes.txt": "", ".hidden": ""})
    zipped(hw / "cy.zip", {"cy/my_player.py": CORNER, "cy/data/t.txt": "t"})
    found = take_in([hw], copies)
    assert names(found) == ["ann", "bob", "cy"]
    assert [entrant.entry for entrant in found.entrants] == ["my_player.py", "bob.py", "my_player.py"]
    assert files_in(found.entrants[0].folder) == {"my_player.py": CORNER, "table.txt": "t"}
    # The player's folder is the top of the copy, so that tables are found by relative path.
    assert files_in(found.entrants[2].folder) == {"my_player.py": CORNER, "data/t.txt": "t"}
    assert (found.refused, found.aside) == ((), (hw / "notes.txt",))


def test_paths_may_be_texts(hw, copies, tmp_path):
    put(hw, {"ann.py": CORNER})
    (tmp_path / "class.csv").write_text("name,submission\nAnn,ann.py\n")
    found = take_in([str(hw)], str(copies), str(tmp_path / "class.csv"))
    assert files_in(found.entrants[0].folder) == {"ann.py": CORNER}


def test_a_folder_with_a_player_is_one_submission(hw, copies):
    put(hw, {"my_player.py": CORNER, "helper.py": "", "old/my_player.py": CORNER})
    (entrant,) = take_in([hw], copies).entrants
    assert (entrant.name, entrant.students, entrant.entry, entrant.kind) == ("hw", ("hw",), "my_player.py", "class")


HELPED = f"from helpers import pick\n{CORNER}"
READS = "open('input.txt').read()\n"
ONE = [
    ({"agent.py": HELPED, "helpers.py": "pick = 1"}, "agent.py needs helpers.py", "agent.py"),
    ({"a.py": "from z import pick\n", "z.py": CORNER, "train.py": "import z"}, "a.py needs z.py", "z.py"),
    ({"agent.py": f"T = open('table.json')\n{CORNER}", "table.json": "{}"}, "agent.py needs table.json", "agent.py"),
    ({"agent.py": f"import parts.a\n{CORNER}", "parts/a.py": ""}, "agent.py needs parts/a.py", "agent.py"),
    # What the course gave to everybody says nothing.
    ({"agent.py": HELPED, "helpers.py": "pick = 1", "host.py": "class GO: pass"}, "agent.py needs helpers.py", "agent.py"),
    ({"agent.py": f"from helpers import pick\n{READS}", "helpers.py": "pick = 1"}, "agent.py needs helpers.py", ""),
    ({"agent.py": "from helpers import pick\nclass MyPlayer(\n", "helpers.py": "pick = 1"}, "agent.py needs helpers.py", ""),
]  # fmt: skip


@pytest.mark.parametrize(("files", "why", "entry"), ONE)
def test_a_student_s_folder_is_one_submission_where_its_files_belong_together(hw, copies, monkeypatch, files, why, entry):
    put(hw, files)
    for source in (hw, Path(".")):
        monkeypatch.chdir(hw)
        intake = take_in([source], copies, with_companions=True)
        assert [one.entry for one in intake.entrants] == [entry] * bool(entry)
        assert [*names(intake), *reasons(intake)] == ["hw"]
        said = f"'{source}' was taken for one submission, since {why}; for several, name their files, or give a roster"
        assert intake.folders == (said,)


SEVERAL = [
    {"ann.py": CORNER, "bob.py": CORNER},
    {"ann.py": HELPED, "helpers.py": "pick = 1", "bob.py": CORNER},
    {"ann.py": HELPED, "helpers.py": "pick = 1", "bob/agent.py": CORNER},
    {"ann.py": f"from host import GO\n{CORNER}", "bob.py": f"from host import GO\n{CORNER}", "host.py": "class GO: pass"},
    {"ann.py": CORNER, "bob.py": "class MyPlayer(\n"},
    {"ann.py": f"import helper\n{CORNER}", "helper.py": CORNER},
]


@pytest.mark.parametrize("files", SEVERAL)
def test_players_that_have_nothing_to_do_with_each_other_are_a_class(hw, copies, files):
    put(hw, files)
    number = len(files)
    intake = take_in([hw], copies, with_companions=True)
    assert len(intake.entrants) + len(intake.refused) == number
    assert intake.folders == (
        f"'{hw}' was taken for a folder of {number} submissions; if it is one, name the file that plays, such as "
        f"'{hw / 'ann.py'}', or call it my_player.py",
    )


def test_an_archive_beside_it_makes_it_a_class(hw, copies):
    put(hw, {"ann.py": HELPED, "helpers.py": "pick = 1"})
    zipped(hw / "bob.zip", {"my_player.py": CORNER})
    assert "bob" in names(take_in([hw], copies, with_companions=True))


def test_nothing_is_said_of_folders_that_are_plain(hw, copies, tmp_path):
    put(tmp_path / "alone", {"ann.py": CORNER})
    assert take_in([tmp_path / "alone"], copies, with_companions=True).folders == ()
    put(hw, {"ann/my_player.py": CORNER, "bob/agent.py": CORNER})
    assert take_in([hw, hw / "ann"], copies, with_companions=True).folders == ()
    put(hw, {"cy.py": HELPED, "helpers.py": "pick = 1"})
    assert take_in([hw], copies, with_companions=True).folders == ()
    (tmp_path / "r.csv").write_text("submission,email\ncy,cy@example.org\n")
    put(tmp_path / "two", {"cy.py": HELPED, "helpers.py": "pick = 1"})
    assert take_in([tmp_path / "two"], copies, roster=tmp_path / "r.csv", with_companions=True).folders == ()


def test_one_folder_and_copies_that_are_found_from_any_folder(hw, monkeypatch, tmp_path):
    put(hw, {"ann.py": CORNER})
    monkeypatch.chdir(tmp_path)
    intake = take_in("hw", "copies")
    monkeypatch.chdir(hw)
    assert files_in(intake.entrants[0].folder) == {"ann.py": CORNER}


def test_an_event_takes_every_folder_for_a_class(hw, copies):
    """Whose name must not change when somebody else hands in."""
    put(hw, {"ann.py": HELPED, "helpers.py": "pick = 1"})
    intake = take_in([hw], copies)
    assert ([*names(intake), *reasons(intake)], intake.folders) == (["ann", "helpers"], ())


def test_a_student_checks_the_one_file_at_home(hw, copies, monkeypatch):
    put(hw, {"my_player.py": CORNER, "private.txt": ""})
    (entrant,) = take_in([hw / "my_player.py"], copies).entrants
    assert entrant.name == "hw"
    assert files_in(entrant.folder) == {"my_player.py": CORNER}
    monkeypatch.chdir(hw)
    assert names(take_in([Path("my_player.py")], copies)) == ["hw"]


def test_a_folder_with_nothing_but_an_archive_is_that_archive(hw, copies):
    (hw / "Ann Lee - Oct 1").mkdir(parents=True)
    zipped(hw / "Ann Lee - Oct 1/Hw 2.zip", {"Hw 2/my_player.py": HELPED, "Hw 2/helpers.py": "pick = 1"})
    put(hw, {"Ann Lee - Oct 1/.DS_Store": "", "Ann Lee - Oct 1/__MACOSX/x": "", "bob/notes.txt": ""})
    zipped(hw / "bob/hw2.zip", {"my_player.py": CORNER})
    intake = take_in([hw], copies)
    (entrant,) = intake.entrants
    assert files_in(entrant.folder) == {"my_player.py": HELPED, "helpers.py": "pick = 1"}
    beside = "expected my_player.py, found hw2.zip, notes.txt (archives within a submission are not unpacked)"
    assert reasons(intake) == {"bob": beside}


def test_bad_submissions_are_refused_one_by_one(hw, copies):
    put(hw, {"ann.py": CORNER, "bob.py": "print 'x'", "cy/read.me": "", "fay.py": "x = 1"})
    put(hw, {"dee.zip": "no zip", "eve.rar": "Rar!"})
    (hw / "gus").symlink_to("/etc")
    (hw / "hal").mkdir()
    os.mkfifo(hw / "ivy.py")
    (hw / "jo.tar.gz").write_bytes(b"\x1f\x8b\x08broken")
    found = take_in([hw], copies)
    assert names(found) == ["ann"]
    said = reasons(found)
    assert said["bob"].startswith("bob.py, line 1: SyntaxError: Missing parentheses")
    assert said["cy"] == "expected my_player.py, found read.me"
    assert said["dee"] == "expected a zip or tar archive, got something else under that name"
    assert said["eve"] == "expected a zip or tar archive, got a RAR archive"
    assert said["fay"] == "fay.py: expected a class MyPlayer, found no class"
    assert said["gus"] == "expected a regular file or folder, got a symbolic link"
    assert said["hal"] == "expected files, found none"
    assert said["ivy"] == "expected regular files, got 'ivy.py', which is not one"
    assert said["jo"].startswith("the archive cannot be unpacked: ")


@needs(no_program("g++"))
def test_a_program_of_the_file_protocol_is_recognised(hw, copies):
    put(hw, {"ann/my_player3.py": "open('input.txt')", "bob/my_player.cpp": "int main() {}"})
    assert reasons(take_in([hw], copies))["bob"] == (
        "my_player.cpp: expected a class MyPlayer, found a program that reads input.txt; "
        "those play under the rules 'littlego' only"
    )
    played = take_in([hw], copies, kinds=("class", "program")).entrants
    assert [(entrant.kind, entrant.entry) for entrant in played] == [("program", "my_player3.py"), ("program", "my_player.cpp")]


# Copies


def test_the_copy_is_nothing_but_regular_files(hw, copies):
    put(hw, {"ann/my_player.py": CORNER, "ann/__pycache__/my_player.cpython-311.pyc": "poison", "ann/x.pyc": "poison"})
    (hw / "ann/my_player.py").chmod(0o4777)
    (entrant,) = take_in([hw], copies).entrants
    assert files_in(entrant.folder) == {"my_player.py": CORNER}
    assert not (entrant.folder / "my_player.py").stat().st_mode & 0o7133
    assert entrant.folder.stat().st_mode & 0o777 == 0o755


def test_the_same_contents_are_taken_in_once_and_other_contents_beside_them(hw, copies):
    put(hw, {"ann.py": CORNER})
    (first,) = take_in([hw], copies).entrants
    assert take_in([hw], copies).entrants == (first,)
    put(hw, {"ann.py": CORNER + "\n"})
    (second,) = take_in([hw], copies).entrants
    assert second.digest != first.digest
    assert sorted(path.name for path in copies.iterdir()) == sorted([first.folder.name, second.folder.name])
    assert first.folder.name == f"ann-{first.digest[:12]}"


def test_a_copy_that_somebody_changed_is_made_anew(hw, copies):
    put(hw, {"ann.py": CORNER})
    (entrant,) = take_in([hw], copies).entrants
    (entrant.folder / "ann.py").write_text("changed")
    (entrant.folder / "go.py").write_text("added")
    assert take_in([hw], copies).entrants == (entrant,)
    assert files_in(entrant.folder) == {"ann.py": CORNER}


def test_the_digest_is_of_paths_and_contents_only(hw, copies):
    put(hw, {"ann/my_player.py": CORNER, "ann/t": "1"})
    zipped(hw / "bob.zip", {"t": "1", "my_player.py": CORNER})
    one, other = take_in([hw], copies).entrants
    assert one.digest == other.digest == digest_of({"t": b"1", "my_player.py": CORNER.encode()})
    different = [{"a": b"b"}, {"a": b""}, {"ab": b""}, {"": b"ab"}, {"a": b"", "b": b""}, {"a": b"bc"}, {"a": b"b", "c": b""}]
    assert len({digest_of(files) for files in different}) == len(different)


# Names


ODD = ["王伟.py", "Иван.py", "Müller.py", "!!!.py", " .py", "😀.py", "Bob.py", "bob.py", "José.py", "Jose.py", "Jose\u0301.py",
       "random.py", "caf\udce9.py", "x" * 190 + ".py"]  # fmt: skip


def test_whatever_a_file_is_called_it_costs_nobody_anything(hw, copies):
    put(hw, dict.fromkeys(ODD, CORNER))
    put(hw, {"やまだ/my_player.py": CORNER, "bob/my_player.py": CORNER})
    zipped(hw / "BOB.zip", {"my_player.py": CORNER, "My_Player.py": CORNER, "表.txt": "1"})
    found = take_in([hw], copies, reserved=["random"])
    assert found.refused == ()
    assert len(found.entrants) == len(ODD) + 3
    assert len({entrant.name.casefold() for entrant in found.entrants}) == len(ODD) + 3
    of_file = {Path(file).name: name for file, name in found.files.items()}
    plain = ("王伟.py", "Иван.py", "Müller.py", "やまだ", "BOB.zip", "Jose.py", "caf\udce9.py")
    assert [of_file[file] for file in plain] == ["王伟", "Иван", "Muller", "やまだ", "BOB", "Jose", "caf"]
    made = ("Bob.py", "bob", "bob.py", "random.py")
    assert [of_file[file] for file in made] == ["Bob-2", "bob-3", "bob-4", "random-2"]
    for entrant in found.entrants:
        assert entrant.folder.is_dir()
    assert take_in([hw], copies, reserved=["random"]).entrants == found.entrants


def test_who_is_not_called_what_their_file_is_is_told(hw, copies):
    put(hw, dict.fromkeys(["Bob.py", "bob.py", "!!!.py", "Random.py", "ann.py"], CORNER))
    found = take_in([hw], copies, reserved=["random"])
    made = next(name for name in names(found) if name.startswith("s"))
    assert found.called == {
        "bob-2": "'Bob.py' plays as Bob, 'bob.py' as bob-2",
        "Random-2": "'Random.py' plays as Random-2, for random is another player",
        made: f"'!!!.py' plays as {made}, for its name has no letter or digit",
    }
    kept = Kept(tuple(found.files.items()))
    (hw / "Bob.py").unlink()
    assert take_in([hw], copies, kept=kept).called["bob-2"] == "'bob.py' plays as bob-2, as before"


def test_a_name_does_not_go_to_who_comes_later(hw, copies):
    put(hw, {"bob.py": CORNER})
    first = take_in([hw], copies)
    put(hw, {"Bob.py": CORNER + "\n", "bob.py": CORNER + "\n\n", "BOB/my_player.py": CORNER})
    found = take_in([hw], copies, kept=Kept(tuple(first.files.items())))
    assert {Path(file).name: name for file, name in found.files.items()} == {"bob.py": "bob", "Bob.py": "Bob-3", "BOB": "BOB-2"}


def test_a_roster_names_each_file_exactly(hw, copies, tmp_path):
    put(hw, dict.fromkeys(["Bob.py", "bob.py", "bob/my_player.py", "Jose\u0301.py", "!!!.py"], CORNER))
    roster = tmp_path / "r.csv"
    roster.write_text("submission,name,students\nBob.py,b1,Bob One\nbob.py,b2,Bob Two\nbob,b3,\nJosé,jo,\n!!!.py,n1,\n")
    found = take_in([hw], copies, roster)
    assert found.as_listed
    assert {entrant.name: entrant.students for entrant in found.entrants} == {
        "b1": ("Bob One",), "b2": ("Bob Two",), "b3": ("b3",), "jo": ("jo",), "n1": ("n1",)
    }  # fmt: skip
    roster.write_text("submission,name\nbob.py,b2\n")
    found = take_in([hw], copies, roster, only_listed=True)
    assert (names(found), len(found.refused)) == (["b2"], 4)


def test_capitals_count_where_two_names_differ_by_nothing_else(hw, copies, tmp_path):
    put(hw, dict.fromkeys(["ann/my_player.py", "Jose\u0301.py", "cai.py", "CAI.py", "dan.py"], CORNER))
    roster = tmp_path / "r.csv"
    roster.write_text("submission,students\nAnn,A\nJOSÉ.PY,J\nCai,C\ndan.py,D\n")
    found = take_in([hw], copies, roster)
    assert {one.students: one.reason for one in found.refused if "C" in one.students} == {
        ("C",): "expected one submission 'Cai', found 'CAI.py' and 'cai.py'"
    }
    assert {one.students for one in found.entrants} == {("A",), ("J",), ("D",)}
    assert found.unlisted == ()


def test_a_roster_must_not_give_two_people_one_name(hw, copies, tmp_path):
    put(hw, {"a.py": CORNER, "b.py": CORNER})
    (tmp_path / "r.csv").write_text("submission,name\na,random\n")
    with pytest.raises(BadRosterError, match=r"the reference player 'random' and 'a.py' are both called 'random'"):
        take_in([hw], copies, tmp_path / "r.csv", reserved=["random"])
    (tmp_path / "r.csv").write_text("submission,name\na,bob/x\nb,Bob:x\n")
    with pytest.raises(BadRosterError, match=r"attempts of one need their times"):
        take_in([hw], copies, tmp_path / "r.csv")


def test_a_roster_gives_names_students_and_classes(hw, copies, tmp_path):
    put(hw, {"hw2_17.py": CORNER, "team/my_player.py": "class Agent(Base): pass", "late.py": CORNER})
    roster = tmp_path / "roster.csv"
    roster.write_text("submission,name,students,class\nhw2_17,bob,Bob Ray,\nteam,,Ann;Kim,Agent\ngone.zip,,,\n")
    found = take_in([hw], copies, roster)
    assert [(e.name, e.students, e.class_name) for e in found.entrants] == [
        ("bob", ("Bob Ray",), "MyPlayer"),
        ("late", ("late",), "MyPlayer"),
        ("team", ("Ann", "Kim"), "Agent"),
    ]
    assert reasons(found) == {"gone.zip": "expected a file or folder, found none"}


@pytest.fixture
def short_roster(hw, tmp_path):
    """A roster that lists bob alone, where ann and cy hand in too."""
    put(hw, {"ann.py": CORNER, "bob.py": CORNER, "cy.py": "x = 1"})
    (tmp_path / "r.csv").write_text("submission,email\nbob,bob@example.org\n")
    return tmp_path / "r.csv"


def test_nobody_is_lost_who_is_not_in_the_roster(hw, copies, short_roster):
    found = take_in([hw], copies, short_roster)
    assert names(found) == ["ann", "bob"]
    assert (found.unlisted, found.as_listed, found.aside) == (("ann", "cy"), False, ())
    assert reasons(found).keys() == {"cy"}


def test_those_who_are_not_listed_are_refused_if_only_listed_take_part(hw, copies, short_roster):
    found = take_in([hw], copies, short_roster, only_listed=True)
    assert names(found) == ["bob"]
    assert reasons(found) == dict.fromkeys(["ann", "cy"], "not in r.csv, and only those listed take part")
    assert (found.unlisted, found.as_listed) == (("ann", "cy"), False)
    with pytest.raises(BadRosterError, match="only_listed: expected a roster that lists who may take part, got none"):
        take_in([hw], copies, only_listed=True)


def test_what_a_roster_says_besides_goes_with_entrants_and_refused(hw, copies, tmp_path):
    put(hw, {"ann.py": CORNER, "bob.py": "x = 1"})
    (tmp_path / "r.csv").write_text("submission,email\nann,a@example.org\nbob,b@example.org\ngone,g@example.org\n")
    found = take_in([hw], copies, tmp_path / "r.csv")
    assert found.entrants[0].fields == (("email", "a@example.org"),)
    assert {one.name: one.fields for one in found.refused} == {
        "bob": (("email", "b@example.org"),), "gone": (("email", "g@example.org"),)
    }  # fmt: skip
    assert not found.unlisted


def test_a_roster_says_which_file_plays(hw, copies, tmp_path):
    put(hw, {"ann/my_player.py": CORNER, "ann/src/agent.py": "class Agent(object):\n get_input = print", "ann/src/t.txt": ""})
    (tmp_path / "r.csv").write_text("submission,entry,class\nann,src/agent.py,Agent\n")
    (entrant,) = take_in([hw], copies, tmp_path / "r.csv").entrants
    assert (entrant.entry, entrant.class_name) == ("agent.py", "Agent")
    assert files_in(entrant.folder).keys() == {"agent.py", "t.txt"}


def test_what_else_could_have_played_is_told(hw, copies):
    put(hw, {"my_player.py": CORNER, "my_player3.py": "open('input.txt')"})
    both = ("class", "program")
    assert take_in([hw], copies, kinds=both).others == {"hw": ("my_player.py (class MyPlayer)",)}
    assert take_in([hw], copies).others == {}
    # Whoever names the file has chosen.
    alone = take_in([hw / "my_player.py"], copies, kinds=both, with_companions=True)
    assert (alone.others, alone.entrants[0].entry) == ({}, "my_player.py")


def test_a_roster_names_every_submission_once(hw, copies, tmp_path):
    put(hw, {"ann.py": CORNER, "bob.py": CORNER})
    (tmp_path / "r.csv").write_text("submission\nbob\nbob.py\n")
    with pytest.raises(BadRosterError, match=r"r.csv, line 3: 'bob.py' stands in an earlier line already"):
        take_in([hw], copies, tmp_path / "r.csv")


def test_two_files_that_fit_one_line_cost_nobody_else_anything(hw, copies, tmp_path):
    put(hw, {"ann.py": CORNER, "bob.py": CORNER})
    zipped(hw / "ann.zip", {"my_player.py": CORNER})
    (tmp_path / "r.csv").write_text("submission,students\nann,Ann Lee\nbob,\n")
    found = take_in([hw], copies, tmp_path / "r.csv")
    assert names(found) == ["bob"]
    assert reasons(found) == {"ann": "expected one submission 'ann', found 'ann.py' and 'ann.zip'"}
    (tmp_path / "r.csv").write_text("submission\nann.py\nann.zip\n")
    assert names(take_in([hw], copies, tmp_path / "r.csv")) == ["ann", "ann-2", "bob"]


def test_a_roster_can_part_two_submissions_of_one_name(hw, copies, tmp_path):
    put(hw, {"ann.py": CORNER})
    zipped(hw / "ann.zip", {"my_player.py": CORNER})
    (tmp_path / "r.csv").write_text("submission,name\nann.py,ann1\nann.zip,ann2\n")
    assert names(take_in([hw], copies, tmp_path / "r.csv")) == ["ann1", "ann2"]


# Folders


def test_a_missing_folder_and_an_empty_one(tmp_path, copies):
    with pytest.raises(BadRosterError, match=r"got '.*/none', which does not exist"):
        take_in([tmp_path / "none"], copies)
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadRosterError, match=r"expected submissions \(folders, .py files, zip or tar archives\) in '.*/empty'"):
        take_in([tmp_path / "empty"], copies)
    with pytest.raises(BadRosterError, match=r"in nothing, found none"):
        take_in([], copies)


def test_copies_that_cannot_be_written_leave_nothing_behind(hw, copies, monkeypatch):
    put(hw, {"ann.py": CORNER})

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        take_in([hw], copies)
    assert list(copies.iterdir()) == []
