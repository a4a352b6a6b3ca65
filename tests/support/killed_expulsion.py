"""`python -m tests.support.killed_expulsion FOLDER WHAT`: the head is killed at each step of an expulsion, and goes on.

WHAT: 'altered' or 'nonsense', which a worker sends. A step is what a run writes or decides from when a worker is found wrong. A
process is killed by SIGKILL before it, another after it, and one with half a line written. Every run is then gone on with by
others, and where it had written down who is wrong also here, without a cluster. Writes a line for each, and for what is wrong.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from gojudge.cluster.cluster_pool import ClusterPool
from tests.support.fake_link import LIAR, HostileLink, another_score, of_another_id, play, small_games, submissions_in
from tests.support.stores import exported
from tournament.application import worker_checks
from tournament.application.plans import make_plan
from tournament.events.event_files import EventFile
from tournament.store.store import Store, read_store

FEW = make_plan(EventFile(values={"name": "cup", "size": 3, "games": 4}, chance={"seed": 1}), "round-robin", str)


class Kills:
    """Kills this process at a step: where is 0 before it, 1 when half a line is written, or after it if it writes none."""

    def __init__(self, step, where):
        self.left, self.where, self.begun = step, where, False

    def begin(self):
        for owner, name in ((Store, "add"), (Store, "expel"), (ClusterPool, "expel"), (worker_checks, "_write")):
            setattr(owner, name, self._watched(getattr(owner, name), name))

    def _watched(self, work, name):
        def watched(*arguments, **options):
            is_line = name == "_write"
            self.begun = self.begun or name == "expel" or (is_line and "wrong" in arguments[1])
            self.left -= self.begun
            here = self.begun and self.left == 0
            if here and self.where == 1 and is_line:
                _write_half(work, *arguments)
            if here and (self.where == 0 or (self.where == 1 and is_line)):
                os.kill(os.getpid(), signal.SIGKILL)
            found = work(*arguments, **options)
            if here:
                os.kill(os.getpid(), signal.SIGKILL)
            return found

        return watched


def _write_half(write, store, fields):
    path = worker_checks.checks_beside(store.path)
    before = path.stat().st_size if path.exists() else 0
    write(store, fields)
    os.truncate(path, (before + path.stat().st_size) // 2)


def in_a_child(work):
    """Do something in a process of its own, where no thread has been started; return how that ended."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def look(path, alone, where, done, expelled=True):
    """Say what is wrong after a run was gone on with. expelled: whether no game of the liar may count."""
    with read_store(path) as store:
        left = expelled and LIAR in store.workers().values()
    if done != 0 or left or exported(path) != alone:
        print(f"WRONG {where}: status {done}, the liar's games count: {left}, as alone: {exported(path) == alone}")


def goes_on_here(path, alone, entrants, where):
    """Go on with a copy of an event on this machine alone."""
    here = path.with_name("here.db")
    for one, other in ((path, here), (worker_checks.checks_beside(path), worker_checks.checks_beside(here))):
        other.write_bytes(one.read_bytes())
    look(here, alone, f"{where}, gone on here", in_a_child(lambda: play(here, entrants, plan=FEW)))


def disturbed(path, alone, entrants, what, step, where):
    """Have a run be killed at a step, and gone on with; return whether there was such a step."""
    alter, honest, share = {"altered": (another_score, 0, 0.1), "nonsense": (of_another_id, 1, 0.0)}[what]
    kills = Kills(step, where)

    def hostile():
        kills.begin()
        play(path, entrants, HostileLink(alter, honest), share, plan=FEW)

    killed = in_a_child(hostile) == -signal.SIGKILL
    beside = worker_checks.checks_beside(path)
    text = beside.read_text() if beside.exists() else ""
    decided = [line for line in text.splitlines() if line.endswith("}") and '"wrong"' in line]
    print(f"step {step}.{where}: {'killed' if killed else 'done'}, {len(decided)} lines on wrong")
    if decided and killed:
        goes_on_here(path, alone, entrants, f"step {step}.{where}")
    by_others = in_a_child(lambda: play(path, entrants, HostileLink(None, liars=(), first=100), share, plan=FEW))
    # What was played honestly counts if the head was killed before it had written down that nonsense came.
    look(path, alone, f"step {step}.{where}, gone on by others", by_others, bool(decided) or what == "altered")
    return killed


def main(folder, what):
    os.chdir(folder)
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    small_games(pytest.MonkeyPatch())
    entrants = submissions_in(folder / "copies", "alice", "bob", "carol")
    in_a_child(lambda: play(folder / "alone.db", entrants, plan=FEW))
    alone = exported(folder / "alone.db")
    step = where = 0
    while disturbed(folder / f"{what}-{step}-{where}.db", alone, entrants, what, step + 1, where):
        step, where = (step, 1) if where == 0 else (step + 1, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
