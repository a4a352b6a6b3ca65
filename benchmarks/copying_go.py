"""The course's host, written the straightforward way: list boards, and `copy.deepcopy` before every check.

`CopyingGO` is the baseline for speed ("a plain deep-copying implementation") and a second opinion on the list methods of
`GO`. It does what the course's own class is described to do, with the course's endings (`max_move`, or nothing legal).
It leaves out what a baseline does not need: manual players, passing, and a board of their own for the players, who get
the host itself, as in the course.
"""

from __future__ import annotations

import copy
import operator
from typing import Any, Protocol

ASKED_AGAIN = 10

Board = list[list[int]]
Point = tuple[int, int]


class Asked(Protocol):
    """A player. It takes the `CopyingGO` for the host that it knows."""

    def get_input(self, go: Any, piece_type: int, /) -> object:  # noqa: ANN401
        """Return a point."""


class CopyingGO:
    """A host for an n x n game; 0 empty, 1 Black, 2 White; `komi` is n/2 for White."""

    def __init__(self, n: int) -> None:
        self.size = n
        self.X_move = True
        self.died_pieces: list[Point] = []
        self.n_move = 0
        self.max_move = n * n - 1
        self.komi = n / 2
        self.verbose = False
        self.init_board(n)

    def init_board(self, n: int) -> None:
        """Empty `board` and `previous_board`; keep the other attributes."""
        self.board: Board = [[0 for _ in range(n)] for _ in range(n)]
        self.previous_board = copy.deepcopy(self.board)

    def set_board(self, piece_type: int, previous_board: Board, board: Board) -> None:
        """Use both boards, without copying them. Stones of `piece_type` that the second one lacks have died."""
        self.died_pieces = []
        for i in range(self.size):
            for j in range(self.size):
                if previous_board[i][j] == piece_type and board[i][j] != piece_type:
                    self.died_pieces.append((i, j))
        self.previous_board = previous_board
        self.board = board

    def compare_board(self, board1: Board, board2: Board) -> bool:
        for i in range(self.size):
            for j in range(self.size):
                if board1[i][j] != board2[i][j]:
                    return False
        return True

    def copy_board(self) -> CopyingGO:
        return copy.deepcopy(self)

    def detect_neighbor(self, i: int, j: int) -> list[Point]:
        neighbors = []
        if i > 0:
            neighbors.append((i - 1, j))
        if i < len(self.board) - 1:
            neighbors.append((i + 1, j))
        if j > 0:
            neighbors.append((i, j - 1))
        if j < len(self.board) - 1:
            neighbors.append((i, j + 1))
        return neighbors

    def detect_neighbor_ally(self, i: int, j: int) -> list[Point]:
        board = self.board
        return [(a, b) for a, b in self.detect_neighbor(i, j) if board[a][b] == board[i][j]]

    def ally_dfs(self, i: int, j: int) -> list[Point]:
        """Return the group of (i, j), itself included, in the order of a depth-first search."""
        stack = [(i, j)]
        members = []
        while stack:
            piece = stack.pop()
            members.append(piece)
            for ally in self.detect_neighbor_ally(piece[0], piece[1]):
                if ally not in stack and ally not in members:
                    stack.append(ally)
        return members

    def find_liberty(self, i: int, j: int) -> bool:
        for member in self.ally_dfs(i, j):
            for a, b in self.detect_neighbor(member[0], member[1]):
                if self.board[a][b] == 0:
                    return True
        return False

    def find_died_pieces(self, piece_type: int) -> list[Point]:
        died_pieces = []
        for i in range(self.size):
            for j in range(self.size):
                if self.board[i][j] == piece_type and not self.find_liberty(i, j):
                    died_pieces.append((i, j))
        return died_pieces

    def remove_died_pieces(self, piece_type: int) -> list[Point]:
        died_pieces = self.find_died_pieces(piece_type)
        self.remove_certain_pieces(died_pieces)
        return died_pieces

    def remove_certain_pieces(self, positions: list[Point]) -> None:
        board = self.board
        for i, j in positions:
            board[i][j] = 0
        self.update_board(board)

    def place_chess(self, i: int, j: int, piece_type: int) -> bool:
        """Place a stone if that is valid; return whether it was. Removing captured stones is left to the caller."""
        if not self.valid_place_check(i, j, piece_type):
            return False
        self.previous_board = copy.deepcopy(self.board)
        board = self.board
        board[i][j] = piece_type
        self.update_board(board)
        return True

    def valid_place_check(self, i: int, j: int, piece_type: int, test_check: bool = False) -> bool:
        """Return whether the placement is allowed; print why not if `verbose` and not `test_check`."""
        talk = self.verbose and not test_check
        if not (0 <= i < len(self.board) and 0 <= j < len(self.board)):
            if talk:
                print(f"Invalid placement: ({i}, {j}) is off the board.")
            return False
        if self.board[i][j] != 0:
            if talk:
                print(f"Illegal placement: ({i}, {j}) is occupied.")
            return False

        test_go = self.copy_board()
        test_go.board[i][j] = piece_type
        test_go.update_board(test_go.board)
        if test_go.find_liberty(i, j) and not self.died_pieces:
            return True  # nothing died, so no ko

        died_pieces = test_go.remove_died_pieces(3 - piece_type)
        if not test_go.find_liberty(i, j):
            if talk:
                print(f"Illegal placement: ({i}, {j}) would be suicide.")
            return False
        if self.died_pieces and died_pieces and self.compare_board(self.previous_board, test_go.board):
            if talk:
                print(f"Illegal placement: ({i}, {j}) would repeat the board (ko).")
            return False
        return True

    def update_board(self, new_board: Board) -> None:
        self.board = new_board

    def visualize_board(self) -> None:
        print("-" * (2 * self.size))
        for row in self.board:
            print(" ".join(".XO"[piece] for piece in row))
        print("-" * (2 * self.size))

    def has_legal_placement(self, piece_type: int) -> bool:
        """Return whether `piece_type` can place a stone anywhere."""
        points = [(i, j) for i in range(self.size) for j in range(self.size)]
        return any(self.valid_place_check(i, j, piece_type, test_check=True) for i, j in points)

    def game_end(self, piece_type: int, action: str = "MOVE") -> bool:
        """Return whether the move limit is reached, or a pass left the board unchanged. `play` alone tests for legal moves."""
        if self.n_move >= self.max_move:
            return True
        return action == "PASS" and self.compare_board(self.previous_board, self.board)

    def score(self, piece_type: int) -> int:
        """Return the number of stones on the board, without komi."""
        return sum(row.count(piece_type) for row in self.board)

    def judge_winner(self) -> int:
        black, white = self.score(1), self.score(2) + self.komi
        if black > white:
            return 1
        return 2 if white > black else 0

    def play(self, player1: Asked, player2: Asked, verbose: bool = False) -> int:
        """Play a whole game from the empty board under `course` rules; return the winner, 0 for a tie.

        After an invalid or illegal answer the player is asked again, up to 10 times in a row. After that, or at
        once if it raises an exception, the other side wins.
        """
        self.init_board(self.size)
        self.X_move, self.n_move, self.died_pieces = True, 0, []
        self.verbose = verbose
        while True:
            piece_type = 1 if self.X_move else 2
            if self.game_end(piece_type) or not self.has_legal_placement(piece_type):
                break
            if not self._take_turn(player1 if self.X_move else player2, piece_type):
                return 3 - piece_type
            self.died_pieces = self.remove_died_pieces(3 - piece_type)
            if self.verbose:
                self.visualize_board()
            self.n_move += 1
            self.X_move = not self.X_move
        return self.judge_winner()

    def _take_turn(self, player: Asked, piece_type: int) -> bool:
        """Ask until a stone is placed; return False if the player has used up its tries or raised an exception."""
        for _ in range(1 + ASKED_AGAIN):
            try:
                action = player.get_input(self, piece_type)
            except Exception:
                return False
            try:
                i, j = map(operator.index, action)  # type: ignore[call-overload]
            except (TypeError, ValueError):
                continue
            if self.place_chess(i, j, piece_type):
                return True
        return False
