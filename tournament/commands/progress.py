"""How far the games of a run are: a bar on a terminal; elsewhere, as in a log, a line a minute, which needs no package."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, NoReturn

from tournament.records import GameResult

if TYPE_CHECKING:
    from tqdm import tqdm

_LINE_SECONDS = 60.0


class Progress:
    """Counts games and shows them on stderr: games, rate, time left, forfeits. clock: in seconds, for tests."""

    def __init__(self, total: int, finished: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = total
        self._finished = self._before = finished
        self._forfeits = 0
        self._clock = clock
        self._started = clock()
        self._next_line = self._started + _LINE_SECONDS
        self._bar = _bar(total, finished) if sys.stderr.isatty() else None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the progress bar."""
        if self._bar is not None:
            self._bar.close()

    def count(self, result: GameResult) -> None:
        """Count a finished game."""
        self._finished += 1
        if result.termination.is_forfeit:
            self._forfeits += 1
        if self._bar is not None:
            if self._forfeits:
                self._bar.set_postfix(forfeits=self._forfeits, refresh=False)
            self._bar.update()

    def tick(self) -> None:
        """Print a line if it is time for one, also while no game ends; to be called several times a second."""
        now = self._clock()
        if self._bar is not None or now < self._next_line:
            return
        self._next_line += _LINE_SECONDS * (1 + (now - self._next_line) // _LINE_SECONDS)
        rate = (self._finished - self._before) / (now - self._started)
        left = f", about {(self._total - self._finished) / rate / 60:.0f} min left" if rate else ""
        forfeits = f", {self._forfeits} forfeits" if self._forfeits else ""
        print(f"{self._finished} of {self._total} games{forfeits}{left}", file=sys.stderr, flush=True)


def _bar(total: int, finished: int) -> tqdm[NoReturn]:
    from tqdm import tqdm

    # By default tqdm shares a semaphore with other processes, for nothing: only this one shows progress.
    tqdm.set_lock(RLock())
    # No monitor thread: it would only get in the way when worker processes start.
    tqdm.monitor_interval = 0
    return tqdm(total=total, initial=finished, unit="game", leave=False)
