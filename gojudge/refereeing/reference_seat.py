"""The seat of a reference player. The player is ours, so it plays in this process, on a GO of its own."""

from __future__ import annotations

import random
import time

from go import GO
from goban.common.excerpts import error_line
from gojudge.errors import HarnessFaultError
from gojudge.game import RuleSet, State
from gojudge.records import Entrant, GameSpec
from gojudge.seats import Reply
from gojudge.times import Spent
from players.errors import BadPlayerError
from players.registry import Player, make_player, prepare_player


class ReferenceSeat:
    """A `gojudge.seats.Seat`. Whatever fails here is our fault. There is no limit of time; CPU is that of this process."""

    tier = ""

    def __init__(self, entrant: Entrant, rules: RuleSet, size: int) -> None:
        self._name = entrant.reference
        self._rules = rules
        self._size = size
        self._colour = 0
        self._player: Player | None = None
        self._view = GO(size, rules)

    def begin(self, spec: GameSpec, colour: int) -> None:
        self._colour = colour
        self._view = GO(self._size, self._rules)
        try:
            self._player = make_player(self._name, random.Random(spec.seeds[colour - 1]))
            prepare_player(self._name, self._player, self._rules, self._size)
        except BadPlayerError as error:
            raise HarnessFaultError(f"reference player {self._name!r}: {error}") from error

    def answer(self, state: State, complaint: str) -> Reply:
        if self._player is None:
            raise HarnessFaultError("a player was asked outside a game")
        started, cpu = time.monotonic(), time.process_time()
        self._view.adopt_state(state)
        try:
            answer = self._player.get_input(self._view, self._colour)
        except Exception as error:
            raise HarnessFaultError(f"reference player {self._name!r}: {error_line(error)}") from error
        wall, cpu = time.monotonic() - started, time.process_time() - cpu
        # It does not sleep: where it did not run, another process did.
        return Reply(answer, Spent(wall, cpu, waited=max(0.0, wall - cpu)))

    def printed(self) -> str:
        return ""

    def end(self) -> str:
        self._player = None
        return ""

    def close(self) -> None:
        self._player = None
