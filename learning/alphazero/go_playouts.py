"""Go positions judged by playouts: what a search without a network can be told, to compare with."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels.patterns.pattern_games import play_patterns
from kernels.patterns.tables import make_tables
from learning.alphazero.errors import SearchRequestError
from learning.alphazero.evaluators import Evaluation
from learning.alphazero.games import CompleteGame, Rows, States
from learning.alphazero.go_games import GoGame
from learning.alphazero.go_states import GoStates
from search.montecarlo.pattern_sets import GNUGO_DEFAULT, table_of


class PatternPlayouts:
    """The mean result of playouts by 3x3 patterns from each position; all actions alike. For the rows of a `GoGame`.

    The same position gets the same playouts, whatever beside it. Superko is not looked at in them. Raises SearchRequestError
    for another game, BadPatternError or OSError for patterns that cannot be used.
    """

    def __init__(self, game: CompleteGame[Any], playouts: int, seed: int, patterns: str = GNUGO_DEFAULT) -> None:
        """patterns: a built-in set or a file, see `search.montecarlo.pattern_sets`."""
        if not isinstance(game.game, GoGame):
            raise SearchRequestError(f"expected a game of Go for playouts by patterns, got {type(game.game).__name__}")
        self.game, self.playouts, self.seed = game.game, playouts, seed
        self._tables = make_tables(self.game.size, table_of(patterns).values)

    def __call__(self, states: States, rows: Rows) -> Evaluation:
        if not isinstance(states, GoStates):
            raise TypeError(f"expected GoStates, got {type(states).__name__}")
        values = np.array([self._value(states, row) for row in rows.tolist()])
        return np.zeros((len(rows), self.game.action_size), np.float32), values

    def _value(self, states: GoStates, row: int) -> float:
        state = states.state(row)
        # What has been placed and who is to move decide about chance.
        played = play_patterns(state, self._tables, self.playouts, self.seed ^ state.situation)
        return float(np.sign(played.scores - self.game.komi).mean()) * self.game.current_player(state)
