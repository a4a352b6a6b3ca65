"""What a run tells: lines on stderr, and how far its games are: a bar on a terminal; elsewhere, as in a log, a line a minute.

The time left comes from how long games of each pairing take, for those that are still to be played: fast games at the beginning
say little of slow ones at the end. Of a pairing that has not begun, the games of its two players with others tell.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from threading import RLock
from typing import TYPE_CHECKING, NoReturn

from goban.common.command_lines import is_installed
from gojudge.records import GameResult

if TYPE_CHECKING:
    from tqdm import tqdm

Pair = frozenset[str]

_LINE_SECONDS = 60.0
_BAR_SECONDS = 1.0
_BAR = "{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}, {rate_fmt}{postfix}]"


def say(text: str) -> None:
    """Print a line on stderr, at once."""
    print(text, file=sys.stderr, flush=True)


class TimeLeft:
    """Estimates how long the rest of a run takes. left: pair of names -> how many of its games are still to be played.

    An empty pair stands for games of players not known yet: they take as long as those so far.
    """

    def __init__(self, left: Mapping[Pair, int], now: float) -> None:
        self._left = Counter(left)
        self._started = self._last_end = now
        # Of pairs, and of players.
        self._games = Counter[Pair | str]()
        self._seconds = defaultdict[Pair | str, float](float)
        self._ended = 0
        self._played = 0.0

    def count(self, result: GameResult, now: float) -> None:
        """Take in a game that has ended."""
        pair, seconds = frozenset((result.spec.black, result.spec.white)), _seconds_of(result)
        keys: tuple[Pair | str, ...] = (pair, *pair)
        for key in keys:
            self._games[key] += 1
            self._seconds[key] += seconds
        self._left[pair] = max(0, self._left[pair] - 1)
        self._ended += 1
        self._played += seconds
        self._last_end = now

    def seconds(self, now: float) -> float | None:
        """Return about how many seconds are left; None while most of the rest is between players nothing is known of."""
        waiting = [pair for pair, games in self._left.items() if games]
        usual = self._played / self._ended if self._ended else 0.0
        lengths = {pair: self._length(pair) if pair else usual for pair in waiting}
        known = {pair: length for pair, length in lengths.items() if length is not None}
        games = sum(self._left[pair] for pair in waiting)
        if not self._ended or 2 * sum(self._left[pair] for pair in known) < games:
            return None
        # Games run side by side, and there is more to do than to play.
        elapsed = now - self._started
        work = sum(self._left[pair] * known.get(pair, usual) for pair in waiting)
        shared = work * elapsed / self._played if self._played else games * elapsed / self._ended
        # The longest game that is left needs its time however many play; if it takes longer than that, perhaps as long again.
        silent = now - self._last_end
        alone = max(known.values(), default=0.0) - silent
        return max(shared, alone if alone > 0 else silent) if games else 0.0

    def _length(self, pair: Pair) -> float | None:
        """Return how long a game of a pair takes in seconds, by its own games or else by those of its players."""
        keys: Collection[Pair | str] = [pair] if self._games[pair] else pair
        lengths = [self._seconds[key] / self._games[key] for key in keys if self._games[key]]
        return sum(lengths) / len(lengths) if lengths else None


def _seconds_of(result: GameResult) -> float:
    """Return how long the answers of a game took."""
    last = 0.0 if result.last is None else result.last.spent.wall
    return sum((turn.spent.wall for turn in result.turns), last)


def _in_words(seconds: float | None) -> str:
    if seconds is None:
        return "too early to say how long"
    if seconds < _LINE_SECONDS / 2:
        return "less than a minute left"
    return f"about {max(1, round(seconds / 60))} min left"


class GameProgress:
    """Counts games and shows them on stderr: games, rate, time left, forfeits.

    left: pair of names -> how many of its games are to be played. clock: in seconds, for tests. every: how many seconds there
    are between two lines.
    """

    def __init__(
        self, total: int, finished: int, left: Mapping[Pair, int], clock: Callable[[], float] = time.monotonic,
        every: float = _LINE_SECONDS,
    ) -> None:  # fmt: skip
        self._total = total
        self._finished = finished
        self._forfeits = 0
        self._clock = clock
        self._time_left = TimeLeft(left, clock())
        self._bar = _bar(total, finished) if sys.stderr.isatty() and is_installed("tqdm") else None
        self._every = every if self._bar is None else _BAR_SECONDS
        self._next_line = clock() + self._every

    def __enter__(self) -> GameProgress:
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
        self._time_left.count(result, self._clock())
        if result.termination.is_forfeit:
            self._forfeits += 1
        if self._bar is not None:
            self._bar.update()

    def tick(self) -> None:
        """Print a line if it is time for one, also while no game ends; to be called several times a second."""
        now = self._clock()
        if now < self._next_line:
            return
        self._next_line += self._every * (1 + (now - self._next_line) // self._every)
        said = [f"{self._forfeits} forfeits"] if self._forfeits else []
        said.append(_in_words(self._time_left.seconds(now)))
        if self._bar is not None:
            self._bar.set_postfix_str(", ".join(said))
        else:
            print(", ".join([f"{self._finished} of {self._total} games", *said]), file=sys.stderr, flush=True)


def _bar(total: int, finished: int) -> tqdm[NoReturn]:
    from tqdm import tqdm

    # By default tqdm shares a semaphore with other processes, for nothing: only this one shows progress.
    tqdm.set_lock(RLock())
    # No monitor thread: it would only get in the way when worker processes start.
    tqdm.monitor_interval = 0
    return tqdm(total=total, initial=finished, unit="game", leave=False, bar_format=_BAR)
