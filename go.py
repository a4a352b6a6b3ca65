"""GO: the host of the course's Go games, and the object every player is given to look at.

A player is any object with a method `get_input(go, piece_type)` that returns the point to play on:

    class MyPlayer:
        def get_input(self, go, piece_type):        # piece_type: 1 Black (X), 2 White (O)
            for i in range(go.size):                # row, from the top
                for j in range(go.size):            # column, from the left
                    if go.valid_place_check(i, j, piece_type, test_check=True):
                        return i, j

Boards are lists of rows of 0 (empty), 1 (Black), 2 (White). Try a move out on a copy, never on `go` itself (you may,
it is your own, but it is made new before every call):

    test = go.copy_board()
    test.place_chess(i, j, piece_type)
    captured = test.remove_died_pieces(3 - piece_type)

GO keeps the lists and the names; how Go works is in `goban/`.
"""

from __future__ import annotations

import math
import sys
from typing import Protocol

from goban.board_lists import BoardLists
from goban.common.excerpts import shows_colours
from goban.common.player_faults import RefusedError, fault_words
from goban.diagrams import course_diagram, diagram
from goban.errors import BadPointError
from goban.game import (
    GameLeftError,
    GameRecord,
    Seat,
    TakeBackError,
    judge_answer,
    move_in_words,
    play_answers,
    result_in_words,
)
from goban.grids import BLACK, WHITE, Rows
from goban.moves import Move
from goban.points import Point
from goban.rulesets import COURSE, RuleSet
from goban.states import State, new_game, points_on_board


class Player(Protocol):
    """Whatever may play: see above. May also have a `type`, the string 'manual' for a person at the keyboard."""

    def get_input(self, go: GO, piece_type: int, /) -> object:
        """Return the point (row, column) to play on, or "PASS" where the rules know passing."""


class GO(BoardLists):
    """A board with its recent past, and the rules to play on it.

    size            N: the board has N x N points
    board           the stones now: N lists of N numbers 0, 1, 2
    previous_board  the stones before the last placement
    died_pieces     points (i, j) whose stones the last placement removed
    X_move          True when it is Black's turn
    n_move          moves played so far
    max_move        moves after which the game ends, N*N - 1 in the course
    komi            points added to White's stones at the end, N/2 in the course
    verbose         print the board as the game goes on
    rules, grid     the rule set (`goban.rulesets`) and the geometry of this size (`goban.grids`)
    record          after `play`: the moves, the result and why the game ended (`goban.game.GameRecord`)
    """

    def __init__(self, n: int, rules: RuleSet = COURSE) -> None:
        self.rules = rules
        self.verbose = False
        self.record: GameRecord | None = None
        self.init_board(n)

    # The board

    def init_board(self, n: int) -> None:
        """Start again with an empty board of n x n points; raises BadBoardError unless n is 2..19."""
        GO.adopt_state(self, new_game(self.rules, n))

    def set_board(self, piece_type: int, previous_board: Rows, board: Rows) -> None:
        """Take over two boards: before and after the opponent of `piece_type` moved.

        What `piece_type` had on the first and has no more on the second becomes `died_pieces`.
        """
        self.died_pieces = [
            (i, j)
            for i in range(self.size)
            for j in range(self.size)
            if previous_board[i][j] == piece_type and board[i][j] != piece_type
        ]
        self.previous_board = previous_board
        self.board = board

    def update_board(self, new_board: Rows) -> None:
        """Take over a board (the list itself, not a copy)."""
        self.board = new_board

    def compare_board(self, board1: Rows, board2: Rows) -> bool:
        """Tell whether two boards are equal."""
        return all(bool(board1[i][j] == board2[i][j]) for i, j in self.grid.points)

    def copy_board(self) -> GO:
        """Return a copy of this whole object, to try things on."""
        return self.__deepcopy__({})

    def visualize_board(self) -> None:
        """Print the board: X Black, O White."""
        print(course_diagram(self.board))

    def adopt_state(self, state: State) -> None:
        """Make every attribute say what a state of `goban` says; the way back from `position`.

        For a judge, who keeps the true state and has a GO show it to a player before each question. Boards and lists are
        new each time. Call it as `GO.adopt_state(view, state)`: a player may have put anything under this name on its view.
        `verbose` and `record` stay.
        """
        grid, rules = state.grid, state.rules
        limit = rules.max_move(grid.size)
        self.grid = grid
        self.rules = rules
        self.size = grid.size
        self.max_move: float = math.inf if limit is None else limit
        self.komi = rules.komi(grid.size)
        BoardLists.show(self, state)
        self.n_move = state.n_move
        self.X_move = state.to_move == BLACK

    # Stones that touch

    def detect_neighbor(self, i: int, j: int) -> list[Point]:
        """Return the points next to (i, j): above, below, left, right, those that are on the board."""
        around = ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
        return [point for point in around if point in self.grid.bit]

    def detect_neighbor_ally(self, i: int, j: int) -> list[Point]:
        """Return the points next to (i, j) that hold the same as (i, j)."""
        board = self.board
        return [point for point in self.detect_neighbor(i, j) if board[point[0]][point[1]] == board[i][j]]

    def ally_dfs(self, i: int, j: int) -> list[Point]:
        """Return all points of the group of (i, j), itself included, row by row."""
        return self.grid.points_of(self._group(i, j))

    def find_liberty(self, i: int, j: int) -> bool:
        """Tell whether the group of (i, j) touches an empty point."""
        return bool(self.grid.liberties(self._group(i, j), self.stones()[0]))

    def _group(self, i: int, j: int) -> int:
        kind = self.board[i][j]
        if type(kind) is int and 0 <= kind <= 2:
            same = self.stones()[kind]
        else:  # a student's mark
            same = self.grid.masks([[int(stone == kind) for stone in row] for row in self.board])[BLACK]
        return self.grid.group(self.grid.bit[i, j], same)

    # Stones that die

    def find_died_pieces(self, piece_type: int) -> list[Point]:
        """Return the points of all stones of one colour whose group has no liberty, on the whole board."""
        masks = self.stones()
        return self.grid.points_of(self.grid.dead(masks[piece_type], masks[0]))

    def remove_died_pieces(self, piece_type: int) -> list[Point]:
        """Remove the stones `find_died_pieces` finds, and return their points."""
        died_pieces = self.find_died_pieces(piece_type)
        self.remove_certain_pieces(died_pieces)
        return died_pieces

    def remove_certain_pieces(self, positions: list[Point]) -> None:
        """Empty these points of the board."""
        for i, j in positions:
            self.board[i][j] = 0

    # Placing stones

    def place_chess(self, i: int, j: int, piece_type: int) -> bool:
        """Place a stone if that is allowed; tell whether it was.

        Sets `previous_board`. Does not remove what the stone captures: call `remove_died_pieces` afterwards.
        """
        if not self.valid_place_check(i, j, piece_type):
            return False
        self.previous_board = [list(row) for row in self.board]
        self.board[i][j] = piece_type
        return True

    def valid_place_check(self, i: int, j: int, piece_type: int, test_check: bool = False) -> bool:
        """Tell whether `piece_type` may place a stone on (i, j) now.

        Says why not if the game is verbose and `test_check` is False.
        """
        allowed = self.position(piece_type).allows((i, j))
        if self.verbose and not (allowed or test_check):
            print(self.why_invalid(i, j, piece_type))
        return allowed

    def why_invalid(self, i: int, j: int, piece_type: int) -> str:
        """Return in one line why `piece_type` may not place a stone on (i, j) now; '' if they may."""
        try:
            breach = self.position(piece_type).why_illegal_placement((i, j))
        except BadPointError:
            return f"Invalid placement. Row and column should be from 0 to {self.size - 1}, got {i!r},{j!r}."
        return "" if breach is None else f"Illegal placement {i},{j}: {breach}."

    # The game

    def game_end(self, piece_type: int, action: str = "MOVE") -> bool:
        """Tell whether the game is over before `piece_type` moves, or by their `action` if that is "PASS"."""
        if action == "PASS" and self.compare_board(self.previous_board, self.board):
            return True
        if self.n_move >= self.max_move:
            return True
        return not self.rules.passing and not self.position(piece_type).can_place()

    def score(self, piece_type: int) -> int:
        """Return the points of one colour on the board (in the course: its stones), komi not included."""
        black, white = points_on_board(self.rules.scoring, self.grid, *self.stones()[1:])
        return black if piece_type == BLACK else white

    def judge_winner(self) -> int:
        """Return who has more points now, komi included: 1 Black, 2 White, 0 if they are equal."""
        black, white = self.score(BLACK), self.score(WHITE) + self.komi
        return BLACK if black > white else WHITE if white > black else 0

    def play(self, player1: Player, player2: Player, verbose: bool = False) -> int:
        """Play one game from the empty board, player1 Black, player2 White, and return the winner (0: a tie).

        Each player is given a GO of its own; a player whose `type` is 'manual' makes the game verbose. Afterwards this
        object shows the final board, and `record` has the moves and how the game ended, also if a person left it (SystemExit).
        """
        start = new_game(self.rules, self.size)
        verbose = bool(verbose or self.verbose or is_manual(player1) or is_manual(player2))
        if verbose:
            print(diagram(start.rows()))
        black, white = self.seat(player1, BLACK, verbose), self.seat(player2, WHITE, verbose)
        try:
            self.record = play_answers(start, black, white, _narrate if verbose else None)
        except GameLeftError as left:
            self.record = left.record
            raise
        GO.adopt_state(self, self.record.final)
        if verbose:
            print(result_in_words(self.record))
        return self.record.outcome.winner

    def seat(self, player: Player, piece_type: int, verbose: bool = False) -> Seat:
        """Return the player's seat at the host's table: they see a GO of their own, made new for every answer."""
        view = GO(self.size, self.rules)
        manual, reader = is_manual(player), type(player).__dict__.get("only_reads") is True

        def ask(state: State, complaint: str) -> object:
            if complaint and verbose:
                print(complaint)
            try:
                if reader and view.grid is state.grid and view.rules is state.rules:
                    view.follow(state)
                else:
                    # Not view.adopt_state(): the player may have replaced what is on the view.
                    GO.adopt_state(view, state)
                view.verbose = verbose
                return player.get_input(view, piece_type)
            except TakeBackError as error:
                # A person may change their mind; a program may not make another one play again.
                if manual:
                    raise
                raise RuntimeError("the player took a move back") from error
            except (Exception, KeyboardInterrupt):
                raise
            except BaseException as leaving:
                # A person may leave the program; a player's program may only leave the game.
                if manual and isinstance(leaving, SystemExit):
                    raise
                raise RefusedError(fault_words(leaving)) from leaving

        def ask_person(state: State, complaint: str) -> object:
            while True:
                answer = ask(state, complaint)
                complaint = judge_answer(answer, state)[1]
                if not complaint:
                    return answer

        return ask_person if manual else ask


def _narrate(state: State, move: Move) -> None:
    print(move_in_words(state, move, shows_colours(sys.stdout)))


def is_manual(player: object) -> bool:
    """Tell whether a person plays; the `type` of a program may be anything, or fail when it is read."""
    try:
        kind = getattr(player, "type", "")
    except KeyboardInterrupt:
        raise
    except BaseException:
        return False
    return type(kind) is str and kind == "manual"
