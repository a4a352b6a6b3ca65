"""The list methods of GO against a host that copies and searches lists, on boards that need not be legal."""

import copy
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.copying_go import CopyingGO
from go import GO
from goban.diagrams import parse_diagram
from goban.rulesets import COURSE, LITTLEGO

ODD_VALUES = [0, 1, 2, 3, -1, 9, True, 0.5, 2.0, None, "X"]


def boards(size, values=(0, 1, 2)):
    row = st.lists(st.sampled_from(values), min_size=size, max_size=size)
    return st.lists(row, min_size=size, max_size=size)


def points_of(size):
    return [(i, j) for i in range(size) for j in range(size)]


@st.composite
def positions(draw, values=(0, 1, 2)):
    """(board, previous_board, died_pieces, n_move). The previous board is often one that a placement brings back."""
    size = draw(st.integers(2, 7))
    board = draw(boards(size, values))
    died_pieces = draw(st.lists(st.sampled_from(points_of(size)), max_size=3, unique=True))
    empty = [(i, j) for i, j in points_of(size) if board[i][j] == 0]
    if empty and draw(st.booleans()):
        (i, j), mover = draw(st.sampled_from(empty)), draw(st.sampled_from([1, 2]))
        after = CopyingGO(size)
        after.board = copy.deepcopy(board)
        after.board[i][j] = mover
        after.remove_died_pieces(3 - mover)
        previous_board = after.board
    else:
        previous_board = draw(boards(size, values))
    return board, previous_board, died_pieces, draw(st.integers(0, size * size))


def both_hosts(position, rules=COURSE):
    board, previous_board, died_pieces, n_move = position
    hosts = GO(len(board), rules), CopyingGO(len(board))
    for host in hosts:
        host.board, host.previous_board = copy.deepcopy(board), copy.deepcopy(previous_board)
        host.died_pieces, host.n_move = list(died_pieces), n_move
    return hosts


def assert_same_answers(go, plain, points):
    """All that a player may ask is answered alike, and asking changes nothing."""
    before = copy.deepcopy(plain.board)
    for i, j in points:
        assert go.detect_neighbor(i, j) == plain.detect_neighbor(i, j)
        assert go.detect_neighbor_ally(i, j) == plain.detect_neighbor_ally(i, j)
        assert sorted(go.ally_dfs(i, j)) == sorted(plain.ally_dfs(i, j))
        assert go.find_liberty(i, j) is plain.find_liberty(i, j)
        for colour in (1, 2):
            allowed = plain.valid_place_check(i, j, colour, test_check=True)
            assert go.valid_place_check(i, j, colour, test_check=True) is allowed, (i, j, colour)
            assert go.valid_place_check(i, j, colour) is allowed
    for colour in (1, 2):
        assert sorted(go.find_died_pieces(colour)) == sorted(plain.find_died_pieces(colour))
        assert go.score(colour) == plain.score(colour)
    assert go.judge_winner() == plain.judge_winner()
    assert go.compare_board(go.board, go.previous_board) is plain.compare_board(plain.board, plain.previous_board)
    assert go.game_end(1, "PASS") is plain.game_end(1, "PASS") or not plain.has_legal_placement(1)
    assert go.board == before


@settings(max_examples=150)
@given(positions(), st.sampled_from([COURSE, LITTLEGO]))
def test_queries_agree_on_any_board(position, rules):
    go, plain = both_hosts(position, rules)
    assert_same_answers(go, plain, points_of(go.size))


@pytest.mark.parametrize("seed", range(4))
def test_queries_agree_on_19x19(seed):
    rng = random.Random(seed)
    board, previous_board = ([rng.choices((0, 1, 2), (1, 1 + seed, 2), k=19) for _ in range(19)] for _ in range(2))
    go, plain = both_hosts((board, previous_board, [(3, 3)] * (seed % 2), 100))
    assert_same_answers(go, plain, [(0, 0), (18, 18), (0, 18), *rng.sample(points_of(19), 5)])


@settings(max_examples=60)
@given(positions(ODD_VALUES))
def test_marks_on_a_board_are_neither_empty_nor_stones(position):
    go, plain = both_hosts(position)
    assert_same_answers(go, plain, points_of(go.size))


def test_a_board_may_hold_lists():
    go = GO(3)
    go.board[1][1] = ["a mark"]
    assert go.detect_neighbor_ally(1, 1) == []
    assert go.find_liberty(1, 1)
    assert go.valid_place_check(0, 0, 1)
    assert not go.valid_place_check(1, 1, 1)


@pytest.mark.parametrize("died_pieces", [[[0, 1]], [(9, 9)], ((0, 1),), {(0, 1)}, True], ids=repr)
def test_died_pieces_may_be_kept_in_any_form(died_pieces):
    go = GO(3)
    go.died_pieces = died_pieces
    assert go.valid_place_check(0, 0, 1)
    assert go.judge_winner() == 2
    assert go.score(1) == 0


@settings(max_examples=100)
@given(positions(), st.data())
def test_removing_dead_stones_leaves_equal_boards(position, data):
    go, plain = both_hosts(position)
    for colour in data.draw(st.permutations([1, 2])):
        assert sorted(go.remove_died_pieces(colour)) == sorted(plain.remove_died_pieces(colour))
        assert go.board == plain.board


@pytest.mark.parametrize("seed", range(60))
def test_trying_out_moves_leaves_equal_boards(seed):
    rng = random.Random(seed)
    size = rng.randint(2, 6)
    hosts = [GO(size), CopyingGO(size)]
    colour = 1
    for _ in range(40):
        i, j = rng.randint(-1, size), rng.randint(-1, size)
        test = [host.copy_board() for host in hosts]
        assert test[0].place_chess(i, j, colour) == test[1].place_chess(i, j, colour)
        if rng.random() < 0.9:  # some forget to remove what they captured
            removed = [sorted(host.remove_died_pieces(3 - colour)) for host in test]
            assert removed[0] == removed[1]
            for host in test:
                host.died_pieces = removed[0]
        assert test[0].board == test[1].board
        assert test[0].previous_board == test[1].previous_board
        if rng.random() < 0.7:
            for host in test:
                host.n_move += 1
                host.X_move = not host.X_move
            hosts = test
            colour = 3 - colour if rng.random() < 0.9 else colour


def test_copies_do_not_share_lists():
    go = GO(3)
    go.died_pieces = [(1, 1)]
    for twin in (go.copy_board(), copy.deepcopy(go)):
        twin.board[0][0] = twin.previous_board[0][0] = 1
        twin.died_pieces.append((2, 2))
        twin.n_move += 1
    assert go.board == go.previous_board == [[0] * 3] * 3
    assert go.died_pieces == [(1, 1)]
    assert go.n_move == 0


def test_an_attribute_a_student_adds_is_copied_deeply():
    go = GO(3)
    go.memory = {"seen": [1]}
    twin = go.copy_board()
    twin.memory["seen"].append(2)
    assert go.memory == {"seen": [1]}
    assert twin.memory == {"seen": [1, 2]}


@pytest.mark.parametrize("name", ["record", "history", "moves"])
def test_a_list_a_student_adds_under_any_name_is_not_shared_by_copies(name):
    go = GO(3)
    setattr(go, name, [])
    getattr(go.copy_board(), name).append(1)
    assert getattr(go, name) == []


def test_a_go_that_refers_to_itself_can_be_copied():
    go = GO(3)
    go.me, go.original = go, go.place_chess
    twin = go.copy_board()
    assert twin.me is twin
    assert twin.original(0, 0, 1)
    assert (twin.board[0][0], go.board[0][0]) == (1, 0)


def test_two_references_to_one_go_stay_one():
    go = GO(3)
    first, second = copy.deepcopy([go, go])
    assert first is second is not go


@pytest.mark.parametrize("form", [tuple, lambda row: np.array(row)], ids=["tuples", "arrays"])
def test_boards_compare_by_their_values(form):
    board = parse_diagram("X.\n.O")
    same, other = (form([form(row) for row in rows]) for rows in (board, parse_diagram("XX\n.O")))
    go = GO(2)
    assert go.compare_board(board, same) is True
    assert go.compare_board(same, same) is True
    assert go.compare_board(same, other) is False


class Anything:
    """A mark that claims to be whatever it is compared with."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash(1)


def test_a_mark_on_one_board_changes_no_other_board():
    row = [1, 1, 2, 2, 1, 1, 2, 0, 1, 2, 2]
    mine, yours = GO(11), GO(11)
    mine.board[0] = [Anything(), *row[1:]]
    mine.find_died_pieces(1)
    yours.board[0] = row
    assert (yours.score(1), yours.score(2)) == (5, 5)
    assert yours.find_liberty(0, 0)
