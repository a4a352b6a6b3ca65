"""Many states of one game at once, as numbered rows: what searches and self-play work on.

A game that has such rows of its own, compiled, returns their maker from `batched()`; for all others there are
`learning.alphazero.plain_states`. Arrays of rows hold int64. No row may be named twice in one call, but for rows to copy from.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int64]
Actions = npt.NDArray[np.int64]
Observations = npt.NDArray[np.float32]
"""States as a network sees them: shape (rows, num_planes, height, width)."""


class Facts(NamedTuple):
    """What a search asks of states; entry k of each array is about the k-th row asked for."""

    legal: npt.NDArray[np.bool_]
    """Shape (rows, action_size); nothing is legal where the game is over."""
    players: npt.NDArray[np.int8]
    """+1 or -1."""
    over: npt.NDArray[np.bool_]
    results: npt.NDArray[np.int8]
    """+1, -1 or 0 for a draw; 0 where the game goes on."""


class States(Protocol):
    """States of one game in rows 0 to count - 1; what a row holds that nothing was put into is undefined."""

    def put(self, row: int, state: Any) -> None:  # noqa: ANN401
        """Write a state of the game into a row."""

    def state(self, row: int) -> Any:  # noqa: ANN401
        """Return a row as a state of the game, whose past may be missing."""

    def copy(self, source: States, sources: Rows, rows: Rows) -> None:
        """Copy rows of another object of the same kind; a row may be copied more than once."""

    def play(self, parents: Rows, actions: Actions, rows: Rows) -> None:
        """Write into each row what follows from an action, known to be legal, in its parent.

        A row may be its own parent, but no other row's; several rows may have one parent.
        """

    def facts(self, rows: Rows) -> Facts:
        """Return what is legal in these rows, who is to move, and how the games stand."""

    def encode(self, rows: Rows) -> Observations:
        """Return these rows as planes."""


class BatchedGame(Protocol):
    """What makes a game's own rows."""

    def states(self, count: int) -> States:
        """Return room for so many states."""
