"""Opponents that bring players, searches or networks with them, imported by `golearn.environments.opponents` on request.

    PlayerOpponent        any player of `players.registry`, asked about one game at a time
    PerfectOpponent       the solver, asked in the same way; it needs numba
    MonteCarloOpponent    tree search, asked in the same way; it needs numba
    NetworkOpponent       a network's file: all games in one call
"""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from go import GO
from goban.errors import GobanError
from goban.grids import BLACK, WHITE
from goban.kernels.environments.batch_boards import COLOUR, KO, LIMIT, PASSED
from goban.montecarlo.pattern_sets import DEFAULT, table_of
from goban.montecarlo.trees import Budget, Tree, TreeSettings, grow_for
from goban.moves import Move, Resign, read_answer
from goban.solver.alphabeta.boards import check_state
from goban.solver.errors import UnsupportedGameError
from goban.solver.solver import LastMoves, Solver, perfect_moves
from goban.states import State, new_game
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_games import PLANES, GoGame
from golearn.alphazero.weights import NumpyNetwork, read_weights
from golearn.environments.batches import Chances, GoBatch, Rows
from golearn.environments.settings import Settings
from golearn.errors import ActionError, BadWeightsError, SettingError
from players.registry import make_player


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


class _AskedOpponent(ABC):
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


class PlayerOpponent(_AskedOpponent):
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


# The least a solver takes: it is emptied for every position, and emptying a large one takes longer than most answers.
_SOLVER_MIB = 16
_TREE_MIB = 64
_EXACT = 12


class PerfectOpponent(_AskedOpponent):
    """Plays as `players.perfect_player` does; raises SettingError for games that cannot be solved."""

    def __init__(self, seed: int, settings: Settings) -> None:
        super().__init__(seed)
        try:
            check_state(new_game(settings.rules, settings.size))
        except UnsupportedGameError as error:
            raise SettingError(f"perfect: {error}") from None
        self._solver = Solver(_SOLVER_MIB)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the solver, which knows nothing between two answers."""
        return {name: value for name, value in vars(self).items() if name != "_solver"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._solver = Solver(_SOLVER_MIB)

    def answer(self, state: State, word: int) -> Move:
        """Return one of the moves that are equally good."""
        self._solver.forget()
        moves = perfect_moves(state, self._solver)
        return moves[(word >> 32) * len(moves) >> 32]


class MonteCarloOpponent(_AskedOpponent):
    """Plays as `players.montecarlo_player` does with so many simulations and a new tree for every move."""

    def __init__(self, seed: int, simulations: int) -> None:
        super().__init__(seed)
        self._budget = Budget(simulations)
        self._make_searches()

    def _make_searches(self) -> None:
        self._last_moves, self._tree = LastMoves(_EXACT, time.monotonic), Tree(TreeSettings(table_of(DEFAULT), _TREE_MIB))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the searches, which know nothing between two answers."""
        return {name: value for name, value in vars(self).items() if name not in ("_last_moves", "_tree")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_searches()

    def answer(self, state: State, word: int) -> Move:
        """Return a move that wins for certain, else the one that most games went through."""
        exact = self._last_moves.winning_moves(state, None)
        if exact:
            return exact[0]
        self._tree.stand(state, reuse=False)
        grow_for(self._tree, word, self._budget, time.monotonic, 0.0)
        return self._tree.best()


class NetworkOpponent:
    """Plays the legal action that a network holds for best, as the player `zero` does without search.

    Raises SettingError for a file that is none, and for one for boards of another size.
    """

    def __init__(self, path: str, settings: Settings) -> None:
        try:
            weights = read_weights(path)
            weights.check_game(CompleteGame(GoGame(settings.rules, settings.size)))
        except OSError as error:
            raise SettingError(f"opponent: {path}: {error.strerror or error}") from None
        except BadWeightsError as error:
            raise SettingError(f"opponent: {error}") from None
        self._network = NumpyNetwork(weights)

    def choose(self, batch: GoBatch, rows: Rows) -> npt.NDArray[np.int64]:
        """Return an action for each of these games."""
        logits, _ = self._network(_planes_of(batch, rows))
        best: npt.NDArray[np.int64] = np.where(batch.legal_action_mask[rows], logits, -np.inf).argmax(axis=1)
        return best


def _planes_of(batch: GoBatch, rows: Rows) -> npt.NDArray[np.float32]:
    """Return `PLANES` of these games, none of which is over."""
    size, boards, points = batch.settings.size, batch.arrays.boards[rows], batch.table[4][:-1]
    black, steps, limit = batch.colour[rows, None] == 0, batch.step_count[rows, None], boards[:, LIMIT, None]
    owners, last = boards[:, points] >> COLOUR, batch.arrays.log[rows, steps[:, 0] - 1, None]
    planes = np.empty((len(rows), len(PLANES), size * size), dtype=np.float32)
    planes[:, 0] = owners == np.where(black, BLACK, WHITE)
    planes[:, 1] = owners == np.where(black, WHITE, BLACK)
    planes[:, 2] = points == boards[:, KO, None]
    planes[:, 3] = (np.arange(size * size) == last) & (steps > 0)
    planes[:, 4] = boards[:, PASSED, None]
    planes[:, 5] = black
    planes[:, 6] = (limit.astype(np.float64) - steps) / limit
    planes[:, 7] = 1
    return planes.reshape(len(rows), len(PLANES), size, size)
