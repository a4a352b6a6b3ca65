"""Files that games are kept in: SGF, and a page to replay them."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from goban.board.page import whole_page
from goban.board.truths import can_solve, knows, solvable, truths_of
from goban.board.views import ending_in_words
from goban.common.arguments import check_kind
from goban.common.command_lines import how_to_install
from goban.common.excerpts import quoted_path
from goban.common.files import check_kind_of_file, write_beside
from goban.common.player_faults import Passage, passages_by_move
from goban.errors import BadArgumentError
from goban.game import GameRecord
from goban.moves import move_name
from goban.sgf import sgf_of, write_sgf

Turns = Mapping[int, tuple[int, str, Sequence[Passage]]]
"""Number of a move -> milliseconds it took, what was printed, and where it was returned, see `goban.common.player_faults`."""

_ALL_SECONDS = 60.0
_GAME_SECONDS = 5.0


class GameFile(Protocol):
    """Where finished games go."""

    def add(self, record: GameRecord, turns: tuple[Turns, Turns], fault: str, trace: str) -> None:
        """Keep a game. turns: Black's and White's; fault: why one of them forfeited, and the traceback. Raises OSError."""

    def finish(self, result: str) -> None:
        """Keep the result of all games, a few lines. Raises OSError."""


class SgfFile:
    """A file that games are appended to, each one complete or not at all. Raises OSError in one clear line."""

    def __init__(self, path: str, names: tuple[str, str]) -> None:
        self.path = path
        self.names = names
        try:
            check_kind_of_file(Path(path), ".sgf")
            # Unbuffered, so that a game is one write and a full disk is noticed at once.
            self.file = open(path, "ab", buffering=0)  # noqa: SIM115
        except (OSError, ValueError) as error:
            # ValueError: a NUL in the name, or half a character.
            raise _fault(self.path, error) from None

    def add(self, record: GameRecord, turns: tuple[Turns, Turns], fault: str, trace: str) -> None:
        """Append a game."""
        game = f"{write_sgf(sgf_of(record, *self.names)).strip()}\n".encode()
        try:
            size = os.fstat(self.file.fileno()).st_size
            if self.file.write(game) != len(game):
                self.file.truncate(size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise _fault(self.path, error) from None

    def finish(self, result: str) -> None:
        """All is written already."""


class HtmlFile:
    """A page with all games, written at the end. Raises OSError in one clear line, at the start if it cannot be written.

    say: is told what is waited for, and what the page is without.
    """

    def __init__(self, path: str, names: tuple[str, str], say: Callable[[str], object]) -> None:
        self.path, self.names, self.say = path, names, say
        self.games: list[tuple[GameRecord, list[object]]] = []
        try:
            check_kind_of_file(Path(path), ".html")
        except (OSError, ValueError) as error:
            raise _fault(path, error) from None
        self._write("")

    def add(self, record: GameRecord, turns: tuple[Turns, Turns], fault: str, trace: str) -> None:
        """Keep a game."""
        self.games.append((record, _row(len(self.games) + 1, record, turns, fault, trace)))

    def finish(self, result: str) -> None:
        """Look for mistakes, and write the page."""
        start = self.games[0][0].start if self.games else None
        if start is not None and knows(start.rules, start.grid.size) and not can_solve():
            self.say(f"{self.path}: without what moves cost, which needs numpy and numba: {how_to_install()}")
        looks = start is not None and solvable(start.rules, start.grid.size)
        if looks:
            seconds = min(_GAME_SECONDS, _ALL_SECONDS / len(self.games))
            most = seconds * len(self.games)
            self.say(f"{self.path}: finding out what each move cost, {most:.0f} s at most, and once a minute more to compile")
            for (_, row), truth in zip(
                self.games, truths_of([_position(record) for record, _ in self.games], seconds), strict=True
            ):
                row[-2] = truth
        self._write(result)
        if looks:
            self.say(f"{self.path} is written")

    def _write(self, result: str) -> None:
        try:
            write_beside(Path(self.path), _album(self.names, self.games, result))
        except (OSError, ValueError) as error:
            raise _fault(self.path, error) from None


def replay_page(record: GameRecord, black: str = "Black", white: str = "White") -> bytes:
    """Return a page that replays a game in any browser, as one file and without a server."""
    check_kind(record, GameRecord, "a finished game (goban.GameRecord)", BadArgumentError)
    for name in (black, white):
        check_kind(name, str, "texts as names", BadArgumentError)
    return _album((black, white), [(record, _row(1, record, ({}, {}), "", ""))], "")


def _album(names: tuple[str, str], games: Sequence[tuple[GameRecord, list[object]]], result: str) -> bytes:
    """Return the page of some games, all begun alike. games: with how `goban.board.views` explains each."""
    about: dict[str, object] = {}
    if games:
        state = games[0][0].start
        about = {"rules": state.rules.name, "size": state.grid.size, "komi": state.rules.komi(state.grid.size)}
    data = about | {"names": list(names), "result": result, "games": [row for _, row in games]}
    return whole_page(f"{names[0]} against {names[1]}", "games.html", ("games.css", "album.js"), data)


def _position(record: GameRecord) -> dict[str, object]:
    size = record.start.grid.size
    return {"rules": record.start.rules.name, "size": size, "moves": [move_name(move, size) for move in record.moves]}


def _row(number: int, record: GameRecord, turns: tuple[Turns, Turns], fault: str, trace: str) -> list[object]:
    """Return a game as `goban.board.views` explains it, nothing known of what its moves were worth."""
    outcome, size = record.outcome, record.start.grid.size
    moves = " ".join(move_name(move, size) for move in record.moves)
    times = [turns[k % 2].get(k + 1, (0,))[0] for k in range(len(record.moves))]
    logs: list[object] = [{str(ply): text for ply, (_, text, _) in own.items() if text.strip()} or 0 for own in turns]
    lines = passages_by_move({ply: came_from for own in turns for ply, (_, _, came_from) in own.items()})
    ended = [outcome.winner, outcome.result(), fault or ending_in_words(outcome)]
    return [
        number,
        0,
        1,
        *ended,
        moves,
        times,
        [outcome.black, outcome.white],
        "",
        0,
        [*logs, trace, *([lines] if lines else [])] if any(logs) or trace or lines else 0,
    ]


def _fault(path: str, error: Exception) -> OSError:
    reason = getattr(error, "strerror", None) or error
    return OSError(f"expected a file that can be written, got {quoted_path(path)}: {reason}")
