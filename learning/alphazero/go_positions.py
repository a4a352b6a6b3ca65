"""Positions of 5x5 Go whose exact values are known: files in `positions/`, one for each rule set the solver knows.

    known = read_positions(shipped_path("course"))
    known.states()                 the positions
    known.winners[k], .margins[k]  what comes of each action in the k-th

A file is numpy's .npz with an entry for each array of `KnownPositions`. `python3 -m learning.alphazero truth-set` makes it;
`learning.alphazero.go_position_making` says which positions these are.
"""

from __future__ import annotations

import io
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from common.array_files import one_line, read_arrays
from common.excerpts import quoted, quoted_path
from common.files import read_bounded
from goban.grids import BLACK
from goban.rulesets import ruleset
from goban.states import State
from learning.alphazero.errors import BadPositionSetError
from learning.alphazero.go_games import GoGame

RULES = ("course", "littlego")
SIZE = 5
MOST_MOVES = SIZE * SIZE - 1
ACTIONS = SIZE * SIZE + 1
NO_MOVE = 255
"""In `moves`, after the last one."""
ILLEGAL = 0
"""In `winners`."""
UNKNOWN = -128
"""In `margins`, where nobody has found it out, or the action is not legal."""

BUCKETS = (range(6), range(6, 12), range(12, 18), range(18, 24))
"""Moves that were made before a position, in the parts for which results are given."""

_MOST_BYTES = 2**24


@dataclass(frozen=True, eq=False)
class KnownPositions:
    """Positions of a rule set, n of them, and the exact values of all their actions.

    moves: uint8 (n, 24), the actions that lead to a position from the empty board, then NO_MOVE. from_players: bool (n,),
    whether players made these, or chance. winners: int8 (n, 26), who wins after an action with perfect play, 1 or 2;
    ILLEGAL for what may not be played. margins: int8 (n, 26), Black's stones less White's at the end after an action, komi
    left out, or UNKNOWN.
    """

    rules: str
    moves: npt.NDArray[np.uint8]
    from_players: npt.NDArray[np.bool_]
    winners: npt.NDArray[np.int8]
    margins: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.moves)

    @property
    def game(self) -> GoGame:
        """The game of these positions."""
        return GoGame(ruleset(self.rules), SIZE)

    def n_moves(self) -> npt.NDArray[np.int64]:
        """Return how many moves were made before each position."""
        found: npt.NDArray[np.int64] = (self.moves != NO_MOVE).sum(axis=1)
        return found

    def states(self) -> list[State]:
        """Return the positions; BadPositionSetError if a move of theirs may not be played."""
        game = self.game
        return [self._state(game, number) for number in range(len(self))]

    def _state(self, game: GoGame, number: int) -> State:
        state = game.initial_state()
        for action in self.moves[number]:
            if action == NO_MOVE:
                break
            try:
                state = game.apply_move(state, int(action))
            except ValueError as error:
                raise BadPositionSetError(f"position {number} of a set for {self.rules}: {error}") from error
        return state

    def part(self, which: npt.NDArray[Any]) -> KnownPositions:
        """Return some of the positions; which: numbers, or a mask (n,)."""
        columns = (self.moves, self.from_players, self.winners, self.margins)
        return KnownPositions(self.rules, *(column[which] for column in columns))

    # As the player to move sees it

    def movers(self) -> npt.NDArray[np.int8]:
        """Return who is to move, shape (n,): +1 for Black, -1 for White."""
        return np.where(self.n_moves() % 2 == 0, 1, -1).astype(np.int8)

    def legal(self) -> npt.NDArray[np.bool_]:
        """Return what may be played, shape (n, 26)."""
        found: npt.NDArray[np.bool_] = self.winners != ILLEGAL
        return found

    def wins(self) -> npt.NDArray[np.bool_]:
        """Return after which actions the mover wins, shape (n, 26)."""
        own = np.where(self.movers() == 1, BLACK, 3 - BLACK)
        found: npt.NDArray[np.bool_] = self.winners == own[:, None]
        return found

    def leads(self) -> npt.NDArray[np.float64]:
        """Return by how many stones the mover is ahead after each action, shape (n, 26); NaN where that is unknown."""
        known = np.where(self.margins == UNKNOWN, np.nan, self.margins)
        return known * self.movers()[:, None]


def shipped_path(rules: str) -> Path:
    """Return where the positions of a rule set lie that come with the project, whether or not there are any."""
    return Path(__file__).parent / "positions" / f"{rules}.npz"


def set_bytes(known: KnownPositions) -> bytes:
    """Return positions as their file holds them; the same positions give the same bytes."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **asdict(known))
    return buffer.getvalue()


def read_positions(path: Path) -> KnownPositions:
    """Return the positions in a file; raises BadPositionSetError, which names it, if it cannot be read as such."""
    name = f"positions {quoted_path(path)}"
    try:
        file = read_arrays(read_bounded(path, _MOST_BYTES))
        rules = str(file["rules"])
        known = KnownPositions(rules, *(file[key] for key in ("moves", "from_players", "winners", "margins")))
        count = len(known.moves)
    except Exception as error:  # a text may hold what is no character
        raise BadPositionSetError(f"{name} cannot be read: {getattr(error, 'strerror', None) or one_line(error)}") from error
    if rules not in RULES:
        raise BadPositionSetError(f"{name}: expected rules {' or '.join(RULES)}, got {quoted(rules)}")
    shapes = {"moves": (count, MOST_MOVES), "from_players": (count,), "winners": (count, ACTIONS), "margins": (count, ACTIONS)}
    kinds = {"moves": "uint8", "from_players": "bool", "winners": "int8", "margins": "int8"}
    for key, shape in shapes.items():
        found = getattr(known, key)
        if found.shape != shape or found.dtype != kinds[key]:
            raise BadPositionSetError(f"{name}: {key}: expected {kinds[key]} {shape}, got {found.dtype} {found.shape}")
    return known
