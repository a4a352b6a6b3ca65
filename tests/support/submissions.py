"""Small submissions for tests, and the tiers of sandbox that can be tried on this machine."""

import os
import textwrap
from dataclasses import replace

import pytest

from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.records import Entrant, GameSpec, Tier, open_seeds
from gojudge.sandbox import tiers as sandbox
from gojudge.seats import Limits
from tests.support.missing import needs

LIMITS = Limits(
    move_seconds=5.0, start_seconds=10.0, game_cpu_seconds=30.0, memory_mib=256, processes=16, disk_mib=4, log_kib=4
)

_REPORTS = {report.tier: report for report in sandbox.probe()}
# Processes that share the tests of a run must all take the same ones for slow: `tests/conftest.py` tells them.
BEST_HERE = "BEST_TIER_HERE"


def best_tier():
    """The best tier that works here, as the first process of the run has found it."""
    return os.environ.get(BEST_HERE) or sandbox.best_tier()


def tiers(*names):
    """The tiers named, as parameters of a test. The short suite tries the best that works here; tiers that do not work here are
    skipped, with the reason."""
    return pytest.mark.parametrize("tier", [_parameter(name) for name in names or [tier.value for tier in reversed(Tier)]])


def _parameter(name):
    report = _REPORTS[name]
    return pytest.param(name, marks=[needs(report.why_not), *[pytest.mark.slow] * (name != best_tier())])


def submission(folder, source, **files):
    """Write a submission into a folder; return its entrant."""
    folder.mkdir(exist_ok=True)
    (folder / "my_player.py").write_text(textwrap.dedent(source))
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return Entrant("alice", folder=folder)


def get_input(body, top=""):
    """Return the source of a player whose get_input has this body."""
    return textwrap.dedent(top) + "\n\nclass MyPlayer:\n    def get_input(self, go, colour):\n" + textwrap.indent(
        textwrap.dedent(body), "        "
    )


def seat_for(entrant, tier, rules=COURSE, size=5, load_each_game=False, **limits):
    """Open a seat, which the caller must close."""
    return sandbox.open_seat(entrant, rules, size, replace(LIMITS, **limits), tier=tier, load_each_game=load_each_game)


def spec(seed=1):
    """The spec of a game."""
    return GameSpec("alice-bob-001", "alice", "bob", open_seeds(seed))


def answers(seat, number=1, seed=1, rules=COURSE, size=5, colour=1):
    """Play one game in which the opponent's stones do not matter; return the answers to the empty board."""
    seat.begin(spec(seed), colour)
    try:
        return [seat.answer(new_game(rules, size), "").answer for _ in range(number)]
    finally:
        seat.end()
