"""SGF files as they are read: one game and its main line, by sgfmill. `goban.sgf` writes them.

Before sgfmill sees a game, a scan cuts its main line out of the file. The scan looks at every byte once and the main line has
no variations, so reading takes time in proportion to the file, whatever the file holds.

Read are the root's GM, SZ, CA, KM, RU, PB, PW and RE, set-up stones and PL before the first move, and moves. All else is
skipped.

Our games can be told apart by their first bytes (`goban.sgf_tree.HEADER`), which no text in a game can hold. So a game that was
cut off, as by a crash, does not spoil those written after it.

Source: https://www.red-bean.com/sgf/sgf4.html.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from sgfmill.sgf import Node, Sgf_game
from sgfmill.sgf_grammar import simpletext_value

from common.excerpts import printable, quoted
from goban.errors import SgfError
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from goban.points import Point
from goban.sgf import COLOURS, SgfGame, SgfMove
from goban.sgf_tree import HEADER

# Possessive (`*+`): a megabyte of backslashes must not be remembered for backtracking.
_START = re.compile(rb"\(\s*+;")
_MARK = re.compile(rb"[()]|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(\])?", re.DOTALL)
_NUMBER = re.compile(rb"[+-]?[0-9]{1,309}(\.[0-9]{0,400})?")
_OURS = f"(;{HEADER}".encode()

# What a charset must leave as it is. Python would also take `CA[punycode]` or `CA[unicode_escape]` at its word.
_ASCII = bytes(range(32, 127)).replace(b"\\", rb"\u0041")


def read_game(data: bytes, number: int | None = None) -> SgfGame:
    """Return a game of an SGF file, counted from 1; `number` may be left out if there is but one.

    Games that were cut off are not counted. Of the result, comments, seconds and extra are left empty; komi is None where the
    file says none, or no number. Raises SgfError, and nothing else whatever the file holds.
    """
    lines = [line for line in main_lines(data) if line is not None]
    if not lines:
        raise SgfError(f"expected a complete game, '(;' to ')', got {quoted(data[:40])}")
    if number is None and len(lines) > 1:
        raise SgfError(f"expected one game, got {len(lines)}: say which with --game")
    if number is not None and not 1 <= number <= len(lines):
        raise SgfError(f"--game: expected a number from 1 to {len(lines)}, got {number}")
    return _game(lines[(number or 1) - 1])


def main_lines(data: bytes) -> Iterator[bytes | None]:
    """Yield the main line of every game as a game without variations; None for a game that was cut off.

    The main line takes the first branch everywhere, so it is all that stands before the first `)`.
    """
    return (line for line, _ in games_in(data))


def games_in(data: bytes) -> Iterator[tuple[bytes | None, bytes]]:
    """Yield for every game its main line, as `main_lines` does, and all of it, from '(' to ')'."""
    first, *ours = data.split(_OURS)
    for part in (first, *(_OURS + rest for rest in ours)):
        position = 0
        while (start := _START.search(part, position)) is not None:
            line, position = _main_line(part, start.start())
            yield line, part[start.start() : position]


def pieces_of(whole: bytes) -> Iterator[tuple[bytes, str]]:
    """Yield what stands before each bracket of a game's tree, and the bracket; those within texts are none."""
    begun = 0
    for mark in _MARK.finditer(whole):
        bracket = whole[mark.start() : mark.start() + 1].decode("latin-1")
        if bracket != "[":
            yield whole[begun : mark.start()], bracket
            begun = mark.end()


def _main_line(data: bytes, start: int) -> tuple[bytes | None, int]:
    """Return the main line of the game that begins at `start` and where the game ends; (None, the end) if it was cut off."""
    pieces: list[bytes] = []
    line, depth = None, 0
    begun = start
    for mark in _MARK.finditer(data, start):
        opening, closing = (data[mark.start()] == ord(bracket) for bracket in "()")
        if (opening or closing) and line is None:
            pieces.append(data[begun : mark.start()])
            begun = mark.end()
        if opening:
            depth += 1
        elif closing:
            depth -= 1
            line = line or b"(%b)" % b"".join(pieces)
            if not depth:
                return line, mark.end()
        elif mark[1] is None:
            break
    return None, len(data)


def _game(line: bytes) -> SgfGame:
    try:
        game = Sgf_game.from_bytes(line)
        nodes: Sequence[Node] = game.get_main_sequence()
    except (ValueError, LookupError) as error:
        raise SgfError(f"the game cannot be read: {printable(str(error), 100)}") from None
    size = game.get_size()
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise SgfError(f"expected a board size from {MIN_SIZE} to {MAX_SIZE}, got SZ[{size}]")
    _check_charset(nodes[0])
    first = next((number for number, node in enumerate(nodes) if _has_move(node)), len(nodes))
    # Nodes before the first move belong to the root. In older files the first move stands in the root itself.
    head = nodes[: max(first, 1)]
    kind = _raw(head, "GM")
    if kind.strip() not in (b"", b"1"):
        raise SgfError(f"expected Go, GM[1], in the root, got GM[{printable(kind.decode('latin-1'), 20)}]")
    moves: list[SgfMove] = []
    for number, node in enumerate(nodes):
        if number >= len(head) and node.has_setup_stones():
            raise SgfError(f"node {number}: expected set-up stones before the first move only")
        moves += moves_of(node, f"node {number}")
    return SgfGame(
        size=size,
        komi=_komi(head),
        rules=_text(head, "RU"),
        black=_text(head, "PB"),
        white=_text(head, "PW"),
        result=_text(head, "RE"),
        moves=tuple(moves),
        setup=_setup(head, size),
        to_move=COLOURS.get(_raw(head, "PL").strip()[:1].upper().decode("latin-1")),
    )


def _check_charset(root: Node) -> None:
    name = root.get_encoding()
    try:
        plain = _ASCII.decode(name, "replace") == _ASCII.decode("ascii")
    except (ValueError, LookupError):
        plain = False
    if not plain:
        raise SgfError(f"expected a charset of text, as CA[UTF-8], got CA[{printable(name, 20)}]")


def _has_move(node: Node) -> bool:
    return any(node.has_property(name) for name in COLOURS)


def _raw(head: Sequence[Node], name: str) -> bytes:
    """Return the first value of a property before the first move, as it stands in the file; b'' if there is none."""
    return next((node.get_raw(name) for node in head if node.has_property(name)), b"")


def _text(head: Sequence[Node], name: str) -> str:
    text: str = simpletext_value(_raw(head, name)).decode(head[0].get_encoding(), "replace")
    return text


def _komi(head: Sequence[Node]) -> float | None:
    text = _raw(head, "KM").strip()
    komi = float(text) if _NUMBER.fullmatch(text) else math.nan
    return komi if math.isfinite(komi) else None


def moves_of(node: Node, where: str) -> Iterator[SgfMove]:
    """Yield the moves of a node, most often one. Raises SgfError; where: the node, for its message."""
    for name in node.properties():
        if name in COLOURS:
            values = node.get_raw_list(name)
            try:
                point = node.get(name)
            except ValueError:
                got = f"{len(values)}" if len(values) > 1 else quoted(values[0].decode("latin-1"))
                expected = f"one point like 'ab' on the {node.get_size()}x{node.get_size()} board"
                raise SgfError(f"{where}: {name}: expected {expected}, got {got}") from None
            yield SgfMove(COLOURS[name], None if point is None else _point(point, node.get_size()))


def _point(point: tuple[int, int], size: int) -> Point:
    """Return a point of sgfmill's, whose rows count from the bottom."""
    return size - 1 - point[0], point[1]


def _setup(head: Sequence[Node], size: int) -> tuple[tuple[int, ...], ...] | None:
    """Return the board after all set-up stones; None if it is empty."""
    rows = [[0] * size for _ in range(size)]
    for number, node in enumerate(head):
        try:
            found = node.get_setup_stones()
        except ValueError:
            expected = f"points like 'ab' and rectangles like 'ab:cd' on the {size}x{size} board"
            raise SgfError(f"node {number}: expected {expected} in AB, AW and AE") from None
        for stone, points in zip((BLACK, WHITE, 0), found, strict=True):
            for point in points:
                i, j = _point(point, size)
                rows[i][j] = stone
    return tuple(map(tuple, rows)) if any(map(any, rows)) else None
