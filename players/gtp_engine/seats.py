"""The players behind an engine: one for each colour, made from one name and one seed."""

from __future__ import annotations

import random
import sys

from common.excerpts import error_line, printable
from go import GO
from goban.errors import GtpError
from goban.game import judge_answer
from goban.grids import BLACK, WHITE
from goban.moves import Move, Resign
from goban.states import State
from players.registry import make_player


class Seats:
    """Asks a player for a move. With the same seed the same moves as in `go_play.py`, whichever colour it plays there.

    Raises BadPlayerError if no player can be made from the name.
    """

    def __init__(self, name: str, seed: int) -> None:
        self.name = printable(name, 200)
        self._made_from = name
        self._views: dict[int, GO] = {}
        self.seat(seed)

    def seat(self, seed: int) -> None:
        """Make the players anew; from now on they draw from this seed."""
        self.seed = seed
        # Visiting players draw from the global generators.
        random.seed(seed)
        colours = {BLACK: random.Random(f"{seed} 0"), WHITE: random.Random(f"{seed} 1")}
        self._players = {colour: make_player(self._made_from, rng) for colour, rng in colours.items()}
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % 2**32)

    def begin(self) -> None:
        """Begin another game: each player is handed a new GO, and the same one until the next game."""
        self._views.clear()

    def ask(self, state: State) -> Move:
        """Return the move of the player whose turn it is; raises GtpError if it has none, or none that may be played.

        It may resign under all rules.
        """
        complaint = ""
        for _ in range(1 + state.rules.asked_again):
            move, complaint, _ = judge_answer(self._answer(state), state)
            if not complaint or isinstance(move, Resign):
                return move
        raise GtpError(f"{self.name}: {complaint}")

    def _answer(self, state: State) -> object:
        colour = state.to_move
        if colour not in self._views:
            self._views[colour] = GO(state.grid.size, state.rules)
        view = self._views[colour]
        # Not view.adopt_state(): the player may have replaced what is on the view.
        GO.adopt_state(view, state)
        try:
            return self._players[colour].get_input(view, colour)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise GtpError(f"{self.name}: {error_line(error)}") from error
