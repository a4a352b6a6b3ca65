"""A small course in a folder of its own, whose games are played at once in this process by stubs."""

from __future__ import annotations

import random
import re
from functools import partial
from pathlib import Path

from gojudge.records import Tier
from gojudge.refereeing.open_seats import close_here
from gojudge.refereeing.runner import Runner
from tests.support.sources import FIRST_LEGAL
from tests.support.stub_runs import Inline
from tests.support.stubs import StubSeat
from tournament.__main__ import main
from tournament.store.store import Run

COURSE = """name = "go"
zone = "America/Los_Angeles"
roster = "class.csv"
editions = ["instructor"]

[[homework]]
name = "first"
submissions = "first"
rubric = "tiny.toml"
seed = 1
deadline = { due = 2026-10-01T23:59:59, points_per_day = 10, attempts = "best" }

[ladder]
size = 3
games = 2
seed = 2
"""
RUBRIC = """title = "Tiny"
rules = "course"
size = 3
games = 2
[[opponent]]
name = "random"
bands = [{ from = 0, points = 50 }]
"""
ROSTER = """submission,name,submitted
ann,ann,2026-10-01 10:00
bob,bob,2026-10-02 10:00
cy,cy,2026-10-01 10:00
"""
NOW = "2026-10-03 08:00"


class Versioned(StubSeat):
    """Plays at random, and otherwise if what was handed in is another."""

    def begin(self, spec, colour):
        super().begin(spec, colour)
        self.rng = random.Random(f"{spec.seeds[colour - 1]} {self.entrant.digest}")


def open_versioned(entrant, conditions):
    return Versioned(entrant)


def write_course(folder, text=COURSE):
    """A course of ann, bob and cy; cy's cannot be read."""
    (folder / "first").mkdir()
    (folder / "course.toml").write_text(text)
    (folder / "tiny.toml").write_text(RUBRIC)
    (folder / "class.csv").write_text(ROSTER)
    for name in ("ann", "bob"):
        hand_in(folder, name)
    (folder / "first/cy.py").write_text("class MyPlayer(\n")


def hand_in(folder, name, version=1):
    """A version of somebody's player. With each one comes another time in the roster, in which it was handed in."""
    (folder / f"first/{name}.py").write_text(f"{FIRST_LEGAL}# {name}, version {version}\n")
    say_when(folder, name, f"10:0{version - 1}")


def say_when(folder, name, clock):
    """Have the roster give another time of day at which somebody handed in."""
    path = folder / "class.csv"
    path.write_text(re.sub(rf"(?m)^({name},{name},2026-10-0\d) [\d:]+", rf"\1 {clock}", path.read_text()))


def replace_unnoticed(folder, name, text):
    """Have something else lie there under the same time."""
    (folder / f"first/{name}.py").write_text(text)


def play_with_stubs(monkeypatch):
    """Have games played at once, without sandboxes and processes, and under one date."""
    close_here()
    monkeypatch.setattr("tournament.application.runs.open_entrant", open_versioned)
    monkeypatch.setattr("tournament.application.runs.Runner", partial(Runner, executor=Inline))
    monkeypatch.setattr("tournament.application.runs.local_executor", Inline)
    monkeypatch.setattr("gojudge.sandbox.tiers.require", lambda tier: Tier.T3)
    this_run = partial(Run, "2026-10-03T15:00:00+00:00", "host", "here")
    for place in ("runs", "trials"):
        monkeypatch.setattr(f"tournament.application.{place}.this_run", this_run)


def course(*options, now=NOW):
    return main(["course", "course.toml", f"--now={now}", *options])


def tree(folder="."):
    """Everything that lies in a folder: path -> contents; without the locks, which are empty, and stores' own journals."""
    files = (path for path in sorted(Path(folder).rglob("*")) if path.is_file())
    return {str(path): path.read_bytes() for path in files if not re.search(r"\.lock$|-(wal|shm)$", path.name)}
