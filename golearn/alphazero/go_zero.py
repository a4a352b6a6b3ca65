"""zero: what a trained network holds for best, or a search with it; needs numpy, for a search in good time also numba.

    zero                                  the network alone: the move with the highest number
    zero:simulations=64                   Gumbel AlphaZero without chance, so many positions looked at for a move
    zero:network=go7.npz,simulations=64   with a network of one's own

A network plays on boards of its own size, under any rules; it plays well under those it has learnt. The one that comes with the
project, `networks/go5.npz`, has learnt `course` on 5x5. The same position gets the same move.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from goban.rulesets import RuleSet
from goban.states import State, new_game
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.weights import NumpyNetwork, read_weights
from golearn.errors import BadWeightsError
from players.errors import BadPlayerError
from players.host import Answer, Host, position_with_last_move
from players.registry import tell_compilation

SHIPPED = Path(__file__).parent / "networks" / "go5.npz"
"""The network that comes with the project."""
SUBMISSION = {"my_player.py": Path(__file__).with_name("go_submission.py"), "my_player_network.npz": SHIPPED}
"""What is handed in: name -> of what it is a copy."""

_FEW = 4
"""Simulations for which all of a search is compiled: some of them go on from the first ones."""


class ZeroPlayer:
    """Plays by a network. Raises BadPlayerError for a file that holds none, and BadWeightsError on a board of another size."""

    type = "zero"

    def __init__(self, network: str = str(SHIPPED), simulations: int = 0) -> None:
        """network: a file, as `python3 -m golearn.alphazero export` writes it. simulations: 0 for no search."""
        if simulations < 0:
            raise BadPlayerError(f"simulations: expected 0 or more, got {simulations}")
        try:
            self._weights = read_weights(network)
        except OSError as error:
            raise BadPlayerError(f"network: {network}: {error.strerror or error}") from None
        except BadWeightsError as error:
            raise BadPlayerError(f"network: {error}") from None
        self._network, self._simulations = NumpyNetwork(self._weights), simulations
        self._games: dict[tuple[RuleSet, int], GoGame] = {}

    @staticmethod
    def check_game(rules: RuleSet, size: int, **options: Any) -> None:  # noqa: ANN401
        """Raise BadPlayerError for boards of which the network says nothing; options: as when it is made."""
        try:
            ZeroPlayer(**options)._game_of(rules, size)
        except BadWeightsError as error:
            raise BadPlayerError(str(error)) from None

    def prepare(self, rules: RuleSet, size: int) -> None:
        """Compile its search, if it has one."""
        if self._simulations:
            # Of a network that is none for the game it is said when it is asked for a move.
            with suppress(BadWeightsError), tell_compilation(self.type):
                game = self._game_of(rules, size)
                self._search(game, new_game(rules, size), _FEW)

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point, or "PASS"."""
        state = position_with_last_move(go, piece_type)
        game = self._game_of(state.rules, state.grid.size)
        # Where the rules have no end the search's have one, and behind it there is nothing to search.
        searching = self._simulations > 0 and state.n_move < game.max_plies
        action = self._search(game, state, self._simulations) if searching else self._best(game, state)
        return "PASS" if action == game.pass_action else divmod(action, game.size)

    def _game_of(self, rules: RuleSet, size: int) -> GoGame:
        if (rules, size) not in self._games:
            own = self._weights.architecture
            if (own.height, own.width) != (size, size):
                raise BadWeightsError(f"expected a board of {own.height}x{own.width}, as the network is for, got {size}x{size}")
            game = GoGame(rules, size)
            self._weights.check_game(CompleteGame(game))
            self._games[rules, size] = game
        return self._games[rules, size]

    def _best(self, game: GoGame, state: State) -> int:
        logits, _ = self._network(game.encode(state)[None])
        return max(game.legal_moves(state), key=logits[0].__getitem__, default=game.pass_action)

    def _search(self, game: GoGame, state: State, simulations: int) -> int:
        # They bring numba with them, which takes longer to import than the network takes for a game.
        from golearn.alphazero.planners import GumbelPlanner, on_observations

        complete = CompleteGame(game)
        states = complete.states(1)
        states.put(0, state.with_(rules=game.rules))
        planner = GumbelPlanner(complete, on_observations(self._network), simulations)
        return int(planner.plan(states, np.zeros(1, np.int64)).actions[0])
