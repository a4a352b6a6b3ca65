"""Who is meant by a name on the command line, and what is taken along."""

import shutil
import subprocess
from pathlib import Path

import pytest

from goban.rulesets import LITTLEGO
from goban.states import new_game
from gojudge.errors import BadRosterError, BadSubmissionError
from gojudge.intake.player_files import kinds_for
from tests.support.missing import needs, no_program
from tests.support.sources import CORNER
from tests.support.waiting import PATIENCE
from tournament.application.classes import single_players, take_in_players
from tournament.commands.play import leave_for_rerun, rerun_commands

CPP = """#include <cstdio>
#include "answer.h"
int main() { FILE *f = fopen("output.txt", "w"); fputs(ANSWER, f); fclose(f); }
"""


@pytest.fixture
def homework(tmp_path):
    folder = tmp_path / "homework"
    folder.mkdir()
    return folder


def taken(path, copies):
    (entrant,) = single_players([str(path)], copies)
    return entrant, sorted(file.name for file in entrant.folder.iterdir())


def test_a_program_takes_along_what_it_needs_from_its_folder(homework, tmp_path):
    (homework / "my_player3.py").write_text("import os, helper\nopen('input.txt')\n")
    (homework / "helper.py").write_text("from deeper import x\nTABLE = 'table.json'\n")
    for name in ("deeper.py", "table.json", "other.py", "input.txt", "mytable.json", "deeper"):
        (homework / name).write_text("")
    entrant, files = taken(homework / "my_player3.py", tmp_path / "copies")
    assert (entrant.name, entrant.kind, entrant.entry) == ("my_player3", "program", "my_player3.py")
    assert files == ["deeper.py", "helper.py", "input.txt", "my_player3.py", "table.json"]


def test_what_else_could_have_played_is_said(homework, tmp_path, capsys):
    (homework / "my_player.py").write_text(CORNER)
    (homework / "my_player3.py").write_text("open('input.txt')\n")
    told = []
    single_players([str(homework)], tmp_path / "one", tell=told.append)
    take_in_players([str(homework)], None, tmp_path / "match.db", "littlego", tell=told.append)
    line = (
        "homework: plays my_player3.py, a program; not my_player.py (class MyPlayer): a roster's columns entry and class can "
        "say which plays"
    )
    assert told == [line, line]
    assert capsys.readouterr().err == ""


def test_the_file_that_is_named_plays(homework, tmp_path):
    """Of a whole folder it would be the one with the first of the course's names that is a program."""
    (homework / "my_player.py").write_text(CORNER)
    (homework / "my_player3.py").write_text("from my_player import MyPlayer\nopen('input.txt')\n")
    entries = [
        taken(source, tmp_path / str(number))[0]
        for number, source in enumerate([homework, homework / "my_player.py", homework / "my_player3.py"])
    ]
    assert [(entrant.entry, entrant.kind) for entrant in entries] == [
        ("my_player3.py", "program"), ("my_player.py", "class"), ("my_player3.py", "program"),
    ]  # fmt: skip
    (entrant,) = single_players([str(homework)], tmp_path / "course", kinds_for("course"))
    assert (entrant.entry, entrant.kind) == ("my_player.py", "class")


def test_a_class_and_a_file_of_any_name_do_so_too(homework, tmp_path):
    (homework / "my table.json").touch()
    (homework / "other.json").touch()
    for number, name in enumerate(["my_player.py", "my player (1).py", "\u68cb.py"]):
        (homework / name).write_text(f"TABLE = 'my table.json'\n{CORNER}")
        entrant, files = taken(homework / name, tmp_path / str(number))
        assert (entrant.name, entrant.kind, entrant.entry) == (["my_player", "my_player_1", "棋"][number], "class", name)
        assert files == sorted(["my table.json", name])


def test_what_a_file_needs_and_cannot_have_is_said(homework, tmp_path):
    (homework / "bob.py").write_text(f"TABLE = 'table.json'\n{CORNER}")
    (homework / "table.json").symlink_to("/etc/passwd")
    with pytest.raises(BadSubmissionError, match=r"^'.*bob.py': expected regular files, got the symbolic link 'table.json'"):
        single_players([str(homework / "bob.py")], tmp_path / "copies")


def test_references_and_submissions_have_names_of_their_own(homework, tmp_path):
    (homework / "greedy.py").write_text(CORNER)
    found = single_players(["greedy", str(homework / "greedy.py")], tmp_path / "copies")
    assert [(entrant.name, entrant.reference) for entrant in found] == [("greedy", "greedy"), ("greedy-2", "")]
    assert [entrant.name for entrant in single_players(["random", "random"], tmp_path / "more")] == ["random", "random-2"]


def test_what_is_no_single_player(homework, tmp_path):
    with pytest.raises(BadRosterError, match="expected a player"):
        single_players(["nobody"], tmp_path / "a")
    for name in ("ann", "bob"):
        (homework / f"{name}.py").write_text(CORNER)
    with pytest.raises(BadSubmissionError, match="expected one submission, found 2 in"):
        single_players([str(homework)], tmp_path / "b")


@needs(no_program("g++"))
def test_a_compiled_program_can_be_asked_again_by_hand(homework, tmp_path):
    (homework / "my_player.cpp").write_text(CPP)
    (homework / "answer.h").write_text('#define ANSWER "2,2"\n')
    entrant, files = taken(homework / "my_player.cpp", tmp_path / "copies")
    assert files == ["answer.h", "my_player.cpp"]
    state = new_game(LITTLEGO, 5)
    folder = leave_for_rerun(entrant, [state], tmp_path)
    # It is another program, with which ours does not compile.
    (entrant.folder / "trial.cpp").write_text("int main() { return 1; }\n")
    shutil.copy(entrant.folder / "trial.cpp", folder)
    for command in rerun_commands(entrant, state, folder):
        (folder / "output.txt").unlink(missing_ok=True)
        subprocess.run(["bash", "-c", command], check=True, timeout=PATIENCE)
        assert (folder / "output.txt").read_text() == "2,2"
    assert sorted(path.name for path in Path(folder).iterdir())[:3] == [".built", "answer.h", "input.txt"]
