"""What a run tells: lines on stderr, and how far its games are: a bar on a terminal; elsewhere, as in a log, a line a minute.

The time left comes from how long games of each pairing take, for those that are still to be played: fast games at the beginning
say little of slow ones at the end. Of a pairing that has not begun, the games of its two players with others tell.

Also what the commands that play games have in common: the options of a run, and how their scores are printed.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, NoReturn

from goban.common.command_lines import is_installed
from goban.common.excerpts import quoted
from gojudge.errors import ClusterError
from gojudge.records import Entrant, GameResult
from tournament.application.plans import EventPlan
from tournament.application.runs import RunSettings
from tournament.errors import StoreError
from tournament.results.tallies import count
from tournament.results.terminal_tables import terminal_table
from tournament.store.store import read_store

if TYPE_CHECKING:
    from tqdm import tqdm

def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a run, on which no result depends."""
    add_jobs_argument(parser)
    add_cluster_argument(parser)
    parser.add_argument("--verify", metavar="P%", help=(
        "play this share of a cluster's games again at other workers, and expel who told otherwise"
    ))  # fmt: skip


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for how many games are played at a time."""
    parser.add_argument("--jobs", type=int, metavar="N", help="games played at the same time (default: one per core)")


def add_cluster_argument(parser: argparse.ArgumentParser, what: str = "have the games played") -> None:
    """Add the option that names a cluster. what: it is for."""
    parser.add_argument("--cluster", metavar="ADDRESS", help=(
        f"{what} by a dask cluster: tls://HOST:PORT, or local:N processes"
    ))  # fmt: skip


def add_copies_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for where the copies of the submissions of a results file are."""
    parser.add_argument("--submissions", type=Path, metavar="FOLDER", help=(
        "where the copies of the submissions are (default: beside the results file)"
    ))  # fmt: skip


def store_of(plan: EventPlan) -> Path:
    """Return the path of an event's results file; raises StoreError if it is a folder."""
    path = plan.file.store or Path(f"{plan.event.name}.db")
    if path.is_dir():
        raise StoreError(f"{path}: expected a results file, got a folder")
    return path


def run_settings(options: argparse.Namespace) -> RunSettings:
    """Return what the options of `add_run_arguments` and `add_event_arguments` say of the run."""
    tier_named = bool(options.require_tier)
    return RunSettings(options.jobs, options.cluster, verified_share(options), tier_named=tier_named)


def verified_share(options: argparse.Namespace) -> float:
    """Return the share of games that --verify names, 0 if it is not given. Raises ClusterError."""
    text = options.verify
    if text is None:
        return 0.0
    number = float(text[:-1]) if re.fullmatch(r"\d{1,3}(\.\d{1,6})?%", text, re.ASCII) else 0.0
    if not 0 < number <= 100:
        raise ClusterError(f"--verify: expected a share above 0% and up to 100%, as 2%, got {quoted(text)}")
    if options.cluster is None:
        raise ClusterError("--verify: expected together with --cluster, whose workers it checks")
    return number / 100


def print_scores(path: Path, players: Sequence[Entrant], opponents: Sequence[Entrant]) -> None:
    """Print how often some players won, tied and lost against others, and how many games differ from each other."""
    with read_store(path) as store:
        rows, different = store.rows(), store.different_games()
    tallies = count(rows)
    lines = [
        (player.name, opponent.name, tally.total.games, tally.total.wins, tally.total.ties, tally.total.losses)
        for player in players
        for opponent in opponents
        if (tally := tallies.get((player.name, opponent.name))) is not None
    ]
    print(terminal_table(lines, ("player", "opponent", "games", "wins", "ties", "losses")))
    print(f"\n{len(rows)} games, {different} different")


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
