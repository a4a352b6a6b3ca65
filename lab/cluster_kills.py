"""Kills, stops and cuts off workers of a cluster at random, and compares the results with those of one machine.

    python3 -m lab.cluster_kills 300 --minutes 15

Every run is a round robin of two submissions in their sandboxes and two reference players. Runs follow one another until
there were so many kills, or the time is over: then the run in progress is finished, and the summary says how many there were.
A worker that is stopped is resumed after up to ten seconds; it is given up after four, so many come late. Needs dask.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, LEFT, run, whole_number
from gojudge.cluster.cluster_pool import ClusterPool, Needs
from gojudge.cluster.dask_link import connect
from gojudge.cluster.replies import describe
from gojudge.errors import JudgeError
from gojudge.intake.copies import Submission, take
from gojudge.records import CLASS, Entrant
from gojudge.refereeing.executors import WorkerPool
from gojudge.refereeing.open_seats import Conditions, open_entrant
from gojudge.refereeing.runner import Account, Runner
from gojudge.sandbox.tiers import best_tier
from lab.dask_processes import DaskProcesses, WorkerProcess, kill
from tournament.events.event_files import make_event
from tournament.events.events import Event
from tournament.events.schedules import key_of_seed, open_batches, pairings, reference_entrants
from tournament.results.exports import Extras, write_json
from tournament.store.store import Run, open_store, read_store

_KINDS = ("killed", "stopped", "cut off")
_SILENCE = 4.0
_LONGEST_STOP = 10.0
_PLAYER = """
import random
class MyPlayer:
    def get_input(self, go, piece_type):
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        return random.choice([p for p in points if go.valid_place_check(*p, piece_type, test_check=True)])
"""


class Disturber:
    """Kills, stops and cuts off workers in a thread of its own, with a pause between; each that is gone is replaced."""

    def __init__(self, cluster: DaskProcesses, kills: int, pause: float, rng: random.Random) -> None:
        self.done: Counter[str] = Counter()
        self._cluster = cluster
        self._kills = kills
        self._pause = pause
        self._rng = rng
        self.ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether there were as many as there should be."""
        return sum(self.done.values()) >= self._kills

    def _run(self) -> None:
        while not self.ended.wait(self._rng.uniform(0.2, 2 * self._pause)) and not self.is_over:
            kind, number = self._rng.choice(_KINDS), self._rng.randrange(len(self._cluster.workers))
            worker = self._cluster.workers[number]
            if kind == "stopped":
                os.kill(worker.process.pid, signal.SIGSTOP)
                threading.Timer(self._rng.uniform(0.1, _LONGEST_STOP), _resume, [worker]).start()
            else:
                self._cluster.workers[number] = self._cluster.start_worker()
                if kind == "killed":
                    kill(worker.process)
                else:
                    worker.relay.cut()
                    threading.Timer(_LONGEST_STOP, kill, [worker.process]).start()
            self.done[kind] += 1


def _resume(worker: WorkerProcess) -> None:
    with suppress(ProcessLookupError):
        os.kill(worker.process.pid, signal.SIGCONT)


def play(path: Path, event: Event, entrants: list[Entrant], conditions: Conditions, pool: WorkerPool | None) -> Account:
    """Play an event with a pool, or with two processes here."""
    with open_store(path, event, key=key_of_seed(1)) as store:
        store.begin_run(entrants, Run("", "", ""))
        batches = open_batches(pairings(event, entrants, store.key), store.finished())
        runner = Runner(conditions, entrants, lambda games: store.add(*games), jobs=2, pool=pool)
        return runner.run(batch.games(store.key) for batch in batches)


def export(path: Path) -> bytes:
    """Return all games of a store, with what players printed."""
    with read_store(path) as store:
        write_json(store.results(), path.with_suffix(".json"), Extras(logs=True), {})
    return path.with_suffix(".json").read_bytes()


def disturb(folder: Path, games: int, minutes: float, workers: int, kills: int, pause: float, seed: int) -> int:
    """Play event after event on a cluster in which workers are lost; print what came of it, return the exit status."""
    entrants = [*_submissions(folder), *reference_entrants(["random", "greedy"])]
    event = make_event({"kind": "round-robin", "name": "kills", "games": games})
    conditions = Conditions(event.rules, event.size, event.limits, open_entrant, str(best_tier()))
    play(folder / "calm.db", event, entrants, conditions, None)
    calm, faults, runs, totals = export(folder / "calm.db"), list[str](), 0, Counter[str]()
    until = time.monotonic() + 60 * minutes
    cluster = DaskProcesses(folder, workers)
    disturber = Disturber(cluster, kills, pause, random.Random(seed))
    disturber.start()
    try:
        while not disturber.is_over and time.monotonic() < until:
            runs += 1
            link = connect(cluster.address, _SILENCE)
            needs = Needs(describe(sandboxed=False), tier=conditions.tier, seconds=600.0, bound=4.0)
            pool = ClusterPool(link, needs, lambda line: totals.update([_sort_of(line)]))
            path = folder / f"run-{runs}.db"
            account = play(path, event, entrants, conditions, pool)
            link.close()
            totals.update(games=account.played, replayed=account.replayed)
            faults += [f"run {runs}: {reason}" for reason in account.void.values()]
            faults += [f"run {runs}: its export differs"] if export(path) != calm else []
            done = sum(disturber.done.values())
            print(f"{runs} runs, {done} of {kills} kills, {len(faults)} faults", file=sys.stderr)
    finally:
        disturber.ended.set()
        cluster.close()
    rows = [(kind, disturber.done[kind]) for kind in _KINDS] + sorted(totals.items())
    print(tabulate(rows, ("what", "times")))
    print(f"\n{sum(disturber.done.values())} workers disturbed in {runs} runs: {len(faults)} faults")
    for fault in faults:
        print(fault)
    return LEFT if faults else DONE


def _submissions(folder: Path) -> list[Entrant]:
    found = []
    for name in ("ann", "bob"):
        source = folder / name / "my_player.py"
        source.parent.mkdir()
        source.write_text(f"# {name}{_PLAYER}")
        (folder / "copies").mkdir(exist_ok=True)
        found.append(take(Submission(source.parent, name), folder / "copies", None, (CLASS,)).entrant)
    return found


def _sort_of(line: str) -> str:
    return "given up, as the run saw it" if " is lost: " in line else "refused" if " is not used: " in line else "other lines"


def main() -> int:
    """Disturb, compare, and print the table."""
    parser = parser_of("cluster_kills", "What becomes of a run whose workers are killed, stopped and cut off.")
    parser.add_argument("kills", nargs="?", type=whole_number(1, 10**6, "a number of kills"), default=100, help="default: 100")
    parser.add_argument("--minutes", type=whole_number(1, 10**4, "minutes"), default=15, help="at most (default: 15)")
    parser.add_argument("--workers", type=whole_number(1, 100, "a number of workers"), default=4, help="default: 4")
    parser.add_argument("--games", type=whole_number(1, 10**4, "a number of games"), default=40, help="a pair (default: 40)")
    parser.add_argument("--pause", type=float, default=1.5, help="mean seconds between two kills (default: 1.5)")
    parser.add_argument("--seed", type=whole_number(0, 10**9, "a seed"), default=0, help="of the moments (default: 0)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cluster-kills-") as folder:
        return disturb(
            Path(folder), options.games, options.minutes, options.workers, options.kills, options.pause, options.seed
        )


if __name__ == "__main__":
    sys.exit(run("cluster_kills", main, JudgeError))
