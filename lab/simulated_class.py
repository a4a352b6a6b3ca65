"""A simulated class of 200 submissions: what runner, store and standings cost if the players cost nothing.

    python3 -m lab.simulated_class                    19,900 pairs x 11 games, some ten minutes
    python3 -m lab.simulated_class --submissions 40   a first try, in half a minute

Every seat answers at once with a seeded random move. Games are recorded and stored like any others.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tabulate import tabulate

from benchmarks.made_up_events import open_instant_seat
from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run, whole_number
from goban.grids import MAX_SIZE, MIN_SIZE
from gojudge.errors import JudgeError
from gojudge.records import Entrant, GameResult
from gojudge.refereeing.open_seats import Conditions
from gojudge.refereeing.runner import Runner
from gojudge.seats import Limits
from tournament.events.event_files import make_event
from tournament.events.events import Event
from tournament.events.schedules import open_batches, pairings
from tournament.results.ratings import ratings
from tournament.results.standings import standings
from tournament.store.store import Run, Store, open_store, read_store


def memory() -> float:
    """Return the resident memory of this process and its workers, in MiB (Linux)."""
    pids = ["self", *(str(child.pid) for child in multiprocessing.active_children())]
    lines = [line for pid in pids for line in Path(f"/proc/{pid}/status").read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


class Watch:
    """Stores games, records the memory in use after some of them, and stops the run after game `last`."""

    def __init__(self, store: Store, marks: list[int], last: int) -> None:
        self.store = store
        self.marks = marks
        self.last = last
        self.games = 0
        self.readings: list[tuple[int, float]] = []
        self.first = 0.0

    def keep(self, results: Sequence[GameResult]) -> None:
        """Store games."""
        self.store.add(*results)
        self.games += len(results)
        self.first = self.first or time.monotonic()
        while self.marks and self.games >= self.marks[0]:
            self.marks.pop(0)
            self.readings.append((self.games, memory()))

    def is_over(self) -> bool:
        """Tell whether enough games have been played."""
        return self.games >= self.last


def play(
    path: Path, event: Event, entrants: list[Entrant], jobs: int, marks: list[int], last: int
) -> tuple[Watch, float, float]:
    """Start or resume a run; return (its watch, seconds until the first game was stored, seconds in all)."""
    started = time.monotonic()
    with open_store(path, event) as store:
        store.begin_run(entrants, Run("", "", ""))
        batches = open_batches(pairings(event, entrants, store.key), store.finished())
        watch = Watch(store, marks, last)
        conditions = Conditions(event.rules, event.size, Limits(), open_instant_seat)
        runner = Runner(conditions, entrants, watch.keep, jobs=jobs, stopped=watch.is_over)
        runner.run(batch.games(store.key) for batch in batches)
    return watch, watch.first - started, time.monotonic() - started


def main() -> int:
    """Print the table."""
    parser = parser_of("simulated_class", "What a class's round robin costs besides the players.")
    for option, usual, what in (("submissions", 200, "submissions"), ("games", 11, "games a pair"), ("jobs", 2, "processes")):
        number = whole_number(2, 10**6, f"a number of {what}")
        parser.add_argument(f"--{option}", type=number, default=usual, help=f"{what} (default: %(default)s)")
    parser.add_argument("--size", type=whole_number(MIN_SIZE, MAX_SIZE, "a size"), default=5, help="default: %(default)s")
    options = parser.parse_args()
    entrants = [Entrant(f"student_{number:03d}", digest=f"{number:064x}") for number in range(options.submissions)]
    event = make_event({"kind": "round-robin", "size": options.size, "games": options.games})
    total = options.games * options.submissions * (options.submissions - 1) // 2
    marks = [total * tenth // 10 for tenth in (1, 5, 9)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "class.db"
        # All but a few games first, then the rest in a second run, to measure how long resuming takes.
        watch, _, seconds = play(path, event, entrants, options.jobs, marks, total - 50)
        _, resumed, _ = play(path, event, entrants, options.jobs, [], total)
        size = path.stat().st_size
        started = time.monotonic()
        with read_store(path) as store:
            rows = store.rows()
        read = time.monotonic() - started
        found = standings(rows)
        ranked = time.monotonic() - started
        ratings(found.tallies)
        rated = time.monotonic() - started
    lines = [
        ("games", f"{len(rows)}"),
        ("games a second", f"{watch.games / seconds:.0f}"),
        *((f"memory after {games} games, all processes", f"{mib:.0f} MiB") for games, mib in watch.readings),
        ("store, bytes a game", f"{size / len(rows):.0f}"),
        ("resuming: until the first game is kept", f"{resumed:.1f} s"),
        ("reading all rows", f"{read:.1f} s"),
        ("... and standings", f"{ranked:.1f} s"),
        ("... and ratings", f"{rated:.1f} s"),
    ]
    print(tabulate(lines, disable_numparse=True, colalign=("left", "right")))
    return DONE


if __name__ == "__main__":
    sys.exit(run("simulated_class", main, JudgeError))
