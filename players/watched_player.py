"""A player as go_play.py watches it: whose turn it is and for how long, whether it is slow, where its code fails or hangs.

Of players whose answers are kept it also notes which line of their own files returned each, how long it took, and what was
printed meanwhile.
"""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from threading import get_ident
from types import FrameType

from go import GO, Player, is_manual
from goban.common.player_faults import CHANGED_BOARD, AnswerLines, Passage, Place, line_of, method_place, passages, place, steps
from goban.errors import BadAnswerError
from goban.moves import read_answer
from goban.rulesets import COLOUR_NAMES
from goban.states import State
from players.registry import NAMES, home_of, split_options

Turns = dict[int, tuple[int, str, list[Passage]]]
"""Number of a move -> milliseconds it took, what was printed, and where it was returned."""


class WatchedPlayer:
    """Plays as another player does. name: how its user calls it.

    seconds: how long an answer may take; tell_slow is called once, with one line, when one has taken longer. As at the judge,
    the time counts in which the player ran or slept, not that in which it wanted a core and had none.
    error: what its last answer raised, None if it raised nothing. turns: those of the last game, if they are recorded, see
    `RecordedPlayer`. asking: called with the number of a move, counted from 1, before the player is asked for it.
    """

    def __init__(self, player: Player, colour: int, name: str, seconds: float, tell_slow: Callable[[str], None]) -> None:
        self.type = "manual" if is_manual(player) else ""
        self.error: BaseException | None = None
        self.asking: Callable[[int], None] | None = None
        self.turns: Turns = {}
        self.title = f"{COLOUR_NAMES[colour]} ({name})"
        self.begin(player)
        self._seconds = seconds
        self._tell_slow = tell_slow
        self._told = self.type == "manual"
        self._move = 0
        self._since: float | None = None

    def begin(self, player: Player) -> None:
        """Begin another game, with this player."""
        self._player = player
        self._home = _home(player)
        self._view: GO | None = None
        self._answer: object = None

    def get_input(self, go: GO, piece_type: int) -> object:
        """Return the player's answer; raises what it raises."""
        self.error = None
        self._view, self._answer = go, None
        waited = _waited_seconds()
        self._move, self._since = go.n_move + 1, time.perf_counter()
        if self.asking is not None:
            self.asking(self._move)
        try:
            self._answer = self._player.get_input(go, piece_type)
            return self._answer
        except BaseException as error:
            self.error = error
            raise
        finally:
            taken = time.perf_counter() - self._since
            self._since = None
            if taken > self._seconds and not self._told and (taken := taken + waited - _waited_seconds()) > self._seconds:
                self._told = True
                self._tell_slow(
                    f"{self.title} took {taken:.1f} s for move {self._move}, where the course allows {self._seconds:g} s; "
                    "slower answers are not told again"
                )

    def turn(self, frame: FrameType | None) -> str:
        """Return one line on whose turn it is, for how long, and where its code is; '' if it is not this player's.

        frame: what is running now.
        """
        if self._since is None:
            return ""
        taken = time.perf_counter() - self._since
        return f"it was the turn of {self.title}, at move {self._move} for {taken:.1f} s{place(calls(frame), self._home)}"

    def failure(self, final: State) -> str:
        """Return what to add to the reason why its last answer has lost the game: where its code has failed, as ' (visitor.py,
        line 3)', where get_input is written if that has returned no move, or that the player has changed its board; else ''.

        final: the position that it was asked about.
        """
        if self.error is not None:
            return place(steps(self.error.__traceback__), self._home)
        try:
            read_answer(self._answer, final.grid.size)
        except BadAnswerError:
            return method_place(self._player, self._home)
        return CHANGED_BOARD if self._view is not None and GO.is_scribbled(self._view, final) else ""

    def trace(self) -> str:
        """Return the traceback of its error from its own code on, as Python prints it; '' if there was none."""
        if self.error is None:
            return ""
        # Imported late, because games without failures do without it.
        from traceback import format_exception

        step = self.error.__traceback__
        while step is not None and not self._is_own(step.tb_frame.f_code.co_filename):
            step = step.tb_next
        return self._shorten("".join(format_exception(type(self.error), self.error, step or self.error.__traceback__)))

    def stack(self, frame: FrameType | None) -> str:
        """Return the calls that lead to what is running now, from its own code on, as Python prints them."""
        from traceback import StackSummary, extract_stack

        calls = list(extract_stack(frame))
        first = next((number for number, call in enumerate(calls) if self._is_own(call.filename)), 0)
        return self._shorten("".join(StackSummary.from_list(calls[first:]).format()))

    def _shorten(self, text: str) -> str:
        return text.replace(self._home + os.sep, "") if self._home else text

    def _is_own(self, file: str) -> bool:
        return bool(self._home) and not file.startswith("<") and os.path.realpath(file).startswith(self._home + os.sep)


def _waited_seconds() -> float:
    """Return how long this thread has wanted a core and had none so far, as Linux counts it; 0 where nobody counts.

    Source: Linux, Documentation/scheduler/sched-stats.rst.
    """
    file = _counter_of(get_ident())
    try:
        return 0.0 if file is None else int(os.pread(file, 100, 0).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


@cache
def _counter_of(thread: int) -> int | None:
    """Return the file in which it is counted for the thread that calls, open: opening it for each move would take a while."""
    try:
        return os.open("/proc/thread-self/schedstat", os.O_RDONLY) if hasattr(os, "pread") else None
    except OSError:
        return None


def _home(player: object) -> str:
    """Return the folder of the file that a player's class is in, '' if it is in none."""
    file = getattr(sys.modules.get(type(player).__module__), "__file__", None)
    return os.path.dirname(os.path.realpath(file)) if isinstance(file, str) else ""


def calls(frame: FrameType | None) -> list[Place]:
    """Return the places of the calls that lead to what is running, the innermost last."""
    found = []
    while frame is not None:
        code = frame.f_code
        found.append((code.co_filename, line_of(code, frame.f_lasti, frame.f_lineno), code.co_name))
        frame = frame.f_back
    return found[::-1]


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
