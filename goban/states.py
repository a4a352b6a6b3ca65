"""A position in a game under a rule set: what may be played, what follows from it, and whether the game is over.

    state = new_game("aga", 9)
    state = state.play((2, 2)).play("pass").play(PASS)
    state.is_over, state.outcome.winner
    print(state)

States never change; `play` returns the next one. Boards are pairs of masks (see `goban.grids`). A move is a point, PASS or
RESIGN, or its name: 'C3', 'pass', 'resign'. A point is any pair of whole numbers: a list and an array of numpy's, too.

Below the state stands what it asks: captures and suicide, repetitions, and the count. A *situation* is a board together with
the player to move, as a 64-bit hash. A superko test asks "has this situation stood before?". Walking back costs time in
proportion to the game's length, and so does copying a set at every move. Instead, the states of one line of play share one
growing History; each state knows how many of its entries are its own past, and ignores the rest. Only a second branch from a
state that has already been played on copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from types import NoneType
from typing import Any, TypedDict, TypeGuard, Unpack

from goban.common.arguments import check_kind
from goban.common.excerpts import quoted
from goban.diagrams import diagram, parse_diagram, svg_of
from goban.errors import BadArgumentError, BadBoardError, BadPointError, IllegalMoveError
from goban.moves import PASS, RESIGN, AnyMove, Move, Resign, move_name, move_of
from goban.points import Point, check_size, point_of
from goban.rulesets import (
    COLOUR_NAMES,
    GAME_OVER,
    NO_PASSING,
    NO_RESIGNING,
    OCCUPIED,
    SUICIDE,
    Breach,
    Ending,
    OnRepeat,
    Outcome,
    Repetition,
    RuleSet,
    Scoring,
    opponent,
    ruleset,
    with_komi,
)

# isort: off
from goban.grids import (
    BLACK, WHITE, WHITE_TO_MOVE, Grid, History, Rows, area, board_hash, grid_of, mask_hash, stone_keys, take_colour, take_count,
    take_position,
)  # fmt: skip
# isort: on

# Reading a member of an Enum takes as long as a call of a function.
_SIMPLE_KO, _POSITIONAL, _NOTHING = Repetition.SIMPLE_KO, Repetition.POSITIONAL, OnRepeat.NOTHING
_NOWHERE = 0, 0  # what is known of a placement (its mask, what came out) before any was looked at


class Changes(TypedDict, total=False):
    """What `State.with_` may change; see `State`."""

    rules: RuleSet | str
    komi: float | None
    black: int
    white: int
    empty: int
    to_move: int
    n_move: int
    previous: tuple[int, int]
    captured: int
    last_point: Point | None
    passed: bool
    history: History | None


class State:
    """One position of a game. Immutable: treat every attribute as read-only.

    rules, grid; black, white, empty: masks of the board (`empty` may leave out points that nobody can use); to_move:
    1 or 2; n_move: moves played, passes counted; previous: (black, white) before the last move, the board itself at
    the start; captured: mask of the stones the last move removed; last_point: where the last move placed a stone, or
    None; passed: whether the last move was a pass; history: the situations before, if the rules ask for them.
    """

    __slots__ = (
        "_allowed", "_ending", "_free", "_free_points", "_known_situation", "_leads_to", "_may_repeat", "_past", "_settled",
        "_sound", "_taken", "_winner", "black", "captured", "empty", "grid", "history", "last_point", "n_move", "passed",
        "previous", "rules", "to_move", "white",
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
        self.rules, self.grid = rules, grid
        self.black, self.white, self.empty = black, white, empty
        self.to_move, self.n_move = to_move, n_move
        self.previous = (black, white) if previous is None else previous
        self.captured, self.last_point, self.passed = captured, last_point, passed
        self.history = history
        # False if no placement can bring a board back: under simple ko, only retaking what was just taken does.
        self._may_repeat = bool(captured) or rules.repetition is not _SIMPLE_KO
        self._ending: Ending | None = None
        # Where moves are never counted and a pass is always allowed, only a move itself ends the game.
        self._settled = rules.is_endless
        self._winner: int | None = None
        # Found out when it is first asked for, and kept: see `situation`, and the functions below.
        self._known_situation: int | None = None
        self._past: History | None = None
        self._leads_to = self._taken = _NOWHERE
        self._sound: bool | None = None
        self._free: int | None = None
        self._free_points: list[Point] | None = None
        self._allowed: Point | None = None

    @property
    def size(self) -> int:
        """How many rows and columns the board has."""
        return self.grid.size

    @property
    def komi(self) -> float:
        """The points that White gets for moving second."""
        return self.rules.komi(self.grid.size)

    # What may be played

    def why_illegal(self, move: AnyMove) -> Breach | None:
        """Return the rule that forbids a move, None if it may be played; raises BadPointError for what is no move here."""
        return self._why_illegal(move_of(move, self.grid.size))

    def _why_illegal(self, move: Move) -> Breach | None:
        if (self._ending if self._settled else self.ending) is not None:
            return GAME_OVER
        if move is PASS:
            return None if self.rules.passing else NO_PASSING
        if isinstance(move, Resign):
            return None if self.rules.resigning else NO_RESIGNING
        return self.why_illegal_placement(move)

    def why_illegal_placement(self, point: Point) -> Breach | None:
        """Like `why_illegal` for a point, whether or not the game is over."""
        grid, empty = self.grid, self.empty
        bit = grid.bit.get(point)
        if bit is None:
            raise BadPointError(f"point {point!r} is off the {grid.size}x{grid.size} board")
        if not bit & empty:
            return OCCUPIED
        # Next to an empty point nothing is suicide; of most points that is all there is to ask.
        if not grid.near[bit] & empty and not self.rules.suicide and is_suicide(self, bit):
            return SUICIDE
        breach = _why_repeated(self, bit) if self._may_repeat else None
        if breach is None:
            self._allowed = grid.point[bit]
        return breach

    def is_known_legal(self, answer: object) -> TypeGuard[Point]:
        """Tell whether an answer is the very object of the grid that `why_illegal_placement` found legal last, in a game
        known to go on. False is always safe.
        """
        return answer is self._allowed and answer is not None and self._settled and self._ending is None

    def allows(self, point: Point) -> bool:
        """Tell whether a placement breaks no rule, whether or not the game is over; False for a point off the board."""
        free = placeable(self) if self._free is None else self._free
        bit = self.grid.bit.get(point, 0)
        return bit & free != 0 and not (self._may_repeat and _why_repeated(self, bit))

    def colours(self) -> tuple[int, int]:
        """Return the stones as masks (own, other), seen from the player to move."""
        return (self.black, self.white) if self.to_move == BLACK else (self.white, self.black)

    def placements(self) -> int:
        """Return the mask of the points the player to move may play on, whether or not the game is over."""
        candidates = placeable(self)
        return candidates & ~_repeating(self, candidates)

    def empty_points(self) -> list[Point]:
        """Return the empty points, row by row, as a fresh list."""
        if self._free_points is None:
            self._free_points = self.grid.points_of(self.empty)
        return self._free_points[:]

    def legal_moves(self) -> list[Move]:
        """Return every legal move: points row by row, then pass and resign where the rules have them."""
        if self.is_over:
            return []
        points = self.grid.points_of(self.placements())
        return [*points, *[PASS] * self.rules.passing, *[RESIGN] * self.rules.resigning]

    # Playing

    def play(self, move: AnyMove) -> State:
        """Return the state after a move; raises IllegalMoveError, or BadPointError for what is no point of the board."""
        move = move_of(move, self.grid.size)
        breach = self._why_illegal(move)
        if breach is not None:
            who, name = COLOUR_NAMES[self.to_move], move_name(move, self.grid.size)
            raise IllegalMoveError(f"{who} may not play {name} as move {self.n_move + 1}: {breach}")
        return self.after(move)

    def after(self, move: Move) -> State:
        """Return the state after a move that is known to be legal; the result for an illegal one is undefined."""
        if move is RESIGN:
            return self._resigned()
        return self._passed() if move is None else self._placed(move)

    def _resigned(self) -> State:
        after = State(*self.made_of())
        after._ending, after._winner = Ending.RESIGNATION, opponent(self.to_move)
        return after

    def _passed(self) -> State:
        after = State(
            self.rules, self.grid, self.black, self.white, self.empty, opponent(self.to_move), self.n_move + 1,
            (self.black, self.white), passed=True, history=_past_of(self) if self.rules.needs_history else None,
        )  # fmt: skip
        after._ending = Ending.TWO_PASSES if self.pass_ends else None
        return after

    def _placed(self, point: Point) -> State:
        rules, grid, black, white = self.rules, self.grid, self.black, self.white
        bit = grid.bit[point]
        known = self._taken
        taken = known[1] if known[0] == bit else taken_by(self, bit)
        lost = lost_by(self, bit) if rules.suicide else 0
        if self.to_move == BLACK:
            black_now, white_now, to_move = (black | bit) ^ lost, white ^ taken, WHITE
        else:
            black_now, white_now, to_move = black ^ taken, (white | bit) ^ lost, BLACK
        taken |= lost
        history = (self._past or _past_of(self)) if rules.needs_history else None
        after = State(
            rules, grid, black_now, white_now, self.empty ^ bit | taken, to_move, self.n_move + 1, (black, white), taken, point,
            False, history,
        )  # fmt: skip
        after._sound = self._sound or None
        if self._free_points is not None:
            # On a large board, to take one point out, and put others in, is less work than to list all anew.
            after._free_points = points = self._free_points[:]
            del points[(self.empty & (bit - 1)).bit_count()]
            for stone in grid.singles(taken):
                points.insert((after.empty & (stone - 1)).bit_count(), grid.point[stone])
        if history is not None:
            known = self._leads_to
            situation = after._known_situation = known[1] if known[0] == bit else _situation_after(self, bit)
            if rules.on_repeat is not _NOTHING and _stood(self, situation, positional=True) is not None:
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
        # Where two empty points touch, only a repetition could forbid them.
        return bool((not self._may_repeat and self.grid.adjacent(self.empty) & self.empty) or self.placements())

    @property
    def is_over(self) -> bool:
        """True if no move may be played any more."""
        return (self._ending if self._settled else self.ending) is not None

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while the game is not over."""
        if self.ending is None:
            return None
        black, white = self.scores()
        return Outcome(self.leader() if self._winner is None else self._winner, black, white, self.ending)

    def leader(self) -> int:
        """Return who has more points now: 1 or 2; where they are equal, who wins then by the rules, 0 for nobody."""
        black, white = self.scores()
        return BLACK if black > white else WHITE if white > black else self.rules.tie_winner

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
        """The board's Zobrist hash, 64 bits; see `goban.grids`."""
        return self.situation ^ WHITE_TO_MOVE if self.to_move == WHITE else self.situation

    @property
    def situation(self) -> int:
        """The hash of the board together with the player to move."""
        if self._known_situation is None:
            board = board_hash(self.grid.size, self.black, self.white)
            self._known_situation = board ^ WHITE_TO_MOVE if self.to_move == WHITE else board
        return self._known_situation

    def rows(self) -> Rows:
        """Return the board as fresh lists of 0, 1, 2."""
        return self.grid.rows(self.black, self.white)

    def stone_at(self, point: Point | str) -> int:
        """Return 0, 1 or 2. Raises BadPointError."""
        bit = self._bit(point)
        return BLACK if self.black & bit else WHITE if self.white & bit else 0

    def stones(self, colour: int) -> int:
        """Return the mask of one colour's stones."""
        return self.black if colour == BLACK else self.white

    def group_at(self, point: Point | str) -> tuple[int, int]:
        """Return the masks (stones, liberties) of the group on a point; (0, 0) if it is empty. Raises BadPointError.

        Of a mask, `bit_count()` is the number of points, and `state.grid.points_of(mask)` is a list of them.
        """
        colour = self.stone_at(point)
        stones = self.grid.group(self._bit(point), self.stones(colour)) if colour else 0
        return stones, self.grid.liberties(stones, self.empty)

    def svg(self, width: int = 350, labels: Mapping[Point | str, str] | None = None) -> str:
        """Return a drawing of the board as SVG, `width` pixels wide, the last move marked.

        labels: short texts for points, as {"C3": "1"}. Raises BadPointError, and BadArgumentError for what is no width.
        """
        check_kind(labels, (Mapping, NoneType), 'texts by their points, such as {"C3": "1"}', BadArgumentError)
        named = {point_of(point, self.grid.size): text for point, text in (labels or {}).items()}
        return svg_of(self.rows(), self.last_point, width, named)

    def _repr_svg_(self) -> str:
        """What a notebook shows of it."""
        return self.svg()

    def _bit(self, given: Point | str) -> int:
        return self.grid.bit[point_of(given, self.grid.size)]

    def with_(self, **changes: Unpack[Changes]) -> State:
        """Return this position with other values of these attributes, as if it had been set up so; the size stays.

            state.with_(to_move=WHITE)

        To change stones, give `empty` as well. A resignation is not kept. Raises BadBoardError, and BadPointError for a wrong
        `last_point`.
        """
        fields: dict[str, Any] = dict(zip(_FIELDS, self.made_of(), strict=True))
        fields.update(changes)
        fields["rules"] = with_komi(ruleset(fields["rules"]), self.grid.size, fields.pop("komi", None))
        return State(**fields | take_position(self.grid, fields))

    def learn(self, known: State) -> None:
        """Take over what has been found out about another state, as far as it holds for this one too."""
        if (self.black, self.white) != (known.black, known.white):
            return
        # A point that a student has marked is no liberty.
        if known._sound and not known.empty & ~self.empty:
            self._sound = True
        if known._known_situation is not None:
            turned = self.to_move != known.to_move
            self._known_situation = known._known_situation ^ WHITE_TO_MOVE if turned else known._known_situation

    def made_of(self) -> tuple[Any, ...]:
        """Return what `State(...)` takes to make this position again."""
        return (
            self.rules, self.grid, self.black, self.white, self.empty, self.to_move, self.n_move, self.previous,
            self.captured, self.last_point, self.passed, self.history,
        )  # fmt: skip

    def _key(self) -> tuple[object, ...]:
        past = _past_of(self).entries(self.n_move) if self.rules.needs_history else ()
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

    def __str__(self) -> str:
        return diagram(self.rows(), self.last_point)

    def __repr__(self) -> str:
        return f"<State {self.rules.name} {self.grid.size}x{self.grid.size} after {self.n_move} move{'s' * (self.n_move != 1)}>"


# What `State` takes, in its order.
_FIELDS = (
    "rules", "grid", "black", "white", "empty", "to_move", "n_move", "previous", "captured", "last_point", "passed", "history",
)  # fmt: skip


def new_game(rules: RuleSet | str, size: int | None = None, komi: float | None = None) -> State:
    """Return the empty board with Black to move. rules: a preset's name, or rules of one's own; komi: if it is not theirs.

    Raises BadBoardError for a size outside 2..19 or a komi that is no number, UnknownRuleSetError for a name that is no preset.
    """
    rules = ruleset(rules)
    size = rules.default_size if size is None else size
    check_size(size)
    grid = grid_of(size)
    return State(with_komi(rules, grid.size, komi), grid, 0, 0, grid.full)


def state_from_rows(rules: RuleSet | str, rows: Sequence[Sequence[int]], to_move: int = BLACK, n_move: int = 0) -> State:
    """Return a position set up by hand, as if nothing had happened before; raises BadBoardError for bad rows."""
    to_move, n_move = take_colour(to_move), take_count(n_move)
    check_kind(rows, Iterable, "the rows of a board, such as state.rows()", BadBoardError)
    rows = [*rows]
    for line in rows:
        check_kind(line, Sized, "rows of 0, 1 and 2", BadBoardError)
    grid = grid_of(len(rows))
    empty, black, white = grid.masks(rows)
    if empty | black | white != grid.full:
        row, col = grid.points_of(grid.full & ~(empty | black | white))[0]
        raise BadBoardError(f"row {row}, column {col}: expected 0, 1 or 2, got {quoted(rows[row][col])}")
    rules = ruleset(rules)
    return State(rules, grid, black, white, empty, to_move, n_move)


def state_from_diagram(rules: RuleSet | str, drawing: str, to_move: int = BLACK, n_move: int = 0) -> State:
    """Return a position that is drawn, plainly or as `print(state)` draws it; raises BadBoardError for what is no drawing."""
    check_kind(drawing, str, "a drawn board, such as str(state)", BadBoardError)
    return state_from_rows(rules, parse_diagram(drawing), to_move, n_move)


# Captures and suicide


def is_sound(state: State) -> bool:
    """Tell whether every group has a liberty, as always in play; on a board set up by hand it may be otherwise."""
    if state._sound is None:
        grid, empty = state.grid, state.empty
        state._sound = not grid.dead(state.black, empty) and not grid.dead(state.white, empty)
    return state._sound


def taken_by(state: State, bit: int) -> int:
    """Return the mask of the stones that the player to move takes by a stone on the empty point `bit`."""
    known = state._taken
    if known[0] == bit:
        return known[1]
    grid, empty = state.grid, state.empty
    other = state.white if state.to_move == BLACK else state.black
    # Where all groups have liberties, only those next to the stone can lose their last one.
    sound = state._sound or is_sound(state)
    taken = grid.captured(bit, other, empty) if sound else grid.dead(other, empty ^ bit)
    state._taken = bit, taken
    return taken


def is_suicide(state: State, bit: int) -> bool:
    """Tell whether the player to move would have no liberty with a stone on the empty point `bit`."""
    grid, empty, near = state.grid, state.empty, state.grid.near[bit]
    if near & empty:
        return False
    if not (state._sound or is_sound(state)):
        return grid.is_suicide(bit, *state.colours(), empty)
    own = state.black if state.to_move == BLACK else state.white
    joined = near & own
    if joined:
        beside = grid.adjacent(empty ^ bit)
        if grid.flood(joined | bit, own | bit, beside) & beside:
            return False
    return not taken_by(state, bit)


def lost_by(state: State, bit: int) -> int:
    """Return the mask of the own stones that a stone on the empty point `bit` removes, by a suicide that is allowed."""
    if not state.rules.suicide or not is_suicide(state, bit):
        return 0
    return state.grid.group(bit, state.colours()[0] | bit)


def placeable(state: State) -> int:
    """Return the mask of the empty points that suicide does not forbid to the player to move."""
    if state.rules.suicide:
        return state.empty
    if state._free is None:
        grid, empty = state.grid, state.empty
        # Next to an empty point nothing is suicide, so most points need no closer look.
        free = grid.adjacent(empty) & empty
        state._free = free | sum(bit for bit in grid.singles(empty ^ free) if not is_suicide(state, bit))
    return state._free


# Repetitions


def _why_repeated(state: State, bit: int) -> Breach | None:
    """Return the breach of the repetition rule by a placement at `bit`; None if it is allowed."""
    repetition = state.rules.repetition
    if repetition is _SIMPLE_KO:
        return Breach("ko", state.n_move - 1 if state.n_move else None) if bit & ko_points(state) else None
    situation, positional = _situation_after(state, bit), repetition is _POSITIONAL
    known = (state._past or _past_of(state)).numbers
    # Most placements make a new board, and then there is nothing else to find out.
    if situation not in known and not (positional and situation ^ WHITE_TO_MOVE in known):
        return None
    repeats = _stood(state, situation, positional)
    return None if repeats is None else Breach(repetition.value, repeats)


def _repeating(state: State, candidates: int) -> int:
    """Return those of the points where a placement would break the repetition rule."""
    if state.rules.repetition is _SIMPLE_KO:
        return candidates & ko_points(state)
    return sum(bit for bit in state.grid.singles(candidates) if _why_repeated(state, bit) is not None)


def ko_points(state: State) -> int:
    """Return the mask of the point where simple ko forbids a placement; 0 if there is none."""
    if not state._may_repeat:
        return 0
    own, other = state.colours()
    before = state.previous if state.to_move == BLACK else state.previous[::-1]
    bit = before[0] ^ own
    if bit not in state.grid.near or not bit & state.empty:
        return 0
    taken = taken_by(state, bit)
    return bit if taken and before[1] == other ^ taken else 0


def _situation_after(state: State, bit: int) -> int:
    """Return the situation after a placement at `bit`."""
    known = state._leads_to
    if known[0] == bit:
        return known[1]
    size, own, taken = state.grid.size, state.to_move, taken_by(state, bit)
    situation = state.situation ^ WHITE_TO_MOVE ^ stone_keys(size)[own][bit]
    if taken:
        situation ^= mask_hash(size, opponent(own), taken)
    elif state.rules.suicide and (lost := lost_by(state, bit)):
        situation ^= mask_hash(size, own, lost)
    state._leads_to = bit, situation
    return situation


def _stood(state: State, situation: int, positional: bool) -> int | None:
    """Return after how many moves a situation stood before; `positional`: with either player to move."""
    history = _past_of(state)
    same = history.first(situation, state.n_move + 1)
    if not positional:
        return same
    turned = history.first(situation ^ WHITE_TO_MOVE, state.n_move + 1)
    return min((number for number in (same, turned) if number is not None), default=None)


def _past_of(state: State) -> History:
    """Return the situations up to and including this one (a position set up by hand has no earlier ones)."""
    past = state._past
    if past is None:
        past = state._past = state.history = (state.history or History([])).extend(state.situation, state.n_move)
    return past


def points_on_board(scoring: Scoring, grid: Grid, black: int, white: int) -> tuple[int, int]:
    """Return (Black's, White's) points on the board, komi not included."""
    return area(grid, black, white) if scoring is Scoring.AREA else (black.bit_count(), white.bit_count())
