"""The variations of an SGF game: every way through its tree, cut where what is read cannot be played on.

Like the main line (`search.sgf_files`), each piece of the tree is read once, so reading takes time in proportion to the file.
What is wrong with a variation spoils nothing else: it ends before the first node with set-up stones, or with a move that is
none, or of the wrong colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sgfmill.sgf import Sgf_game

from goban.errors import SgfError
from goban.grids import BLACK, WHITE
from goban.moves import Move
from goban.sgf import SgfMove
from search.sgf_files import games_in, moves_of, pieces_of, read_game

Moves = tuple[Move, ...]


def lines_of(data: bytes, size: int, most: int) -> list[Moves]:
    """Return the first complete game of a file, line by line as they stand there, the main line first; at most so many.

    size: of its board. The game must be one that `read_game` can read, from the empty board, with Black to begin.
    """
    found: list[Moves] = []
    whole = next(whole for line, whole in games_in(data) if line is not None)
    for line in _lines(whole, size):
        if len(found) == most:
            break
        found.append(line)
    return found


def read_variations(path: str | Path, most: int = 1000) -> list[Moves]:
    """Return the moves of every line of the first game of an SGF file, the main line first; at most so many lines.

    Raises OSError, or SgfError for a file that `read_sgf` cannot read, or whose game does not begin with an empty board.
    """
    data = Path(path).read_bytes()
    game = read_game(data, 1)
    if game.setup is not None or game.to_move == WHITE:
        raise SgfError("expected a game that begins with an empty board and Black to move")
    return lines_of(data, game.size, most)


def _lines(whole: bytes, size: int) -> Iterator[Moves]:
    """Yield the moves to each end of a tree."""
    path: list[Move] = []
    # How long the path was, and whether it could be gone on with, where each branch that is open now begins.
    branches: list[tuple[int, bool]] = []
    playable, at_end = True, False
    for piece, bracket in pieces_of(whole):
        if piece.strip() and playable:
            moves, playable = _played(piece, size, len(path))
            path += moves
        if bracket == "(":
            branches.append((len(path), playable))
        else:
            if not at_end:
                yield tuple(path)
            length, playable = branches.pop()
            del path[length:]
        at_end = bracket == ")"


def _played(piece: bytes, size: int, plies: int) -> tuple[list[Move], bool]:
    """Return the moves of nodes without branches that can be played after so many others, and whether these are all."""
    moves: list[Move] = []
    try:
        # The root is ours, since a piece need not begin with one.
        for node in Sgf_game.from_bytes(b"(;SZ[%d]%b)" % (size, piece)).get_main_sequence()[1:]:
            if node.has_setup_stones() and plies + len(moves):
                return moves, False
            for move in moves_of(node, "a variation"):
                if not _fits(move, plies + len(moves)):
                    return moves, False
                moves.append(move.move)
    except (ValueError, LookupError, SgfError):
        return moves, False
    return moves, True


def _fits(move: SgfMove, plies: int) -> bool:
    return move.colour == (BLACK, WHITE)[plies % 2]
