"""The course's modules: they have the names that submissions know, and follow the same rules as everything else."""

import importlib
import random
import sys
from pathlib import Path

import pytest

import go as go_module
from goban.inputs import Input, question_text, read_input
from goban.rulesets import LITTLEGO
from goban.states import new_game
from gojudge.inside import course_modules
from gojudge.inside.course_modules.host import GO
from gojudge.inside.course_modules.read import readInput, readOutput
from gojudge.inside.course_modules.write import writeNextInput, writeOutput, writePass
from gojudge.inside.zygote import COURSE_MODULES
from players import tactics


def boards(seed):
    """The positions of a random game, passes among its moves."""
    rng = random.Random(seed)
    state = new_game(LITTLEGO, 5)
    while not state.is_over:
        yield state
        legal = state.legal_moves()
        state = state.play(rng.choice([move for move in legal if move is not None] or legal))


def go_for(state):
    go = GO(5)
    go.set_board(state.to_move, state.grid.rows(*state.previous), state.rows())
    return go


@pytest.mark.parametrize("seed", range(20))
def test_host_allows_what_the_rules_allow(seed):
    for state in boards(seed):
        go = go_for(state)
        allowed = {(i, j) for i in range(5) for j in range(5) if go.valid_place_check(i, j, state.to_move, test_check=True)}
        assert allowed == {move for move in state.legal_moves() if move is not None}
        assert (go.score(1), go.score(2) + go.komi) == state.scores()


def test_host_plays_removes_and_ends():
    go = GO(5)
    go.set_board(1, [[0] * 5 for _ in range(5)], [[2, 1, 0, 0, 0], [0] * 5, [0] * 5, [0] * 5, [0] * 5])
    assert go.place_chess(1, 0, 1)
    assert go.find_died_pieces(2) == [(0, 0)]
    assert go.remove_died_pieces(2) == [(0, 0)]
    assert go.board[0] == [0, 1, 0, 0, 0]
    assert not go.game_end(1, "PASS")
    go.previous_board = go.copy_board().board
    assert go.game_end(1, "PASS")
    assert not go.game_end(1, "MOVE")
    go.n_move = go.max_move
    assert go.game_end(1)
    assert go.judge_winner() == 2


@pytest.mark.parametrize("kind", ["int64", "int8", "float64"])
def test_host_takes_boards_and_points_of_numpy(kind, capsys):
    """As the course's own does."""
    numpy = pytest.importorskip("numpy")
    for state in boards(3):
        plain, go = go_for(state), GO(5)
        go.set_board(state.to_move, *(numpy.array(board, kind) for board in (plain.previous_board, plain.board)))
        for i, j in numpy.argwhere(go.board == 0):
            allowed = plain.valid_place_check(int(i), int(j), state.to_move, test_check=True)
            assert go.valid_place_check(i, j, state.to_move, test_check=True) == allowed
        assert (go.score(1), go.score(2)) == (plain.score(1), plain.score(2))
        assert go.game_end(1, "PASS") == plain.game_end(1, "PASS")
    plain.visualize_board()
    go.visualize_board()
    first, second = capsys.readouterr().out.split("-" * 10)[1::2]
    assert first == second


def test_hosts_boards_begin_empty_and_equal_points_are_a_tie():
    go = GO(4)
    assert go.board == go.previous_board == [[0] * 4] * 4
    assert go.komi == 2
    for black, winner in ((1, 2), (2, 0), (3, 1)):
        go.board[0] = [1] * black + [0] * (4 - black)
        assert go.judge_winner() == winner


def test_host_says_who_has_more_and_prints_the_board(capsys):
    go = GO(5)
    go.set_board(1, [[0] * 5 for _ in range(5)], [[1, 1, 1, 0, 2], *([0] * 5 for _ in range(4))])
    assert go.judge_winner() == 2
    go.board[1][0] = 1
    assert go.judge_winner() == 1
    go.visualize_board()
    rule = "-" * 10
    assert capsys.readouterr().out == f"{rule}\nX X X   O\nX        \n" + "         \n" * 3 + f"{rule}\n"


def test_host_says_why_not_if_it_is_verbose(capsys):
    go = GO(5)
    go.verbose = True
    assert not go.valid_place_check(5, 0, 1)
    assert not go.valid_place_check(5, 0, 1, test_check=True)
    assert capsys.readouterr().out == "Invalid placement. row should be in the range 0 to 4.\n"


def test_files_are_read_and_written_like_the_courses(tmp_path):
    path = str(tmp_path / "input.txt")
    board = [[0, 1, 2, 0, 0]] + [[0] * 5 for _ in range(4)]
    empty = [[0] * 5 for _ in range(5)]
    writeNextInput(2, empty, board, path)
    text = (tmp_path / "input.txt").read_text()
    assert text.count("\n") == 10
    assert readInput(5, path) == (2, empty, board)
    assert read_input(text) == Input(2, empty, board)


@pytest.mark.parametrize(("result", "text", "read"), [((2, 3), "2,3", ("MOVE", 2, 3)), ("PASS", "PASS", ("PASS", -1, -1))])
def test_answers_are_read_and_written_like_the_courses(tmp_path, result, text, read):
    path = str(tmp_path / "output.txt")
    writeOutput(result, path)
    assert (tmp_path / "output.txt").read_text() == text
    assert readOutput(path) == read


def test_a_pass_has_a_function_of_its_own(tmp_path):
    writePass(str(tmp_path / "output.txt"))
    assert (tmp_path / "output.txt").read_text() == "PASS"


def test_the_question_is_the_courses_to_the_byte(tmp_path):
    path = tmp_path / "input.txt"
    for state in boards(7):
        writeNextInput(state.to_move, state.grid.rows(*state.previous), state.rows(), str(path))
        assert path.read_text() == question_text(state)


# 2019's modules, as classes find them


@pytest.fixture
def course_path(monkeypatch):
    """The folder with the course's modules in front, and no module of its names loaded before or afterwards."""
    def forget():
        for name in COURSE_MODULES:
            sys.modules.pop(name, None)

    monkeypatch.syspath_prepend(str(Path(course_modules.__file__).parent))
    forget()
    yield
    forget()


def test_the_list_of_the_courses_modules_is_what_lies_in_the_folder():
    folder = Path(course_modules.__file__).parent
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == COURSE_MODULES


class Recorder(random.Random):
    """Notes what it is asked to choose from."""

    def choice(self, options):
        self.options = options
        return super().choice(options)


PLAYERS = [
    ("random_player", "RandomPlayer", lambda state: state.placements()),
    ("greedy_player", "GreedyPlayer", lambda state: tactics.most_captures(state, state.placements())[0]),
    ("aggressive_player", "AggressivePlayer", lambda state: _aggressive(state, state.placements())),
    ("smart_player", "SmartPlayer", lambda state: tactics.nearest_to_centre(
        state.grid, tactics.aggressive_candidates(state, tactics.fewest_losses(state, state.placements()))[0])),
]  # fmt: skip


def _aggressive(state, candidates):
    best, captures = tactics.aggressive_candidates(state, candidates)
    return best if captures else tactics.nearest_to_centre(state.grid, best)


@pytest.mark.parametrize(("module", "name", "candidates"), PLAYERS, ids=[name for name, *_ in PLAYERS])
@pytest.mark.parametrize("host", ["go", "host"])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_the_players_of_2019_choose_from_what_the_reference_players_choose_from(
    course_path, monkeypatch, module, name, candidates, host, seed
):
    found = importlib.import_module(module)
    chance = Recorder(1)
    monkeypatch.setattr(found, "random", chance)
    player = getattr(found, name)()
    assert player.type == module.removesuffix("_player")
    for state in boards(seed):
        view = go_for(state) if host == "host" else real_go(state)
        assert player.get_input(view, state.to_move) in chance.options
        assert chance.options == (state.grid.points_of(candidates(state)) or ["PASS"])


def real_go(state):
    go = go_module.GO(5, LITTLEGO)
    go.adopt_state(state)
    return go


def test_go_play_plays_games_between_player_objects(course_path):
    course = importlib.import_module("go_play")
    random.seed(1)
    won = course.play_multiple(course.GreedyPlayer(), course.RandomPlayer(), 10, 5)
    assert sum(won) == 10
    assert won[0] > won[1]
