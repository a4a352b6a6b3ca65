"""`import goban` as a library: what it offers, what it loads, and what is said where a package is missing."""

import subprocess
import sys
from pathlib import Path

import pytest

import goban

SOURCE = Path(goban.__file__)


def run(code, *options):
    done = subprocess.run([sys.executable, *options, "-c", code], cwd=SOURCE.parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_it_loads_only_what_finds_names_later():
    # Site packages of a test environment may load modules of their own first.
    code = "import sys; before = set(sys.modules); import goban; print(*sorted(set(sys.modules) - before))"
    assert run(code, "-S") == ["__future__", "goban", "goban.common", "goban.common.facades"]


def test_rules_positions_engines_and_sgf_need_the_standard_library_only():
    names = [home for home in goban.__dict__["_HOMES"] if home.count(".") == 1 and home.startswith("goban.")]
    assert len(names) >= 10
    code = f"import importlib, goban\nfor name in {names}: importlib.import_module(name)\nprint(goban.Engine.__name__)"
    assert run(code, "-S") == ["Engine"]


def test_what_needs_a_package_says_so_in_one_line():
    code = "import goban\ntry: goban.Solver\nexcept ModuleNotFoundError as error: print(error.name, str(error), sep='\\n')"
    name, *said = run(code, "-S")
    assert " ".join(said[:3]) == f"goban.Solver needs {name}:"


@pytest.mark.parametrize("error", [name for name in goban.__all__ if name.endswith("Error")])
def test_errors_hang_on_one_tree(error):
    assert issubclass(getattr(goban, error), goban.GobanError)


def test_errors_of_searches_and_environments_hang_on_it_too():
    with pytest.raises(goban.GobanError, match="simulation"):
        goban.MonteCarlo(simulations=0)
    with pytest.raises(goban.GobanError, match="games"):
        goban.GoBatch(games=0)


def test_the_short_name_of_the_error_for_illegal_moves():
    assert goban.IllegalMove is goban.IllegalMoveError


def test_monte_carlo_answers_alike_whatever_was_asked_before():
    search = goban.MonteCarlo(simulations=200, seed=3)
    state = goban.new_game("aga", 5).play("C3")
    first = search.candidates(state)
    search.candidates(state.play("B2"))
    assert search.candidates(state) == first
    assert search.best_move(state) in state.legal_moves()
    assert first != goban.MonteCarlo(simulations=200, seed=4).candidates(state)


def test_nothing_is_searched_at_the_end_of_a_game():
    over = goban.new_game("aga", 5).play("pass").play("pass")
    assert goban.MonteCarlo(simulations=10).candidates(over) == ()
    with pytest.raises(goban.IllegalMove, match="the end of a game"):
        goban.MonteCarlo(simulations=10).best_move(over)


def test_a_record_of_moves_that_were_played():
    record = goban.record_of(goban.new_game("course", 5), ["C3", (0, 0)])
    assert record.moves == ((2, 2), (0, 0))
    assert record.outcome.ending is goban.Ending.LEFT
    over = goban.record_of(goban.new_game("aga", 5), ["pass", "pass"])
    assert over.outcome.result() == "W+7.5"
    with pytest.raises(goban.IllegalMove, match="C3 as move 2: the point is occupied"):
        goban.record_of(goban.new_game("course", 5), ["C3", "C3"])


def test_a_game_is_replayed_by_its_rules():
    record = goban.record_of(goban.new_game("aga", 5), ["C3", "pass", "D2"])
    states = goban.replay(goban.sgf_of(record, "ann", "bob"))
    assert states[0].rows() == [[0] * 5] * 5
    assert states[-1] == record.final


def test_a_replayed_game_breaks_no_rule():
    game = goban.SgfGame(5, rules="course", moves=tuple(goban.SgfMove(1 + k, (2, 2)) for k in range(2)))
    with pytest.raises(goban.IllegalMove, match="move 2: the point is occupied"):
        goban.replay(game)


def test_a_games_lines_are_read_from_a_file(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[1]SZ[5];B[cc](;W[bb])(;W[dd];B[aa]))")
    assert goban.read_variations(file) == [((2, 2), (1, 1)), ((2, 2), (3, 3), (0, 0))]
    assert goban.read_variations(file, most=1) == [((2, 2), (1, 1))]
    for begun in ("AB[aa]PL[W];W[cc]", "AB[aa]AW[bb]PL[B];B[cc]", "PL[W];W[cc]"):
        file.write_text(f"(;GM[1]SZ[5]{begun})")
        with pytest.raises(goban.SgfError, match="expected a game that begins with an empty board and Black to move"):
            goban.read_variations(file)
    file.write_text("no game")
    with pytest.raises(goban.SgfError, match="expected a complete game"):
        goban.read_sgf(file)
    with pytest.raises(FileNotFoundError):
        goban.read_sgf(tmp_path / "nothing.sgf")
