"""The players behind an engine: one for each colour, made from one name and one seed.

A player may have more than `get_input`, all of it optional:

    set_seconds(seconds)          for its next moves; None if there is no limit
    set_level(level)              how strong it is to be, 10 for as strong as it was made
    set_only(moves)               choose the next move from these
    candidates(state, stopped)    as `goban.solver.candidates.Analyst`
    found()                       the candidates behind its last answer
    resigns()                     whether it would rather resign than make it

How long a player may think about its next move follows from what a controller says of clocks:

    time_settings 300 30 5              five minutes, then 30 seconds for every five moves
    time_settings 0 1 0                 no limit: byo-yomi time without stones
    kgs-time_settings byoyomi 300 30 5  five minutes, then five periods of 30 seconds, each used up by the move that exceeds it
    kata-time_settings fischer 60 5     a minute, and 5 seconds more after every move
    time_left b 12.5 2                  12.5 seconds for two more moves, or of the first of two periods; with 0, of main time

OGS's bridge sends Fischer time as `canadian`, main time less the addition, the addition, one stone; then more time may be left
for the stone than its period has, and that is how it is told. Something of every answer is kept for the way to the server,
whose clock goes on. Where the controller does not say what is left, the time that answers took is counted, with that added.

Source: https://www.gokgs.com/help/timesystems.html and the GTP documents of KGS and KataGo.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from go import GO
from goban.common.excerpts import printable
from goban.common.player_faults import fault_words
from goban.errors import GtpError
from goban.game import judge_answer
from goban.grids import BLACK, WHITE
from goban.moves import Move, Resign
from goban.rulesets import RuleSet
from goban.states import State
from players.errors import BadPlayerError
from players.registry import PlayerMaker, prepare_player

if TYPE_CHECKING:
    from goban.solver.candidates import Analyst, Candidates, Moves


_LEAST = 0.01
"""Seconds that a player is allowed when none are left: it must move all the same."""
_LEAST_KEPT, _MOST_KEPT = 0.25, 0.5


@dataclass(frozen=True)
class TimeSystem:
    """What both colours begin with. All times in seconds.

    main: before anything else. period: of byo-yomi, with `stones` to play in it or, for `japanese` byo-yomi, with as many
    periods. increment: added after every move. most_main: what main time never exceeds; most_move: nor a move.
    """

    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    japanese: bool = False
    increment: float = 0.0
    most_main: float = float("inf")
    most_move: float = float("inf")

    @property
    def limited(self) -> bool:
        """False for byo-yomi without stones."""
        return not (self.period > 0 and self.stones == 0)

    @property
    def turn(self) -> float:
        """What a move of byo-yomi has: the whole period, or its stones' share."""
        return self.period if self.japanese or not self.stones else self.period / self.stones


@dataclass
class _Left:
    """seconds of main time or, if stones is not 0, of byo-yomi for so many stones or periods. fischer: see the module."""

    seconds: float
    stones: int = 0
    fischer: bool = False


class Clocks:
    """A clock for each colour. Without settings there is no limit."""

    def __init__(self) -> None:
        self._system = TimeSystem()
        self._limited = False
        self._left = {BLACK: _Left(0.0), WHITE: _Left(0.0)}

    def set(self, system: TimeSystem | None) -> None:
        """Play by a system of time, None for no limit."""
        self._system = system or TimeSystem()
        self._limited = system is not None and system.limited
        self.restart()

    def restart(self) -> None:
        """Begin a game."""
        system = self._system
        byo_yomi = system.main <= 0 and system.stones > 0
        for colour in (BLACK, WHITE):
            self._left[colour] = _Left(system.period, system.stones) if byo_yomi else _Left(system.main)

    def set_left(self, colour: int, seconds: float, stones: int) -> None:
        """Note what is left: seconds for so many stones, of the period for so many periods, or, if that is 0, of main time."""
        self._limited = True
        system = self._system
        beyond = stones > 0 and not system.japanese and seconds > system.period > 0
        self._left[colour] = _Left(seconds, stones, beyond or (stones > 0 and self._left[colour].fischer))

    def seconds(self, colour: int, moves_to_come: int) -> float | None:
        """Return how long the next move may take, None for as long as it likes. moves_to_come: of this colour, expected."""
        if not self._limited:
            return None
        left, system = self._left[colour], self._system
        if left.stones and not left.fischer:
            return _less_way(left.seconds if system.japanese else left.seconds / left.stones)
        added = system.period if left.fischer else system.increment
        share = max(0.0, left.seconds - added) / max(1, moves_to_come) + added
        # Main time that a move exceeds goes over into the first byo-yomi.
        whole = left.seconds if left.fischer else left.seconds + system.turn
        most = min(max(share, system.turn if not left.fischer else 0.0), whole, system.most_move)
        return _less_way(most)

    def spend(self, colour: int, seconds: float) -> None:
        """Count a move that took so long, and the way to the server."""
        left, system = self._left[colour], self._system
        left.seconds -= seconds + _LEAST_KEPT
        if left.stones and system.japanese:
            self._left[colour] = _Left(system.period, max(1, left.stones - (left.seconds < 0)))
        elif left.fischer:
            left.seconds += system.period
        elif left.stones:
            left.stones -= 1
            if left.stones == 0:
                self._left[colour] = _Left(system.period, system.stones)
        elif left.seconds <= 0 and system.stones:
            over = 0.0 if system.japanese else min(0.0, left.seconds)
            self._left[colour] = _Left(system.period + over, system.stones)
        else:
            left.seconds = min(left.seconds + system.increment, system.most_main)


def _less_way(seconds: float) -> float:
    """Return a time without what the way to the server may take of it: up to half of it."""
    kept = min(max(_LEAST_KEPT, seconds / 10), _MOST_KEPT)
    return max(_LEAST, seconds - min(kept, seconds / 2))


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
