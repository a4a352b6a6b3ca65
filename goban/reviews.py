"""Viewing SGF games: the tree of a file with its comments, and the positions on the way to a node.

No file is refused for what happens in its game: stones may be set up anywhere, either colour may move at any time, and a
move that the rules forbid is placed, as the format says. `goban.sgf` reads the text.

Source: https://www.red-bean.com/sgf/properties.html, https://www.red-bean.com/sgf/go.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from goban.errors import GtpError, SgfError
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from goban.open_games import OpenGame
from goban.points import Point
from goban.rulesets import RuleSet, opponent
from goban.sgf import SgfNode, komi_of, quoted, read_tree, text_of
from goban.states import State, new_game, state_from_rows

_COLOURS = {"B": BLACK, "W": WHITE}
_STONES = {"AE": 0, "AB": BLACK, "AW": WHITE}
_MARKS = {"TR": "△", "SQ": "□", "CR": "○", "MA": "×"}
_LETTERS = "abcdefghijklmnopqrs"


@dataclass(frozen=True)
class ReviewNode:
    """A node. parent: its place in the tree, -1 for the root; colour: who moves, 0 for nobody.

    stones: what is set up before the move, 0 for a point that is emptied; to_move: who the node says is next, 0 if it does not.
    marks: short texts on points. properties: all of them, as they stand in the file.
    """

    parent: int
    colour: int = 0
    move: Point | None = None
    stones: Mapping[Point, int] = field(default_factory=dict)
    to_move: int = 0
    comment: str = ""
    marks: Mapping[Point, str] = field(default_factory=dict)
    properties: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Review:
    """A file's game. komi: None if the file says none, or no number. nodes: every one after its parent, the root first."""

    size: int
    komi: float | None
    rules: str
    black: str
    white: str
    result: str
    nodes: tuple[ReviewNode, ...]

    @property
    def komi_value(self) -> tuple[str, str]:
        """The property that says the komi, and its value, as `goban.sgf.komi_of` takes them."""
        return _komi_value(self.nodes[0].properties)

    def line(self, node: int) -> list[int]:
        """Return the nodes from the root through this one, and on to the end, each time by the first variation."""
        first: dict[int, int] = {}
        for place, one in enumerate(self.nodes):
            first.setdefault(one.parent, place)
        path = self.path(node)
        while (after := first.get(path[-1])) is not None:
            path.append(after)
        return path

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to this one."""
        path = [node]
        while (parent := self.nodes[path[-1]].parent) >= 0:
            path.append(parent)
        return path[::-1]

    def with_move(self, parent: int, colour: int, move: Point | None) -> Review:
        """Return the same with a move after a node, as its last variation; move: None for a pass."""
        letter = next(letter for letter, one in _COLOURS.items() if one == colour)
        value = "" if move is None else f"{_LETTERS[move[1]]}{_LETTERS[move[0]]}"
        return replace(self, nodes=(*self.nodes, ReviewNode(parent, colour, move, properties={letter: [value]})))

    def without_last(self) -> Review:
        """Return the same without its last node, after which there can be none."""
        return replace(self, nodes=self.nodes[:-1])


@dataclass(frozen=True)
class Position:
    """A position of a review. begins: whether it cannot be reached by a move from the one before it, as after set-up stones."""

    state: State
    begins: bool = False


def read_review(text: str) -> Review:
    """Return the first game of an SGF text; raises SgfError."""
    nodes = read_tree(text)
    if not nodes:
        raise SgfError("expected a game with nodes, got one without")
    root = nodes[0].properties
    kind = _first(root, "GM").strip()
    if kind not in ("", "1"):
        raise SgfError(f"expected Go, GM[1], in the root, got GM[{quoted(kind)}]")
    size = _size(_first(root, "SZ"))
    rules, black, white, result = (text_of(_first(root, name)).replace("\n", " ").strip() for name in ("RU", "PB", "PW", "RE"))
    komi, _ = komi_of(*_komi_value(root))
    return Review(size, komi, rules, black, white, result, tuple(_nodes(nodes, size)))


def positions(review: Review, path: Sequence[int], rules: RuleSet) -> list[Position]:
    """Return the position at each node of a path that begins with the root."""
    game = OpenGame(rules, review.size)
    positions: list[Position] = []
    for place, node in enumerate(path):
        one = review.nodes[node]
        following = review.nodes[path[place + 1]].colour if place + 1 < len(path) else 0
        before = game.state
        begins = _step(game, one, following)
        alternates = one.colour in (0, before.to_move) and not before.is_over
        positions.append(Position(game.state, bool(place) and (begins or not alternates)))
    return positions


def set_up(rules: RuleSet, rows: Sequence[Sequence[int]], to_move: int, n_move: int) -> State:
    """Return a position after a move that captured nothing, so that it takes two passes to end the game."""
    state = state_from_rows(rules, rows, to_move, n_move)
    return state.with_(previous=(0, 0)) if n_move else state


def start_message(state: State) -> dict[str, object] | None:
    """Return a position from which moves go on as programs are told it, for JSON; None for the empty board at the start."""
    if not (state.black or state.white or state.n_move):
        return None
    return {"rows": state.rows(), "to_move": state.to_move, "n_move": state.n_move}


def start_from(rules: RuleSet, size: int, message: Mapping[str, Any] | None) -> State:
    """Return the position of such a message."""
    return new_game(rules, size) if message is None else set_up(rules, message["rows"], message["to_move"], message["n_move"])


def _step(game: OpenGame, node: ReviewNode, following: int) -> bool:
    """Go on to a node's position. following: who moves next in the file. Return whether that was more than a legal move."""
    begins = False
    if node.stones or node.to_move:
        rows = game.state.rows()
        for (i, j), stone in node.stones.items():
            rows[i][j] = stone
        handicap = set(node.stones.values()) == {BLACK} and not game.moves
        to_move = node.to_move or node.colour or following or (WHITE if handicap else game.state.to_move)
        _set_up(game, rows, to_move)
        begins = True
    if not node.colour:
        return begins
    try:
        game.play(node.colour, node.move)
        return begins
    except GtpError:
        if node.move is not None:
            _force(game, node.colour, node.move)
        else:
            _set_up(game, game.state.rows(), opponent(node.colour))
        return True


def _set_up(game: OpenGame, rows: Sequence[Sequence[int]], to_move: int) -> None:
    """Begin anew with a board, after a move that captured nothing.

    No fewer moves count as made than there are stones; their number fits who is to move, and leaves one to be made.
    """
    made = max(game.state.n_move, sum(bool(stone) for row in rows for stone in row))
    made += made % 2 != (to_move == WHITE)
    limit = game.rules.max_move(game.size)
    while limit is not None and made >= limit:
        made -= 2
    game.begin(_without_dead(set_up(game.rules, rows, to_move, made)))


def _force(game: OpenGame, colour: int, point: Point) -> None:
    """Place a stone that the rules forbid; what has no liberty then is taken, the opponent's stones first."""
    rows = game.state.rows()
    rows[point[0]][point[1]] = 0
    state = state_from_rows(game.rules, rows, colour)
    grid, bit = state.grid, state.grid.bit[point]
    own, other = state.colours()
    taken, free = grid.place(bit, own, other, state.empty)
    own |= bit
    dead = 0 if free or taken else grid.group(bit, own)
    stones = (own ^ dead, other ^ taken)
    _set_up(game, grid.rows(*(stones if colour == BLACK else stones[::-1])), opponent(colour))


def _without_dead(state: State) -> State:
    """Return a position without groups that have no liberty, which only a file can set up."""
    grid = state.grid
    black, white = grid.dead(state.black, state.empty), grid.dead(state.white, state.empty)
    if not black | white:
        return state
    return set_up(state.rules, grid.rows(state.black ^ black, state.white ^ white), state.to_move, state.n_move)


def _nodes(nodes: Sequence[SgfNode], size: int) -> Iterator[ReviewNode]:
    """Yield the nodes of a review. Where one node has a move of each colour, the second becomes a node after it."""
    places: list[int] = []
    made = 0
    for node in nodes:
        properties = node.properties
        parent = places[node.parent] if node.parent >= 0 else -1
        moves = [(name, value) for name in properties if name in _COLOURS for value in properties[name][:1]]
        first, *others = moves or [("", "")]
        yield ReviewNode(
            parent=parent,
            colour=_COLOURS.get(first[0], 0),
            move=_move(first[1], size) if first[0] else None,
            stones={point: stone for name, stone in _STONES.items() for point in _read_points(properties, name, size)},
            to_move=_COLOURS.get(_first(properties, "PL").strip()[:1].upper(), 0),
            comment=text_of(_first(properties, "C")),
            marks=_marks(properties, size),
            properties={name: values for name, values in properties.items() if name not in {name for name, _ in others}},
        )
        made += 1
        for name, value in others:
            yield ReviewNode(made - 1, _COLOURS[name], _move(value, size), properties={name: [value]})
            made += 1
        places.append(made - 1)


def _marks(properties: Mapping[str, Sequence[str]], size: int) -> dict[Point, str]:
    marks = {point: sign for name, sign in _MARKS.items() for point in _read_points(properties, name, size)}
    for value in properties.get("LB", ()):
        name, _, label = value.partition(":")
        for point in _points(name, size):
            marks[point] = text_of(label)[:3]
    return marks


def _move(value: str, size: int) -> Point | None:
    """Return the point of a move; None for a pass, and for what is no point of the board, such as 'tt'."""
    return next(iter(_points(value, size)), None)


def _read_points(properties: Mapping[str, Sequence[str]], name: str, size: int) -> list[Point]:
    """Return the points of all values of a property."""
    return [point for value in properties.get(name, ()) for point in _points(value, size)]


def _points(value: str, size: int) -> list[Point]:
    """Return the points of 'ab' or of a rectangle 'ab:cd'; none for what is no point of the board."""
    corners = ["".join(part.split()).lower() for part in value.split(":")]
    if not all(len(corner) == 2 and set(corner) <= set(_LETTERS[:size]) for corner in corners) or len(corners) > 2:
        return []
    (left, top), (right, bottom) = (map(_LETTERS.index, corner) for corner in (corners[0], corners[-1]))
    return [(i, j) for i in range(top, bottom + 1) for j in range(left, right + 1)]


def _first(properties: Mapping[str, Sequence[str]], name: str) -> str:
    return next(iter(properties.get(name, ())), "")


def _komi_value(root: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    name = "KM" if "KM" in root else "KO"
    return name, _first(root, name).strip()


def _size(text: str) -> int:
    """Return the size that SZ names, 19 where it names none; '5:5' is a square, too."""
    columns, _, rows = (part.strip() for part in text.partition(":"))
    if not columns and not rows:
        return MAX_SIZE
    size = int(columns) if columns.isascii() and columns.isdigit() and len(columns) < 3 else 0
    if not MIN_SIZE <= size <= MAX_SIZE or rows not in ("", columns):
        raise SgfError(f"expected a board size from {MIN_SIZE} to {MAX_SIZE}, got SZ[{quoted(text)}]")
    return size
