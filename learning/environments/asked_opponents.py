"""Players that are asked about one game at a time."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from go import GO
from goban.errors import GobanError
from goban.moves import Move, Resign, read_answer
from goban.states import State
from learning.environments.batches import Chances, GoBatch, Rows
from learning.environments.errors import ActionError
from learning.environments.positions import Positions
from players.registry import make_player


class AskedOpponent(ABC):
    """Answers from a position and a random word alone, so a game does not depend on those beside it."""

    def __init__(self, seed: int) -> None:
        self._chances, self._positions = Chances(seed), Positions()

    @abstractmethod
    def answer(self, state: State, word: int) -> Move:
        """Return a move; raises ActionError if there is none to be had. word: 64 random bits."""

    def choose(self, batch: GoBatch, rows: Rows) -> npt.NDArray[np.int64]:
        """Return an action for each of these games; raises ActionError, which names the game."""
        words = self._chances.words(rows).tolist()
        actions = [self._action(batch, row, word) for row, word in zip(rows.tolist(), words, strict=True)]
        return np.array(actions, dtype=np.int64)

    def _action(self, batch: GoBatch, row: int, word: int) -> int:
        try:
            move = self.answer(self._positions.of(batch, row), word)
        except ActionError as error:
            raise ActionError(f"game {row}: {error}") from None
        if isinstance(move, Resign):
            raise ActionError(f"game {row}: a resignation is no action")
        size = batch.settings.size
        return size * size if move is None else move[0] * size + move[1]


class PlayerOpponent(AskedOpponent):
    """A player of `players.registry`. One plays in all games at once, so what it keeps of a game is of no use to it.

    Raises BadPlayerError.
    """

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(seed)
        self._name, self._rng = name, random.Random(seed)
        self._player = make_player(name, self._rng)

    def answer(self, state: State, word: int) -> Move:
        """Show the position to the player; raises ActionError for an answer that is no move."""
        go = GO(state.grid.size, state.rules)
        go.adopt_state(state)
        self._rng.seed(word)
        try:
            return read_answer(self._player.get_input(go, state.to_move), state.grid.size)
        except GobanError as error:
            raise ActionError(f"{self._name} gave no move: {error}") from None
