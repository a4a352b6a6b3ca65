"""Reading SGF: text to `goban.sgf.SgfGame`. What is kept, skipped and refused is said in `goban.sgf`."""

from __future__ import annotations

import re
from dataclasses import replace
from math import isfinite

from goban.errors import SgfError
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.points import Point
from goban.sgf import COLOURS, MOVE_FIELDS, ROOT_FIELDS, SETUP, SgfGame, SgfMove, points_by_name
from goban.sgf_tree import Property, decode, main_lines, plain_line, quoted, text_value

_REAL = re.compile(r"[+-]?[0-9]*[.,]?[0-9]*")
# The longest number we write, the smallest float there is, has some 400 digits.
_MOST_DIGITS = 420


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
        to_move=COLOURS.get(turn),
        extra=_extra(root, ROOT_FIELDS),
    )


def _completed(move: SgfMove, node: list[Property]) -> SgfMove:
    seconds = _real(_first(node, "SECONDS"))
    return replace(
        move,
        comment=_comment(node),
        seconds=seconds if seconds is not None and seconds >= 0 else None,
        extra=_extra(node, MOVE_FIELDS),
    )


def _extra(node: list[Property], fields: frozenset[str]) -> tuple[Property, ...]:
    return tuple((name, values) for name, values in node if values and name not in fields)


def _has_move(node: list[Property]) -> bool:
    return any(name in COLOURS for name, _ in node)


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
        if name in COLOURS:
            if len(values) != 1:
                raise SgfError(f"node {number}: expected one point in {name}, got {len(values)}")
            moves.append(SgfMove(COLOURS[name], _point(values[0], size, f"node {number}: {name}")))
        elif number and name in SETUP and any(values):
            raise SgfError(f"node {number}: expected set-up stones before the first move only, got {name}")
    return moves


def _point(raw: str, size: int, where: str) -> Point | None:
    """Return a point; None for a pass."""
    point = points_by_name(size).get(raw)
    if point is not None:
        return point
    name = raw.strip()
    # Up to FF[3] a pass was written as a point next to the largest board.
    if not name or name == "tt":
        return None
    if name not in points_by_name(size):
        off = re.fullmatch("[a-zA-Z]{2}", name)
        got = f"{name!r}, which is off the {size}x{size} board" if off else quoted(raw)
        raise SgfError(f"{where}: expected a point like 'ab', got {got}")
    return points_by_name(size)[name]


def _setup(nodes: list[list[Property]], size: int) -> tuple[tuple[int, ...], ...] | None:
    """Return the board after all the set-up stones, a later one on the same point counting; None if it is empty."""
    if not any(name in SETUP for node in nodes for name, _ in node):
        return None
    rows = [[0] * size for _ in range(size)]
    for number, node in enumerate(nodes):
        for name, values in node:
            if name in SETUP:
                for raw in dict.fromkeys(values):
                    _set_up(rows, raw, SETUP[name], f"node {number}: {name}")
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
