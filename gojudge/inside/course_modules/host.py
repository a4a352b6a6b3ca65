"""host: the class GO of Little-Go, with the names that programs know from the course's module of this name.

Boards are lists of lists of 0 (empty), 1 (Black, X), 2 (White, O); programs may read and write everything. `go.GO` describes
in full how the methods behave; this class is a plain one that needs no other module.
"""

from __future__ import annotations

import copy

Board = list[list[int]]
Point = tuple[int, int]


class GO:
    """A game on an n x n board."""

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
        """Empty both boards."""
        self.board: Board = [[0] * n for _ in range(n)]
        self.previous_board: Board = [[0] * n for _ in range(n)]

    def set_board(self, piece_type: int, previous_board: Board, board: Board) -> None:
        """Set the boards before and after the opponent of `piece_type` moved; the stones `piece_type` lost have died."""
        everywhere = [(i, j) for i in range(self.size) for j in range(self.size)]
        self.died_pieces = [(i, j) for i, j in everywhere if previous_board[i][j] == piece_type != board[i][j]]
        self.previous_board = previous_board
        self.board = board

    def compare_board(self, board1: Board, board2: Board) -> bool:
        """Tell whether two boards are equal."""
        return all(board1[i][j] == board2[i][j] for i in range(self.size) for j in range(self.size))

    def copy_board(self) -> GO:
        """Return a copy of this whole object."""
        return copy.deepcopy(self)

    def update_board(self, new_board: Board) -> None:
        """Set the board."""
        self.board = new_board

    # Stones that touch

    def detect_neighbor(self, i: int, j: int) -> list[Point]:
        """Return the points of the board that are next to a point."""
        last = len(self.board) - 1
        near = []
        if i > 0:
            near.append((i - 1, j))
        if i < last:
            near.append((i + 1, j))
        if j > 0:
            near.append((i, j - 1))
        if j < last:
            near.append((i, j + 1))
        return near

    def detect_neighbor_ally(self, i: int, j: int) -> list[Point]:
        """Return the points next to a point that hold the same."""
        board = self.board
        return [(a, b) for a, b in self.detect_neighbor(i, j) if board[a][b] == board[i][j]]

    def ally_dfs(self, i: int, j: int) -> list[Point]:
        """Return all points of a group, depth first."""
        waiting, members = [(i, j)], []
        while waiting:
            members.append(waiting.pop())
            known = {*waiting, *members}
            waiting += [ally for ally in self.detect_neighbor_ally(*members[-1]) if ally not in known]
        return members

    def find_liberty(self, i: int, j: int) -> bool:
        """Tell whether the group of a point touches an empty point."""
        return any(self.board[a][b] == 0 for ally in self.ally_dfs(i, j) for a, b in self.detect_neighbor(*ally))

    # Stones that die

    def find_died_pieces(self, piece_type: int) -> list[Point]:
        """Return the points of one colour that have no liberty."""
        size = range(len(self.board))
        return [(i, j) for i in size for j in size if self.board[i][j] == piece_type and not self.find_liberty(i, j)]

    def remove_died_pieces(self, piece_type: int) -> list[Point]:
        """Remove what `find_died_pieces` finds; return it."""
        died_pieces = self.find_died_pieces(piece_type)
        self.remove_certain_pieces(died_pieces)
        return died_pieces

    def remove_certain_pieces(self, positions: list[Point]) -> None:
        """Empty these points."""
        for i, j in positions:
            self.board[i][j] = 0

    # Placing stones

    def place_chess(self, i: int, j: int, piece_type: int) -> bool:
        """Place a stone if that is allowed; tell whether it was. Does not remove what it captures."""
        if not self.valid_place_check(i, j, piece_type):
            return False
        self.previous_board = copy.deepcopy(self.board)
        self.board[i][j] = piece_type
        return True

    def valid_place_check(self, i: int, j: int, piece_type: int, test_check: bool = False) -> bool:
        """Tell whether a stone may be placed on a point. Prints why not if the game is verbose and this is no `test_check`."""
        complaint = self._complaint(i, j, piece_type)
        if complaint and self.verbose and not test_check:
            print(f"Invalid placement. {complaint}")
        return not complaint

    def _complaint(self, i: int, j: int, piece_type: int) -> str:
        last = len(self.board) - 1
        if not 0 <= i <= last:
            return f"row should be in the range 0 to {last}."
        if not 0 <= j <= last:
            return f"column should be in the range 0 to {last}."
        if self.board[i][j] != 0:
            return "There is already a chess in this position."
        test = self.copy_board()
        test.board[i][j] = piece_type
        if test.find_liberty(i, j) and not self.died_pieces:
            return ""
        captured = test.remove_died_pieces(3 - piece_type)
        if not test.find_liberty(i, j):
            return "No liberty found in this position."
        if captured and self.died_pieces and self.compare_board(self.previous_board, test.board):
            return "A repeat move not permitted by the KO rule."
        return ""

    # The game

    def game_end(self, piece_type: int, action: str = "MOVE") -> bool:
        """Tell whether the game is over: no moves left, or a pass on a board that has not changed."""
        if self.n_move >= self.max_move:
            return True
        return action == "PASS" and self.compare_board(self.previous_board, self.board)

    def score(self, piece_type: int) -> int:
        """Return the stones of a colour, komi not included."""
        return sum(1 for row in self.board for stone in row if stone == piece_type)

    def judge_winner(self) -> int:
        """Return who has more, White's komi included: 1, 2, or 0 if they are equal."""
        black, white = self.score(1), self.score(2) + self.komi
        return 1 if black > white else 2 if white > black else 0

    def visualize_board(self) -> None:
        """Print the board."""
        rule = "-" * (2 * len(self.board))
        print(rule)
        for row in self.board:
            print(" ".join(" XO"[int(stone)] for stone in row))
        print(rule)
