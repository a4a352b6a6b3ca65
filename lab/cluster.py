"""What a run on a cluster costs the machine that started it: a simulated class, and dask's own messages.

    python3 -m lab.cluster                    200 submissions, 1,000 workers, 11 games a pair; some minutes
    python3 -m lab.cluster --submissions 40   a first try
    python3 -m lab.cluster --messages 2000    also what a message costs dask's client and scheduler; needs dask

The class: workers exist in this process only. Each takes its time for a portion of games, and then answers with records of
games that were really played, under the ids that were asked for. Everything else is as in a run: portions, checks, store.
"""

from __future__ import annotations

import heapq
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tabulate import tabulate

from benchmarks.made_up_events import InstantSeat, open_instant_seat
from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run, whole_number
from goban.common.terminals import Progress
from gojudge.cluster import at_worker
from gojudge.cluster.cluster_pool import ClusterPool, Needs
from gojudge.cluster.dask_link import connect
from gojudge.cluster.replies import describe, pack_reply, record_of
from gojudge.errors import JudgeError
from gojudge.records import Entrant, GameResult, GameSpec, open_seeds
from gojudge.refereeing.open_seats import Conditions
from gojudge.refereeing.referee import play
from gojudge.refereeing.runner import Runner
from gojudge.seats import Limits
from lab.dask_processes import DaskProcesses
from tournament.events.event_files import make_event
from tournament.events.schedules import open_batches, pairings
from tournament.store.store import Run, open_store

_RECORDS = 500


@dataclass(order=True)
class _Answer:
    """Something that a worker will say. due: when, in seconds of the monotonic clock."""

    due: float
    make: Callable[[], bytes] = field(compare=False)
    future: Future[bytes] = field(compare=False)


class InstantCluster:
    """A `gojudge.cluster.remote_executor.Link` whose workers take so many seconds for a game, and no CPU time.

    sent, replies: bytes and number of replies with games.
    """

    name = "simulated"

    def __init__(self, workers: int, seconds: float, conditions: Conditions) -> None:
        self.sent = 0
        self.replies = 0
        self._addresses = [f"worker-{number}" for number in range(workers)]
        self._seconds = seconds
        self._fragments = [_fragment(number, conditions) for number in range(_RECORDS)]
        self._description = asdict(describe(sandboxed=False))
        self._due: list[_Answer] = []
        self._news = threading.Condition()
        self._closed = False
        threading.Thread(target=self._run, daemon=True).start()

    def alive(self) -> Collection[str]:
        """Return all workers."""
        return self._addresses

    def submit(self, address: str, task: Callable[..., bytes], *arguments: Any) -> Future[bytes]:  # noqa: ANN401
        """Have a task answered, games after the time that they take."""
        future: Future[bytes] = Future()
        games: Sequence[GameSpec] = arguments[1] if task is at_worker.play else ()

        def make() -> bytes:
            if task is at_worker.introduce:
                return pack_reply(**self._description)
            return self._play(games) if games else pack_reply()

        with self._news:
            heapq.heappush(self._due, _Answer(time.monotonic() + len(games) * self._seconds, make, future))
            self._news.notify()
        return future

    def close(self) -> None:
        """End."""
        self._closed = True

    def _play(self, games: Sequence[GameSpec]) -> bytes:
        records = (f'["{game.id}"{self._fragments[hash(game.id) % _RECORDS]}' for game in games)
        reply = f'{{"games": [{", ".join(records)}], "seconds": {len(games) * self._seconds}}}'.encode()
        self.sent += len(reply)
        self.replies += 1
        return reply

    def _run(self) -> None:
        while not self._closed:
            with self._news:
                wait = self._due[0].due - time.monotonic() if self._due else 1.0
                if wait > 0:
                    self._news.wait(wait)
                    continue
                answer = heapq.heappop(self._due)
            if answer.future.set_running_or_notify_cancel():
                answer.future.set_result(answer.make())


def _fragment(number: int, conditions: Conditions) -> str:
    """Return the JSON of a played game after its id."""
    spec = GameSpec("x", "x", "y", open_seeds(number))
    return json.dumps(record_of(play(spec, conditions.start(), InstantSeat(), InstantSeat())))[4:]


def simulate_class(submissions: int, games: int, workers: int, seconds_a_game: float) -> list[tuple[str, str]]:
    """Play a class's round robin of so many games a pair; return the table's lines."""
    entrants = [Entrant(f"student_{number:03d}", digest=f"{number:064x}") for number in range(submissions)]
    event = make_event({"kind": "round-robin", "games": games})
    total = games * submissions * (submissions - 1) // 2
    conditions = Conditions(event.rules, event.size, Limits(), open_instant_seat)
    link = InstantCluster(workers, seconds_a_game, conditions)
    pool = ClusterPool(link, Needs(describe(sandboxed=False)), lambda line: None)
    pool.muster()
    marks = [total * tenth // 10 for tenth in (1, 5, 9)]
    readings: list[tuple[int, float]] = []
    commits = kept = 0
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "class.db", event) as store:
        store.begin_run(entrants, Run("", "", ""))
        batches = open_batches(pairings(event, entrants, store.key), store.finished())

        def keep(results: Sequence[GameResult]) -> None:
            nonlocal commits, kept
            store.add(*results)
            commits, kept = commits + 1, kept + len(results)
            progress.update(kept)
            while marks and kept >= marks[0]:
                readings.append((marks.pop(0), _memory()))

        progress = Progress(total, quiet=False)
        started, cpu = time.monotonic(), time.process_time()
        runner = Runner(conditions, entrants, keep, pool=pool)
        runner.run(batch.games(store.key) for batch in batches)
        seconds, cpu = time.monotonic() - started, time.process_time() - cpu
        progress.clear()
        bytes_a_game = store.path.stat().st_size / total
    link.close()
    return [
        ("games", f"{total}"),
        ("workers", f"{workers}, {seconds_a_game:g} s a game: {workers / seconds_a_game:.0f} games a second"),
        ("games a second, start and end included", f"{total / seconds:.0f}"),
        ("CPU of this process a game, replies' making included", f"{cpu / total * 1e6:.0f} us"),
        ("games a second that one core would keep up with", f"{total / cpu:.0f}"),
        ("games a reply", f"{total / link.replies:.1f}"),
        ("games a transaction", f"{total / commits:.1f}"),
        ("bytes of a reply, a game", f"{link.sent / total:.0f}"),
        ("bytes of the store, a game", f"{bytes_a_game:.0f}"),
        *((f"memory after {played} games", f"{mib:.0f} MiB") for played, mib in readings),
    ]


def _memory() -> float:
    """Return the resident memory of this process in MiB (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def messages(number: int) -> list[tuple[str, str]]:
    """Send so many messages to two workers by dask, sixteen at a time; return what they cost."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = DaskProcesses(Path(folder), 2)
        try:
            link = connect(cluster.address)
            while len(link.alive()) < 2:
                time.sleep(0.1)
            addresses = sorted(link.alive())
            before, started = _cpu(cluster.scheduler.pid), time.monotonic()
            own = time.process_time()
            for first in range(0, number, 16):
                futures = [link.submit(addresses[turn % 2], at_worker.leave) for turn in range(first, first + 16)]
                for future in futures:
                    future.result(60)
            seconds, own = time.monotonic() - started, time.process_time() - own
            scheduler = _cpu(cluster.scheduler.pid) - before
            link.close()
        finally:
            cluster.close()
    return [
        ("messages by dask a second, two workers", f"{number / seconds:.0f}"),
        ("CPU of dask's client, a message", f"{own / number * 1e3:.2f} ms"),
        ("CPU of dask's scheduler, a message", f"{scheduler / number * 1e3:.2f} ms"),
    ]


def _cpu(pid: int) -> float:
    """Return the seconds of CPU time that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Print the table."""
    parser = parser_of("cluster", "What a run on a cluster costs the machine that started it.")
    for option, usual, what in (
        ("submissions", 200, "submissions"), ("games", 11, "games a pair"), ("workers", 1000, "workers"),
        ("messages", 0, "messages"),
    ):  # fmt: skip
        number = whole_number(0 if option == "messages" else 2, 10**6, f"a number of {what}")
        parser.add_argument(f"--{option}", type=number, default=usual, help=f"{what} (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.25, help="a simulated game takes (default: %(default)s)")
    options = parser.parse_args()
    lines = simulate_class(options.submissions, options.games, options.workers, options.seconds)
    if options.messages:
        lines += messages(options.messages)
    print(tabulate(lines, disable_numparse=True, colalign=("left", "right")))
    return DONE


if __name__ == "__main__":
    sys.exit(run("cluster", main, JudgeError))
