"""A student who does to lists and hosts whatever can be done, between questions, against the host that remembers nothing."""

import copy
import pickle
import random

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from benchmarks.copying_go import CopyingGO
from go import GO
from goban.diagrams import parse_diagram
from goban.grids import Grid
from goban.rulesets import COURSE, LITTLEGO

SIZE = 3
MOST = 3
POINTS = [(i, j) for i in range(SIZE) for j in range(SIZE)]
STONES = [0, 0, 1, 2]
EQUAL_TO_STONES = [True, 2.0, np.int64(1), np.int64(0)]
MARKS = [3, -1, None, "X"]
COPIES = {
    "copy_board": lambda go: go.copy_board(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda go: pickle.loads(pickle.dumps(go)),
}

chosen = st.integers(0, MOST - 1)
coordinate = st.integers(0, SIZE - 1)
colour = st.sampled_from([1, 2])
which = st.sampled_from(["board", "board", "previous_board"])


class Row(list):
    """A row that is a list, but of another type."""


def plain_copy(plain):
    """A copy of a CopyingGO in which, as in copies of a GO and as seen by the rules, no two rows are one."""
    twin = copy.copy(plain)
    twin.board, twin.previous_board = (list(map(list, rows)) for rows in (plain.board, plain.previous_board))
    twin.died_pieces = list(plain.died_pieces)
    return twin


class Adversary(RuleBasedStateMachine):
    """Pairs of hosts, one of each kind, to which the same is done; rows and lists may be shared between the pairs."""

    @initialize(rules=st.sampled_from([COURSE, LITTLEGO]))
    def begin(self, rules):
        """Black has just taken a stone, and White may not take back at (0, 1) unless somebody changes something."""
        self.pairs = [(GO(SIZE, rules), CopyingGO(SIZE))]
        for host in self.pairs[0]:
            host.board, host.previous_board = parse_diagram("X . X\nO X .\n. . ."), parse_diagram(". O X\nO X .\n. . .")
            host.died_pieces, host.n_move = [(0, 1)], 5

    def pair(self, number):
        return self.pairs[number % len(self.pairs)]

    def add(self, *pair):
        self.pairs = [*self.pairs, pair][-MOST:]

    # What students do to lists

    @rule(k=chosen, name=which, i=coordinate, j=coordinate, stone=st.sampled_from([*STONES, *EQUAL_TO_STONES]))
    def write(self, k, name, i, j, stone):
        for host in self.pair(k):
            getattr(host, name)[i][j] = stone

    @rule(k=chosen, i=coordinate, j=coordinate, mark=st.sampled_from(MARKS))
    def mark_and_wipe(self, k, i, j, mark):
        go, plain = self.pair(k)
        stone, died_pieces = plain.board[i][j], plain.died_pieces
        for host in (go, plain):
            host.board[i][j], host.died_pieces = mark, []
        assert_same_answers(go, plain_copy(plain))
        for host in (go, plain):
            host.board[i][j], host.died_pieces = stone, list(died_pieces)

    @rule(k=chosen, of=chosen, name=which, other=which, i=coordinate, a=coordinate, shared=st.booleans())
    def put_a_row(self, k, of, name, other, i, a, shared):
        for host, source in zip(self.pair(k), self.pair(of), strict=True):
            row = getattr(source, other)[a]
            getattr(host, name)[i] = row if shared else Row(row)

    @rule(k=chosen, of=chosen, name=which, other=which)
    def share_a_board(self, k, of, name, other):
        for host, source in zip(self.pair(k), self.pair(of), strict=True):
            setattr(host, name, getattr(source, other))

    @rule(k=chosen, name=which)
    def turn_upside_down(self, k, name):
        for host in self.pair(k):
            getattr(host, name).reverse()

    @rule(k=chosen, points=st.lists(st.sampled_from(POINTS), max_size=2), kept=st.booleans())
    def rewrite_died_pieces(self, k, points, kept):
        for host in self.pair(k):
            if kept:
                host.died_pieces[:] = points
            else:
                host.died_pieces = list(points)

    @rule(k=chosen, number=st.integers(0, SIZE * SIZE))
    def count(self, k, number):
        for host in self.pair(k):
            host.n_move = number

    @rule(k=chosen, i=coordinate)
    def break_and_mend(self, k, i):
        go, _ = self.pair(k)
        row = go.board[i]
        go.board[i] = row[:-1]
        with pytest.raises(ValueError, match="expected rows of 3 numbers"):
            go.valid_place_check(i, 0, 1, test_check=True)
        go.board[i] = row

    # What students do with hosts

    @rule(k=chosen, way=st.sampled_from(sorted(COPIES)))
    def copy(self, k, way):
        go, plain = self.pair(k)
        if way == "pickle":  # keeps one row one
            go.board, go.previous_board = (list(map(list, rows)) for rows in (go.board, go.previous_board))
            plain.board, plain.previous_board = (list(map(list, rows)) for rows in (plain.board, plain.previous_board))
        self.add(COPIES[way](go), plain_copy(plain))

    @rule(k=chosen)
    def shallow_copy(self, k):
        self.add(*map(copy.copy, self.pair(k)))

    @rule(k=chosen, i=coordinate, j=coordinate, piece_type=colour, remove=st.booleans())
    def place(self, k, i, j, piece_type, remove):
        go, plain = self.pair(k)
        allowed = plain_copy(plain).valid_place_check(i, j, piece_type)
        assert go.place_chess(i, j, piece_type) is allowed
        if allowed:
            plain.previous_board = list(map(list, plain.board))
            plain.board[i][j] = piece_type
        if allowed and remove:
            plain.died_pieces = plain.remove_died_pieces(3 - piece_type)
            go.died_pieces = go.remove_died_pieces(3 - piece_type)
            assert go.died_pieces == plain.died_pieces

    @rule(k=chosen, of=chosen, piece_type=colour)
    def set_board(self, k, of, piece_type):
        for host, source in zip(self.pair(k), self.pair(of), strict=True):
            host.set_board(piece_type, source.previous_board, source.board)

    @rule(k=chosen)
    def begin_again(self, k):
        go, plain = self.pair(k)
        go.init_board(SIZE)
        plain.init_board(SIZE)
        plain.died_pieces, plain.n_move = [], 0

    # What students ask

    @invariant()
    def every_question_is_answered_alike(self):
        for go, plain in getattr(self, "pairs", []):
            assert_same_answers(go, plain_copy(plain))


def assert_same_answers(go, plain):
    for piece_type in (1, 2):
        allowed = [plain.valid_place_check(*point, piece_type) for point in POINTS]
        assert [go.valid_place_check(*point, piece_type) for point in POINTS] == allowed, (go.board, go.died_pieces)
        assert go.find_died_pieces(piece_type) == plain.find_died_pieces(piece_type)
        assert go.score(piece_type) == plain.score(piece_type)
        assert go.game_end(piece_type) is (plain.game_end(piece_type) or not (go.rules.passing or any(allowed)))
    for point in POINTS:
        assert go.ally_dfs(*point) == sorted(plain.ally_dfs(*point))
        assert go.find_liberty(*point) is plain.find_liberty(*point)


TestAdversary = Adversary.TestCase
TestAdversary.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)


# That anything is remembered


@pytest.fixture
def read(monkeypatch):
    """The boards that were read, in order."""
    boards = []
    plain = Grid.read
    monkeypatch.setattr(Grid, "read", lambda grid, rows: (boards.append(copy.deepcopy(rows)), plain(grid, rows))[1])
    return boards


def test_a_board_is_read_once_for_all_questions_about_it(read):
    go = GO(5)
    rng = random.Random(1)
    go.board = [rng.choices([0, 1, 2], k=5) for _ in range(5)]
    for _ in range(2):
        for piece_type in (1, 2):
            for point in go.grid.points:
                go.valid_place_check(*point, piece_type)
                go.find_liberty(*point)
            go.find_died_pieces(piece_type), go.score(piece_type), go.game_end(piece_type)
    assert read == [go.board]
    go.board[0][0] = 3 - go.board[0][0]
    go.judge_winner()
    assert len(read) == 2


def test_a_copy_does_not_read_what_the_original_has_read(read):
    go = GO(5)
    go.board[2][2] = 1
    go.valid_place_check(0, 0, 2)
    test = go.copy_board()
    assert test.place_chess(0, 0, 2)
    assert len(read) == 1
    assert test.remove_died_pieces(1) == []
    assert len(read) == 2
    assert go.valid_place_check(0, 0, 2)
    assert len(read) == 2


class Changing:
    """A mark that equals the stone it is told to."""

    def __init__(self, stone):
        self.stone = stone

    def __eq__(self, other):
        return self.stone == other

    def __hash__(self):
        return id(self)


def test_a_mark_that_changes_its_mind_is_noticed():
    go, mark = GO(3), Changing(1)
    go.board[1][1] = mark
    assert (go.score(1), go.score(2)) == (1, 0)
    mark.stone = 2
    assert (go.score(1), go.score(2)) == (0, 1)
    mark.stone = 0
    assert go.valid_place_check(1, 1, 1)


def test_what_died_is_noticed_without_another_change():
    go = GO(3)
    go.board, go.previous_board = parse_diagram("X . X\nO X .\n. . ."), parse_diagram(". O X\nO X .\n. . .")
    assert go.valid_place_check(0, 1, 2)
    go.died_pieces.append((0, 1))
    assert not go.valid_place_check(0, 1, 2)
    go.previous_board[2][2] = 1
    assert go.valid_place_check(0, 1, 2)
    go.previous_board[2][2] = 0
    assert not go.valid_place_check(0, 1, 2)
    go.died_pieces.pop()
    assert go.valid_place_check(0, 1, 2)


@pytest.mark.parametrize("colour", [[1], {}, True, 1.0, "1", None])
def test_what_is_no_colour_is_answered_as_it_always_was(colour):
    """As a student's mistake, such as the board for the piece type; nothing else has to be fit to be a key."""
    answers = []
    for host in (GO(3), CopyingGO(3)):
        host.board[1][1] = 2
        asked = [host.valid_place_check(i, j, colour, test_check=True) for i in range(3) for j in range(3)]
        answers.append([*asked, host.valid_place_check(0, 0, 1), host.place_chess(2, 2, colour), host.board])
    assert answers[0] == answers[1]
