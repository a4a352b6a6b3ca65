"""perfect and montecarlo: the solver and the tree search, asked about one position after the other. They need numba."""

from __future__ import annotations

import time
from typing import Any

from goban.moves import Move
from goban.states import State, new_game
from learning.environments.asked_opponents import AskedOpponent
from learning.environments.errors import SettingError
from learning.environments.settings import Settings
from search.alphabeta.boards import check_state
from search.errors import UnsupportedGameError
from search.montecarlo.last_moves import LastMoves
from search.montecarlo.pattern_sets import DEFAULT, table_of
from search.montecarlo.thinking import Budget, grow_for
from search.montecarlo.trees import Tree, TreeSettings
from search.solver import Solver
from search.strategy import perfect_moves

# The least a solver takes: it is emptied for every position, and emptying a large one takes longer than most answers.
_SOLVER_MIB = 16
_TREE_MIB = 64
_EXACT = 12


class PerfectOpponent(AskedOpponent):
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


class MonteCarloOpponent(AskedOpponent):
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
