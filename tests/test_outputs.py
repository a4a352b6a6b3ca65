"""What cannot be written is refused before the long work for it, by every command that writes a file or a folder."""

import importlib

import pytest

from gojudge.records import Entrant
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
    ("tournament", "export cup.db sgf --out OUT", "tournament.commands.stores:write_sgfs"),
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
FOLDERS = [
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
