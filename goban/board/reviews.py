"""A file's game in the browser: to be looked at, along its variations, to try others in it, and left for a game of its own.

The line that is shown is that through the node that was chosen last. A page that saves the file writes its nodes as they stand
there, and what was tried and played since between them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from goban.board.games import MOST_LINES, Game, GameError, Line, Origin, Seat, Turn, with_line
from goban.board.truths import read_sgf
from goban.moves import RESIGN, Resign, move_name
from goban.points import vertex
from goban.reviews import Position, Review, ReviewNode, positions
from goban.rulesets import RuleSet
from goban.states import State

_SET_UP = "setup"
"""The name of a step that is no move."""
_LETTERS = "BW"
_MOST_TRIED = 2000
"""Moves."""


class ReviewedGame(Game):
    """A game in which moves are tried as variations. path: the nodes of the line shown, the root first; read_nodes: how many
    the file has, after which those come that were tried."""

    def __init__(self, rules: RuleSet, origin: Origin) -> None:
        seats = Seat(person=origin.review.black or "Black"), Seat(person=origin.review.white or "White")
        super().__init__(rules, origin.review.size, seats, origin=origin)
        self.read_nodes = len(origin.review.nodes)
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
        """Try a move after so many of the line shown: as a variation, unless the file has it. Show the line through it."""
        with self.changes:
            if not 0 <= number < len(self.path):
                raise GameError(f"expected a move up to {len(self.path) - 1} of the line shown, got {number}")
            node, state, move = self.path[number], self.states[number], self.read(name)
            breach = "nobody resigns in a file" if move is RESIGN else state.why_illegal(move)
            if breach is not None:
                raise GameError(f"{name}: {breach}")
            wanted = node, state.to_move, move
            nodes = self.review.nodes
            same = [k for k, one in enumerate(nodes) if (one.parent, one.colour, one.move) == wanted and not one.stones]
            if not same and len(nodes) - self.read_nodes >= _MOST_TRIED:
                raise GameError(f"{_MOST_TRIED} moves were tried in this file: save it, and open it anew to try more")
            if not same:
                assert not isinstance(move, Resign)
                self._become(self.review.with_move(node, state.to_move, move))
            self.follow(same[0] if same else len(nodes))

    def undo(self) -> None:
        """Take back the move that was tried last, and show the line through the position before it."""
        with self.changes:
            if len(self.review.nodes) == self.read_nodes:
                raise GameError("there is no move of yours to take back")
            parent = self.review.nodes[-1].parent
            self._become(self.review.without_last())
            self.follow(parent)

    def _become(self, review: Review) -> None:
        assert self.origin is not None
        self.origin = replace(self.origin, review=review)

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
    lines: list[Line] = []
    waiting: list[tuple[int, Line, State]] = [(node, [], game.states[0])]
    while waiting and len(lines) < MOST_LINES:
        place, line, state = waiting.pop()
        going_on = [next_place for next_place in after.get(place, ()) if _may_follow(review.nodes[next_place], state)]
        if not going_on:
            lines = with_line(lines, line)
        for next_place in reversed(going_on):
            move = review.nodes[next_place].move
            waiting.append((next_place, [*line, move_name(move, game.size)], state.after(move)))
    return lines


def _may_follow(node: ReviewNode, state: State) -> bool:
    return not node.stones and node.colour == state.to_move and state.why_illegal(node.move) is None


def tree_of(game: Game) -> dict[str, Any] | None:
    """Return a game's file for a page, for JSON: its nodes, and where among them the game begins; None if it has none.

    A node is [parent, move, comment, marks, properties]: the move as 'B C3', '' for none.
    """
    if game.origin is None:
        return None
    review = game.origin.review
    nodes = [_describe_node(node, game.size) for node in review.nodes]
    return {"nodes": nodes, "node": game.origin.node, "result": review.result, "notes": game.origin.notes}


def list_tries(game: ReviewedGame) -> list[object]:
    """Return how many nodes the file has, and those that were tried since, as in `tree_of`."""
    return [game.read_nodes, [_describe_node(node, game.size) for node in game.review.nodes[game.read_nodes :]]]


def _describe_node(node: ReviewNode, size: int) -> list[object]:
    move = f"{_LETTERS[node.colour - 1]} {move_name(node.move, size)}" if node.colour else ""
    return [node.parent, move, node.comment, {vertex(point, size): mark for point, mark in node.marks.items()}, node.properties]
