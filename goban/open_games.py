"""A game that somebody else leads: either colour may move at any time, even after the end, and moves can be undone.

A `State` alternates colours and knows when the game is over. A GTP controller follows neither: it sets up positions with
plays of one colour, and goes on after two passes. Moves are legal if the rules allow them on the board and with its past.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from goban.errors import GtpError, SgfError
from goban.grids import BLACK, WHITE
from goban.moves import PASS, Move, move_name
from goban.points import Point
from goban.rulesets import NO_PASSING, Breach, RuleSet
from goban.sgf import SgfGame
from goban.states import State, new_game, state_from_rows


class OpenGame:
    """Keeps the rules with the komi that was set, and the states from the start to now."""

    def __init__(self, rules: RuleSet, size: int) -> None:
        self.rules = rules
        self._states = [new_game(rules, size)]
        self._moves: list[tuple[int, Move]] = []

    @property
    def state(self) -> State:
        """The position after the last play."""
        return self._states[-1]

    @property
    def start(self) -> State:
        """The position before the first play."""
        return self._states[0]

    @property
    def moves(self) -> Sequence[tuple[int, Move]]:
        """The plays from the start to now, each with its colour."""
        return self._moves

    @property
    def size(self) -> int:
        """The size of the board."""
        return self.state.grid.size

    @property
    def komi(self) -> float:
        """Points added to White's score."""
        return self.rules.komi(self.size)

    def clear(self, size: int) -> None:
        """Start again with an empty board; raises BadBoardError for a size outside 2..19. The komi stays as set."""
        self.begin(new_game(self.rules, size))

    def set_komi(self, komi: float) -> None:
        """Set another komi, from the start of this game on."""
        self._replay(replace(self.rules, fixed_komi=komi))

    def set_rules(self, rules: RuleSet) -> None:
        """Use other rules, from the start of this game on. The komi stays, and so do the moves, even if now illegal."""
        self._replay(replace(rules, fixed_komi=self.komi))

    def _replay(self, rules: RuleSet) -> None:
        self.rules = rules
        start, moves = self.start, self._moves
        self.begin(state_from_rows(self.rules, start.rows(), start.to_move))
        for colour, move in moves:
            self._append(colour, move)

    def set_handicap(self, points: Sequence[Point]) -> None:
        """Put black stones on an empty board; White is to move, and this is the start of the game."""
        rows = self.state.rows()
        for i, j in points:
            rows[i][j] = BLACK
        self.set_start(rows, WHITE)

    def set_start(self, rows: Sequence[Sequence[int]], to_move: int) -> None:
        """Start again from a board, as if nothing had happened before; raises BadBoardError for bad rows."""
        self.begin(state_from_rows(self.rules, rows, to_move))

    def begin(self, start: State) -> None:
        """Start again from a position, under this game's rules and on its board."""
        self._states, self._moves = [start], []

    def take_over(self, other: OpenGame) -> None:
        """Take over another game's state; the other must not be used any more."""
        self.rules, self._states, self._moves = other.rules, other._states, other._moves

    def position(self, colour: int) -> State:
        """Return the position now with a colour to move.

        The game goes on after two passes, a resignation or a repetition. It is over only if nothing can be played:
        at the move limit, or if the rules have no pass and no placement is legal.
        """
        return _resume(self.state, colour)

    def why_illegal(self, colour: int, move: Point | None) -> Breach | None:
        """Return the rule that forbids a move, None if there is none. When the game is over, anybody may pass."""
        position = self.position(colour)
        if move is PASS:
            return None if position.rules.passing or position.is_over else NO_PASSING
        return position.why_illegal_placement(move)

    def play(self, colour: int, move: Point | None) -> None:
        """Play; raises GtpError for an illegal move."""
        breach = self.why_illegal(colour, move)
        if breach is not None:
            raise GtpError(f"illegal move: {breach}")
        self._append(colour, move)

    def undo(self) -> None:
        """Take the last play back; raises GtpError at the start."""
        if not self._moves:
            raise GtpError("cannot undo")
        self._moves.pop()
        self._states.pop()

    def _append(self, colour: int, move: Move) -> None:
        self._states.append(_resume(self.state, colour).after(move))
        self._moves.append((colour, move))


def follow(
    game: SgfGame, rules: RuleSet, most: int | None = None, before: Callable[[State], object] = lambda _: None
) -> OpenGame:
    """Return a file's game played under these rules, its first `most` moves. before: called with each position before its move.

    Players need not take turns, and may go on after the end, as in files. Raises SgfError for a move that the rules forbid.
    """
    played_out = OpenGame(rules, game.size)
    first = game.moves[0].colour if game.moves else BLACK
    played_out.set_start(game.setup or played_out.state.rows(), game.to_move or first)
    for ply, played in enumerate(game.moves[:most], 1):
        if played.board is not None:
            played_out.set_start(played.board, played.colour)
        breach = played_out.why_illegal(played.colour, played.move)
        if breach is not None:
            raise SgfError(f"move {ply} ({move_name(played.move, game.size)}): {breach}")
        before(played_out.position(played.colour))
        played_out.play(played.colour, played.move)
    return played_out


def _resume(state: State, colour: int) -> State:
    """Return a position with a colour to move, whatever decided the game; turning it to the other colour is no move."""
    if state.to_move == colour and not state.is_over:
        return state
    return State(
        state.rules, state.grid, state.black, state.white, state.empty, colour, state.n_move, state.previous,
        state.captured, state.last_point, state.passed, state.history,
    )  # fmt: skip
