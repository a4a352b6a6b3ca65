"""Programs that read input.txt on the command line: check, grade and round-robin, beside players that are classes."""

import shutil

import pytest

from tests.support.programs import SHELF
from tournament.__main__ import main
from tournament.application import runs
from tournament.store.store import read_store

CLASS = """class MyPlayer:
    def get_input(self, go, piece_type):
        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, piece_type, test_check=True):
                    return i, j
        return "PASS"
"""


@pytest.fixture
def hw(tmp_path):
    folder = tmp_path / "hw"
    folder.mkdir()
    for name, program in (("ann", "trivial"), ("bob", "course_modules")):
        shutil.copytree(SHELF / program, folder / name)
    (folder / "cy").mkdir()
    (folder / "cy/my_player.py").write_text(CLASS)
    return folder


def run(capsys, *arguments):
    status = main([*map(str, arguments)])
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err


def test_check_takes_programs_and_classes_under_the_rules_of_littlego(hw, capsys):
    (hw / "dan").mkdir()
    (hw / "dan/my_player3.py").write_text('open("input.txt")\nprint "mine"\n')
    (hw / "eve").mkdir()
    (hw / "eve/my_player.py").write_text((SHELF / "trivial/my_player3.py").read_text())
    status, lines, _ = run(capsys, "check", hw, "--rules", "littlego")
    assert status == 1
    assert lines[0].startswith("ann: ok (my_player3.py, a program): won ")
    assert lines[2].startswith("cy: ok (my_player.py, class MyPlayer): won ")
    assert lines[3] == (
        "dan: my_player3.py, line 2: SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)? "
        "(this looks like Python 2)"
    )
    assert lines[4].startswith("eve: ok (my_player.py, a program, run as Python 3): won ")
    assert lines[5].startswith("4 of 5 ok, tried at T")


def test_other_rules_have_no_programs(hw, capsys):
    status, lines, _ = run(capsys, "check", hw / "ann", "--no-games")
    assert status == 1
    assert lines[0] == (
        "ann: my_player3.py: expected a class MyPlayer, found a program that reads input.txt; those play under the rules "
        "'littlego' only"
    )


@pytest.mark.slow
def test_programs_and_classes_meet_in_a_round_robin(hw, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(runs, "cores", lambda: 1)
    monkeypatch.chdir(tmp_path)
    store = tmp_path / "cup.db"
    options = ("--rules", "littlego", "--games", "2", "--name", "cup", "--jobs", "2", "--require-tier", "T1")
    status, _, said = run(capsys, "round-robin", hw, *options)
    assert status == 0, said
    assert "1 games at a time, not 2: no two programs are to think on one core" in said
    with read_store(store) as results:
        rows = results.rows()
        assert results.event.limits.move_seconds == 10.0
    assert len(rows) == 6
    assert not any(row.forfeited_by for row in rows)
