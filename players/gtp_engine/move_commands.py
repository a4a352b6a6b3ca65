"""The commands that ask the player for a move, and those of analysis."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from goban.errors import GtpError
from goban.gtp import colour_of
from goban.moves import PASS, RESIGN, Move, Resign, move_name
from goban.open_games import OpenGame
from goban.rulesets import Scoring
from goban.states import State
from players.gtp_engine.analysis import Analysis, exact_analyst
from players.gtp_engine.arguments import Handler, Words, check_count
from players.gtp_engine.info import Wanted, info_line, read_wanted
from players.gtp_engine.seats import Seats
from search.errors import SearchError

if TYPE_CHECKING:
    from search.candidates import Analyst, Candidates

# How long the moves are looked at beside a move that is played.
_SECONDS_BESIDE_A_MOVE = 1.0

_FORMS = {"lz-analyze": True, "kata-analyze": False, "analyze": True}
"""Command -> whether its win rates are whole numbers."""


class MoveCommands:
    """Commands on one game. input_waits: waits so many seconds for the next command, and says whether there is one."""

    def __init__(self, game: OpenGame, seats: Seats, input_waits: Callable[[float], bool]) -> None:
        self._game = game
        self._seats = seats
        self._input_waits = input_waits
        self._analyst: Analyst | None = seats.analyst() or exact_analyst(game.rules)
        self._explanation = ""

    def table(self) -> dict[str, Handler]:
        """Return the commands by name; those of analysis only where something can analyse."""
        found: dict[str, Handler] = {
            "genmove": self._genmove,
            # Stones that are dead by agreement are none here: the players play on until they are taken off.
            "kgs-genmove_cleanup": self._genmove,
            "reg_genmove": self._reg_genmove,
            "gomill-explain_last_move": self._explain,
        }
        if self._analyst is not None:
            for name, whole in _FORMS.items():
                found[name] = partial(self._analyse, whole)
                found[name.replace("analyze", "genmove_analyze")] = partial(self._genmove_analyse, whole)
        return found

    def _genmove(self, words: Words) -> str:
        check_count(words, "a colour", 1)
        colour = colour_of(words[0])
        move = self._moved(self._game.position(colour))
        self._play(colour, move)
        return move_name(move, self._game.size)

    def _reg_genmove(self, words: Words) -> str:
        check_count(words, "a colour", 1)
        return move_name(self._chosen(self._game.position(colour_of(words[0]))), self._game.size)

    def _chosen(self, position: State) -> Move:
        """Return the player's move, a pass where there is nothing left to play."""
        return PASS if position.is_over else self._seats.ask(position)

    def _moved(self, position: State) -> Move:
        """Return the player's move in a game, a resignation where it has lost hope."""
        move = self._chosen(position)
        return RESIGN if not position.is_over and self._seats.resigns(position.to_move) else move

    def _play(self, colour: int, move: Move) -> None:
        self._explanation = ""
        if not isinstance(move, Resign):
            self._game.play(colour, move)

    def _explain(self, words: Words) -> str:
        check_count(words, "nothing after gomill-explain_last_move", 0)
        return self._explanation

    # Analysis

    def _analyse(self, whole: bool, words: Words) -> Iterator[str]:
        wanted = read_wanted(words, self._game.state.to_move, self._game.size)
        position = self._game.position(wanted.colour)
        if position.is_over:
            raise GtpError("the game is over")
        try:
            running = Analysis(self._ready(), position, wanted.moves(position))
        except SearchError as error:
            raise GtpError(str(error)) from None
        owners = self._owners(position, wanted, whole)
        return self._lines(running, wanted, whole, owners)

    def _lines(self, running: Analysis, wanted: Wanted, whole: bool, owners: Sequence[float]) -> Iterator[str]:
        """Yield a line whenever more is known, until there is any input."""
        shown: Candidates = ()
        with running:
            while not self._input_waits(wanted.interval):
                found = running.found
                if found is not shown and wanted.listed(found):
                    yield info_line(found, self._game.size, wanted, whole, owners)
                shown = found

    def _owners(self, position: State, wanted: Wanted, whole: bool) -> list[float]:
        """Return what the player to move owns of each point, where that is asked for, can be said and can be found out."""
        area = position.rules.scoring is Scoring.AREA and position.rules.passing
        if whole or not wanted.ownership or not area or find_spec("numba") is None:
            return []
        from search.montecarlo.dead_stones import owners_of

        return owners_of(position)

    def _genmove_analyse(self, whole: bool, words: Words) -> Iterator[str]:
        wanted = read_wanted(words, self._game.state.to_move, self._game.size)
        position = self._game.position(wanted.colour)
        only = None if position.is_over else wanted.moves(position)
        if only is not None:
            self._seats.choose_from(wanted.colour, only)
        found = () if position.is_over or self._seats.analyst() else self._known_soon(position)
        move = self._moved(position)
        found = found if position.is_over else found or self._seats.found(wanted.colour)
        self._play(wanted.colour, move)
        lines = [f"play {move_name(move, self._game.size)}"]
        if found and wanted.listed(found):
            self._explanation = info_line(found, self._game.size, wanted, whole, self._owners(position, wanted, whole))
            lines.insert(0, self._explanation)
        return iter(lines)

    def _known_soon(self, position: State) -> Candidates:
        """Return what is found out in a moment, () where nothing can be: the player moves all the same."""
        end = time.monotonic() + _SECONDS_BESIDE_A_MOVE
        try:
            steps = self._ready().candidates(position, lambda: time.monotonic() >= end)
        except SearchError:
            return ()
        return next(iter(deque(steps, maxlen=1)), ())

    def _ready(self) -> Analyst:
        assert self._analyst is not None
        return self._analyst
