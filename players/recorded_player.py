"""A player whose answers are kept: how long each took, and what it printed meanwhile."""

from __future__ import annotations

import io
import sys
import time
from contextlib import redirect_stdout

from go import GO
from players.watched_player import WatchedPlayer

MOST_KEPT = 10_000
"""Characters of what is printed for an answer."""


class RecordedPlayer(WatchedPlayer):
    """Plays as the player does. turns: of the game that is being played, and then of the last one."""

    def get_input(self, go: GO, piece_type: int) -> object:
        """Return the player's answer; raises what it raises."""
        number = go.n_move + 1
        if number <= 2:
            self.turns = {}
        before = self.turns.get(number, (0, ""))
        heard, started = _Copy(), time.perf_counter()
        try:
            with redirect_stdout(heard):
                return super().get_input(go, piece_type)
        finally:
            ms = round(1000 * (time.perf_counter() - started))
            self.turns[number] = (before[0] + ms, before[1] + heard.getvalue())


class _Copy(io.StringIO):
    """Writes to standard output, and keeps the beginning."""

    def __init__(self) -> None:
        super().__init__()
        self._out = sys.stdout

    def write(self, text: str) -> int:
        """Write text."""
        super().write(text[: max(0, MOST_KEPT - self.tell())])
        return self._out.write(text)

    def flush(self) -> None:
        """Write out what is buffered."""
        self._out.flush()
