r"""Games as SGF (FF[4]), main line only: players, rules, moves, result. Written here; `goban.solver.sgf_files` reads.

    property          field                        remarks
    FF GM CA          -                            4, 1 (Go) and UTF-8
    SZ                size                         2..19, square
    KM                komi                         left out for None; see `komi_of`
    RU PB PW RE       rules black white result     RU is the name of our preset
    C                 comment                      of the game in the root, of a move in its node
    AB AW PL          setup, to_move               in the root
    B W               moves                        a pass is an empty value
    SECONDS           SgfMove.seconds              private: see there
    anything else     extra                        raw, in order: GN GC DT EV ...
    nodes, no move    after                        raw, of the move or the root that they follow

A resignation is no move in SGF: it shows in RE. Nothing here looks at the clock: the same game gives the same text.

The second half is SGF as text, from nodes to characters and back; `goban.reviews` reads trees of it.

    (;FF[4]SZ[5]C[root];B[cc];W[bc])
     ^ a node: properties, each an identifier in capitals and one or more *raw* values, between brackets

A raw value is what stands between the brackets, escapes and all: `\]` for `]`, `\\` for a backslash.

All our games begin with `HEADER`, those of most programs with two of its properties, and no text can look like that: its `]`
are escaped. So a reader finds the next game (`NEXT_GAME`) even after one that a crash has cut off.

Sources: https://www.red-bean.com/sgf/properties.html, https://www.red-bean.com/sgf/go.html and
https://www.red-bean.com/sgf/sgf4.html (syntax, Text, SimpleText).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import isfinite, nan

from goban.common.arguments import check_fields, check_kind
from goban.errors import BadArgumentError, BadPointError, SgfError
from goban.game import GameRecord
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE, Rows, grid_of
from goban.moves import Resign
from goban.points import Point, point_of
from goban.rulesets import Outcome, opponent

HEADER = "FF[4]GM[1]CA[UTF-8]SZ["
"""How the root of every game of ours begins; `write_sgf` sees to it."""

COLOURS = {"B": BLACK, "W": WHITE}
Property = tuple[str, tuple[str, ...]]
"""(identifier in capitals, raw values)."""
BareNode = tuple[Property, ...]
"""A node without a move."""
Setup = tuple[tuple[int, ...], ...]
"""A board as rows of 0, 1, 2."""

_KOMI = re.compile(r"[+-]?[0-9]{1,309}([.,][0-9]{0,400})?")
# Chinese programs count in stones, of two points each; Fox writes hundredths of either.
_WRITTEN: dict[float, float] = {
    2.75: 5.5, 3.25: 6.5, 3.75: 7.5, 275: 5.5, 325: 6.5, 375: 7.5, 550: 5.5, 650: 6.5, 750: 7.5,
}  # fmt: skip
_LETTERS = {BLACK: "B", WHITE: "W"}
_STONES = {"AB": BLACK, "AW": WHITE, "AE": 0}
BOARD_FIELDS = frozenset(_STONES)
ROOT_FIELDS = BOARD_FIELDS | {"FF", "GM", "CA", "SZ", "KM", "RU", "PB", "PW", "RE", "C", "PL", "B", "W"}
MOVE_FIELDS = BOARD_FIELDS | {"B", "W", "C", "SECONDS"}


@dataclass(frozen=True)
class SgfMove:
    """A node with a move; `move` None is a pass. Where a game is written, a point may be a name, too.

    seconds: wall time the player took for this move. SGF's own BL and WL hold the time *left* on a player's
    clock, which does not exist in games with a limit per move; so this is a private property, SECONDS, which other
    programs preserve without reading it.
    extra: other properties with their raw values (see above).
    board: the whole board before this move, as rows of 0, 1, 2, if stones were set up since the move before.
    after: the nodes without a move between this move and the next, or the end. Only at the end do they set up stones: else
    `board` of the next move has them.
    """

    colour: int
    move: Point | None
    comment: str = ""
    seconds: float | None = None
    extra: tuple[Property, ...] = ()
    board: Setup | None = None
    after: tuple[BareNode, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self, SgfError, but=("move", "extra", "after"))


@dataclass(frozen=True)
class SgfGame:
    """One game as recorded in a file; nothing here is checked against any rules.

    Writing turns CR, CR LF and LF CR into `\\n` and lone surrogates into U+FFFD everywhere; tab, VT and FF into spaces in all
    fields but `extra`; and `\\n` into a space in all but comments and `extra`.

    setup: the board at the start as rows of 0, 1, 2; None if it is empty. to_move: who begins, if the file
    says so (PL). extra: other properties of the root with their raw values. after: the nodes before the first move, without
    what they say of the whole game.
    """

    size: int
    komi: float | None = None
    rules: str = ""
    black: str = ""
    white: str = ""
    result: str = ""
    moves: tuple[SgfMove, ...] = ()
    comment: str = ""
    setup: Setup | None = None
    to_move: int | None = None
    extra: tuple[Property, ...] = ()
    mended: tuple[str, ...] = ()
    after: tuple[BareNode, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self, SgfError, but=("moves", "extra", "after"))


def komi_of(name: str, text: str) -> tuple[float | None, str]:
    """Return the komi that a value of KM stands for, or of KO in Sina's files; and how it was read otherwise, '' if it was not.

    The komi is None if there is none, or no number. The words follow the value, as in 'KM[375]' 'is read as ...'.
    """
    if not text:
        return None, ""
    komi = float(text.replace(",", ".")) if _KOMI.fullmatch(text) else nan
    if not isfinite(komi):
        return None, "is no number, and is left out"
    read = _WRITTEN.get(komi, komi)
    return read, f"is read as a komi of {read:g}" if read != komi or "," in text or name == "KO" else ""


# Writing


def write_sgf(game: SgfGame) -> str:
    """Return the game as SGF, to be stored as UTF-8; several one after another make a collection.

    Raises SgfError for a game that no program could read: if size, komi, seconds, colours, points or set-up are out of
    range, or `extra` holds a property that has its own field here or a raw value that is not escaped.
    """
    check_kind(game, SgfGame, "a game (goban.SgfGame)", SgfError)
    check_moves(game)
    if not MIN_SIZE <= game.size <= MAX_SIZE:
        raise SgfError(f"expected a board size from {MIN_SIZE} to {MAX_SIZE}, got {game.size}")
    root: list[Property] = [("FF", ("4",)), ("GM", ("1",)), ("CA", ("UTF-8",)), ("SZ", (str(game.size),))]
    if game.komi is not None:
        root.append(("KM", (_number(game.komi, "komi"),)))
    texts = {"RU": game.rules, "PB": game.black, "PW": game.white, "RE": game.result}
    root += [(name, (escape(plain_line(text)),)) for name, text in texts.items() if text]
    root += _setup_properties(game)
    if game.comment:
        root.append(("C", (escape(game.comment),)))
    root += _foreign(game.extra, ROOT_FIELDS, "the root")
    return serialise([root, *_later_nodes(game)])


def check_moves(game: SgfGame) -> None:
    """Raise SgfError unless the moves of a game are SgfMoves, as a tuple or a list."""
    check_kind(game.moves, Sequence, "the moves of a game", SgfError)
    for number, move in enumerate(game.moves, 1):
        check_kind(move, SgfMove, f"goban.SgfMove as move {number}", SgfError)


def _later_nodes(game: SgfGame) -> Iterator[Sequence[Property]]:
    """Yield the nodes after the root. Stones are set up in the last node before their move."""
    bare = _bare_nodes(game.after, "the root")
    board, first = game.setup, 0
    for number, move in enumerate(game.moves, 1):
        node = _move_node(move, number, game.size)
        if move.board is not None:
            before = rows_after(game.moves[first : number - 1], board, game.size)
            changes = _board_properties(move.board, game.size, before) or _board_properties(move.board, game.size)
            bare = [*bare[:-1], [*changes, *(bare[-1] if bare else ())]]
            board, first = move.board, number - 1
        yield from bare
        yield node
        is_last = number == len(game.moves)
        bare = _bare_nodes(move.after, f"move {number}", frozenset() if is_last else BOARD_FIELDS)
    yield from bare


def _bare_nodes(nodes: Iterable[BareNode], where: str, fields: frozenset[str] = BOARD_FIELDS) -> list[list[Property]]:
    check_kind(nodes, Iterable, f"nodes after {where}, each with its properties", SgfError)
    return [_foreign(node, fields | COLOURS.keys(), f"a node after {where}") for node in nodes]


def _move_node(move: SgfMove, number: int, size: int) -> list[Property]:
    if move.colour not in _LETTERS:
        raise SgfError(f"move {number}: expected colour 1 or 2, got {move.colour!r}")
    node: list[Property] = [(_LETTERS[move.colour], (_move_name(move.move, size, f"move {number}"),))]
    if move.seconds is not None:
        if move.seconds < 0:
            raise SgfError(f"move {number}: expected no less than 0 seconds, got {move.seconds}")
        node.append(("SECONDS", (_number(move.seconds, f"move {number}: seconds"),)))
    if move.comment:
        node.append(("C", (escape(move.comment),)))
    return node + _foreign(move.extra, MOVE_FIELDS, f"move {number}")


def _foreign(extra: Iterable[Property], fields: frozenset[str], where: str) -> list[Property]:
    check_kind(extra, Iterable, f"properties of {where} like ('DT', ('2026-05-01',))", SgfError)
    properties = list(extra)
    for each in properties:
        if not _is_property(each):
            raise SgfError(f"{where}: expected properties like ('DT', ('2026-05-01',)), got {quoted(repr(each))}")
        if each[0] in fields:
            raise SgfError(f"{where}: expected other properties, got {each[0]}, which has its own field")
    return properties


def _is_property(value: object) -> bool:
    """Tell whether something is an identifier with texts: a text in their place would be taken for its letters."""
    match value:
        case (str(), tuple() | list() as texts):
            return all(isinstance(text, str) for text in texts)
    return False


@cache
def _names(size: int) -> dict[Point, str]:
    """Return what the board's points are called: column and row as letters, both from the top left."""
    letters = list(enumerate("abcdefghijklmnopqrs"[:size]))
    return {(i, j): x + y for i, y in letters for j, x in letters}


def _move_name(move: Point | None, size: int, where: str) -> str:
    """Return the value that stands for a move: '' for a pass."""
    if move is None:
        return ""
    try:
        return _names(size)[point_of(move, size)]
    except BadPointError as error:
        raise SgfError(f"{where}: {error}") from None


def _number(value: float, what: str) -> str:
    """Return a number in full: the format knows no exponents."""
    if not isfinite(value):
        raise SgfError(f"{what}: expected a finite number, got {value}")
    text = repr(float(value))
    if "e" in text:
        text = f"{value:.400f}".rstrip("0")
    return text.removesuffix(".0").removesuffix(".")


def _setup_properties(game: SgfGame) -> list[Property]:
    properties = [] if game.setup is None else _board_properties(game.setup, game.size, rows_after((), None, game.size))
    if game.to_move is not None:
        if game.to_move not in _LETTERS:
            raise SgfError(f"expected 1 or 2 to move first, got {game.to_move!r}")
        properties.append(("PL", (_LETTERS[game.to_move],)))
    return properties


def _board_properties(rows: Setup, size: int, before: Rows | None = None) -> list[Property]:
    """Return the properties that set up a board: black stones, white ones and empty points.

    before: the board that is there; only points that differ are named.
    """
    if len(rows) != size or any(len(row) != size or not {0, 1, 2}.issuperset(row) for row in rows):
        raise SgfError(f"expected a set-up of {size} rows of {size} numbers 0, 1, 2, got {quoted(repr(rows))}")
    properties: list[Property] = []
    for name, colour in _STONES.items():
        points = [
            (i, j) for i, row in enumerate(rows) for j, stone in enumerate(row)
            if stone == colour and (before is None or before[i][j] != colour)
        ]  # fmt: skip
        if points:
            properties.append((name, tuple(_names(size)[point] for point in points)))
    return properties


def rows_after(moves: Sequence[SgfMove], setup: Setup | None, size: int) -> Rows:
    """Return the board after moves, with what they take; whether the rules allow them is not looked at.

    setup: the board before them, None if it is empty.
    """
    grid = grid_of(size)
    empty, *stones = grid.masks(setup or [[0] * size] * size)
    for move in moves:
        if move.move is not None and (bit := grid.bit[move.move]) & empty:
            own, other = (stones[colour - 1] for colour in (move.colour, opponent(move.colour)))
            taken, free = grid.place(bit, own, other, empty)
            own |= bit
            dead = 0 if free else grid.group(bit, own)
            stones[move.colour - 1], stones[opponent(move.colour) - 1] = own ^ dead, other ^ taken
            empty = (empty ^ bit) | taken | dead
    return grid.rows(*stones)


# From the game played


def sgf_of(
    record: GameRecord,
    black: str = "",
    white: str = "",
    *,
    comment: str = "",
    seconds: Sequence[float | None] = (),
    info: Mapping[str, str] | None = None,
) -> SgfGame:
    """Return a finished game with the names of its players.

    seconds: wall time of each move, rounded to milliseconds here; may have fewer or more entries than the game has moves.
    info: more properties of the root as plain text, e.g. {"GN": "alice-bob-003", "DT": "2026-05-01"}. GC holds the reason
    the game ended, and the detail of a forfeit. If the start is not the empty board, its stones and the player to move are
    kept, but not the moves and boards before it.
    """
    check_kind(record, GameRecord, "a finished game (goban.GameRecord)", BadArgumentError)
    for text in (black, white, comment, *(info or {}).values()):
        check_kind(text, str, "texts as names, comment and info", BadArgumentError)
    start = record.start
    stones = bool(start.black | start.white)
    moves, colour = [], start.to_move
    for number, move in enumerate(record.moves):
        if isinstance(move, Resign):
            break
        time = seconds[number] if number < len(seconds) else None
        moves.append(SgfMove(colour, move, seconds=None if time is None else round(time, 3)))
        colour = opponent(colour)
    texts = {"GC": _ending(record.outcome), **(info or {})}
    return SgfGame(
        size=start.grid.size,
        komi=start.rules.komi(start.grid.size),
        rules=start.rules.name,
        black=plain_line(black),
        white=plain_line(white),
        result=record.outcome.result(),
        moves=tuple(moves),
        comment=plain(comment),
        setup=tuple(tuple(row) for row in start.rows()) if stones else None,
        to_move=start.to_move if stones or start.to_move != BLACK else None,
        extra=tuple((name, (escape(text),)) for name, text in texts.items()),
    )


def _ending(outcome: Outcome) -> str:
    return f"{outcome.ending.value}: {outcome.detail}" if outcome.detail else outcome.ending.value


# SGF as text

MOST_NODES = 20_000
"""Of a tree that is read."""


@dataclass
class SgfNode:
    """A node of a tree. parent: the place of the one before it, -1 for the root; properties: identifier -> raw values."""

    parent: int
    properties: dict[str, list[str]] = field(default_factory=dict)


_RAW_VALUE = re.compile(r"[^\\\]]*+(?:\\.[^\\\]]*+)*+", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Z]{1,64}")
# Possessive (`*+`): a megabyte of backslashes must not be remembered for backtracking.
_TOKEN = re.compile(r"[();]|[A-Za-z]++|\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)(\])?", re.DOTALL)
_START = re.compile(r"\(\s*+(?=;|[A-Za-z]{1,64}\s*+\[)")
_CAPITALS = re.compile(r"[^A-Z]++")
NEXT_GAME = r"\(\s*+;(?:\s*+(?:FF|GM|CA|SZ)\s*+\[[^\\\[\]]{0,40}+\]){2}"
"""What only the root of a game can be: two of the properties that no other node has, one after the other."""
_NEXT_GAME = re.compile(NEXT_GAME)

# A break after a backslash is none; any other character stands for itself.
_ESCAPED = re.compile(r"\\(?:\n|(.))", re.DOTALL)
_LINE_BREAK = re.compile(r"\r\n|\n\r|\r")
_OTHER_SPACE = str.maketrans("\t\v\f", "   ")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDTH = 80


def storable(text: str) -> str:
    return _SURROGATE.sub("\ufffd", _LINE_BREAK.sub("\n", text))


def read_tree(text: str) -> list[SgfNode]:
    """Return the first game of a text, with all its variations, every node after its parent.

    A game that is cut off goes as far as its last whole value. What is neither a node nor a property is skipped. Identifiers
    keep their capitals only, as old files meant them, and all letters if they have none. Raises SgfError for a text without a
    game, and for more than MOST_NODES nodes.
    """
    start = _START.search(text)
    if start is None:
        raise SgfError(f"expected a game, '(;' to ')', got {quoted(text[:40])}")
    nodes: list[SgfNode] = []
    branches: list[int] = []
    at, values = -1, None
    for token in _TOKEN.finditer(text, start.start()):
        sign = token[0]
        if sign[0] == "[":
            if token[2] is None:
                break
            if values is not None:
                values.append(token[1])
            continue
        values = None
        if sign == "(":
            branches.append(at)
        elif sign == ")":
            at = branches.pop()
            if not branches:
                break
        else:
            # A game may begin without its `;`.
            if sign == ";" or not nodes:
                at = _add(nodes, at)
            if sign != ";":
                values = nodes[at].properties.setdefault(_CAPITALS.sub("", sign) or sign.upper(), [])
    return nodes


def _add(nodes: list[SgfNode], parent: int) -> int:
    """Add a node; return its place."""
    if len(nodes) == MOST_NODES:
        raise SgfError(f"expected up to {MOST_NODES} nodes, got more")
    nodes.append(SgfNode(parent))
    return len(nodes) - 1


def text_of(raw: str) -> str:
    """Return the text that a raw value stands for."""
    return _ESCAPED.sub(r"\1", storable(raw)).translate(_OTHER_SPACE)


def plain(text: str) -> str:
    """Return text as an SGF Text value can hold it.

    Line breaks of any kind become `\\n`, other white space (tab, VT, FF) a space, lone surrogates U+FFFD.
    """
    return storable(text).translate(_OTHER_SPACE)


def plain_line(text: str) -> str:
    """Return text as an SGF SimpleText value can hold it: as `plain`, with line breaks turned into spaces."""
    return plain(text).replace("\n", " ")


def escape(text: str) -> str:
    """Return the raw value that stands for `plain(text)`. Colons stay: they need a backslash only in composed values."""
    return plain(text).replace("\\", "\\\\").replace("]", "\\]")


def serialise(nodes: Iterable[Iterable[Property]]) -> str:
    """Return one game without variations, lines broken between nodes, a line break at its end.

    Raises SgfError for what could not be read again: an identifier that is not 1 to 64 capitals, a property without a
    value, a raw value that holds a `]` or an end that is not escaped, and what a reader would take for the next game.
    """
    lines, line = [], "("
    for node in nodes:
        piece = ";" + "".join(_property(identifier, values) for identifier, values in node)
        if len(line) + len(piece) > _WIDTH and line != "(":
            lines.append(line)
            line = ""
        line += piece
    text = "\n".join([*lines, line]) + ")\n"
    if inner := _NEXT_GAME.search(text, 1):
        raise SgfError(f"expected one game, got what begins another: {quoted(text[inner.start():])}")
    return storable(text)


def can_write(identifier: str, values: tuple[str, ...]) -> bool:
    """Tell whether a property could be read again, once it is written; see `serialise`."""
    return bool(_IDENTIFIER.fullmatch(identifier) and values and all(map(_RAW_VALUE.fullmatch, values)))


def _property(identifier: str, values: tuple[str, ...]) -> str:
    if not _IDENTIFIER.fullmatch(identifier):
        raise SgfError(f"expected a property of 1 to 64 capital letters, got {quoted(identifier)}")
    if not values:
        raise SgfError(f"expected a value for the property {identifier}, got none")
    for value in values:
        if not _RAW_VALUE.fullmatch(value):
            raise SgfError(f"expected an escaped value for the property {identifier}, got {quoted(value)}")
    return identifier + "".join(f"[{value}]" for value in values)


def quoted(text: str) -> str:
    """Return a text as a short, harmless piece of a message."""
    return ascii(text) if len(text) <= 40 else ascii(text[:37]) + "..."
