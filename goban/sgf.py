r"""Games as SGF (FF[4]), written and read: the main line, who played, under which rules, how it ended.

    property          field                        remarks
    FF GM CA          -                            written as 4, 1 (Go) and UTF-8; any FF is read
    SZ                size                         2..19, square; 19 where it is missing, as the format has it
    KM                komi                         None where it is missing or no number
    RU PB PW RE       rules black white result     RU is the name of our preset; in other files any text
    C                 comment                      of the game in the root, of a move in its node
    AB AW AE PL       setup, to_move               before the first move only; rectangles are understood
    B W               moves                        a pass is an empty value; `tt` is read as one too
    SECONDS           SgfMove.seconds              private: see there
    anything else     extra                        kept raw, in order: GC DT EV HA BL WL TE ...

What decides the position (size, set-up, moves) must be readable, or it is an SgfError; the rest is kept or skipped.
Skipped are: variations, properties without a value, second values of RU, PB, PW, RE, KM, SZ, GM, PL; and of nodes
without a move, which exist only before the first move here: those join the root, later ones leave just their comment,
which joins that of the move before. A node with two moves counts as two.

A resignation is no move in SGF: it shows in RE. Nothing here looks at the clock: the same game gives the same text.

Source: https://www.red-bean.com/sgf/properties.html, https://www.red-bean.com/sgf/go.html.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import isfinite

from goban.errors import BadBoardError, BadPointError, IllegalMoveError, SgfError
from goban.game import GameRecord
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from goban.moves import Resign, move_name
from goban.outcomes import COLOUR_NAMES, Outcome, opponent
from goban.points import Point
from goban.rulesets import RuleSet
from goban.sgf_tree import Property, decode, escape, main_lines, plain, plain_line, quoted, serialise, text_value
from goban.states import State, new_game, state_from_rows

__all__ = ["SgfGame", "SgfMove", "read_collection", "read_sgf", "sgf_of", "states_of", "write_sgf"]

_COLOURS = {"B": BLACK, "W": WHITE}
_LETTERS = {BLACK: "B", WHITE: "W"}
_SETUP = {"AB": BLACK, "AW": WHITE, "AE": 0}
_ROOT_FIELDS = frozenset({"FF", "GM", "CA", "SZ", "KM", "RU", "PB", "PW", "RE", "C", "AB", "AW", "AE", "PL", "B", "W"})
_MOVE_FIELDS = frozenset({"B", "W", "C", "SECONDS", "AB", "AW", "AE"})
_REAL = re.compile(r"[+-]?[0-9]*[.,]?[0-9]*")
# The longest number we write, the smallest float there is, has some 400 digits.
_MOST_DIGITS = 420


@dataclass(frozen=True)
class SgfMove:
    """A node with a move; `move` None is a pass.

    seconds: wall time the player took for this move. The format's own BL and WL are the time a player has *left* on
    a clock, which games with a limit per move do not have; so this is a private property, SECONDS, which other
    programs carry along unread. BL and WL of other files stay in `extra`.
    extra: other properties with their raw values (see `goban.sgf_tree`).
    """

    colour: int
    move: Point | None
    comment: str = ""
    seconds: float | None = None
    extra: tuple[Property, ...] = ()


@dataclass(frozen=True)
class SgfGame:
    """What a file says of one game; nothing here is checked against any rules.

    `read_sgf(write_sgf(game)) == game` if its texts are as the format can hold them. Writing turns CR, CR LF and LF CR
    into `\\n` and lone surrogates into U+FFFD everywhere; tab, VT and FF into spaces in all fields but `extra`; and `\\n`
    into a space in all but comments and `extra`. A set-up without stones is read as None.

    setup: the board at the start as rows of 0, 1, 2; None if it is empty. to_move: who begins, as far as the file
    says so (PL). extra: other properties of the root with their raw values; `info` reads them.
    """

    size: int
    komi: float | None = None
    rules: str = ""
    black: str = ""
    white: str = ""
    result: str = ""
    moves: tuple[SgfMove, ...] = ()
    comment: str = ""
    setup: tuple[tuple[int, ...], ...] | None = None
    to_move: int | None = None
    extra: tuple[Property, ...] = ()

    def info(self, identifier: str) -> str:
        """Return the text of a property in `extra`, as 'DT' (date) or 'GC' (how the game ended); '' if there is none."""
        return next((text_value(values[0]) for name, values in self.extra if name == identifier and values), "")


# Writing


def write_sgf(game: SgfGame) -> str:
    """Return the game as SGF, to be stored as UTF-8; several in a row make a collection.

    Raises SgfError for a game no program could read: size, komi, seconds, colours, points or set-up out of range, or
    `extra` with a property that has a field of its own here or whose raw value is not escaped.
    """
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
    root += _foreign(game.extra, _ROOT_FIELDS, "the root")
    return serialise([root, *(_move_node(move, number, game.size) for number, move in enumerate(game.moves, 1))])


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
    return node + _foreign(move.extra, _MOVE_FIELDS, f"move {number}")


def _foreign(extra: tuple[Property, ...], fields: frozenset[str], where: str) -> list[Property]:
    for identifier, _ in extra:
        if identifier in fields:
            raise SgfError(f"{where}: expected other properties in extra, got {identifier}, which has its own field")
    return list(extra)


@cache
def _names(size: int) -> dict[Point, str]:
    return {point: name for name, point in _points(size).items()}


def _move_name(move: Point | None, size: int, where: str) -> str:
    """Return the value that stands for a move: '' for a pass."""
    if move is None:
        return ""
    name = _names(size).get(move)
    if name is None:
        raise SgfError(f"{where}: point {move!r} is off the {size}x{size} board")
    return name


def _number(value: float, what: str) -> str:
    """Return a number in full: the format knows no exponents."""
    if not isfinite(value):
        raise SgfError(f"{what}: expected a finite number, got {value}")
    text = repr(float(value))
    if "e" in text:
        text = f"{value:.400f}".rstrip("0")
    return text.removesuffix(".0").removesuffix(".")


def _setup_properties(game: SgfGame) -> list[Property]:
    properties: list[Property] = []
    if game.setup is not None:
        rows = game.setup
        if len(rows) != game.size or any(len(row) != game.size or not {0, 1, 2}.issuperset(row) for row in rows):
            raise SgfError(f"expected a set-up of {game.size} rows of {game.size} numbers 0, 1, 2, got {quoted(repr(rows))}")
        for name, colour in (("AB", BLACK), ("AW", WHITE)):
            points = [(i, j) for i, row in enumerate(rows) for j, stone in enumerate(row) if stone == colour]
            if points:
                properties.append((name, tuple(_names(game.size)[point] for point in points)))
    if game.to_move is not None:
        if game.to_move not in _LETTERS:
            raise SgfError(f"expected 1 or 2 to move first, got {game.to_move!r}")
        properties.append(("PL", (_LETTERS[game.to_move],)))
    return properties


# Reading


def read_sgf(text: str | bytes) -> SgfGame:
    """Return the first game of a file, its main line. Text is taken as it is, bytes as `goban.sgf_tree.decode` says.

    Raises SgfError, and nothing else whatever the text is: no game, a game that was cut off, another game than Go, a
    board that is not a square of 2..19, a point off the board, or set-up stones after the first move.
    """
    characters = decode(text)
    for nodes in main_lines(characters):
        if nodes is None:
            raise SgfError("the game is cut off: expected ')' after its last node, got the end")
        return _game(nodes)
    raise SgfError(f"expected a game that begins with '(;', got {quoted(characters)}")


def read_collection(text: str | bytes) -> list[SgfGame]:
    """Return all the games of a file, in order, leaving out those that were cut off: by a crash, at any place.

    Raises SgfError if not one game is complete, and, with the number of the game, as `read_sgf` does.
    """
    characters = decode(text)
    games, cut_off = [], 0
    for number, nodes in enumerate(main_lines(characters), 1):
        if nodes is None:
            cut_off += 1
            continue
        try:
            games.append(_game(nodes))
        except SgfError as error:
            raise SgfError(f"game {number}: {error}") from None
    if not games:
        got = f"{cut_off} cut off" if cut_off else quoted(characters)
        raise SgfError(f"expected at least one complete game, '(;' to ')', got {got}")
    return games


def _game(nodes: list[list[Property]]) -> SgfGame:
    first = next((number for number, node in enumerate(nodes) if _has_move(node)), len(nodes))
    # Older files have the first move in the root itself.
    first = max(first, 1)
    root = [found for node in nodes[:first] for found in node]
    game, size = _first(root, "GM"), _first(root, "SZ")
    if game is not None and game.strip() != "1":
        raise SgfError(f"expected Go, GM[1], in the root, got GM[{quoted(game)}]")
    width = 19 if size is None else _size(size)
    turn = (_first(root, "PL") or "").strip()[:1].upper()
    moves = _moves(nodes[0], 0, width)
    later: dict[int, list[str]] = {}
    for number, node in enumerate(nodes[first:], first):
        found = _moves(node, number, width)
        if found and len(node) > 1:
            # What a node says beside its moves belongs to the last of them.
            found[-1] = _completed(found[-1], node)
        if found:
            moves += found
        elif said := _comment(node):
            later.setdefault(len(moves) - 1, []).append(said)
    for k, comments in later.items():
        moves[k] = replace(moves[k], comment="\n".join(filter(None, [moves[k].comment, *comments])))
    return SgfGame(
        size=width,
        komi=_real(_first(root, "KM")),
        rules=_line(root, "RU"),
        black=_line(root, "PB"),
        white=_line(root, "PW"),
        result=_line(root, "RE"),
        moves=tuple(moves),
        comment=_comment(root),
        setup=_setup(nodes[:first], width),
        to_move=_COLOURS.get(turn),
        extra=_extra(root, _ROOT_FIELDS),
    )


def _completed(move: SgfMove, node: list[Property]) -> SgfMove:
    seconds = _real(_first(node, "SECONDS"))
    return replace(
        move,
        comment=_comment(node),
        seconds=seconds if seconds is not None and seconds >= 0 else None,
        extra=_extra(node, _MOVE_FIELDS),
    )


def _extra(node: list[Property], fields: frozenset[str]) -> tuple[Property, ...]:
    return tuple((name, values) for name, values in node if values and name not in fields)


def _has_move(node: list[Property]) -> bool:
    return any(name in _COLOURS for name, _ in node)


def _first(node: list[Property], identifier: str) -> str | None:
    """Return the first raw value of a property; None if it has none."""
    return next((values[0] for name, values in node if name == identifier and values), None)


def _line(node: list[Property], identifier: str) -> str:
    raw = _first(node, identifier)
    return plain_line(text_value(raw)) if raw else ""


def _comment(node: list[Property]) -> str:
    return "\n".join(filter(None, (text_value(raw) for name, values in node if name == "C" for raw in values)))


def _real(raw: str | None) -> float | None:
    """Return the number a value says, with a comma allowed for the point; None if it says none."""
    text = (raw or "").strip()
    if len(text) > _MOST_DIGITS or not _REAL.fullmatch(text) or not any(map(str.isdigit, text)):
        return None
    value = float(text.replace(",", "."))
    return value if isfinite(value) else None


def _size(raw: str) -> int:
    width, colon, height = (part.strip() for part in raw.partition(":"))
    if not re.fullmatch("[0-9]{1,3}", width) or (colon and width != height) or not MIN_SIZE <= int(width) <= MAX_SIZE:
        raise SgfError(f"expected a square board of {MIN_SIZE} to {MAX_SIZE} in the root, got SZ[{quoted(raw)}]")
    return int(width)


def _moves(node: list[Property], number: int, size: int) -> list[SgfMove]:
    """Return the bare moves of a node, most often one."""
    moves = []
    for name, values in node:
        if name in _COLOURS:
            if len(values) != 1:
                raise SgfError(f"node {number}: expected one point in {name}, got {len(values)}")
            moves.append(SgfMove(_COLOURS[name], _point(values[0], size, f"node {number}: {name}")))
        elif number and name in _SETUP and any(values):
            raise SgfError(f"node {number}: expected set-up stones before the first move only, got {name}")
    return moves


@cache
def _points(size: int) -> dict[str, Point]:
    """Return what the board's points are called: column and row as letters, both from the top left."""
    letters = list(enumerate("abcdefghijklmnopqrs"[:size]))
    return {x + y: (i, j) for i, y in letters for j, x in letters}


def _point(raw: str, size: int, where: str) -> Point | None:
    """Return a point; None for a pass."""
    point = _points(size).get(raw)
    if point is not None:
        return point
    name = raw.strip()
    # Up to FF[3] a pass was written as a point next to the largest board.
    if not name or name == "tt":
        return None
    if name not in _points(size):
        off = re.fullmatch("[a-zA-Z]{2}", name)
        got = f"{name!r}, which is off the {size}x{size} board" if off else quoted(raw)
        raise SgfError(f"{where}: expected a point like 'ab', got {got}")
    return _points(size)[name]


def _setup(nodes: list[list[Property]], size: int) -> tuple[tuple[int, ...], ...] | None:
    """Return the board after all the set-up stones, a later one on the same point counting; None if it is empty."""
    if not any(name in _SETUP for node in nodes for name, _ in node):
        return None
    rows = [[0] * size for _ in range(size)]
    for number, node in enumerate(nodes):
        for name, values in node:
            if name in _SETUP:
                for raw in dict.fromkeys(values):
                    _set_up(rows, raw, _SETUP[name], f"node {number}: {name}")
    return tuple(tuple(row) for row in rows) if any(map(any, rows)) else None


def _set_up(rows: list[list[int]], raw: str, stone: int, where: str) -> None:
    """Put stones on one point, or on a rectangle given by two opposite corners; an empty value is none."""
    if not raw.strip():
        return
    corners = [_point(part, len(rows), where) for part in (raw.split(":", 1) if ":" in raw else (raw, raw))]
    points = [corner for corner in corners if corner is not None]
    if len(points) != 2:
        raise SgfError(f"{where}: expected a point like 'ab' or a rectangle like 'ab:cd', got {quoted(raw)}")
    (top, bottom), (left, right) = sorted(point[0] for point in points), sorted(point[1] for point in points)
    for row in rows[top : bottom + 1]:
        row[left : right + 1] = [stone] * (right + 1 - left)


# From the game played, and back


def sgf_of(
    record: GameRecord,
    black: str,
    white: str,
    *,
    comment: str = "",
    seconds: Sequence[float | None] = (),
    info: Mapping[str, str] | None = None,
) -> SgfGame:
    """Return a finished game with the names of its players.

    seconds: wall time of each move, rounded to milliseconds here; may be shorter or longer than the game. info: more
    properties of the root as plain text, e.g. {"GN": "alice-bob-003", "DT": "2026-05-01"}. Why the game ended, and
    the detail of a forfeit, go to GC. Of a start that is not the empty board, the stones and the player to move are
    kept, the moves and boards before it are not.
    """
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


def states_of(game: SgfGame, rules: RuleSet) -> list[State]:
    """Return the state at the start and after each move, one more than there are moves.

    The rules alone count: the file's komi, RU and RE are not looked at. PL says who begins, else the first move, else
    Black. Raises SgfError for a move the rules do not allow, naming its number and the rule, and for two moves of one
    colour in a row: there is no state in which a player may take a turn that is not his.
    """
    first = game.to_move or (game.moves[0].colour if game.moves else BLACK)
    if first not in _LETTERS:
        raise SgfError(f"expected colour 1 or 2 to move first, got {first!r}")
    try:
        if game.setup is None and first == BLACK:
            state = new_game(rules, game.size)
        else:
            state = state_from_rows(rules, game.setup or [[0] * game.size] * game.size, first)
        states = [state]
        for number, played in enumerate(game.moves, 1):
            if played.colour != state.to_move:
                name = f"{COLOUR_NAMES.get(played.colour, played.colour)} {move_name(played.move, game.size)}"
                raise SgfError(f"expected {COLOUR_NAMES[state.to_move]} to move as move {number}, got {name}")
            state = state.play(played.move)
            states.append(state)
    except (BadBoardError, BadPointError, IllegalMoveError) as error:
        raise SgfError(str(error)) from error
    return states
