"""The players of `players.registry` as players of a Go game of the pipeline."""

from __future__ import annotations

import random

from common.excerpts import error_line
from go import GO
from goban.errors import BadAnswerError
from goban.moves import PASS, read_answer
from goban.states import State
from learning.alphazero.errors import UnknownPlayerError, WrongAnswerError
from learning.alphazero.go_games import GoGame
from players.errors import BadPlayerError
from players.registry import check_game, make_player


class GoPlayer:
    """One player, by its name in the registry. Raises UnknownPlayerError if there is none, or none that plays this game.

    It may remember what it was asked before, as in a game, so the same answers come of the same questions in the same order.
    """

    def __init__(self, game: GoGame, name: str, seed: str) -> None:
        """seed: of the player's own chance."""
        self.game, self.name = game, name
        try:
            check_game(name, game.rules, game.size)
            self._player = make_player(name, random.Random(seed))
        except BadPlayerError as error:
            raise UnknownPlayerError(str(error)) from error

    def action(self, state: State) -> int:
        """Return the action it plays; WrongAnswerError for an answer that is none or may not be played."""
        # A view of its own: the player may write into it.
        view = GO(self.game.size, self.game.rules)
        GO.adopt_state(view, state)
        try:
            move = read_answer(self._player.get_input(view, state.to_move), self.game.size)
        except BadAnswerError as error:
            raise WrongAnswerError(f"player {self.name!r}: {error}") from None
        except Exception as error:
            raise WrongAnswerError(f"player {self.name!r} failed: {error_line(error)}") from error
        action = self.game.pass_action if move is PASS else self._point(move)
        if action not in self.game.legal_moves(state):
            raise WrongAnswerError(f"player {self.name!r} may not play {self.game.action_name(action)} here")
        return action

    def _point(self, move: object) -> int:
        if not isinstance(move, tuple):
            raise WrongAnswerError(f"player {self.name!r} resigned, which nobody may here")
        return self.game.size * int(move[0]) + int(move[1])
