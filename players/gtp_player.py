"""gtp:COMMAND: an engine that speaks GTP, as `gtp:gnugo --mode gtp --level 1`. Its process is started here, without a sandbox.

The board and the rules are the host's, see `goban.engines`. One process plays all games; it is given a seed for each if it
takes one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from goban.common.excerpts import quoted
from goban.common.files import split_command
from goban.engines import Engine
from goban.errors import EngineError, GtpError
from goban.moves import RESIGN, Resign
from players.errors import BadPlayerError
from players.host import Host

PREFIX = "gtp:"


class GtpPlayer:
    """Plays what an engine answers to genmove; may resign under all rules. Raises GtpError where the engine fails in a game.

    command: its words. Raises BadPlayerError if it cannot be started, GtpError if it does not speak GTP. close: ends the
    engine, as the end of our process does.
    """

    def __init__(self, command: Sequence[str], rng: random.Random) -> None:
        try:
            self._engine = Engine(command, rng)
        except EngineError as error:
            raise BadPlayerError(str(error)) from None
        # At once, not in a game: whether it speaks GTP.
        try:
            _ = self._engine.commands
        except BaseException:
            self._engine.close()
            raise
        self.close = self._engine.close
        self._view: Host | None = None

    def get_input(self, go: Host, piece_type: int) -> object:
        """Return the engine's move: a point, "PASS", or RESIGN."""
        if go is not self._view:
            self._engine.new_game()
        self._view = go
        move = self._engine.genmove(go.position(piece_type))
        if isinstance(move, Resign):
            return RESIGN
        return "PASS" if move is None else move


def engine_player(name: str, rng: random.Random) -> GtpPlayer:
    """Return a player for `gtp:COMMAND`, whose words are as in a shell. Raises BadPlayerError."""
    try:
        words = split_command(name.removeprefix(PREFIX))
    except ValueError as error:
        raise BadPlayerError(f"expected an engine as {PREFIX}COMMAND, got {quoted(name)}: {error}") from None
    if not words:
        raise BadPlayerError(f"expected an engine as {PREFIX}COMMAND, got {quoted(name)}")
    try:
        return GtpPlayer(words, rng)
    except GtpError as error:
        raise BadPlayerError(f"player {quoted(name)}: {error}") from None
