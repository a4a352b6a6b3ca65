"""A position in a game under a rule set: what may be played, what follows from it, and whether the game is over.

    state = new_game(ruleset("aga"), 9)
    state = state.play((2, 2)).play(PASS).play(PASS)
    state.is_over, state.outcome.winner

States never change; `play` returns the next one. Boards are pairs of masks (see `goban.grids`).
"""

from __future__ import annotations

from collections.abc import Sequence

from goban.breaches import GAME_OVER, NO_PASSING, NO_RESIGNING, OCCUPIED, SUICIDE, Breach
from goban.errors import BadPointError, IllegalMoveError
from goban.grids import BLACK, WHITE, Grid, Rows, grid_of
from goban.history import History
from goban.moves import PASS, RESIGN, Move, Resign, move_name
from goban.outcomes import COLOUR_NAMES, Ending, Outcome, opponent
from goban.points import Point
from goban.repetitions import past_of, situation_after, stood, why_repeated
from goban.rulesets import OnRepeat, Repetition, RuleSet
from goban.scoring import points_on_board
from goban.zobrist import WHITE_TO_MOVE, board_hash


class State:
    """One position of a game. Immutable: treat every attribute as read-only.

    rules, grid; black, white, empty: masks of the board (`empty` may leave out points that nobody can use); to_move:
    1 or 2; n_move: moves played, passes counted; previous: (black, white) before the last move, the board itself at
    the start; captured: mask of the stones the last move removed; last_point: where the last move placed a stone, or
    None; passed: whether the last move was a pass; history: the situations before, if the rules ask for them.
    """

    __slots__ = (
        "_ending", "_hash", "_settled", "_winner", "black", "captured", "empty", "grid", "history",
        "last_point", "n_move", "passed", "previous", "rules", "to_move", "white",
    )  # fmt: skip

    def __init__(
        self,
        rules: RuleSet,
        grid: Grid,
        black: int,
        white: int,
        empty: int,
        to_move: int = BLACK,
        n_move: int = 0,
        previous: tuple[int, int] | None = None,
        captured: int = 0,
        last_point: Point | None = None,
        passed: bool = False,
        history: History | None = None,
    ) -> None:
        self.rules = rules
        self.grid = grid
        self.black = black
        self.white = white
        self.empty = empty
        self.to_move = to_move
        self.n_move = n_move
        self.previous = (black, white) if previous is None else previous
        self.captured = captured
        self.last_point = last_point
        self.passed = passed
        self.history = history
        self._hash: int | None = None
        self._ending: Ending | None = None
        self._settled = False
        self._winner: int | None = None

    # What may be played

    def why_illegal(self, move: Move) -> Breach | None:
        """Return the rule that forbids a move, None if it may be played.

        Raises BadPointError for a point off the board: that is no illegal move but none at all.
        """
        if self.is_over:
            return GAME_OVER
        if move is PASS:
            return None if self.rules.passing else NO_PASSING
        if isinstance(move, Resign):
            return None if self.rules.resigning else NO_RESIGNING
        return self.why_illegal_placement(move)

    def why_illegal_placement(self, point: Point) -> Breach | None:
        """Like `why_illegal` for a point, whether or not the game is over."""
        bit = self.grid.bit.get(point)
        if bit is None:
            raise BadPointError(f"point {point!r} is off the {self.grid.size}x{self.grid.size} board")
        if not bit & self.empty:
            return OCCUPIED
        own, other = self.colours()
        if self.grid.is_suicide(bit, own, other, self.empty):
            return SUICIDE
        return why_repeated(self, bit, own, other)

    def colours(self) -> tuple[int, int]:
        """Return the stones as masks (own, other), seen from the player to move."""
        return (self.black, self.white) if self.to_move == BLACK else (self.white, self.black)

    def placements(self) -> int:
        """Return the mask of the points the player to move may play on, whether or not the game is over."""
        own, other = self.colours()
        grid, empty = self.grid, self.empty
        always = self.rules.repetition is Repetition.SIMPLE_KO and not self.captured
        # Next to an empty point nothing is suicide, so most points need no closer look.
        legal = grid.adjacent(empty) & empty if always else 0
        for bit in grid.singles(empty ^ legal):
            if not grid.is_suicide(bit, own, other, empty) and (always or why_repeated(self, bit, own, other) is None):
                legal |= bit
        return legal

    def legal_moves(self) -> list[Move]:
        """Return every legal move: points row by row, then pass and resign where the rules have them."""
        if self.is_over:
            return []
        moves: list[Move] = list(self.grid.points_of(self.placements()))
        if self.rules.passing:
            moves.append(PASS)
        if self.rules.resigning:
            moves.append(RESIGN)
        return moves

    # Playing

    def play(self, move: Move) -> State:
        """Return the state after a move; raises IllegalMoveError, or BadPointError for a point off the board."""
        breach = self.why_illegal(move)
        if breach is not None:
            who, name = COLOUR_NAMES[self.to_move], move_name(move, self.grid.size)
            raise IllegalMoveError(f"{who} may not play {name} as move {self.n_move + 1}: {breach}")
        return self.after(move)

    def after(self, move: Move) -> State:
        """Return the state after a move that is known to be legal; the result for an illegal one is undefined."""
        if isinstance(move, Resign):
            return self._resigned()
        return self._passed() if move is None else self._placed(move)

    def _resigned(self) -> State:
        after = State(
            self.rules, self.grid, self.black, self.white, self.empty, self.to_move, self.n_move, self.previous,
            self.captured, self.last_point, self.passed, self.history,
        )  # fmt: skip
        after._ending, after._winner = Ending.RESIGNATION, opponent(self.to_move)
        return after

    def _passed(self) -> State:
        history = past_of(self) if self.rules.needs_history else None
        after = State(
            self.rules, self.grid, self.black, self.white, self.empty, opponent(self.to_move), self.n_move + 1,
            (self.black, self.white), passed=True, history=history,
        )  # fmt: skip
        if self.pass_ends:
            after._ending = Ending.TWO_PASSES
        return after

    def _placed(self, point: Point) -> State:
        rules, grid = self.rules, self.grid
        bit = grid.bit[point]
        own, other = self.colours()
        taken = grid.dead(other, self.empty ^ bit)
        own, other = own | bit, other ^ taken
        black, white = (own, other) if self.to_move == BLACK else (other, own)
        history = past_of(self) if rules.needs_history else None
        after = State(
            rules, grid, black, white, self.empty ^ bit | taken, opponent(self.to_move), self.n_move + 1,
            (self.black, self.white), taken, point, history=history,
        )  # fmt: skip
        if history is not None:
            situation = situation_after(self, bit, taken)
            after._hash = situation ^ WHITE_TO_MOVE if after.to_move == WHITE else situation
            if rules.on_repeat is not OnRepeat.NOTHING and stood(self, situation, positional=True) is not None:
                after._ending = Ending.REPETITION
                after._winner = opponent(self.to_move) if rules.on_repeat is OnRepeat.MOVER_LOSES else 0
        return after

    # The end

    @property
    def pass_ends(self) -> bool:
        """True if a pass now would be the last move of the game."""
        rules = self.rules
        unchanged = rules.unchanged_board_ends and self.previous == (self.black, self.white)
        return rules.passing and (self.passed or unchanged)

    @property
    def ending(self) -> Ending | None:
        """Why the game is over; None while it is not."""
        if not self._settled:
            self._ending = self._ending or self._find_ending()
            self._settled = True
        return self._ending

    def _find_ending(self) -> Ending | None:
        """Return why the game is over if the last move has not decided that already."""
        limit = self.rules.max_move(self.grid.size)
        if limit is not None and self.n_move >= limit:
            return Ending.MOVE_LIMIT
        return None if self.rules.passing or self.can_place() else Ending.NO_PLACEMENT

    def can_place(self) -> bool:
        """Tell whether the player to move has a legal placement, the end of the game by other reasons left aside."""
        grid, empty = self.grid, self.empty
        # Where two empty points touch, only a repetition could forbid them.
        if self.rules.repetition is Repetition.SIMPLE_KO and not self.captured and grid.adjacent(empty) & empty:
            return True
        return any(self.why_illegal_placement(grid.point[bit]) is None for bit in grid.singles(empty))

    @property
    def is_over(self) -> bool:
        """True if no move may be played any more."""
        return self.ending is not None

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while the game is not over."""
        ending = self.ending
        if ending is None:
            return None
        black, white = self.scores()
        return Outcome(self.leader() if self._winner is None else self._winner, black, white, ending)

    def leader(self) -> int:
        """Return who has more points now: 1, 2, or 0 if they are equal."""
        black, white = self.scores()
        return BLACK if black > white else WHITE if white > black else 0

    def points(self) -> tuple[int, int]:
        """Return (Black's, White's) points on the board: stones or area, as the rules count; komi not included."""
        return points_on_board(self.rules.scoring, self.grid, self.black, self.white)

    def scores(self) -> tuple[int, float]:
        """Return (Black's, White's) points, White's with komi."""
        black, white = self.points()
        return black, white + self.rules.komi(self.grid.size)

    # Looking at it

    @property
    def hash(self) -> int:
        """The board's Zobrist hash, 64 bits; see `goban.zobrist`."""
        if self._hash is None:
            self._hash = board_hash(self.grid.size, self.black, self.white)
        return self._hash

    @property
    def situation(self) -> int:
        """The hash of the board together with the player to move."""
        return self.hash ^ WHITE_TO_MOVE if self.to_move == WHITE else self.hash

    def rows(self) -> Rows:
        """Return the board as fresh lists of 0, 1, 2."""
        return self.grid.rows(self.black, self.white)

    def stone_at(self, point: Point) -> int:
        """Return 0, 1 or 2; the point must be on the board."""
        bit = self.grid.bit[point]
        return BLACK if self.black & bit else WHITE if self.white & bit else 0

    def stones(self, colour: int) -> int:
        """Return the mask of one colour's stones."""
        return self.black if colour == BLACK else self.white

    def group_at(self, point: Point) -> tuple[int, int]:
        """Return the masks (stones, liberties) of the group on a point; (0, 0) if the point is empty."""
        colour = self.stone_at(point)
        if not colour:
            return 0, 0
        stones = self.grid.group(self.grid.bit[point], self.stones(colour))
        return stones, self.grid.liberties(stones, self.empty)

    def _key(self) -> tuple[object, ...]:
        past: tuple[int, ...] = ()
        if self.rules.needs_history:
            past = past_of(self).entries(self.n_move)
        return (
            self.rules, self.grid.size, self.black, self.white, self.empty, self.to_move, self.n_move, self.previous,
            self.captured, self.passed, self.ending, self._winner, frozenset(past),
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, State) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.black, self.white, self.to_move, self.n_move, self.previous))

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __repr__(self) -> str:
        return f"<State {self.rules.name} {self.grid.size}x{self.grid.size} after {self.n_move} moves>"


def new_game(rules: RuleSet, size: int | None = None) -> State:
    """Return the empty board with Black to move; raises BadBoardError for a size outside 2..19."""
    grid = grid_of(rules.default_size if size is None else size)
    return State(rules, grid, 0, 0, grid.full)


def state_from_rows(rules: RuleSet, rows: Sequence[Sequence[int]], to_move: int = BLACK, n_move: int = 0) -> State:
    """Return a position set up by hand, as if nothing had happened before; raises BadBoardError for bad rows."""
    grid = grid_of(len(rows))
    empty, black, white = grid.masks(rows)
    return State(rules, grid, black, white, empty, to_move, n_move)
