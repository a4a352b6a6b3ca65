"""`import goban` as a library: what it offers, what it loads, and what is said where a package is missing."""

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
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


@pytest.mark.parametrize("move", [[2, 2], np.array([2, 2]), (np.int64(2), np.array(2)), np.str_("C3"), " c3 "], ids=repr)
def test_a_move_is_any_pair_of_whole_numbers_or_a_name(move):
    state = goban.new_game("course", 5)
    played = state.play(move)
    assert played == state.play("C3")
    assert [type(number) for number in played.last_point] == [int, int]
    assert str(played.why_illegal(move)) == "the point is occupied"
    assert (played.stone_at(move), played.group_at(move)[1].bit_count()) == (goban.BLACK, 4)
    assert goban.record_of(state, [move]).moves == ((2, 2),)


def test_a_number_is_an_action_of_a_batch():
    state = goban.new_game("aga", 5)
    for action in (12, np.int64(12), np.array(12)):
        assert state.play(action) == state.play("C3")
        assert goban.move_name(action, 5) == "C3"
    assert state.play(25) == state.play("pass")
    assert goban.play_game(state, lambda now, complaint: 25, lambda now, complaint: 25).moves == (None, None)


def test_a_position_knows_its_size_and_its_komi():
    state = goban.new_game("aga", 9, komi=6.5)
    assert (state.size, state.komi, state.rules.name) == (9, 6.5, "aga")
    assert state.with_(komi=np.float32(0.5)).komi == 0.5
    assert goban.new_game("course", 5, 2.5).rules is goban.RULES["course"]


def test_a_file_is_replayed_by_rules_that_are_named():
    game = goban.read_sgf(b"(;SZ[5]RU[course];B[cc];W[])")
    assert goban.replay(game, "littlego")[-1].passed


@pytest.mark.parametrize("rows", [((0, 1), (2, 0)), ([k, 2 - k] for k in (0, 1)), np.array([[0, 1], [2, 0]])], ids=type)
def test_rows_of_any_kind_set_up_a_board(rows):
    assert goban.state_from_rows("aga", rows).size == 2


@pytest.mark.parametrize("thing", [26, -1, True, (2.0, 2), (1, 2, 3), b"C", [None, 1], "Z9", (5, 0), (-1, 0), ...], ids=repr)
def test_what_is_no_move_is_refused_by_one_error(thing):
    state = goban.new_game("aga", 5)
    for ask in (state.play, state.why_illegal, state.stone_at, state.group_at):
        with pytest.raises(goban.BadPointError):
            ask(thing)


def test_a_size_of_numpys_makes_the_same_board():
    """A grid is made once for everybody; its masks were 64 bits wide."""
    code = "import goban, numpy; s = goban.new_game('aga', numpy.int64(19)).play('T1'); print(len(s.legal_moves()))"
    assert run(code) == ["362"]


@pytest.mark.parametrize("size", ["5", 4.5, 1, 20, True])
def test_what_is_no_size_is_refused(size):
    with pytest.raises(goban.BadBoardError, match="expected a board size from 2 to 19, got"):
        goban.new_game("course", size)


def test_what_is_no_rule_set_is_refused():
    assert goban.ruleset(goban.RULES["aga"]) is goban.RULES["aga"]
    with pytest.raises(goban.UnknownRuleSetError, match="got 9"):
        goban.new_game(9)


def test_a_position_is_set_up_with_black_white_and_nothing_else():
    with pytest.raises(goban.BadBoardError, match="row 0, column 1: expected 0, 1 or 2, got -1"):
        goban.state_from_rows("aga", [[0, -1], [0, 0]])
    with pytest.raises(goban.BadBoardError, match="to move, got 'white'"):
        goban.new_game("aga", 5).with_(to_move="white")
    with pytest.raises(goban.BadBoardError, match="to move, got 0"):
        goban.state_from_rows("aga", np.zeros((5, 5), np.int8), to_move=0)


def test_players_of_a_game_answer_with_moves():
    """PASS is None, which of a student's player is a forgotten `return`."""
    moves = iter(["C3", [1, 1], "E9", (0, 0), goban.PASS, "pass"])
    played = goban.play_game(goban.new_game("littlego", 5), lambda *_: next(moves), lambda *_: next(moves))
    assert (played.moves, played.outcome.detail) == (
        ((2, 2), (1, 1)),
        "black forfeits at move 3: invalid answer: expected (row, column), got 'E9'",
    )
    assert goban.play_game(goban.new_game("aga", 5), lambda *_: goban.PASS, lambda *_: "pass").moves == (None, None)
    assert goban.play_game(goban.new_game("aga", 5), lambda *_: goban.RESIGN, lambda *_: "pass").outcome.result() == "W+R"


def test_games_are_read_from_paths_open_files_and_text(tmp_path):
    record = goban.record_of(goban.new_game("course", 5), ("C3", "B3"))
    text, path = goban.write_sgf(goban.sgf_of(record, "Ana María")), tmp_path / "é.sgf"
    path.write_text(text, encoding="utf-8")
    sources = [path, str(path), str(path).encode(), io.StringIO(text), io.BytesIO(text.encode())]
    sources += [text, text.encode(), f"\ufeff\n( {text[1:]}"]
    assert {goban.read_sgf(source).black for source in sources} == {"Ana María"}
    assert goban.read_variations(io.StringIO(text)) == [((2, 2), (2, 1))]
    for nothing in ("", b"", " \n", io.StringIO("")):
        with pytest.raises(goban.SgfError, match="expected a complete game"):
            goban.read_sgf(nothing)
    assert goban.replay(record) == goban.replay(goban.read_sgf(path))
