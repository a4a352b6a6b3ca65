"""The players behind an engine: one for each colour, made from one name and one seed.

A player may have more than `get_input`, all of it optional:

    set_seconds(seconds)          for its next moves; None if there is no limit
    set_level(level)              how strong it is to be, 10 for as strong as it was made
    set_only(moves)               choose the next move from these
    candidates(state, stopped)    as `search.candidates.Analyst`
    found()                       the candidates behind its last answer
    resigns()                     whether it would rather resign than make it
"""

from __future__ import annotations

import random
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from common.excerpts import printable
from common.player_faults import fault_words
from go import GO
from goban.errors import GtpError
from goban.game import judge_answer
from goban.grids import BLACK, WHITE
from goban.moves import Move, Resign
from goban.rulesets import RuleSet
from goban.states import State
from players.errors import BadPlayerError
from players.gtp_engine.clocks import Clocks
from players.registry import PlayerMaker, prepare_player

if TYPE_CHECKING:
    from search.candidates import Analyst, Candidates, Moves

USUAL_LEVEL = 10


class Seats:
    """Asks a player for a move. With the same seed the same moves as in `go_play.py`, whichever colour it plays there.

    Raises BadPlayerError if no player can be made from the name.
    """

    def __init__(self, name: str, seed: int, level: int = USUAL_LEVEL) -> None:
        self.name = printable(name, 200)
        self._made_from = name
        self._views: dict[int, GO] = {}
        self._level = level
        self.clocks = Clocks()
        self._preparation: threading.Thread | None = None
        self._faults: list[BaseException] = []
        self.seat(seed)

    def seat(self, seed: int) -> None:
        """Make the players anew; from now on they draw from this seed."""
        self.seed = seed
        # Visiting players draw from the global generators.
        random.seed(seed)
        colours = {BLACK: random.Random(f"{seed} 0"), WHITE: random.Random(f"{seed} 1")}
        self._makers = {colour: PlayerMaker(self._made_from, rng) for colour, rng in colours.items()}
        self._players = {colour: maker.next_player() for colour, maker in self._makers.items()}
        self._have_played = False
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % 2**32)
        self.set_level(self._level)

    def begin(self, rules: RuleSet, size: int) -> None:
        """Begin another game: each player is handed a new GO, and the same one until the next game.

        One of a file is another object then. Raises GtpError if it cannot be made any more. What the players need is compiled
        in a thread; whoever asks them calls `wait_until_ready` first.
        """
        self._views.clear()
        if self._have_played:
            try:
                self._players = {colour: maker.next_player() for colour, maker in self._makers.items()}
            except BadPlayerError as error:
                raise GtpError(str(error)) from error
            self.set_level(self._level)
            self._have_played = False
        self.clocks.restart()
        preparation = threading.Thread(target=self._prepare, args=(self._preparation, rules, size), daemon=True)
        self._preparation = preparation
        preparation.start()

    def _prepare(self, before: threading.Thread | None, rules: RuleSet, size: int) -> None:
        if before is not None:
            before.join()
        try:
            for player in list(self._players.values()):
                prepare_player(self._made_from, player, rules, size)
        except Exception as fault:
            self._faults.append(fault)

    @property
    def is_ready(self) -> bool:
        """False while something is compiled for the players."""
        return self._preparation is None or not self._preparation.is_alive()

    def wait_until_ready(self) -> None:
        """Wait until all is compiled; raises what went wrong."""
        if self._preparation is not None:
            self._preparation.join()
            self._preparation = None
        if self._faults:
            raise self._faults.pop()

    def set_level(self, level: int) -> None:
        """Let the players be as strong as they were made at level 10, or weaker or stronger, if they know levels."""
        self._level = level
        for player in self._players.values():
            self._tell(player, "set_level", level)

    def analyst(self) -> Analyst | None:
        """Return the player as an analyst, None if it is none."""
        player: Any = self._players[BLACK]
        return player if callable(getattr(player, "candidates", None)) else None

    def found(self, colour: int) -> Candidates:
        """Return what is behind the last answer of a player, () where nothing is known."""
        player: Any = self._players[colour]
        return player.found() if self.analyst() is not None else ()

    def resigns(self, colour: int) -> bool:
        """Tell whether a player would rather resign than make its last move."""
        asked = getattr(self._players[colour], "resigns", None)
        return bool(asked()) if callable(asked) else False

    def choose_from(self, colour: int, moves: Moves) -> None:
        """Let a player choose its next move from these alone; raises GtpError if it does not know how."""
        if not callable(getattr(self._players[colour], "set_only", None)):
            raise GtpError(f"expected no avoid or allow: {self.name} chooses from all moves")
        self._tell(self._players[colour], "set_only", moves)

    @staticmethod
    def _tell(player: object, method: str, value: float | Moves | None) -> None:
        known = getattr(player, method, None)
        if callable(known):
            known(value)

    def ask(self, state: State) -> Move:
        """Return the move of the player whose turn it is; raises GtpError if it has none, or none that may be played.

        It may resign under all rules.
        """
        started, complaint = time.monotonic(), ""
        for _ in range(1 + state.rules.asked_again):
            move, complaint, _ = judge_answer(self._answer(state), state)
            if not complaint or isinstance(move, Resign):
                self.clocks.spend(state.to_move, time.monotonic() - started)
                return move
        raise GtpError(f"{self.name}: {complaint}")

    def _answer(self, state: State) -> object:
        colour, self._have_played = state.to_move, True
        if colour not in self._views:
            self._views[colour] = GO(state.grid.size, state.rules)
        view = self._views[colour]
        # Not view.adopt_state(): the player may have replaced what is on the view.
        GO.adopt_state(view, state)
        self._tell(self._players[colour], "set_seconds", self.clocks.seconds(colour, _moves_to_come(state)))
        try:
            return self._players[colour].get_input(view, colour)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise GtpError(f"{self.name}: {fault_words(error)}") from error


def _moves_to_come(state: State) -> int:
    """Return how many moves the player to move will make in the rest of the game, as games of people go."""
    points = state.grid.size**2
    return max(3 * points // 4 - state.n_move, points // 5) // 2 + 1
