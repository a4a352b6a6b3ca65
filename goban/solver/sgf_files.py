"""Reading SGF files: one game and its main line, with sgfmill, and the variations. `goban.sgf` writes them.

Before sgfmill sees a game, a scan cuts its main line out of the file. The scan looks at every byte once and the main line has
no variations, so reading takes time in proportion to the file, whatever the file holds.

The root's GM, SZ, CA, KM, RU, PB, PW and RE are read, set-up stones, PL before the first move, moves, and the comments of the
game and of moves; all else is kept as it stands, in `extra`, and of later nodes without a move in `after`.
Other programs' deviations from the format are first repaired, by `goban.solver.sgf_repair`, and reported.

Games can be told apart by their first bytes (`goban.sgf.NEXT_GAME`), which no text in a game can hold. So a game that was
cut off, as by a crash, does not spoil those written after it.

The variations are all paths through a game's tree, cut where they cannot be played on. Each piece of the tree is also read only
once. A fault in a variation spoils nothing else: the variation ends before the first node with set-up stones, or with an
unreadable move, or one of the wrong colour.

Source: https://www.red-bean.com/sgf/sgf4.html.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import IO

from sgfmill.sgf import Node, Sgf_game
from sgfmill.sgf_grammar import simpletext_value

from goban.common.arguments import check_functions, check_kind
from goban.common.excerpts import printable, quoted
from goban.errors import BadArgumentError, SgfError
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE, Rows
from goban.moves import Move
from goban.points import Point
from goban.sgf import (
    BOARD_FIELDS,
    COLOURS,
    MOVE_FIELDS,
    NEXT_GAME,
    ROOT_FIELDS,
    BareNode,
    Property,
    Setup,
    SgfGame,
    SgfMove,
    can_write,
    komi_of,
    rows_after,
    storable,
    text_of,
)
from goban.solver.sgf_repair import Notes, as_text, as_utf8, is_text, komi_notes, mend_line

# Possessive (`*+`): a megabyte of backslashes must not be remembered for backtracking.
_START = re.compile(rb"\(\s*+(?=;|[A-Z]{1,20}\s*+\[)")
_MARK = re.compile(rb"[()]|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(\])?", re.DOTALL)
_NEXT = re.compile(NEXT_GAME.encode())

# What an SgfGame or an SgfMove has a field for.
_FIELDS = ROOT_FIELDS | MOVE_FIELDS
# What makes readers take a game for another, outside the root.
_ROOT_ONLY = frozenset({"FF", "GM", "CA", "SZ"})
# What is said of the game, and not of a node, wherever it stands before the first move.
_OF_GAME = ROOT_FIELDS - {"C"} | {
    "AN", "AP", "BR", "BT", "CP", "DT", "EV", "GN", "GC", "HA", "ON", "OT", "PC", "RO", "SO", "ST", "TM", "US", "WR", "WT",
}  # fmt: skip

_Moves = tuple[Move, ...]


Source = str | bytes | bytearray | memoryview | os.PathLike[str] | IO[str] | IO[bytes]
"""Where games are: the path of a file, the file itself, opened as text or in binary, or their text, which begins with '(;'."""
_GAME_TEXT = re.compile(rb"(\xef\xbb\xbf)?\s*\(\s*;")


def read_sgf(source: Source, number: int | None = None) -> SgfGame:
    """Return a game of an SGF file, counted from 1; without a number the first, and `mended` says how many there are.

    source: a file's name, an open file, which is read to its end, or the text of a game. What other programs wrote in their
    own ways is repaired, and told in `mended`. Raises OSError, and SgfError for what cannot be read.
    """
    return read_game(_bytes_of(source), number)


def read_games(source: Source, tell: Callable[[SgfError], object] | None = None) -> Iterator[SgfGame]:
    """Yield the games of an SGF file one after the other; see `read_sgf`. A game that was cut off is left out.

    tell: called with the error of each game that cannot be read, which is then left out, too; None to raise it. After an error
    `next` goes on with the next game. Raises OSError.
    """
    if tell is not None:
        check_functions(BadArgumentError, tell=tell)
    data, is_utf8, notes = as_utf8(_bytes_of(source))

    def read(line: bytes) -> SgfGame | None:
        try:
            return _game(line, is_utf8, list(notes))
        except SgfError as error:
            if tell is None:
                raise
            tell(error)
            return None

    # A generator would end with its first error.
    return filter(None, map(read, filter(None, main_lines(data))))


def _bytes_of(source: Source) -> bytes:
    if isinstance(source, bytearray | memoryview):
        source = bytes(source)
    # An empty text is no file's name: as a path it would be the current folder.
    if isinstance(source, str | bytes) and (_GAME_TEXT.match(data := _encode(source)) or not data.strip()):
        return data
    if isinstance(source, str | bytes | os.PathLike):
        return Path(os.fsdecode(source)).read_bytes()
    if not hasattr(source, "read"):
        raise BadArgumentError(f"expected a file's name, an open file or the text of a game, got {quoted(source)}")
    return _encode(source.read())


def _encode(text: str | bytes) -> bytes:
    return text.encode(errors="replace") if isinstance(text, str) else text


def read_game(data: bytes, number: int | None = None) -> SgfGame:
    """Return a game of an SGF file, counted from 1; without a number the first, and `mended` says how many there are.

    Games that were cut off are not counted, unless the file holds nothing else: then the first is read as far as it goes.
    komi is None where the file says none, or no number. What was mended is told in `mended`. Raises SgfError, and nothing else
    whatever the file holds.
    """
    check_kind(number, (int, type(None)), "the number of a game", SgfError)
    data, is_utf8, notes = as_utf8(data)
    if data.lstrip().startswith(b";"):
        data, notes = b"(%b)" % data.rstrip().removesuffix(b")"), [*notes, "the game begins without '('"]
    scanned = list(_scan(data))
    lines = [line for line, _, closed in scanned if closed]
    if not lines and scanned and b"[" in mend_line(scanned[0][0])[0]:
        lines, notes = [scanned[0][0]], [*notes, "the file is cut off"]
    if not lines:
        raise SgfError(f"expected a complete game, '(;' to ')', got {quoted(data[:40])}")
    if number is None and len(lines) > 1:
        notes = [*notes, f"the file holds {len(lines)} games, this is the first"]
    if number is not None and not 1 <= number <= len(lines):
        raise SgfError(f"expected the number of a game, from 1 to {len(lines)}, got {number}")
    return _game(lines[(number or 1) - 1], is_utf8, notes)


def main_lines(data: bytes) -> Iterator[bytes | None]:
    """Yield the main line of every game as a game without variations; None for a game that was cut off.

    The main line takes the first branch everywhere, so it is all that stands before the first `)`.
    """
    return (line for line, _ in _games_in(data))


def _games_in(data: bytes) -> Iterator[tuple[bytes | None, bytes]]:
    """Yield for every game its main line, as `main_lines` does, and all of it, from '(' to ')'."""
    return ((line if closed else None, whole) for line, whole, closed in _scan(data))


def _scan(data: bytes) -> Iterator[tuple[bytes, bytes, bool]]:
    """Yield for every game its main line, all of it, and whether it has an end."""
    begins = [0, *(found.start() for found in _NEXT.finditer(data)), len(data)]
    for part in (data[begin:end] for begin, end in pairwise(begins)):
        position = 0
        while (start := _START.search(part, position)) is not None:
            line, position, closed = _main_line(part, start.start())
            yield line, part[start.start() : position], closed


def _pieces_of(whole: bytes) -> Iterator[tuple[bytes, str]]:
    """Yield what stands before each bracket of a game's tree, and the bracket; those within texts are none."""
    begun = 0
    for mark in _MARK.finditer(whole):
        bracket = whole[mark.start() : mark.start() + 1].decode("latin-1")
        if bracket != "[":
            yield whole[begun : mark.start()], bracket
            begun = mark.end()


def _main_line(data: bytes, start: int) -> tuple[bytes, int, bool]:
    """Return the main line of the game that begins at `start`, where the game ends, and whether it does: it may be cut off.

    A main line that is cut off goes to its last whole value. A variation with nothing in it, `()`, is passed over.
    """
    pieces: list[bytes] = []
    line, depth, opened = b"", 0, False
    begun, end = start, len(data)
    for mark in _MARK.finditer(data, start):
        opening, closing = (data[mark.start()] == ord(bracket) for bracket in "()")
        if (opening or closing) and not line:
            pieces.append(data[begun : mark.start()])
            begun = mark.end()
        if opening:
            depth += 1
        elif closing:
            depth -= 1
            if not (depth and opened and not pieces[-1].strip()):
                line = line or b"(%b)" % b"".join(pieces)
            if not depth:
                return line, mark.end(), True
        elif mark[1] is None:
            end = mark.start()
            break
        if opening or closing:
            opened = opening
    return line or b"(%b)" % b"".join([*pieces, data[begun:end]]), len(data), False


def _game(line: bytes, is_utf8: bool, notes: Notes) -> SgfGame:
    line, more = mend_line(line)
    notes = [*notes, *more]
    try:
        game = Sgf_game.from_bytes(line, override_encoding="UTF-8" if is_utf8 else None)
        nodes: Sequence[Node] = game.get_main_sequence()
    except (ValueError, LookupError) as error:
        # As sgfmill says it: "bad SZ property: b'19:13'".
        raise SgfError(f"expected a game on a square board, got one with {printable(str(error), 100)}") from None
    size = game.get_size()
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise SgfError(f"expected a board size from {MIN_SIZE} to {MAX_SIZE}, got SZ[{size}]")
    charset = nodes[0].get_encoding()
    if not is_text(charset):
        raise SgfError(f"expected a text encoding, such as CA[UTF-8], got CA[{printable(charset, 20)}]")
    first = next((number for number, node in enumerate(nodes) if _has_move(node)), len(nodes))
    # Nodes before the first move belong to the root. In older files the first move stands in the root itself.
    head = nodes[: max(first, 1)]
    kind = _raw(head, "GM")
    if kind.strip() not in (b"", b"1"):
        raise SgfError(f"expected Go, GM[1], in the root, got GM[{printable(as_text(kind), 20)}]")
    setup = _set_up([[0] * size for _ in range(size)], head, 0)
    if setup is None and _raw(head, "HA").strip() not in (b"", b"0", b"1"):
        notes.append(f"HA[{printable(as_text(_raw(head, 'HA')), 10)}] without handicap stones: none are set up")
    return SgfGame(
        size=size,
        komi=_komi(head, notes),
        rules=_text(head, "RU"),
        black=_text(head, "PB"),
        white=_text(head, "PW"),
        result=_text(head, "RE"),
        moves=tuple(_moves(nodes, len(head), setup, size)),
        comment=text_of(_raw(head[:1], "C").decode(charset, "replace")),
        setup=setup,
        to_move=COLOURS.get(_raw(head, "PL").strip()[:1].upper().decode("latin-1")),
        extra=_extra_of(head),
        mended=tuple(notes),
        after=_after_root(head),
    )


def _extra(node: Node, fields: Collection[str]) -> tuple[Property, ...]:
    """Return the properties of a node but `fields`, if they could be written again."""
    charset = node.get_encoding()
    properties = (
        (name, tuple(storable(raw.decode(charset, "replace")) for raw in node.get_raw_list(name)))
        for name in node.properties() if name not in fields
    )  # fmt: skip
    return tuple(each for each in properties if can_write(*each))


def _extra_of(head: Sequence[Node]) -> tuple[Property, ...]:
    """Return what the root has no field for, and what else the nodes before the first move say of the game, each once."""
    extra = dict(_extra(head[0], _FIELDS))
    for node in head[1:]:
        extra |= {name: values for name, values in _extra(node, _FIELDS) if name in _OF_GAME and name not in extra}
    return tuple(extra.items())


def _after_root(head: Sequence[Node]) -> tuple[BareNode, ...]:
    """Return the nodes between the root and the first move, without what the game has of them."""
    seen: set[str] = set()
    nodes = []
    for node in head:
        here = set(node.properties())
        nodes.append(_extra(node, BOARD_FIELDS | _ROOT_ONLY | (here & _OF_GAME) - seen))
        seen |= here
    return tuple(filter(None, nodes[1:]))


def _moves(nodes: Sequence[Node], first: int, setup: Setup | None, size: int) -> Iterator[SgfMove]:
    """Yield the moves of a game; where nodes from number `first` on set up stones, with the whole board before the move."""
    moves: list[SgfMove] = []
    bare: list[Node] = []
    board: Setup | None = None
    for number, node in enumerate(nodes):
        if number >= first and node.has_setup_stones():
            rows = [list(row) for row in board] if board else rows_after(moves, setup, size)
            board = _set_up(rows, [node], number) or tuple((0,) * size for _ in range(size))
        if number >= first and not _has_move(node):
            bare.append(node)
        for move in _moves_of(node, f"node {number}"):
            if moves:
                yield replace(moves[-1], after=_bare_nodes(bare, BOARD_FIELDS)) if bare else moves[-1]
            if number >= first:
                move = _remarked(move, node)
            if board is not None:
                move, moves, setup, board = replace(move, board=board), [], board, None
            moves.append(move)
            bare = []
    if moves:
        yield replace(moves[-1], after=_bare_nodes(bare, frozenset()))


def _bare_nodes(nodes: Sequence[Node], fields: frozenset[str]) -> tuple[BareNode, ...]:
    return tuple(filter(None, (_extra(node, fields | _ROOT_ONLY) for node in nodes)))


def _remarked(move: SgfMove, node: Node) -> SgfMove:
    """Return a move with what else its node says of it."""
    comment = text_of(_raw([node], "C").decode(node.get_encoding(), "replace"))
    extra = _extra(node, MOVE_FIELDS | _ROOT_ONLY)
    return replace(move, comment=comment, seconds=_seconds(_raw([node], "SECONDS")), extra=extra)


def _seconds(raw: bytes) -> float | None:
    """Return what a move's SECONDS say; None for what is no time."""
    try:
        seconds = float(raw)
    except ValueError:
        return None
    return seconds if isfinite(seconds) and seconds >= 0 else None


def _has_move(node: Node) -> bool:
    return any(node.has_property(name) for name in COLOURS)


def _raw(head: Sequence[Node], name: str) -> bytes:
    """Return the first value of a property before the first move, as it stands in the file; b'' if there is none."""
    return next((node.get_raw(name) for node in head if node.has_property(name)), b"")


def _text(head: Sequence[Node], name: str) -> str:
    text: str = simpletext_value(_raw(head, name)).decode(head[0].get_encoding(), "replace")
    return text


def _komi(head: Sequence[Node], notes: Notes) -> float | None:
    """Return the komi; None if there is none, or no number. Sina's files have it in KO, with which others mark a ko."""
    name = "KM" if any(node.has_property("KM") for node in head) else "KO"
    text = as_text(_raw(head, name).strip())
    notes += komi_notes(name, text)
    return komi_of(name, text)[0]


def _moves_of(node: Node, where: str) -> Iterator[SgfMove]:
    """Yield the moves of a node, most often one. Raises SgfError; where: the node, for its message."""
    for name in node.properties():
        if name in COLOURS:
            values = node.get_raw_list(name)
            try:
                point = node.get(name)
            except ValueError:
                got = f"{len(values)}" if len(values) > 1 else quoted(values[0].decode(node.get_encoding(), "replace"))
                expected = f"one point like 'ab' on the {node.get_size()}x{node.get_size()} board"
                raise SgfError(f"{where}: {name}: expected {expected}, got {got}") from None
            yield SgfMove(COLOURS[name], None if point is None else _point(point, node.get_size()))


def _point(point: tuple[int, int], size: int) -> Point:
    """Return a point of sgfmill's, whose rows count from the bottom."""
    return size - 1 - point[0], point[1]


def _set_up(rows: Rows, nodes: Sequence[Node], first: int) -> Setup | None:
    """Return a board after the set-up stones of some nodes; None if it is empty. first: the number of the first, for errors."""
    size = len(rows)
    for number, node in enumerate(nodes, first):
        try:
            stones = node.get_setup_stones()
        except ValueError:
            expected = f"points like 'ab' and rectangles like 'ab:cd' on the {size}x{size} board"
            raise SgfError(f"node {number}: expected {expected} in AB, AW and AE") from None
        for stone, points in zip((BLACK, WHITE, 0), stones, strict=True):
            for point in points:
                i, j = _point(point, size)
                rows[i][j] = stone
    return tuple(map(tuple, rows)) if any(map(any, rows)) else None

# Variations


def lines_of(data: bytes, size: int, most: int) -> list[_Moves]:
    """Return the first complete game of a file, line by line as they stand there, the main line first; at most so many.

    size: of its board. The game must be one that `read_game` can read, from the empty board, with Black to begin.
    """
    lines: list[_Moves] = []
    whole = next(whole for line, whole in _games_in(data) if line is not None)
    for line in _lines(whole, size):
        if len(lines) == most:
            break
        lines.append(line)
    return lines


def read_variations(source: Source, most: int = 1000) -> list[_Moves]:
    """Return the moves of every line of an SGF file's first game, the main line first; at most `most` lines.

    Raises OSError, or SgfError for a file that `read_sgf` cannot read or whose game does not begin with an empty board.
    """
    data = _bytes_of(source)
    game = read_game(data, 1)
    if game.setup is not None or game.to_move == WHITE:
        raise SgfError("expected a game that begins with an empty board and Black to move")
    return lines_of(data, game.size, most)


def _lines(whole: bytes, size: int) -> Iterator[_Moves]:
    """Yield the moves to each end of a tree."""
    path: list[Move] = []
    # For each branch that is open: how long the path was where it begins, and whether it could go on from there.
    branches: list[tuple[int, bool]] = []
    playable, at_end = True, False
    for piece, bracket in _pieces_of(whole):
        if piece.strip() and playable:
            moves, playable = _play(piece, size, len(path))
            path += moves
        if bracket == "(":
            branches.append((len(path), playable))
        else:
            if not at_end:
                yield tuple(path)
            length, playable = branches.pop()
            del path[length:]
        at_end = bracket == ")"


def _play(piece: bytes, size: int, plies: int) -> tuple[list[Move], bool]:
    """Return the moves of unbranched nodes that can be played after `plies` others, and whether these are all of them."""
    moves: list[Move] = []
    try:
        # The root is ours, since a piece need not begin with one.
        for node in Sgf_game.from_bytes(b"(;SZ[%d]%b)" % (size, piece)).get_main_sequence()[1:]:
            if node.has_setup_stones() and plies + len(moves):
                return moves, False
            for move in _moves_of(node, "a variation"):
                if not _fits(move, plies + len(moves)):
                    return moves, False
                moves.append(move.move)
    except (ValueError, LookupError, SgfError):
        return moves, False
    return moves, True


def _fits(move: SgfMove, plies: int) -> bool:
    return move.colour == (BLACK, WHITE)[plies % 2]
