"""A cluster in this process whose workers do what workers of real ones do: die, fall silent, are late, send rubbish, lie."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, replace

import pytest

from gojudge.cluster import at_worker
from gojudge.cluster.cluster_pool import ClusterPool, Needs
from gojudge.cluster.replies import Description, pack_reply, unpack_reply
from gojudge.errors import ClusterError
from gojudge.intake.archives import read_files
from gojudge.intake.copies import digest_of
from gojudge.records import Entrant
from tests.support.stubs import conditions
from tournament.application import runs
from tournament.application.plans import make_plan
from tournament.application.runs import Cluster, RunSettings, play_event
from tournament.events.event_files import EventFile

OURS = Description("here", 2, "", "", 0.004, "here", {"Python": "3.11.7", "this program": "abc"})
RUBBISH = (b"", b"\x80\x04.", b"[]", b'{"games": 3}', b'{"missing": ["x"]}', b'{"missing": [[]]}', b"null", b"{" * 99999)
LIAR = "worker-1"
FATES = ("dies", "dies after it", "is late", "rubbish", "an old answer", "an error", "given up")


class FakeLink:
    """A `Link` of `gojudge.cluster.remote_executor`. hazard: the chance that something goes wrong with a task; least: workers
    there are at least. asked: how often each kind of task was asked for. Its time passes only while no worker is at work, so
    that nobody is late because this machine is busy."""

    name = "fake"

    def __init__(self, rng, hazard=0.0, least=2, description=OURS, first=1):
        self.rng, self.hazard, self.least, self.description = rng, hazard, least, description
        self.asked = Counter()
        self.fates = Counter()
        self._answers = [b"{}"]
        self._workers = set()
        self._dead = set()
        self._made = first - 1
        self._at_work = 0
        self._seconds = 0.0
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(8)

    def clock(self):
        with self._lock:
            self._seconds += 0.0 if self._at_work else 1.0
            return self._seconds

    def alive(self):
        with self._lock:
            while len(self._workers) < self.least:
                self._made += 1
                self._workers.add(f"worker-{self._made}")
            return set(self._workers)

    def submit(self, address, task, *arguments):
        future = Future()
        with self._lock:
            self.asked[task.__name__] += 1
            fate = self.rng.choice(FATES) if self.rng.random() < self.hazard else ""
            self.fates[fate] += 1
            self._at_work += 1
        self._pool.submit(self._work, address, task, arguments, fate, future)
        return future

    def close(self):
        self._pool.shutdown(wait=False, cancel_futures=True)

    def describe(self, address):
        return self.description

    def _work(self, *task):
        try:
            self._do(*task)
        finally:
            with self._lock:
                self._at_work -= 1

    def _do(self, address, task, arguments, fate, future):
        answer = b""
        if fate != "dies" and address not in self._dead:
            answer = pack_reply(**asdict(self.describe(address))) if task is at_worker.introduce else task(*arguments)
        if fate in ("dies", "dies after it", "is late"):
            with self._lock:
                self._workers.discard(address)
                if fate != "is late":
                    self._dead.add(address)
        if fate == "is late":
            time.sleep(0.06)
            with self._lock:
                self._workers |= {address} - self._dead
        with self._lock:
            # Who is not used again stays, and another joins.
            self.least += fate in ("rubbish", "an old answer", "an error")
            if fate == "rubbish":
                answer = self.rng.choice(RUBBISH)
            if fate == "an old answer":
                answer = self.rng.choice(self._answers)
            self._answers.append(answer)
        with suppress(InvalidStateError):
            if fate == "an error":
                future.set_exception(ClusterError("the connection was lost"))
            elif fate == "given up":
                future.cancel()
            elif address not in self._dead:
                future.set_result(answer)


def fake_pool(link, said=None, **needs):
    return ClusterPool(link, Needs(OURS, seconds=10_000.0, **needs), ([] if said is None else said).append, link.clock)


def submissions_in(folder, *names):
    """Entrants with folders as the intake makes them."""
    found = []
    for name in names:
        own = folder / name
        own.mkdir(parents=True)
        (own / "my_player.py").write_text(f"# {name}")
        found.append(Entrant(name, folder=own, digest=digest_of(read_files(own))))
    return found


class HostileLink(FakeLink):
    """One of its workers, of which there are two so that it always gets a game, alters what it sends.

    honest: so many portions of games it plays as they are first; the others begin when it has sent the next one, so that there
    is a next one however fast they are. first: the number of the first worker.
    """

    def __init__(self, alter, honest=0, least=2, liars=(LIAR,), first=1):
        super().__init__(random.Random(1), least=least, first=first)
        self.alter, self.honest, self.liars = alter, honest, liars
        self._lied = threading.Event()
        if not honest:
            self._lied.set()

    def describe(self, address):
        return replace(OURS, host=f"host of {address}")

    def _do(self, address, task, arguments, fate, future):
        if task is not at_worker.play or address not in self.liars:
            if task is at_worker.play:
                self._lied.wait(60)
            super()._do(address, task, arguments, fate, future)
            return
        reply = unpack_reply(task(*arguments))
        if "games" in reply:
            self.honest -= 1
            if self.honest < 0:
                if self.alter is None:
                    return
                reply["games"] = self.alter(reply["games"])
                self._lied.set()
        future.set_result(pack_reply(**reply))


def another_score(games):
    return [[*game[:2], game[2] + 1, *game[3:]] for game in games]


def of_another_id(games):
    return [["alice-bob-999", *game[1:]] for game in games]


PLAN = make_plan(EventFile(values={"name": "cup", "size": 3, "games": 6}, chance={"seed": 1}), "round-robin", str)


def small_games(patch):
    """Have events be played by stubs, on a small board. patch: pytest's monkeypatch."""
    patch.setattr(runs, "conditions_at", lambda *_: conditions(size=3))
    patch.setattr(runs, "conditions_for", lambda *_: conditions(size=3))


def play(path, entrants, link=None, verify=1.0, plan=PLAN):
    """Play the event, with the workers of a link; return what was said, line by line."""
    said = []

    class Joined:
        def __enter__(self):
            pool = fake_pool(link, said)
            pool.muster()
            return Cluster(pool, "")

        def __exit__(self, *_):
            pass

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(runs, "join_cluster", lambda *_: Joined())
        settings = RunSettings(1) if link is None else RunSettings(None, "fake", verify)
        assert play_event(path, plan, entrants, settings, tell=said.append) == 0
    return said
