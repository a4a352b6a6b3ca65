"""A run to be killed: `python -m tests.support.killed_run STORE GAMES JOBS TURN`. It writes a line for every stored game.

GAMES are per pair. The higher TURN is, the later in the schedule the run begins.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gojudge.records import Entrant
from gojudge.refereeing.runner import Runner
from tests.support.stubs import conditions
from tournament.events.event_files import make_event
from tournament.events.schedules import open_batches, pairings
from tournament.store.store import Run, open_store

NAMES = ("alice", "bob", "carol", "dave", "noisy", "slow", "zoe")
ENTRANTS = [Entrant(name, digest=name) for name in NAMES]


def main(path, games, jobs, turn, key=None):
    event = make_event({"kind": "round-robin", "name": "killed", "size": 3, "games": games})
    with open_store(Path(path), event, key=key) as store:
        store.begin_run(ENTRANTS, Run("", "", ""))
        batches = open_batches(pairings(event, ENTRANTS, store.key), store.finished())
        first = turn % max(len(batches), 1)
        batches = batches[first:] + batches[:first]

        def keep(results):
            store.add(*results)
            os.write(1, "".join(f"{result.spec.id}\n" for result in results).encode())

        Runner(conditions(), ENTRANTS, keep, jobs=jobs).run(batch.games(store.key) for batch in batches)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
