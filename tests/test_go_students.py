"""Whole games of players written the way students of the course write them: none of them may forfeit."""

import copy
import random

import numpy as np
import pytest

from go import GO
from goban.rulesets import COURSE, LITTLEGO
from players.random_player import RandomPlayer


class QLearner:
    """A table of values, keyed by the board as a string; learns from every game it is told about."""

    def __init__(self, side=None):
        self.type = "q_learner"
        self.side = side
        self.q_values = {}
        self.history_states = []

    def encode_state(self, board):
        return "".join([str(board[i][j]) for i in range(len(board)) for j in range(len(board))])

    def Q(self, state, size):  # noqa: N802
        if state not in self.q_values:
            q_val = np.zeros((size, size))
            q_val.fill(0.5)
            self.q_values[state] = q_val
        return self.q_values[state]

    def get_input(self, go, piece_type):
        state = self.encode_state(go.board)
        q_values = self.Q(state, go.size).copy()
        while np.max(q_values) >= 0:
            row, col = np.unravel_index(np.argmax(q_values), q_values.shape)
            if go.valid_place_check(row, col, piece_type, test_check=True):
                self.history_states.append((state, (row, col)))
                return row, col
            q_values[row][col] = -1.0
        return "PASS"

    def learn(self, reward):
        max_q_value = -1.0
        self.history_states.reverse()
        for state, (row, col) in self.history_states:
            q = self.q_values[state]
            q[row][col] = reward if max_q_value < 0 else q[row][col] * 0.3 + 0.7 * 0.9 * max_q_value
            max_q_value = np.max(q)
        self.history_states = []


class Minimax:
    """Two plies deep, on deep copies whose fields it changes by hand; its second parameter has another name."""

    def __init__(self, plies=2, width=6):
        self.plies, self.width = plies, width

    def get_input(self, go, color):
        self.me = color
        move = self.search(go, color, self.plies)[1]
        return list(move) if move else "PASS"

    def moves(self, go, color):
        found = []
        middle = go.size // 2
        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, color, True):
                    trial = copy.deepcopy(go)
                    trial.place_chess(i, j, color)
                    captures = len(trial.find_died_pieces(3 - color))
                    found.append((-captures, abs(i - middle) + abs(j - middle), (i, j)))
        return [move for _, _, move in sorted(found)][: self.width]

    def search(self, go, color, depth):
        moves = [] if depth == 0 or go.game_end(color) else self.moves(go, color)
        if not moves:
            return self.evaluate(go), None
        best = None
        for i, j in moves:
            child = copy.deepcopy(go)
            child.X_move = color == 1
            assert child.place_chess(i, j, color)
            child.died_pieces = child.remove_died_pieces(3 - color)
            child.n_move += 1
            child.X_move = not child.X_move
            value = self.search(child, 3 - color, depth - 1)[0]
            if best is None or (value > best[0] if color == self.me else value < best[0]):
                best = value, (i, j)
        return best

    def evaluate(self, go):
        edge = go.komi if self.me == 2 else -go.komi
        return go.score(self.me) - go.score(3 - self.me) + edge - 0.1 * len(go.find_died_pieces(self.me))


class LibertyCounter:
    """Counts by hand, from lists of neighbours, how free its groups would be; writes straight into boards."""

    type = "my"

    def liberties(self, go, i, j):
        return len({n for a in go.ally_dfs(i, j) for n in go.detect_neighbor(a[0], a[1]) if go.board[n[0]][n[1]] == 0})

    def get_input(self, go, piece_type):
        best, best_value = None, -100
        for i in range(len(go.board)):
            for j in range(len(go.board[0])):
                if not go.valid_place_check(i, j, piece_type, test_check=True):
                    continue
                test_go = go.copy_board()
                test_board = test_go.board
                test_board[i][j] = piece_type
                test_go.update_board(test_board)
                died = test_go.find_died_pieces(3 - piece_type)
                test_go.remove_certain_pieces(died)
                allies = [stone for stone in test_go.detect_neighbor_ally(i, j) if test_go.find_liberty(*stone)]
                value = 10 * len(died) + self.liberties(test_go, i, j) + len(allies) / 10
                if test_go.find_liberty(i, j) and value > best_value:
                    best, best_value = (i, j), value
        return best


class Gambler:
    """Keeps counts over all its games, talks, scribbles on what it is handed, and tries every method there is."""

    type = "gambler"
    games = 0

    def __init__(self):
        self.n_calls, self.last_move = 0, -1
        self.random = random.Random(5)

    def get_input(self, go, piece_type):
        self.n_calls += 1
        if go.n_move <= self.last_move:
            Gambler.games += 1
        self.last_move = go.n_move
        print("thinking", self.n_calls, Gambler.games)
        go.visualize_board()
        played = sum(map(sum, (map(bool, row) for row in go.board)))
        assert go.X_move == (piece_type == 1)
        assert played <= go.n_move < go.max_move
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        legal = [point for point in points if go.valid_place_check(*point, piece_type, test_check=True)]
        self.try_everything(go.copy_board(), piece_type, *self.random.choice(legal))
        choice = self.random.choice(legal)
        for row in go.board:
            row[:] = [piece_type] * go.size
        go.n_move, go.died_pieces, go.previous_board = 99, points, go.board
        return np.array(choice)

    def try_everything(self, test, piece_type, i, j):
        before = copy.deepcopy(test.board)
        assert test.place_chess(i, j, piece_type)
        assert test.compare_board(test.previous_board, before)
        assert not test.compare_board(test.board, before)
        test.remove_died_pieces(3 - piece_type)
        assert test.find_liberty(i, j)
        assert (i, j) in test.ally_dfs(i, j)
        test.set_board(3 - piece_type, before, test.board)
        assert test.judge_winner() in (0, 1, 2)
        test.game_end(3 - piece_type, "PASS")
        test.score(piece_type)
        test.init_board(test.size)
        assert test.place_chess(i, j, piece_type)


class Reader:
    """Plays as the file protocol does: makes a GO of its own from two boards, and looks at nothing else."""

    def get_input(self, go, side):
        own = GO(go.size)
        own.set_board(side, [row[:] for row in go.previous_board], [row[:] for row in go.board])
        points = [(i, j) for i in range(own.size) for j in range(own.size)]
        possible = [point for point in points if own.valid_place_check(*point, side, test_check=True)]
        if own.compare_board(own.board, [[0] * own.size for _ in range(own.size)]):
            return own.size // 2, own.size // 2
        return random.Random(len(possible)).choice(possible) if possible else "PASS"


class Rereader(GO):
    """A player that is a GO itself: some students inherit from the host."""

    def __init__(self):
        super().__init__(5)
        self.type = "itself"

    def get_input(self, go, piece_type):
        self.init_board(go.size)
        self.set_board(piece_type, copy.deepcopy(go.previous_board), copy.deepcopy(go.board))
        self.died_pieces = go.died_pieces
        return next((i, j) for i in range(go.size) for j in range(go.size) if self.place_chess(i, j, piece_type))


STUDENTS = [QLearner, Minimax, LibertyCounter, Gambler, Reader, Rereader]


def games(student, size, rules, seeds):
    """Play with both colours against random; yield (GO after the game, colour of the student)."""
    go = GO(size, rules)
    for seed in seeds:
        other = RandomPlayer(random.Random(seed))
        go.play(*((student, other) if seed % 2 else (other, student)))
        yield go, 1 if seed % 2 else 2


@pytest.mark.parametrize(("size", "rules", "seeds"), [(5, COURSE, 6), (7, COURSE, 2), (5, LITTLEGO, 4)])
@pytest.mark.parametrize("player", STUDENTS)
def test_a_students_player_plays_whole_games(player, size, rules, seeds):
    student = player()
    for go, _ in games(student, size, rules, range(seeds)):
        outcome = go.record.outcome
        assert not outcome.ending.is_forfeit, outcome.detail
        assert outcome.winner == go.judge_winner()


@pytest.mark.parametrize("player", STUDENTS)
def test_two_students_play_each_other(player):
    go = GO(5)
    go.play(player(), LibertyCounter())
    assert not go.record.outcome.ending.is_forfeit, go.record.outcome.detail


def test_a_q_learner_keeps_its_table_over_games_and_learns():
    learner = QLearner()
    sizes = []
    for go, colour in games(learner, 4, COURSE, range(10)):
        learner.learn(1.0 if go.record.outcome.winner == colour else 0.0)
        sizes.append(len(learner.q_values))
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0] > 0
    assert any(1.0 in values or 0.0 in values for values in learner.q_values.values())


def test_a_counter_on_the_class_counts_the_games():
    Gambler.games = 0
    gambler = Gambler()
    played = list(games(gambler, 5, COURSE, range(4)))
    assert Gambler.games == len(played) - 1
    assert gambler.n_calls > 4 * 8


def test_minimax_beats_random():
    wins = sum(go.record.outcome.winner == colour for go, colour in games(Minimax(width=5), 5, COURSE, range(8)))
    assert wins >= 6
