"""A slow second opinion on the rules: nested tuples, flood fill, copies everywhere.

Written from the rules alone, without any code of the packages under test, so that both are unlikely to make
the same mistake. Nothing here is meant to be fast. Points are (row, column) with (0, 0) top left;
0 is empty, 1 Black, 2 White. The course's copying host is re-created in benchmarks/copying_go.py.

If two endings fall on the same move, `ending()` names the first of: resignation, repetition, two
passes, move limit, no legal placement.
"""

from __future__ import annotations

Point = tuple[int, int]
Board = tuple[tuple[int, ...], ...]

TROMP_TAYLOR = tuple(f"tromp-taylor-{mode}" for mode in ("strict", "pgx", "openspiel", "pettingzoo", "suicide"))
PRESETS = ("course", "littlego", *TROMP_TAYLOR, "aga", "alphago7")
SIMPLE_KO = ("tromp-taylor-pgx", "alphago7")
SITUATIONAL_SUPERKO = ("tromp-taylor-openspiel", "tromp-taylor-pettingzoo", "aga")
SUICIDE = "tromp-taylor-suicide"
RESIGN = "RESIGN"


def neighbours(point: Point, size: int) -> list[Point]:
    """The two, three or four points next to `point` that are on the board."""
    i, j = point
    around = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
    return [(a, b) for a, b in around if 0 <= a < size and 0 <= b < size]


def region(board: Board, start: Point) -> list[Point]:
    """All points connected to `start` through points that hold what `start` holds (0, 1 or 2)."""
    wanted = board[start[0]][start[1]]
    found = [start]
    for point in found:  # grows while it is walked
        for other in neighbours(point, len(board)):
            if board[other[0]][other[1]] == wanted and other not in found:
                found.append(other)
    return found


def has_liberty(board: Board, stone: Point) -> bool:
    """Whether the group of `stone` touches an empty point."""
    return any(board[i][j] == 0 for member in region(board, stone) for i, j in neighbours(member, len(board)))


def stones_without_liberty(board: Board, colour: int) -> list[Point]:
    """The stones of `colour` in groups without a liberty, row by row."""
    stones = [(i, j) for i, row in enumerate(board) for j, value in enumerate(row) if value == colour]
    return [stone for stone in stones if not has_liberty(board, stone)]


def with_value(board: Board, points: list[Point], value: int) -> Board:
    """A new board on which `points` hold `value`."""
    rows = [list(row) for row in board]
    for i, j in points:
        rows[i][j] = value
    return tuple(tuple(row) for row in rows)


def board_after(board: Board, point: Point, colour: int) -> tuple[Board, list[Point]]:
    """The board after a stone on an empty point, captured opposing stones removed, and those stones.

    Suicide is not checked: the placed group may be left without a liberty.
    """
    placed = with_value(board, [point], colour)
    captured = stones_without_liberty(placed, 3 - colour)
    return with_value(placed, captured, 0), captured


def played(board: Board, point: Point, colour: int) -> tuple[Board, list[Point]]:
    """As `board_after`, but a placed group that is left without a liberty is removed, too, as where suicide is allowed."""
    after, captured = board_after(board, point, colour)
    lost = [] if has_liberty(after, point) else region(after, point)
    return with_value(after, lost, 0), sorted(captured + lost)


def area(board: Board, colour: int) -> int:
    """Stones of `colour` plus the empty points of regions whose border is of that colour alone."""
    points = sum(row.count(colour) for row in board)
    seen: list[Point] = []
    for i, row in enumerate(board):
        for j, value in enumerate(row):
            if value == 0 and (i, j) not in seen:
                empty = region(board, (i, j))
                border = {board[a][b] for point in empty for a, b in neighbours(point, len(board))}
                points += len(empty) if border - {0} == {colour} else 0
                seen += empty
    return points


class NaiveGame:
    """One game under one preset. A move is a point, None (pass) or "RESIGN" (`aga` only).

    `died_pieces` are the points emptied by the last move (by suicide its own); `history` is every (board, player to move)
    of the game so far, including the first and the present one. A pass or a resignation counts in `n_move`.
    """

    def __init__(self, preset: str, size: int, komi: float | None = None):
        if preset not in PRESETS:
            raise ValueError(f"expected one of {', '.join(PRESETS)}; got {preset!r}")
        self.preset, self.size = preset, size
        if komi is None:
            komi = size / 2 if preset in ("course", "littlego") else 7.5
        self.komi = komi
        self.to_move, self.n_move = 1, 0
        self.died_pieces: list[Point] = []
        self._board: Board = tuple(tuple(0 for _ in range(size)) for _ in range(size))
        self._previous: Board = self._board
        self.history: list[tuple[Board, int]] = [(self._board, 1)]
        self.moves: list[Point | str | None] = []
        self._ended_by_move: str | None = None

    @classmethod
    def from_board(cls, preset: str, rows, to_move: int, komi: float | None = None) -> NaiveGame:
        """A game that begins at a position: no move made, no ban, and `previous_board` equal to `board`.

        `rows`: N rows of N numbers. Groups without liberties are not detected.
        """
        game = cls(preset, len(rows), komi)
        game._board = tuple(tuple(row) for row in rows)
        game._previous = game._board
        game.to_move = to_move
        game.history = [(game._board, to_move)]
        return game

    def copy(self) -> NaiveGame:
        """An independent game at the same point of the same history."""
        twin = NaiveGame(self.preset, self.size, self.komi)
        twin.to_move, twin.n_move = self.to_move, self.n_move
        twin.died_pieces = list(self.died_pieces)
        twin._board, twin._previous = self._board, self._previous
        twin.history, twin.moves = list(self.history), list(self.moves)
        twin._ended_by_move = self._ended_by_move
        return twin

    @property
    def board(self) -> list[list[int]]:
        """A new list of lists. Writing into it does not change the game."""
        return [list(row) for row in self._board]

    @property
    def previous_board(self) -> list[list[int]]:
        """The board before the last move; the present board after a pass and before the first move."""
        return [list(row) for row in self._previous]

    def why_illegal(self, point: Point) -> str | None:
        """None, "occupied", "suicide" or "repetition", if the player to move played here. Endings are ignored."""
        i, j = point
        if not (0 <= i < self.size and 0 <= j < self.size):
            raise ValueError(f"{point!r} is off the {self.size}x{self.size} board")
        if self._board[i][j] != 0:
            return "occupied"
        after, captured = played(self._board, point, self.to_move)
        if after[i][j] == 0 and self.preset != SUICIDE:
            return "suicide"
        if self.preset in ("course", "littlego"):
            banned = bool(self.died_pieces) and bool(captured) and after == self._previous
        elif self.preset in SIMPLE_KO:
            banned = len(self.history) >= 2 and after == self.history[-2][0]
        elif self.preset in SITUATIONAL_SUPERKO:
            banned = (after, 3 - self.to_move) in self.history
        else:
            banned = self._occurred(after)
        return "repetition" if banned else None

    def _occurred(self, board: Board) -> bool:
        return any(earlier == board for earlier, _ in self.history)

    def legal_placements(self) -> set[Point]:
        """Where the player to move may place a stone. Endings are ignored."""
        points = [(i, j) for i in range(self.size) for j in range(self.size)]
        return {point for point in points if self.why_illegal(point) is None}

    def may_pass(self) -> bool:
        """Whether these rules allow passing. Endings are ignored."""
        return self.preset != "course"

    def play(self, move: Point | str | None) -> None:
        """Make a move in place. Raises ValueError after the end, and for any move that is not allowed."""
        if self.over():
            raise ValueError(f"the game is over ({self.ending()}), got {move!r}")
        before = self._board
        if move == RESIGN:
            if self.preset != "aga":
                raise ValueError(f"{self.preset} knows no resignation")
            self._previous, self.died_pieces = before, []
            self._ended_by_move = "resignation"
        elif move is None:
            if not self.may_pass():
                raise ValueError(f"{self.preset} knows no pass")
            second = before == self._previous if self.preset == "littlego" else self.moves[-1:] == [None]
            self._ended_by_move = "two passes" if second else None
            self._previous, self.died_pieces = before, []
        else:
            reason = self.why_illegal(move)
            if reason is not None:
                raise ValueError(f"illegal move {move!r}: {reason}")
            self._board, self.died_pieces = played(before, move, self.to_move)
            self._previous = before
            if self.preset in ("tromp-taylor-pgx", "tromp-taylor-openspiel") and self._occurred(self._board):
                self._ended_by_move = "repetition"
        self.n_move += 1
        self.to_move = 3 - self.to_move
        self.moves.append(move)
        self.history.append((self._board, self.to_move))

    def ending(self) -> str | None:
        """None, "move limit", "no legal placement", "two passes", "resignation" or "repetition"."""
        if self._ended_by_move is not None:
            return self._ended_by_move
        if self.preset in ("course", "littlego") and self.n_move >= self.size * self.size - 1:
            return "move limit"
        if self.preset in TROMP_TAYLOR and self.n_move >= 2 * self.size * self.size:
            return "move limit"
        if self.preset == "course" and not self.legal_placements():
            return "no legal placement"
        return None

    def over(self) -> bool:
        return self.ending() is not None

    def scores(self) -> tuple[float, float]:
        """(Black, White) of the present board, komi included: stones in the course's games, else area."""
        if self.preset in ("course", "littlego"):
            black = sum(row.count(1) for row in self._board)
            white = sum(row.count(2) for row in self._board)
        else:
            black, white = area(self._board, 1), area(self._board, 2)
        return black, white + self.komi

    def winner(self) -> int:
        """1, 2, or 0 for a tie. Before the end: who would win if the game stopped now."""
        ending = self.ending()
        if ending == "resignation" or (ending == "repetition" and self.preset == "tromp-taylor-pgx"):
            return self.to_move  # the opponent made the last move, and loses by it
        black, white = (0, 0) if ending == "repetition" else self.scores()
        return 1 if black > white else 2 if white > black else 0


def count_sequences(game: NaiveGame, depth: int) -> int:
    """How many sequences of exactly `depth` moves start here: placements and passes, no resignations.

    A game that ends exactly on the last of the moves counts; one that ends earlier does not.
    """
    if depth == 0:
        return 1
    if game.over():
        return 0
    moves: list[Point | None] = list(game.legal_placements())
    if game.may_pass():
        moves.append(None)
    total = 0
    for move in moves:
        child = game.copy()
        child.play(move)
        total += count_sequences(child, depth - 1)
    return total
