"""A file's game in the browser: to be looked at, along its variations, and left for a game of its own.

The line that is shown is that through the node that was chosen last. A page that saves the file writes its nodes as they stand
there, and what was played since between them.
"""

from __future__ import annotations

from typing import Any

from board.games import Game, GameError, Origin, Seat, Turn
from board.truths import read_sgf
from board.variations import MOST_LINES, Line, with_line
from goban.moves import move_name
from goban.points import vertex
from goban.reviews import Position, Review, ReviewNode, positions
from goban.rulesets import RuleSet
from goban.states import State

_SET_UP = "setup"
"""The name of a step that is no move."""
_LETTERS = "BW"


class ReviewedGame(Game):
    """A game that nobody plays. `path` has the nodes of the line shown, the root first."""

    def __init__(self, rules: RuleSet, origin: Origin) -> None:
        seats = Seat(person=origin.review.black or "Black"), Seat(person=origin.review.white or "White")
        super().__init__(rules, origin.review.size, seats, origin=origin)
        self.path: list[int] = []
        self.positions: list[Position] = []
        self.follow(0)

    @property
    def review(self) -> Review:
        """The file's game."""
        assert self.origin is not None
        return self.origin.review

    @property
    def over(self) -> bool:
        """True: nobody is asked for a move."""
        return True

    def follow(self, node: int) -> None:
        """Show the line through a node."""
        with self.changes:
            if not 0 <= node < len(self.review.nodes):
                raise GameError(f"expected a node up to {len(self.review.nodes) - 1}, got {node}")
            self.path = self.review.line(node)
            self.positions = positions(self.review, self.path, self.rules)
            self.states = [position.state for position in self.positions]
            self.moves = [self.review.nodes[place].move for place in self.path[1:]]
            self.turns = [Turn(0) for _ in self.moves]
            self.values = self.line = None
            self.truth, self.analysing = 0, False
            self.changed()

    def play(self, name: str, number: int) -> None:
        """Refuse: whoever wants to play asks for a game of its own."""
        raise GameError("this game is looked at: play from here, to try a move")

    def undo(self) -> None:
        """Refuse, too."""
        raise GameError("this game is looked at: there is nothing to take back")

    def names(self) -> list[str]:
        """Return the names of the moves, and 'setup' where there is none."""
        nodes = [self.review.nodes[place] for place in self.path[1:]]
        return [move_name(node.move, self.size) if node.colour else _SET_UP for node in nodes]

    def colours(self) -> list[int]:
        """Return who made each move, 0 where there is none."""
        return [self.review.nodes[place].colour for place in self.path[1:]]

    def beginning(self, number: int) -> int:
        """Return the last position up to this one that is no move by the rules away from the one before it."""
        return max((place for place in range(1, number + 1) if self.positions[place].begins), default=0)


def open_file(data: str) -> ReviewedGame:
    """Return the first game of an SGF file, which comes in base 64; raises GameError."""
    review, rules, notes = read_sgf(data)
    return ReviewedGame(rules, Origin(review, 0, notes))


def lines_from(game: Game) -> list[Line]:
    """Return the moves to each end of a file's tree, from the node that the game begins with, as far as they may be played."""
    assert game.origin is not None
    review, node = game.origin.review, game.origin.node
    after: dict[int, list[int]] = {}
    for number, one in enumerate(review.nodes):
        after.setdefault(one.parent, []).append(number)
    found: list[Line] = []
    waiting: list[tuple[int, Line, State]] = [(node, [], game.states[0])]
    while waiting and len(found) < MOST_LINES:
        place, line, state = waiting.pop()
        going_on = [next_place for next_place in after.get(place, ()) if _may_follow(review.nodes[next_place], state)]
        if not going_on:
            found = with_line(found, line)
        for next_place in reversed(going_on):
            move = review.nodes[next_place].move
            waiting.append((next_place, [*line, move_name(move, game.size)], state.after(move)))
    return found


def _may_follow(node: ReviewNode, state: State) -> bool:
    return not node.stones and node.colour == state.to_move and state.why_illegal(node.move) is None


def tree_of(game: Game) -> dict[str, Any] | None:
    """Return a game's file for a page, for JSON: its nodes, and where among them the game begins; None if it has none.

    A node is [parent, move, comment, marks, properties]: the move as 'B C3', '' for none.
    """
    if game.origin is None:
        return None
    review, size = game.origin.review, game.size
    nodes = [
        [
            node.parent,
            f"{_LETTERS[node.colour - 1]} {move_name(node.move, size)}" if node.colour else "",
            node.comment,
            {vertex(point, size): mark for point, mark in node.marks.items()},
            node.properties,
        ]
        for node in review.nodes
    ]
    return {"nodes": nodes, "node": game.origin.node, "result": review.result, "notes": game.origin.notes}
