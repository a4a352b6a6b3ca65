"""The commands about the board: its size and komi, plays, undo, handicap, showing, counting."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec

from goban.common.command_lines import complain, missing_package, what_is_needed
from goban.common.excerpts import quoted
from goban.common.files import read_bounded
from goban.diagrams import diagram
from goban.errors import GtpError, SgfError
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE, grid_of, owned
from goban.gtp import colour_of, real_number_of, vertex_of, whole_number_of
from goban.open_games import OpenGame, follow
from goban.points import Point, vertex
from goban.rulesets import COLOUR_NAMES, Scoring, result_text
from players.gtp_engine.seats import Seats
from players.gtp_engine.streams import Handler, Words, check_count

_MOST_KOMI = 10_000
_MOST_BYTES = 100_000_000
"""Of a file that is loaded."""
_TERRITORIES = {"black_territory": BLACK, "white_territory": WHITE}


class BoardCommands:
    """Commands on one game. A new board is a new game for the players."""

    def __init__(self, game: OpenGame, seats: Seats) -> None:
        self._game = game
        self._seats = seats

    def table(self) -> dict[str, Handler]:
        """Return the commands by name."""
        return {
            "boardsize": self._boardsize, "clear_board": self._clear_board, "komi": self._komi, "get_komi": self._get_komi,
            "play": self._play, "undo": self._undo, "fixed_handicap": self._fixed_handicap,
            "place_free_handicap": self._place_free_handicap, "set_free_handicap": self._set_free_handicap,
            "loadsgf": self._loadsgf, "showboard": self._showboard, "all_legal": self._all_legal,
            "final_score": self._final_score, "final_status_list": self._final_status_list,
        }  # fmt: skip

    def _boardsize(self, words: Words) -> str:
        check_count(words, "a size", 1)
        size = whole_number_of(words[0])
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise GtpError("unacceptable size")
        self._clear(size)
        return ""

    def _clear_board(self, words: Words) -> str:
        check_count(words, "nothing after clear_board", 0)
        self._clear(self._game.size)
        return ""

    def _clear(self, size: int) -> None:
        self._game.clear(size)
        self._seats.begin(self._game.rules, size)

    def _komi(self, words: Words) -> str:
        check_count(words, "a komi", 1)
        komi = real_number_of(words[0])
        if abs(komi) > _MOST_KOMI:
            raise GtpError(f"syntax error: expected a komi from -{_MOST_KOMI} to {_MOST_KOMI}, got {quoted(words[0])}")
        self._game.set_komi(komi)
        return ""

    def _get_komi(self, words: Words) -> str:
        check_count(words, "nothing after get_komi", 0)
        return f"{self._game.komi:g}"

    def _play(self, words: Words) -> str:
        check_count(words, "a colour and a vertex", 2)
        self._game.play(colour_of(words[0]), vertex_of(words[1], self._game.size))
        return ""

    def _undo(self, words: Words) -> str:
        check_count(words, "nothing after undo", 0)
        self._game.undo()
        return ""

    # Handicap

    def _fixed_handicap(self, words: Words) -> str:
        points = fixed_handicap(self._game.size, self._stones(words))
        if not points:
            raise GtpError("invalid number of stones")
        return self._place(points)

    def _place_free_handicap(self, words: Words) -> str:
        stones = self._stones(words)
        if not 2 <= stones < self._game.size**2:
            raise GtpError("invalid number of stones")
        return self._place(free_handicap(self._game.size, stones))

    def _set_free_handicap(self, words: Words) -> str:
        points = [vertex_of(word, self._game.size) for word in words]
        stones = [point for point in points if point is not None]
        if len(stones) < len(points) or len(set(stones)) < len(points) or not 2 <= len(points) < self._game.size**2:
            raise GtpError("bad vertex list")
        self._place(stones)
        return ""

    def _stones(self, words: Words) -> int:
        check_count(words, "a number of stones", 1)
        return whole_number_of(words[0])

    def _place(self, points: tuple[Point, ...] | list[Point]) -> str:
        """Put handicap stones on the board and return their vertices."""
        if self._game.state.black | self._game.state.white:
            raise GtpError("board not empty")
        self._game.set_handicap(points)
        return " ".join(vertex(point, self._game.size) for point in points)

    def _loadsgf(self, words: Words) -> str:
        check_count(words, "a file, and perhaps the number of a move", 1, 1000)
        to_move = _load_game(self._game, words)
        self._seats.begin(self._game.rules, self._game.size)
        return COLOUR_NAMES[to_move]

    # Looking at it

    def _showboard(self, words: Words) -> str:
        check_count(words, "nothing after showboard", 0)
        state = self._game.state
        return f"\n{diagram(state.rows(), state.last_point)}"

    def _all_legal(self, words: Words) -> str:
        check_count(words, "a colour", 1)
        position = self._game.position(colour_of(words[0]))
        return " ".join(vertex(point, self._game.size) for point in position.grid.points_of(position.placements()))

    def _final_score(self, words: Words) -> str:
        check_count(words, "nothing after final_score", 0)
        black, white = self._game.state.scores()
        return result_text(self._game.state.leader(), black - white)

    def _final_status_list(self, words: Words) -> str:
        """Nothing is told of seki: such stones are alive."""
        check_count(words, "a status", 1)
        if words[0] in _TERRITORIES:
            return "\n".join(self._territory(_TERRITORIES[words[0]]))
        if words[0] not in ("alive", "dead", "seki"):
            statuses = ", ".join(("alive", "dead", "seki", *_TERRITORIES))
            raise GtpError(f"syntax error: expected one of {statuses}, got {quoted(words[0])}")
        return "\n".join(self._strings(words[0] == "dead")) if words[0] != "seki" else ""

    def _strings(self, dead: bool) -> Iterator[str]:
        """Yield the vertices of each string that is dead, or of each that is not."""
        state = self._game.state
        stones_dead = self._dead()
        left = stones_dead if dead else (state.black | state.white) & ~stones_dead
        while left:
            stones, _ = state.group_at(state.grid.point[left & -left])
            yield " ".join(vertex(point, self._game.size) for point in state.grid.points_of(stones))
            left ^= stones

    def _territory(self, colour: int) -> Iterator[str]:
        """Yield the vertices of points that a colour alone reaches once dead stones are taken off, but for its own stones."""
        state, dead = self._game.state, self._dead()
        areas = owned(state.grid, state.black & ~dead, state.white & ~dead)
        for point in state.grid.points_of(areas[colour - 1] & ~state.stones(colour)):
            yield vertex(point, self._game.size)

    def _dead(self) -> int:
        """Return the dead stones. Where stones are counted and not area, or nothing is there to find out with, none are."""
        rules = self._game.rules
        if rules.scoring is not Scoring.AREA or not rules.passing or find_spec("numba") is None:
            return 0
        from goban.montecarlo.dead_stones import dead_stones

        return dead_stones([self._game.position(colour) for colour in (BLACK, WHITE)])


# Where handicap stones stand
#
# Source: https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html, section 4.1.1.


def _fixed_points(size: int) -> tuple[Point, ...]:
    """Return the points of the most handicap stones that have fixed places on a board: 9, 4 or none.

    Lines count from the edge: the fourth on boards from 13x13 on, else the third.
    """
    if size < 7:
        return ()
    low = 3 if size >= 13 else 2
    high, middle = size - 1 - low, size // 2
    corners = ((high, low), (low, high), (low, low), (high, high))
    if size % 2 == 0 or size == 7:
        return corners
    return (*corners, (middle, low), (middle, high), (high, middle), (low, middle), (middle, middle))


def fixed_handicap(size: int, stones: int) -> tuple[Point, ...]:
    """Return the places of so many stones, () if they have none: D4 Q16 D16 Q4 ... on 19x19, of odd numbers the centre last."""
    places = _fixed_points(size)
    if not 2 <= stones <= len(places):
        return ()
    return (*places[: stones - 1], places[-1]) if stones in (5, 7) else places[:stones]


def free_handicap(size: int, stones: int) -> tuple[Point, ...]:
    """Return places for any number of stones below that of the board's points: the fixed ones, then those around the middle."""
    fixed = fixed_handicap(size, stones) or _fixed_points(size)
    centre = size - 1
    others = sorted(grid_of(size).points, key=lambda point: (abs(2 * point[0] - centre) + abs(2 * point[1] - centre), point))
    return tuple(dict.fromkeys((*fixed, *others)))[:stones]


# loadsgf: a game of a file becomes the game of the engine


def _load_game(game: OpenGame, words: Words) -> int:
    """Take over the first game of an SGF file and return who is to move; raises GtpError, and then nothing has changed.

    words: those of the file's name, which may have blanks; perhaps the number of a move, and the game then stands before it.
    The rules stay. So does komi where the file says nothing about it.
    """
    path, number = _file_and_number(words)
    try:
        from goban.solver.sgf_files import read_game

        found = read_game(read_bounded(path, _MOST_BYTES))
    except OSError as error:
        raise GtpError(f"cannot load file: {error.strerror or error}") from None
    except SgfError as error:
        raise GtpError(f"cannot load file: {error}") from None
    except ModuleNotFoundError as error:
        raise GtpError(f"cannot load file: {what_is_needed(missing_package(error) or str(error.name))}") from None
    rules = game.rules if found.komi is None else replace(game.rules, fixed_komi=found.komi)
    try:
        fresh = follow(found, rules, None if number is None else max(number - 1, 0))
    except SgfError as error:
        raise GtpError(f"cannot load file: {error}") from None
    for note in found.mended:
        complain("loadsgf", note)
    game.take_over(fresh)
    return game.state.to_move


def _file_and_number(words: Words) -> tuple[str, int | None]:
    """A last word of digits is the number of a move, unless a file of the whole name is there."""
    whole, last = " ".join(words), words[-1]
    if len(words) < 2 or not (last.isascii() and last.isdigit()) or os.path.exists(whole):
        return whole, None
    if len(last) > 9:
        raise GtpError(f"syntax error: expected the number of a move, got {quoted(last)}")
    return " ".join(words[:-1]), int(last)
