"""Small submissions for tests, and the tiers of sandbox that can be tried on this machine."""

import json
import os
import textwrap
from dataclasses import replace
from functools import cache

import pytest

from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.records import Entrant, GameSpec, Tier, open_seeds
from gojudge.sandbox import tiers as sandbox
from gojudge.seats import Limits
from gojudge.shelf.doctor import read_shelf
from tests.support.missing import needs

LIMITS = Limits(
    move_seconds=5.0, start_seconds=10.0, game_cpu_seconds=30.0, memory_mib=256, processes=16, disk_mib=4, log_kib=4
)

TOLD = "WHY_NO_TIER_HERE"


@cache
def why_no_tier():
    """Return why a tier does not work here, '' if it does, strongest first, as the first process of a run has found out."""
    if told := os.environ.get(TOLD):
        return json.loads(told)
    return {report.tier.value: report.why_not for report in sandbox.probe()}


def tell_processes():
    """Have processes that share the tests of a run try no sandbox: they must all take the same tests for slow."""
    os.environ[TOLD] = json.dumps(why_no_tier())


def best_tier():
    """Return the best tier that works here."""
    return next(tier for tier, why_not in why_no_tier().items() if not why_not)


def tiers(*names):
    """The tiers named, as parameters of a test. The short suite tries the best that works here; tiers that do not work here are
    skipped, with the reason."""
    return pytest.mark.parametrize("tier", [_parameter(name) for name in names or [tier.value for tier in reversed(Tier)]])


def _parameter(name):
    return pytest.param(name, marks=[needs(why_no_tier()[name]), *[pytest.mark.slow] * (name != best_tier())])


@cache
def shelf():
    """The attacks of the shelf, read once for all tests of a process."""
    return tuple(read_shelf())


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
