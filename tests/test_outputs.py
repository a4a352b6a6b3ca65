"""What cannot be written is refused before the long work for it, by every command that writes a file or a folder."""

import importlib
import re

import pytest

from gojudge.records import Entrant
from tournament.__main__ import main
from tournament.events.events import Event
from tournament.store.store import Run, open_store

GAMES = "(;GM[1]SZ[5]RU[course]RE[B+1];B[aa])"

# Module and arguments, OUT in the place of the path; and what must not be called, as module:name.
FILES = [
    ("tournament", "probe random --out OUT", "tournament.probing.asking:ask_all"),
    ("tournament", "probe random --out good.json --out OUT.sgf", "tournament.probing.asking:ask_all"),
    ("tournament", "standings cup.db --out OUT", "tournament.commands.standings:open_results"),
    ("tournament", "similarity cup.db --out OUT", "tournament.similarity.choices:gather"),
    ("tournament", "export cup.db csv --out OUT", "tournament.commands.stores:write_csv"),
    ("tournament", "report cup.db --truth 1 --out OUT.html", "tournament.commands.report:compute_truth"),
    ("tournament", "autograder gradescope OUT", "tournament.commands.autograder:autograder"),
    ("goban.solver.truth", "explorer --out OUT", "goban.solver.dataset:read"),
    ("goban.solver.truth", "prove 3x3 --rules course --out OUT", "goban.solver.solver:Solver"),
    ("goban.solver.truth", "prove 3x3 --out OUT", "goban.solver.area.command:AreaSolver"),
    ("golearn.patterns", "games.sgf --out OUT.json", "golearn.patterns.training:games_of"),
    ("golearn.alphazero", "match --game tictactoe random minimax --out OUT", "golearn.alphazero.commands.playing:_play_pair"),
    ("golearn.alphazero", "truth-set course --out OUT.npz", "golearn.alphazero.go_positions:make_positions"),
    ("golearn.alphazero", "evaluate --game tictactoe random --out OUT", "golearn.evaluation:evaluate"),
    ("golearn.alphazero", "truthbench random --out OUT", "golearn.evaluation:known_positions"),
]
# These end in what OUT is for: what they need is looked for first, or they write what is found at once.
MORE_FILES = [
    ("go_play", "-p1 random -p2 random --sgf OUT", "go_play:GO"),
    ("go_play", "-p1 random -p2 random --html OUT", "go_play:GO"),
    ("golearn.qlearning", "--table OUT", "golearn.qlearning.command:Training"),
    ("golearn.qlearning", "--games 1 --curve OUT", "golearn.qlearning.command:Training"),
    ("golearn.alphazero", "export run OUT", "golearn.alphazero.commands.training:newest_network"),
    ("golearn.alphazero", "truthbench --export OUT", "golearn.evaluation:known_positions"),
    ("tournament.probing", "course --out OUT", "tournament.probing.making:make_positions"),
]
FOLDERS = [
    ("tournament", "export cup.db sgf --out OUT", "tournament.commands.stores:write_sgfs"),
    ("tournament", "grade hw --out OUT", "tournament.commands.events:grade"),
    ("tournament", "report cup.db --truth 1 --out OUT", "tournament.commands.report:compute_truth"),
    ("tournament", "export cup.db sgf-per-game --out OUT", "tournament.commands.stores:write_sgfs"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a store, a submission and games; in it `file` is a file, and `none` is not there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "games.sgf").write_text(GAMES)
    (tmp_path / "hw/ann").mkdir(parents=True)
    (tmp_path / "hw/ann/my_player.py").write_text("class MyPlayer:\n    def get_input(self, go, piece_type): return 'PASS'\n")
    with open_store(tmp_path / "cup.db", Event("cup", "round-robin", size=5, games=3)) as store:
        players = [Entrant(name, digest=name) for name in ("ann", "bob")]
        store.begin_run(players, Run("2026-01-01T00:00:00+00:00", "classroom", "Python 3"))
    return tmp_path


def refuse(module, command, avoided, out, capsys, monkeypatch):
    """Run a command that must be refused before it does any work; return what it says."""
    place, name = avoided.split(":")
    monkeypatch.setattr(importlib.import_module(place), name, lambda *_, **__: pytest.fail("it has begun its work"))
    package = importlib.import_module(module)
    main = package.main if hasattr(package, "main") else importlib.import_module(f"{module}.__main__").main
    assert main([word.replace("OUT", out) for word in command.split()]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def everything_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize(("module", "command", "avoided"), FILES)
@pytest.mark.parametrize(("out", "why"), [("none/x", "No such file or directory"), ("file/x", "Not a directory")])
def test_a_file_that_cannot_be_written_is_refused_first(folder, capsys, monkeypatch, module, command, avoided, out, why):
    before = everything_in(folder)
    said = refuse(module, command, avoided, out, capsys, monkeypatch)
    assert out in said
    assert why in said
    assert everything_in(folder) == before


@pytest.mark.parametrize(("module", "command", "avoided"), FOLDERS)
def test_a_folder_that_cannot_be_made_is_refused_first(folder, capsys, monkeypatch, module, command, avoided):
    before = everything_in(folder)
    assert "file/x: expected a folder, or none yet" in refuse(module, command, avoided, "file/x", capsys, monkeypatch)
    assert everything_in(folder) == before


@pytest.mark.parametrize(("module", "command", "avoided"), [*(one for one in FILES if "OUT.html" not in one[1]), *MORE_FILES])
@pytest.mark.parametrize("there", ["my_player.py", "cup.db"])
def test_what_is_there_and_of_another_kind_is_not_replaced(folder, capsys, monkeypatch, module, command, avoided, there):
    """Such as a results file after --out, or homework."""
    (folder / "my_player.py").write_text("# weeks of work")
    command = re.sub(r"OUT\S*", there, command)
    before = (folder / there).read_bytes()
    said = refuse(module, command, avoided, there, capsys, monkeypatch)
    assert there in said
    assert "ends in" in said or "ending in" in said
    assert (folder / there).read_bytes() == before


@pytest.mark.parametrize("command", ["standings cup.db", "similarity cup.db", "export cup.db csv"])
def test_another_list_is_not_replaced(folder, capsys, command):
    """A class's roster ends in .csv as well."""
    (folder / "hw.csv").write_text("name,submission\nann,ann\n")
    assert main([*command.split(), "--out", "hw.csv"]) == 2
    assert "hw.csv is no list of " in capsys.readouterr().err
    assert (folder / "hw.csv").read_text() == "name,submission\nann,ann\n"
    for _ in range(2):
        assert main([*command.split(), "--out", "new.csv"]) != 2
    assert (folder / "new.csv").stat().st_size


def test_pages_of_somebody_else_are_neither_replaced_nor_removed(folder, capsys):
    for name in ("index.html", "player-of-flute.html"):
        (folder / name).write_text("<h1>Me</h1>")
        assert main(["report", "cup.db", "--out", "."]) == 2
        assert f"a folder without pages; {name} would be lost" in capsys.readouterr().err
        assert (folder / name).read_text() == "<h1>Me</h1>"
        (folder / name).unlink()
    for _ in range(2):
        assert main(["report", "cup.db", "--out", "."]) == 0
    assert (folder / "index.html").exists()


def test_grades_of_somebody_else_are_not_replaced(folder, capsys):
    (folder / "grades.csv").write_text("Student,ID\n")
    assert main(["grade", "hw", "--out", "."]) == 2
    assert "grades.csv is no list of grades, and is not overwritten" in capsys.readouterr().err
    assert (folder / "grades.csv").read_text() == "Student,ID\n"
