"""Games on pattern boards for Python: from a `goban` state on, move by move, and playouts, one or many.

    tables = make_tables(9, set_named("montegnu_classic").values)
    played = play_patterns(new_game(ruleset("aga"), 9), tables, 10_000, seed=7, threads=2)
    played.turns, played.scores

The same seed gives the same playouts whatever the number of threads; the first k of n are the same as k alone.

`ownership` says whose each point is in the end of playouts: how often Black's and how often White's.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.compile import kernel
from goban.kernels.numba_tools.random_numbers import game_stream
from goban.kernels.patterns.flat_playouts import play_many_flat
from goban.kernels.patterns.neighbourhoods import EMPTY, Span, Words, span_of
from goban.kernels.patterns.playouts import MOST_TURNS, Moves, Results, play_out, score_of, take_turn, write_row
from goban.kernels.patterns.strings import forget_last, hash_after, move_weight, put_stone, renew
from goban.kernels.patterns.tables import Tables, board_entry
from goban.kernels.playouts.array_games import ArrayGame
from goban.kernels.playouts.array_rules import copy_words
from goban.points import Point
from goban.rulesets import Scoring
from goban.states import State

# isort: off
from goban.kernels.patterns.boards import (
    AREA, BLACK, COLOUR, DEPTH, EMPTIES, HASH, LIMIT, NEAR, PASSES, PASSING, SIZE, STALE, TO_MOVE, WHITE, Board, cells, get,
    head, new_arrays, point_of,
)  # fmt: skip

# isort: on

Numbers = npt.NDArray[np.int64]
Work = Callable[[int, Results], None]


@board_entry("void", ", int64[::1], int64[::1]")
def _lay_out(board: Board, words: Words, tables: Tables, span: Span, points: Numbers, colours: Numbers) -> None:
    """Put stones, none of which captures, on an empty board, and find all facts and weights; nothing is near."""
    known = Tables(*tables)
    for k in range(len(points)):
        put_stone(board, words, known, span, points[k], colours[k])
    for k in range(len(span)):
        words[NEAR + k] = words[STALE + k] = words[EMPTIES + k]
    renew(board, words, known, span)
    forget_last(board, words, span)


@board_entry("void")
def _forget_last(board: Board, words: Words, tables: Tables, span: Span) -> None:
    forget_last(board, words, span)


@board_entry("void", ", int64")
def _make_move(board: Board, words: Words, tables: Tables, span: Span, p: int) -> None:
    take_turn(board, words, Tables(*tables), span, p)


@board_entry("uint64", ", int64")
def _move_weight(board: Board, words: Words, tables: Tables, span: Span, p: int) -> np.uint64:
    return move_weight(board, words, Tables(*tables), span, p)


@board_entry("uint64", ", int64")
def _hash_after(board: Board, words: Words, tables: Tables, span: Span, p: int) -> np.uint64:
    return hash_after(board, words, Tables(*tables), p, head(board, TO_MOVE))


@board_entry("int64")
def _score(board: Board, words: Words, tables: Tables, span: Span) -> int:
    return score_of(board, words, span)


@board_entry("void", ", uint16[::1], uint64[::1], uint16[::1], uint64, int64, int16[:, ::1]")
def _play_many(
    start: Board,
    start_words: Words,
    tables: Tables,
    span: Span,
    board: Board,
    words: Words,
    moves: Moves,
    seed: np.uint64,
    first: int,
    results: Results,
) -> None:
    """Play the playouts `first`, `first + 1`, ... of a seed from a start, each a row of results (`playouts.write_row`)."""
    known, size = Tables(*tables), head(start, SIZE)
    for row in range(len(results)):
        copy_words(board, start)
        copy_words(words, start_words)
        _, turns = play_out(board, words, known, span, moves, game_stream(seed, first + row))
        write_row(results, row, turns, moves, size, size + 1, score_of(board, words, span))


class PatternGame:
    """A game on a pattern board; changes in place. Superko and the end of the game are not looked at.

    board, words, tables, span: what kernels take, see `goban.kernels.patterns.boards`.
    """

    def __init__(self, state: State, tables: Tables, last_move: bool = True) -> None:
        """Begin at a `goban` state, with the depth 0. last_move: whether points may be near because of it."""
        self.size = size = state.grid.size
        self.tables, self.span = tables, span_of(size)
        self.board, self.words = new_arrays(size)
        self._write_rules(state)
        other = BLACK + WHITE - state.to_move
        stones = {colour: {*state.grid.points_of(state.stones(colour))} for colour in (BLACK, WHITE)}
        # Whose turn it is may have been changed since: a stone of the player to move was not played last.
        last = state.last_point if state.last_point in stones[other] else None
        if last is not None:
            stones[other] -= {last}
            stones[state.to_move] |= {*state.grid.points_of(state.captured)}
        placed = [(point_of(*p, size), colour) for colour in (BLACK, WHITE) for p in sorted(stones[colour])]
        points, colours = np.array(placed, dtype=np.int64).reshape(-1, 2).T.copy()
        self.board[TO_MOVE] = state.to_move if last is None else other
        _lay_out(self.board, self.words, self.tables, self.span, points, colours)
        if last is not None:
            self.play(last)
        if not last_move:
            _forget_last(self.board, self.words, self.tables, self.span)
        self.board[DEPTH] = 0

    def _write_rules(self, state: State) -> None:
        rules, board = state.rules, self.board
        board[PASSING], board[AREA] = rules.passing, rules.scoring is Scoring.AREA
        limit = rules.max_move(self.size)
        board[LIMIT] = 0 if limit is None else max(0, limit - state.n_move)
        board[PASSES] = 0

    def play(self, move: Point | None) -> None:
        """Place or pass; whether that is legal is not looked at."""
        p = 0 if move is None else point_of(*move, self.size)
        _make_move(self.board, self.words, self.tables, self.span, p)

    def weight(self, point: Point) -> int:
        """What a placement is worth to the player to move, 0 where they may not play it (superko aside)."""
        return int(_move_weight(self.board, self.words, self.tables, self.span, point_of(*point, self.size)))

    def hash_after(self, point: Point) -> int:
        """The board's hash after a placement of the player to move on an empty point."""
        return int(_hash_after(self.board, self.words, self.tables, self.span, point_of(*point, self.size)))

    @property
    def hash(self) -> int:
        """The board's Zobrist hash, as `goban.grids` has it."""
        return int(self.words[HASH])

    @property
    def score(self) -> int:
        """Black's points less White's, stones or area as the rules count, komi not included."""
        return int(_score(self.board, self.words, self.tables, self.span))


@dataclass(frozen=True)
class PatternPlayouts:
    """Playouts, one per entry of each array."""

    turns: npt.NDArray[np.int16]
    """How many moves and passes each took."""
    first_moves: npt.NDArray[np.int16]
    """The first of them: size * i + j, size * size for a pass, -1 if there was none."""
    scores: npt.NDArray[np.int16]
    """Black's points less White's at its end, komi not included."""


def play_patterns(
    state: State, tables: Tables, games: int, seed: int, threads: int = 1, last_move: bool = True
) -> PatternPlayouts:
    """Play playouts from a state. seed: any integer, of which 64 bits count. last_move: as for `PatternGame`.

    Raises ValueError if the game is over.
    """
    if state.is_over:
        raise ValueError(f"expected a game that goes on, got {state!r}")
    work = _on_arrays(state, tables, seed) if tables.flat else _on_patterns(state, tables, seed, last_move)
    results = np.zeros((games, 3), dtype=np.int16)
    share = -(-games // max(1, threads))
    spans = [(first, min(games, first + share)) for first in range(0, games, share or 1)]
    with ThreadPoolExecutor(max(1, threads)) as pool:
        for done in [pool.submit(work, first, results[first:end]) for first, end in spans]:
            done.result()
    return PatternPlayouts(*(np.ascontiguousarray(results[:, k]) for k in range(3)))


def _on_patterns(state: State, tables: Tables, seed: int, last_move: bool) -> Work:
    start, word = PatternGame(state, tables, last_move), np.uint64(seed % 2**64)
    _play_many.prepare(start.span)

    def work(first: int, results: Results) -> None:
        moves = np.zeros(MOST_TURNS, dtype=np.uint16)
        _play_many(
            start.board, start.words, tables, start.span, start.board.copy(), start.words.copy(), moves, word, first, results
        )

    return work


def _on_arrays(state: State, tables: Tables, seed: int) -> Work:
    start, word = ArrayGame(state), np.uint64(seed % 2**64)
    play_many_flat.prepare()

    def work(first: int, results: Results) -> None:
        moves = np.zeros(MOST_TURNS, dtype=np.uint16)
        play_many_flat(
            start.board, start.hashes, start.keys, tuple(tables), start.board.copy(), start.hashes.copy(), moves, word, first,
            results,
        )  # fmt: skip

    return work


Shares = npt.NDArray[np.float64]


@board_entry("void", ", uint16[::1], uint64[::1], uint16[::1], int64, uint64, int64[::1]")
def _count_owners(
    start: Board,
    start_words: Words,
    tables: Tables,
    span: Span,
    board: Board,
    words: Words,
    moves: Moves,
    games: int,
    seed: np.uint64,
    owners: Numbers,
) -> None:
    """Play so many playouts of a seed from a start; owners gets, by point, 1 for each that it is Black's, -1 for White's."""
    known, size = Tables(*tables), head(start, SIZE)
    for game in range(games):
        copy_words(board, start)
        copy_words(words, start_words)
        play_out(board, words, known, span, moves, game_stream(seed, game))
        for i in range(size):
            first = (size + 1) * (i + 1) + 1
            for p in range(first, first + size):
                owners[p] += _owner(board, p, size + 1)


@kernel
def _owner(board: Board, p: int, stride: int) -> int:
    """Return 1 for a point of Black's, -1 for White's: where a stone is, or next to which there are stones of one colour."""
    found = get(board, p, COLOUR)
    if found == EMPTY:
        for q in (p + stride, p - 1, p - stride, p + 1):
            colour = get(board, q, COLOUR)
            found |= colour & (BLACK | WHITE) if colour != BLACK | WHITE else 0
    return (found & 1) - (found >> 1)


def ownership(state: State, tables: Tables, games: int, seed: int) -> Shares:
    """Return (size, size) the shares of playouts that points are Black's in, less those that they are White's in: -1 to 1.

    games: 1 or more, from the state on, over or not, and beyond the move at which the rules end the game. seed: any integer, of
    which 64 bits count. An empty point between both colours counts for nobody.
    """
    start, size = PatternGame(state, tables), state.grid.size
    start.board[LIMIT] = 0
    owners, moves = np.zeros(cells(size), dtype=np.int64), np.zeros(MOST_TURNS, dtype=np.uint16)
    _count_owners(
        start.board, start.words, tables, start.span, start.board.copy(), start.words.copy(), moves, games,
        np.uint64(seed % 2**64), owners,
    )  # fmt: skip
    points = owners[:-1].reshape(size + 2, size + 1)[1:-1, 1:]
    return points / games
