"""SGF texts as `goban.solver.sgf_files` reads them."""

from dataclasses import replace

from goban.sgf import SgfMove
from goban.solver.sgf_files import read_game


def read(text):
    """The one game in a text."""
    return read_game(text.encode())


def bare(game):
    """What is read of a game: all but comments, seconds and extra, and what was mended."""
    moves = tuple(SgfMove(move.colour, move.move, board=move.board) for move in game.moves)
    return replace(game, comment="", extra=(), mended=(), moves=moves)
