"""How fast the host plays on large boards: naive against naive under `aga`, whole games, one core, in CPU time.

    python3 -m benchmarks.large_boards [GAMES] [--book FOLDER]      default: 40 games a round on 9x9, a tenth of that on 19x19

The yardstick is Go as *Deep Learning and the Game of Go* (chapters 3 and 4) builds it, in our own words. Its random player
lists all its moves; its fast one takes the first that will do, as `naive` does. All take turns, so that a drift in the
machine's speed affects them alike. Each figure is the median of the rounds, with the lowest and the highest; ratios are those
of `GO` to a yardstick. With `--book` the book's own code plays too, from a copy of the repository that comes with it.

In the yardstick stones that touch form a *string*, which knows its stones and its liberties; a board maps every stone to its
string and keeps a Zobrist hash; a position holds a board and the set of all earlier situations, for situational superko.
Nothing here comes from the book's code or from `goban`. Points are (row, column), colours 1 and 2, None is a pass.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from tabulate import tabulate

from benchmarks.host import ROUNDS, spread
from benchmarks.pools import parser_of
from go import GO
from goban.common.command_lines import DONE, CommandError, run
from goban.rulesets import AGA
from players.naive_player import NaivePlayer

Point = tuple[int, int]

KOMI = 7.5


@dataclass(frozen=True)
class Tables:
    """What is the same for all boards of a size: neighbours, diagonals, Zobrist keys by (point, colour)."""

    points: list[Point]
    near: dict[Point, list[Point]]
    diagonal: dict[Point, list[Point]]
    keys: dict[tuple[Point, int], int]


@cache
def tables(size: int) -> Tables:
    """Return the tables of a board size."""
    points = [(i, j) for i in range(size) for j in range(size)]
    rng = random.Random(size)

    def around(point: Point, steps: list[Point]) -> list[Point]:
        found = [(point[0] + di, point[1] + dj) for di, dj in steps]
        return [(i, j) for i, j in found if 0 <= i < size and 0 <= j < size]

    return Tables(
        points,
        {point: around(point, [(-1, 0), (1, 0), (0, -1), (0, 1)]) for point in points},
        {point: around(point, [(-1, -1), (-1, 1), (1, -1), (1, 1)]) for point in points},
        {(point, colour): rng.getrandbits(63) for point in points for colour in (1, 2)},
    )


class String:
    """Connected stones of one colour. Never changed: boards share them."""

    def __init__(self, colour: int, stones: frozenset[Point], liberties: frozenset[Point]) -> None:
        self.colour = colour
        self.stones = stones
        self.liberties = liberties

    def join(self, other: String) -> String:
        """Return both as one."""
        stones = self.stones | other.stones
        return String(self.colour, stones, (self.liberties | other.liberties) - stones)

    def without_liberty(self, point: Point) -> String:
        """Return this string after somebody played on a liberty of it."""
        return String(self.colour, self.stones, self.liberties - {point})

    def with_liberty(self, point: Point) -> String:
        """Return this string after a neighbouring stone was taken."""
        return String(self.colour, self.stones, self.liberties | {point})


class Board:
    """The strings on a board, and its hash. `place` changes it; `copy` is cheap, for the strings are shared."""

    def __init__(self, size: int, strings: dict[Point, String] | None = None, zobrist: int = 0) -> None:
        self.size = size
        self.strings = {} if strings is None else strings
        self.zobrist = zobrist
        self.tables = tables(size)

    def copy(self) -> Board:
        """Return a board that may be changed by itself."""
        return Board(self.size, self.strings.copy(), self.zobrist)

    def place(self, point: Point, colour: int) -> None:
        """Place a stone on an empty point, and take what it captures."""
        liberties, own, other = [], [], []
        for near in self.tables.near[point]:
            string = self.strings.get(near)
            if string is None:
                liberties.append(near)
            elif string.colour == colour:
                own.append(string)
            else:
                other.append(string)
        new = String(colour, frozenset([point]), frozenset(liberties))
        for string in set(own):
            new = new.join(string)
        self._put(new)
        self.zobrist ^= self.tables.keys[point, colour]
        for string in set(other):
            left = string.without_liberty(point)
            if left.liberties:
                self._put(left)
            else:
                self._take(string)

    def _put(self, string: String) -> None:
        for stone in string.stones:
            self.strings[stone] = string

    def _take(self, string: String) -> None:
        for stone in string.stones:
            for near in self.tables.near[stone]:
                neighbour = self.strings.get(near)
                if neighbour is not None and neighbour is not string:
                    self._put(neighbour.with_liberty(stone))
            del self.strings[stone]
            self.zobrist ^= self.tables.keys[stone, string.colour]

    def captures(self, point: Point, colour: int) -> bool:
        """Tell whether a stone of `colour` would take something."""
        strings = (self.strings.get(near) for near in self.tables.near[point])
        return any(string and string.colour != colour and len(string.liberties) == 1 for string in strings)

    def is_suicide(self, point: Point, colour: int) -> bool:
        """Tell whether a stone of `colour` would have no liberty."""
        own = []
        for near in self.tables.near[point]:
            string = self.strings.get(near)
            if string is None:
                return False
            if string.colour == colour:
                own.append(string)
            elif len(string.liberties) == 1:
                return False
        return all(len(string.liberties) == 1 for string in own)

    def is_eye(self, point: Point, colour: int) -> bool:
        """Tell whether an empty point is an eye of `colour`: see `goban.grids.Grid.is_eye`."""

        def mine(at: Point) -> bool:
            string = self.strings.get(at)
            return string is not None and string.colour == colour

        if not all(mine(near) for near in self.tables.near[point]):
            return False
        diagonal = self.tables.diagonal[point]
        return sum(mine(at) for at in diagonal) >= (3 if len(diagonal) == 4 else len(diagonal))

    def areas(self) -> tuple[int, int]:
        """Return (Black's, White's) area."""
        totals = {1: 0, 2: 0}
        seen: set[Point] = set()
        for point in self.tables.points:
            string = self.strings.get(point)
            if string is not None:
                totals[string.colour] += 1
            elif point not in seen:
                region, border = self._region(point)
                seen |= region
                if len(border) == 1:
                    totals[border.pop()] += len(region)
        return totals[1], totals[2]

    def _region(self, start: Point) -> tuple[set[Point], set[int]]:
        """Return the empty points connected to one, and the colours that they touch."""
        region, border, open_points = {start}, set(), [start]
        while open_points:
            for near in self.tables.near[open_points.pop()]:
                string = self.strings.get(near)
                if string is not None:
                    border.add(string.colour)
                elif near not in region:
                    region.add(near)
                    open_points.append(near)
        return region, border


class Position:
    """A position under the book's rules, called `aga` here; never changed."""

    def __init__(self, board: Board, to_move: int, before: Position | None = None, passes: int = 0) -> None:
        self.board = board
        self.to_move = to_move
        self.passes = passes
        self.past: frozenset[tuple[int, int]] = frozenset()
        if before is not None:
            self.past = before.past | {(before.to_move, before.board.zobrist)}

    def play(self, move: Point | None) -> Position:
        """Return the position after a legal move."""
        if move is None:
            return Position(self.board, 3 - self.to_move, self, self.passes + 1)
        board = self.board.copy()
        board.place(move, self.to_move)
        return Position(board, 3 - self.to_move, self)

    def is_legal(self, point: Point) -> bool:
        """Tell whether the player to move may play here."""
        board, colour = self.board, self.to_move
        if point in board.strings or board.is_suicide(point, colour):
            return False
        if not board.captures(point, colour):
            return True
        after = board.copy()
        after.place(point, colour)
        return (3 - colour, after.zobrist) not in self.past

    def winner(self) -> int:
        """Return 1 or 2: whose area is larger now."""
        black, white = self.board.areas()
        return 1 if black > white + KOMI else 2


Chooser = Callable[[Position, random.Random], Point | None]


def naive_move(position: Position, rng: random.Random) -> Point | None:
    """Return the book's random move: any that is legal and fills no own eye; a pass if there is none."""
    board, colour = position.board, position.to_move
    points = [p for p in board.tables.points if position.is_legal(p) and not board.is_eye(p, colour)]
    return rng.choice(points) if points else None


def first_naive_move(position: Position, rng: random.Random) -> Point | None:
    """Return the same move found as the book's fast player does: the first that will do, in an order drawn at random."""
    board, colour = position.board, position.to_move
    points = list(board.tables.points)
    rng.shuffle(points)
    return next((p for p in points if position.is_legal(p) and not board.is_eye(p, colour)), None)


def play_naively(size: int, rng: random.Random, choose: Chooser = naive_move) -> tuple[int, int]:
    """Play a game of random moves; return (winner, moves)."""
    position, moves = Position(Board(size), 1), 0
    while position.passes < 2:
        position = position.play(choose(position, rng))
        moves += 1
    return position.winner(), moves


SIZES = {9: 1, 19: 10}
"""Board size -> by how much fewer games are played on it."""


def host_game(size: int, seed: int) -> None:
    """Play a game of two naive players on `GO`."""
    black, white = NaivePlayer(random.Random(2 * seed)), NaivePlayer(random.Random(2 * seed + 1))
    GO(size, AGA).play(black, white)


Game = Callable[[int, int], None]
"""Plays a game, given the board's size and a seed."""


def string_game(choose: Chooser) -> Game:
    """Return a game on a board of strings."""

    def play(size: int, seed: int) -> None:
        play_naively(size, random.Random(seed), choose)

    return play


YARDSTICKS = {"strings, lists all moves": string_game(naive_move), "strings, takes the first": string_game(first_naive_move)}
"""Games of the same kind on a board of strings."""


def book_games(folder: Path) -> dict[str, Game]:
    """Return the same two games by the book's own code, on its faster board, given its repository's folder `code`.

    Raises CommandError if it cannot be imported from there.
    """
    # Packages in place of the book's: the one of its players begins with its networks, and so needs Keras.
    for name in ("dlgo", "dlgo.agent"):
        package = ModuleType(name)
        package.__path__ = [str(folder / name.replace(".", "/"))]
        sys.modules[name] = package
    try:
        names = ("goboard_fast", "gotypes", "agent.naive", "agent.naive_fast")
        board, colours, naive, naive_fast = (import_module(f"dlgo.{name}") for name in names)
    except ImportError as error:
        raise CommandError(f"expected the folder `code` of the book's repository, got {folder}: {error}") from None

    def game_of(player: Callable[[], Any]) -> Game:
        def play(size: int, seed: int) -> None:
            random.seed(seed)
            naive_fast.np.random.seed(seed)
            players = {colour: player() for colour in colours.Player}
            state = board.GameState.new_game(size)
            while not state.is_over():
                state = state.apply_move(players[state.next_player].select_move(state))
            state.winner()

        return play

    lists, takes = game_of(naive.RandomBot), game_of(naive_fast.FastRandomBot)
    return {"the book's, lists all moves": lists, "the book's, takes the first": takes}


def games_per_second(play: Game, size: int, games: int, first: int) -> float:
    """Return games per second of CPU time; the seeds count up from `first`."""
    started = time.process_time()
    for seed in range(first, first + games):
        play(size, seed)
    return games / (time.process_time() - started)


def main() -> int:
    """Measure and print."""
    parser = parser_of("large_boards", "How fast the host plays on large boards.", 40)
    parser.add_argument("--book", type=Path, metavar="FOLDER", help="the folder `code` of the book's repository")
    options = parser.parse_args()
    yardsticks = YARDSTICKS | (book_games(options.book) if options.book else {})
    rows = []
    for size, fewer in SIZES.items():
        count = max(1, options.games // fewer)
        host = list[float]()
        others: dict[str, list[float]] = {name: [] for name in yardsticks}
        for k in range(ROUNDS):
            host.append(games_per_second(host_game, size, count, k * count))
            for name, play in yardsticks.items():
                others[name].append(games_per_second(play, size, count, k * count))
        rows.append([f"{size}x{size}", "GO", *spread(host, 1)])
        for name, values in others.items():
            ratios = [a / b for a, b in zip(host, values, strict=True)]
            rows.append([f"{size}x{size}", name, *spread(values, 1), *spread(ratios, 1)])
    headers = ["board", "host", "games/s", "lowest", "highest", "GO to it", "lowest", "highest"]
    print(tabulate(rows, headers, disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("large_boards", main))
