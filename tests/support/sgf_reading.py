"""SGF texts as `goban.solver.sgf_files` reads them."""

from dataclasses import replace

from goban.solver.sgf_files import read_game


def read(text):
    """The one game in a text."""
    return read_game(text.encode())


def bare(game):
    """A game without what was mended."""
    return replace(game, mended=())
