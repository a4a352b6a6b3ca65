"""Rows of states for any game: a list, and a loop over the game's own methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from learning.alphazero.batched_games import Actions, Facts, Observations, Rows, States
from learning.alphazero.complete_games import CompleteGame


class PlainStates:
    """See `learning.alphazero.batched_games.States`."""

    def __init__(self, game: CompleteGame[Any], count: int) -> None:
        self.game = game
        self.rows: list[Any] = [None] * count

    def put(self, row: int, state: Any) -> None:  # noqa: ANN401
        self.rows[row] = state

    def state(self, row: int) -> Any:  # noqa: ANN401
        return self.rows[row]

    def copy(self, source: States, sources: Rows, rows: Rows) -> None:
        if not isinstance(source, PlainStates):
            raise TypeError(f"expected PlainStates to copy from, got {type(source).__name__}")
        for row, state in zip(rows.tolist(), [source.rows[row] for row in sources.tolist()], strict=True):
            self.rows[row] = state

    def play(self, parents: Rows, actions: Actions, rows: Rows) -> None:
        for parent, action, row in zip(parents.tolist(), actions.tolist(), rows.tolist(), strict=True):
            self.rows[row] = self.game.apply_move(self.rows[parent], action)

    def facts(self, rows: Rows) -> Facts:
        game, states = self.game, [self.rows[row] for row in rows.tolist()]
        winners = [game.winner(state) for state in states]
        return Facts(
            np.array([game.legal_mask(state) for state in states], dtype=np.bool_).reshape(-1, game.action_size),
            np.array([game.current_player(state) for state in states], dtype=np.int8),
            np.array([winner is not None for winner in winners], dtype=np.bool_),
            np.array([winner or 0 for winner in winners], dtype=np.int8),
        )

    def encode(self, rows: Rows) -> Observations:
        game = self.game
        planes = np.empty((len(rows), game.num_planes, *game.board_shape), dtype=np.float32)
        for k, row in enumerate(rows.tolist()):
            planes[k] = game.encode(self.rows[row])
        return planes


def states_of(game: CompleteGame[Any], count: int) -> States:
    """Return room for so many states: the game's own rows where it has some."""
    own = game.batched()
    return PlainStates(game, count) if own is None else own.states(count)


def beginnings(game: CompleteGame[Any], count: int) -> States:
    """Return so many games that are about to begin."""
    states = states_of(game, count)
    for row in range(count):
        states.put(row, game.initial_state())
    return states
