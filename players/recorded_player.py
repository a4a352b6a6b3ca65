"""Players whose answers are kept: which line of their own files returned each, how long it took, what was printed meanwhile."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout

from go import GO, Player
from goban.common.answer_lines import AnswerLines, Passage, passages
from players.registry import NAMES, home_of, split_options
from players.watched_player import WatchedPlayer

MOST_KEPT = 10_000
"""Characters of what is printed for an answer."""


class FollowedPlayer(WatchedPlayer):
    """Plays as the player does. came_from: where its last answer was returned, as pages show it; [] for all but files."""

    def __init__(self, player: Player, colour: int, name: str, seconds: float, tell_slow: Callable[[str], None]) -> None:
        super().__init__(player, colour, name, seconds, tell_slow)
        self._files = home_of(NAMES.get(split_options(name)[0].lower(), name))
        self.came_from: list[Passage] = []

    def get_input(self, go: GO, piece_type: int) -> object:
        """Return the player's answer; raises what it raises."""
        self.came_from = []
        lines = AnswerLines(self._player, self._files)
        with lines:
            answer = super().get_input(go, piece_type)
        self.came_from = passages(lines.places(), self._files)
        return answer


class RecordedPlayer(FollowedPlayer):
    """Plays as the player does. turns: of the game that is being played, and then of the last one."""

    def get_input(self, go: GO, piece_type: int) -> object:
        """Return the player's answer; raises what it raises."""
        number = go.n_move + 1
        if number <= 2:
            self.turns = {}
        ms, printed, _ = self.turns.get(number, (0, "", []))
        heard, started = _Copy(), time.perf_counter()
        try:
            with redirect_stdout(heard):
                return super().get_input(go, piece_type)
        finally:
            ms += round(1000 * (time.perf_counter() - started))
            self.turns[number] = ms, printed + heard.getvalue(), self.came_from


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
