"""Go under any rule set, as a game for the pipeline. Actions are the points, row by row, then the pass.

    name            rules               board   the game ends, besides by its rules
    go              alphago7            7x7     after 3 * N * N moves; then the board is counted as it is
    go-komi9.5      the same, with a komi of 9.5 points: with perfect play White wins this one, and Black the other
    go5             course              5x5
    go5-littlego    littlego            5x5
    go9             tromp-taylor-pgx    9x9

States are `goban` states. The planes show all that the rules ask of a position, but for one thing: under `tromp-taylor-pgx`
who repeats an earlier board has lost, and earlier boards are in no plane.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from goban.grids import BLACK, Grid, grid_of, owned
from goban.moves import PASS, Move, move_name
from goban.points import parse_vertex
from goban.rulesets import Breach, RuleSet, Scoring, ruleset
from goban.states import State, ko_points, new_game
from golearn.alphazero.games import Symmetry, board_symmetries, check_range
from golearn.errors import IllegalActionError

if TYPE_CHECKING:
    from golearn.alphazero.go_states import GoStates

PLANES = (
    "own stones", "opponent's stones", "where ko forbids a placement", "the last placement", "a pass would end the game",
    "Black is to move", "share of the moves that is left", "ones",
)  # fmt: skip

MOVES_PER_POINT = 3
"""After so many moves for each point a game ends whose rules have no limit."""


class GoGame:
    """Go under a rule set, but that nobody resigns or kills stones of their own.

    size: the rules' own unless given (BadBoardError outside 2..19).
    """

    num_planes = len(PLANES)
    players = "golearn.alphazero.go_positions:GoPlayer"

    def __init__(self, rules: RuleSet, size: int | None = None) -> None:
        self.size = rules.default_size if size is None else size
        self.grid: Grid = grid_of(self.size)
        if rules.max_move(self.size) is None:
            rules = replace(rules, limit_per_point=MOVES_PER_POINT)
        self.rules = replace(rules, resigning=False, suicide=False)
        self.max_plies = self.rules.max_move(self.size) or 0
        self.board_shape = (self.size, self.size)
        self.pass_action = self.size * self.size
        self.action_size = self.pass_action + 1
        self.komi = self.rules.komi(self.size)

    def initial_state(self) -> State:
        return new_game(self.rules, self.size)

    def current_player(self, state: State) -> int:
        return 1 if state.to_move == BLACK else -1

    def move_of(self, action: int) -> Move:
        """Return an action as a move of `goban`; IllegalActionError for a number that is none."""
        check_range(action, self.action_size)
        return PASS if action == self.pass_action else divmod(action, self.size)

    def legal_moves(self, state: State) -> list[int]:
        if state.is_over:
            return []
        points = [self.size * i + j for i, j in self.grid.points_of(state.placements())]
        return [*points, self.pass_action] if self.rules.passing else points

    def apply_move(self, state: State, action: int) -> State:
        move = self.move_of(action)
        breach: Breach | str | None = "the state is terminal" if state.is_over else state.why_illegal(move)
        if breach is not None:
            raise IllegalActionError(f"action {action} ({move_name(move, self.size)}) may not be played: {breach}")
        return state.after(move)

    def is_terminal(self, state: State) -> bool:
        return state.is_over

    def winner(self, state: State) -> int | None:
        outcome = state.outcome
        return None if outcome is None else (0, 1, -1)[outcome.winner]

    def margin(self, state: State) -> int:
        """Return Black's points less White's, komi left out."""
        black, white = state.points()
        return black - white

    def ownership(self, state: State) -> npt.NDArray[np.int8]:
        black, white = state.black, state.white
        if self.rules.scoring is Scoring.AREA:
            black, white = owned(self.grid, black, white)
        return self._flags(black).astype(np.int8) - self._flags(white).astype(np.int8)

    def _flags(self, mask: int) -> npt.NDArray[np.bool_]:
        found = np.zeros(self.board_shape, dtype=np.bool_)
        for i, j in self.grid.points_of(mask):
            found[i, j] = True
        return found

    def encode(self, state: State) -> npt.NDArray[np.float32]:
        """Return `PLANES`."""
        planes = np.zeros((self.num_planes, *self.board_shape), dtype=np.float32)
        own, other = state.colours()
        last = 0 if state.last_point is None else self.grid.bit[state.last_point]
        for plane, mask in enumerate((own, other, ko_points(state), last)):
            planes[plane] = self._flags(mask)
        planes[4] = state.pass_ends
        planes[5] = state.to_move == BLACK
        planes[6] = (self.max_plies - state.n_move) / self.max_plies
        planes[7] = 1
        return planes

    def symmetries(self) -> list[Symmetry]:
        return board_symmetries(self.size, others=1)

    def states(self, count: int) -> GoStates:
        # Brings numba with it, which a player without search has no use for.
        from golearn.alphazero.go_states import GoStates

        return GoStates(self.rules, self.size, self.num_planes, count)

    def action_name(self, action: int) -> str:
        """Return 'B4' or 'pass'."""
        return move_name(self.move_of(action), self.size)

    def parse_action(self, text: str) -> int:
        """Return the action of 'B4' or 'pass'; BadPointError for any other text."""
        point = parse_vertex(text, self.size)
        return self.pass_action if point is None else self.size * point[0] + point[1]

    def __str__(self, state: State) -> str:  # type: ignore[override]
        return "\n".join(" ".join(".XO"[stone] for stone in row) for row in state.rows())


def go_game(preset: str, size: int, komi: float | None = None) -> GoGame:
    """Return Go under a preset's rules, with another komi if one is given."""
    rules = ruleset(preset)
    return GoGame(rules if komi is None else replace(rules, fixed_komi=komi), size)
