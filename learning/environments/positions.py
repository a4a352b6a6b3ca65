"""The games of a batch as states of `goban`, for players that are asked one game at a time."""

from __future__ import annotations

from goban.states import State, new_game
from learning.environments.batches import GoBatch
from learning.environments.settings import Settings


class Positions:
    """Keeps the states it has made: the next one of a game is a move or two further on, not the whole game again."""

    def __init__(self) -> None:
        self._settings: Settings | None = None
        self._known: dict[int, tuple[list[int], State]] = {}

    def of(self, batch: GoBatch, row: int) -> State:
        """Return the position of a game that goes on, as `batch.rows(row)` does."""
        if batch.settings is not self._settings:
            self._settings, self._known = batch.settings, {}
        actions, size = batch.actions_of(row), batch.settings.size
        known, state = self._known.get(row, ([], None))
        if state is None or actions[: len(known)] != known:
            known, state = [], new_game(batch.settings.rules, size)
        for action in actions[len(known) :]:
            state = state.after(None if action == size * size else divmod(action, size))
        self._known[row] = actions, state
        return state
