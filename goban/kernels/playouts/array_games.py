"""Games on array boards for Python: from a `goban` state on, move by move."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.errors import IllegalMoveError
from goban.grids import Rows
from goban.kernels.numba_tools.compile import entry
from goban.moves import Move, Resign
from goban.points import Point
from goban.rulesets import Ending, RuleSet, opponent
from goban.states import State

# isort: off
from goban.kernels.playouts.array_rules import (
    ENDINGS, ending_of, may_place, new_board, new_hashes, pass_turn, play, points_of, remember,
)  # fmt: skip
from goban.kernels.playouts.arrays import (
    BLACK, BOARD_HASH, CAPTURED, COLOUR, COUNT, EMPTIES, EMPTY, ENDING, KO, LAST, N_MOVE, PASSED, PASSING, PLACE, SEEN, SIZE,
    STRIDE, TO_MOVE, WHITE, WINNER, Board, Hashes, at, key_table, pair_of, place, point_of, put_aside,
)  # fmt: skip
# isort: on

Flags = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]

_GAME = "uint16[::1], uint64[::1], uint64[::1]"


@entry(f"int64({_GAME}, uint8[::1])")
def mark_legal(board: Board, hashes: Hashes, keys: Hashes, legal: Flags) -> int:
    """Write 1 into `legal` (N*N, row by row) where the player to move may place, else 0; return how many ones there are."""
    size, found = at(board, SIZE), 0
    for i in range(size):
        for j in range(size):
            p = STRIDE * (i + 1) + j + 1
            legal[i * size + j] = 0
            if at(board, p + COLOUR) == EMPTY and may_place(board, hashes, keys, p):
                legal[i * size + j] = 1
                found += 1
    return found


@entry(f"void({_GAME}, int64)")
def make_move(board: Board, hashes: Hashes, keys: Hashes, p: int) -> None:
    """Place on p, or pass if p is 0; the move is known to be legal."""
    if p == 0:
        pass_turn(board, hashes)
    else:
        play(board, hashes, keys, p)


@entry(f"boolean({_GAME}, int64)")
def is_legal(board: Board, hashes: Hashes, keys: Hashes, p: int) -> bool:
    """Tell whether p (0: a pass) may be played now, the end of the game aside."""
    if p == 0:
        return at(board, PASSING) != 0
    return at(board, p + COLOUR) == EMPTY and may_place(board, hashes, keys, p)


@entry(f"int64({_GAME})")
def find_ending(board: Board, hashes: Hashes, keys: Hashes) -> int:
    """Return why the game is over as a number in `goban.kernels.playouts.array_rules.ENDINGS`."""
    return ending_of(board, hashes, keys)


@entry("UniTuple(int64, 2)(uint16[::1])")
def count_points(board: Board) -> tuple[int, int]:
    """Return Black's and White's points."""
    return points_of(board)


@entry(f"void({_GAME}, int64[::1], int64[::1], int64[::1])")
def _set_up(board: Board, hashes: Hashes, keys: Hashes, points: Numbers, colours: Numbers, captured: Numbers) -> None:
    """Place stones, none of which captures, and list the captured points where the last move would have left them."""
    for k in range(len(points)):
        place(board, hashes, keys, points[k], colours[k])
    for k in range(len(captured)):
        put_aside(board, at(board, captured[k] + PLACE), at(board, COUNT) - 1 - k)


@entry("void(uint64[::1], uint64[::1])")
def _remember_all(hashes: Hashes, situations: Hashes) -> None:
    for k in range(len(situations)):
        remember(hashes, situations[k])


class ArrayGame:
    """A game under any preset on an array board; changes in place.

    board, hashes, keys: what kernels take, see `goban.kernels.playouts.arrays`.
    """

    def __init__(self, state: State, moves: int = 0) -> None:
        """Begin at a `goban` state, with its past. `moves`: for how many more moves to keep room (`play` makes more).

        Raises ValueError if a player has resigned, and for rules that allow suicide: array boards know neither.
        """
        if state.ending not in ENDINGS:
            raise ValueError(f"expected a game that nobody has resigned, got {state!r}")
        self.rules: RuleSet = state.rules
        self.size = size = state.grid.size
        self.keys = key_table(size)
        self.board = new_board(self.rules, size)
        self.hashes = new_hashes(self.rules, state.n_move + moves)
        stones = [(point_of(*p), c) for c in (1, 2) for p in state.grid.points_of(state.stones(c))]
        points, colours = np.array(stones, dtype=np.int64).reshape(-1, 2).T.copy()
        captured = np.array([point_of(*p) for p in state.grid.points_of(state.captured)], dtype=np.int64)
        _set_up(self.board, self.hashes, self.keys, points, colours, captured)
        if self.rules.needs_history:
            past = state.history.entries(state.n_move) if state.history is not None else ()
            _remember_all(self.hashes, np.array([*past, state.situation], dtype=np.uint64))
        self._take_over(state)

    def _take_over(self, state: State) -> None:
        """Write what the stones do not show."""
        board = self.board
        board[TO_MOVE], board[N_MOVE] = state.to_move, state.n_move
        board[LAST] = 0 if state.last_point is None else point_of(*state.last_point)
        board[KO], board[CAPTURED] = 0, state.captured.bit_count()
        board[PASSED] = state.pass_ends
        board[ENDING] = ENDINGS.index(state.ending)
        board[WINNER] = 0 if state.outcome is None else state.outcome.winner
        if state.captured.bit_count() == 1 and state.last_point is not None:
            stones, liberties = state.group_at(state.last_point)
            # Whose turn it is may have been changed since: a stone of the player to move was not played last.
            retakes = stones & state.stones(opponent(state.to_move)) != 0
            if retakes and stones.bit_count() == 1 and liberties == state.captured:
                board[KO] = point_of(*state.grid.point[state.captured])

    def legal_mask(self) -> Flags:
        """Return where the player to move may place, N*N ones and zeros, whether or not the game is over."""
        legal = np.empty(self.size * self.size, dtype=np.uint8)
        mark_legal(self.board, self.hashes, self.keys, legal)
        return legal

    def play(self, move: Move) -> None:
        """Make a placement or a pass; raises IllegalMoveError where the game is over or the move may not be played."""
        if isinstance(move, Resign):
            raise IllegalMoveError("array boards know no resigning")
        p = 0 if move is None else point_of(*move)
        if self.ending is not None or not is_legal(self.board, self.hashes, self.keys, p):
            raise IllegalMoveError(f"{move!r} may not be played as move {int(self.board[N_MOVE]) + 1}")
        if self.rules.needs_history and 2 * (int(self.board[N_MOVE]) + 2) > len(self.hashes) - SEEN:
            self._make_room()
        make_move(self.board, self.hashes, self.keys, p)

    def _make_room(self) -> None:
        situations = self.hashes[SEEN:]
        roomier = new_hashes(self.rules, 2 * len(situations))
        roomier[:SEEN] = self.hashes[:SEEN]
        _remember_all(roomier, situations[situations != 0])
        self.hashes = roomier

    def rows(self) -> Rows:
        """Return the board as fresh lists of 0, 1 (Black), 2 (White)."""
        first = COLOUR + point_of(0, 0)
        rows = [self.board[start : start + self.size].tolist() for start in range(first, first + STRIDE * self.size, STRIDE)]
        return [[stone & (BLACK | WHITE) for stone in row] for row in rows]

    @property
    def ending(self) -> Ending | None:
        """Why the game is over, None while it is not."""
        return ENDINGS[find_ending(self.board, self.hashes, self.keys)]

    @property
    def points(self) -> tuple[int, int]:
        """Black's and White's points, komi not included."""
        black, white = count_points(self.board)
        return int(black), int(white)

    @property
    def winner(self) -> int:
        """Who has won, or has more points while the game goes on: 1, 2, or 0 for neither."""
        if self.ending is Ending.REPETITION:
            return int(self.board[WINNER])
        black, white = self.points
        margin = black - white - self.rules.komi(self.size)
        return 1 if margin > 0 else 2 if margin < 0 else self.rules.tie_winner

    @property
    def captured(self) -> list[Point]:
        """The points the last move emptied, row by row."""
        last, number = EMPTIES + int(self.board[COUNT]), int(self.board[CAPTURED])
        return sorted(pair_of(p) for p in self.board[last - number : last])

    @property
    def hash(self) -> int:
        """The board's Zobrist hash, as `goban.grids` has it."""
        return int(self.hashes[BOARD_HASH])
