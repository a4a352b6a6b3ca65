"""loadsgf: a game of a file becomes the game of the engine."""

from __future__ import annotations

import os
from dataclasses import replace

from common.command_lines import complain, how_to_install
from common.excerpts import quoted
from common.files import read_bounded
from goban.errors import GtpError, SgfError
from goban.open_games import OpenGame, follow
from players.gtp_engine.arguments import Words

_MOST_BYTES = 100_000_000


def load_game(game: OpenGame, words: Words) -> int:
    """Take over the first game of an SGF file and return who is to move; raises GtpError, and then nothing has changed.

    words: those of the file's name, which may have blanks; perhaps the number of a move, and the game then stands before it.
    The rules stay. So does komi where the file says nothing about it.
    """
    path, number = _file_and_number(words)
    try:
        from search.sgf_files import read_game

        found = read_game(read_bounded(path, _MOST_BYTES), 1)
    except OSError as error:
        raise GtpError(f"cannot load file: {error.strerror or error}") from None
    except SgfError as error:
        raise GtpError(f"cannot load file: {error}") from None
    except ModuleNotFoundError as error:
        raise GtpError(f"cannot load file: this needs {error.name}: {how_to_install()}") from None
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
