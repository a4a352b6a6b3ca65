"""GO: what its attributes and methods say, position by position."""

import copy
import pickle
import random

import pytest

from go import GO
from goban.diagrams import parse_diagram
from goban.errors import BadBoardError
from goban.rulesets import AGA, COURSE, LITTLEGO
from goban.states import new_game
from players.random_player import RandomPlayer
from tests.support.hosts import fillers, host
from tests.support.scripted import Scripted, attributes

# A new GO


@pytest.mark.parametrize("size", range(2, 20))
def test_a_new_go_is_an_empty_board_with_black_to_move(size):
    go = GO(size)
    assert attributes(go) == {
        "board": [[0] * size for _ in range(size)],
        "previous_board": [[0] * size for _ in range(size)],
        "died_pieces": [],
        "n_move": 0,
        "X_move": True,
        "max_move": size * size - 1,
        "komi": size / 2,
        "size": size,
        "verbose": False,
    }
    assert len({id(row) for row in [*go.board, *go.previous_board]}) == 2 * size


@pytest.mark.parametrize("size", [1, 20, 0, -5, 10**9])
def test_other_sizes_are_refused_in_one_line(size):
    with pytest.raises(BadBoardError, match=rf"^expected a board size from 2 to 19, got {size}$"):
        GO(size)


def test_init_board_starts_again_with_another_size():
    go = host("X.\n.O")
    go.init_board(7)
    assert attributes(go) == attributes(GO(7))


# Boards


def test_set_board_finds_what_the_opponent_took():
    before = parse_diagram("X.O\n.O.\n...")
    now = parse_diagram("..O\nOX.\n...")
    go = GO(3)
    go.died_pieces = [(2, 2)]
    go.set_board(1, before, now)
    assert go.died_pieces == [(0, 0)]
    assert go.board is now
    assert go.previous_board is before
    go.set_board(2, before, now)
    assert go.died_pieces == [(1, 1)]


def test_set_board_with_two_equal_boards_has_nothing_dead():
    go = GO(3)
    board = parse_diagram("X.O\n.O.\n...")
    go.set_board(1, board, board)
    assert go.died_pieces == []


def test_update_board_takes_the_list_itself():
    go = GO(2)
    board = parse_diagram("X.\n.O")
    go.update_board(board)
    assert go.board is board


# Placing


def test_place_chess_leaves_captured_stones_to_the_caller():
    go = host("XO.\n...\n...")
    assert go.place_chess(1, 0, 2)
    assert go.board == parse_diagram("XO.\nO..\n...")
    assert go.previous_board == parse_diagram("XO.\n...\n...")
    assert go.died_pieces == []
    assert (go.n_move, go.X_move) == (0, True)
    assert go.remove_died_pieces(1) == [(0, 0)]
    assert go.board == parse_diagram(".O.\nO..\n...")


@pytest.mark.parametrize("point", [(0, 0), (2, 2), (-1, 0), (0, 3), (9, 9), ("a", 0), (None, None), (0.5, 1)])
def test_a_refused_placement_changes_nothing(point):
    go = host(".X.\nXX.\n..O")
    before = attributes(go)
    assert not go.place_chess(*point, 2)
    assert attributes(go) == before


def test_remove_certain_pieces_empties_these_points():
    go = host("XO\nOX")
    go.remove_certain_pieces([(0, 0), [1, 1]])
    assert go.board == parse_diagram(".O\nO.")


# The end of the game


@pytest.mark.parametrize(("n_move", "over"), [(0, False), (7, False), (8, True), (9, True)])
@pytest.mark.parametrize("rules", [COURSE, LITTLEGO], ids=lambda rules: rules.name)
def test_a_game_ends_at_its_last_move(rules, n_move, over):
    assert host("X..\n...\n...", rules, n_move=n_move).game_end(1) is over


def test_a_game_without_passing_ends_when_the_player_to_move_has_no_placement():
    drawing = ".X\nX."
    assert host(drawing).game_end(2)
    assert not host("X.\n..").game_end(2)
    assert not host(drawing, LITTLEGO).game_end(2)


def test_a_pass_on_an_unchanged_board_ends_the_game():
    go = host("X..\n...\n...", LITTLEGO)
    assert not go.game_end(2, "PASS")
    go.previous_board = copy.deepcopy(go.board)
    assert go.game_end(2, "PASS")
    assert not go.game_end(2, "MOVE")
    assert not go.game_end(2)


def test_the_score_is_the_stones_and_komi_is_whites():
    go = host("XX.\nXO.\n...")
    assert (go.score(1), go.score(2)) == (3, 1)
    assert go.judge_winner() == 1
    assert host("XX.\n.O.\n...").judge_winner() == 2


@pytest.mark.parametrize(("drawing", "winner"), [("XX\n.O", 0), ("XX\nX.", 1), ("X.\n.O", 2), ("X.\n..", 0)])
def test_equal_scores_are_a_tie(drawing, winner):
    assert host(drawing).judge_winner() == winner


def test_komi_may_be_changed_on_a_copy():
    go = host("XX\n..").copy_board()
    assert go.judge_winner() == 1
    go.komi = 2.5
    assert go.judge_winner() == 2


def test_area_counts_where_the_rules_say_so():
    go = host(".XO\nXXO\n.XO", AGA)
    assert (go.score(1), go.score(2)) == (6, 3)


# The whole object


def test_a_go_survives_pickling():
    go = GO(4)
    go.play(*fillers())
    go.extra = [1]
    twin = pickle.loads(pickle.dumps(go))
    assert attributes(twin) == attributes(go)
    assert (twin.record, twin.rules, twin.extra) == (go.record, go.rules, [1])
    assert twin.grid is go.grid
    assert twin.play(*fillers()) == go.play(*fillers())


def test_a_subclass_keeps_its_class_and_its_attributes():
    class Board(GO):
        def __init__(self, n, name):
            super().__init__(n)
            self.name = name

        def count(self):
            return self.score(1) + self.score(2)

    board = Board(3, "mine")
    board.place_chess(1, 1, 1)
    twin = board.copy_board()
    assert (type(twin), twin.name, twin.count()) == (Board, "mine", 1)
    assert board.play(*fillers()) == board.judge_winner()


# The contract with the judge


@pytest.mark.parametrize("rules", [COURSE, LITTLEGO, AGA], ids=lambda rules: rules.name)
def test_a_view_adopts_a_state_and_gives_it_back(rules):
    state, view = new_game(rules, 4), GO(9)
    for move in [(0, 0), (0, 1), (3, 3), (1, 0)]:
        state = state.play(move)
        GO.adopt_state(view, state)
        assert view.board == state.rows()
        assert (view.size, view.n_move, view.X_move) == (4, state.n_move, state.to_move == 1)
        assert view.position(state.to_move).legal_moves() == state.legal_moves()
    assert view.died_pieces == [(0, 0)]


class OwnNames(GO):
    """A student's host, which uses the judge's name for something else."""

    adopt_state = None


def test_a_students_own_name_for_something_else_changes_nothing():
    go = OwnNames(4)
    assert go.play(*fillers()) == GO(4).play(*fillers())
    scribbler = Scripted(lambda view: setattr(view, "adopt_state", None) or (0, 0), (1, 1))
    go.play(scribbler, RandomPlayer(random.Random(2)))
    assert go.record.moves[0] == (0, 0)
    assert go.record.moves[2] == (1, 1)
