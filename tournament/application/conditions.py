"""What a run takes of this machine: cores, the sandbox, versions."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from goban.rulesets import PRESETS
from gojudge.errors import JudgeError
from gojudge.records import PROGRAM, Entrant
from gojudge.refereeing.open_seats import Conditions, open_entrant
from gojudge.seats import Limits, usual_limits
from tournament.events.events import Event, Machine
from tournament.store.store import Run

Tell = Callable[[str], None]
"""Is told what somebody should know, line by line."""


def tell_nobody(line: str) -> None:
    """Tell nobody."""


def tell_changes(store: Path, changes: Sequence[str], tell: Tell) -> None:
    """Tell in what the rubric of a results file has changed, if it has; see `tournament.events.identities`."""
    if changes:
        tell(f"{store}: the rubric has changed: {', '.join(changes)}; games stay, and marks are by the rubric as it is now")


def jobs(wanted: int | None) -> int:
    """Return how many games to play at a time, one per core for None; raises JudgeError if that is out of range."""
    if wanted is None:
        return cores()
    if not 1 <= wanted <= 1000:
        raise JudgeError(f"--jobs: expected a whole number from 1 to 1000, got {wanted}")
    return wanted


def at_once(asked: int | None, entrants: Sequence[Entrant], missing: int, tell: Tell) -> int:
    """Return how many of the missing games to play at a time; tell if that is fewer than asked for. See `jobs`."""
    wanted = min(jobs(asked), missing)
    if any(entrant.kind == PROGRAM for entrant in entrants) and wanted > cores():
        tell(f"--jobs: {cores()} games at a time, not {wanted}: no two programs are to think on one core")
        return cores()
    return wanted


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def this_run() -> Run:
    """Return the record of this run: the time, the machine and the versions."""
    try:
        own = version("go-competition-harness")
    except PackageNotFoundError:
        own = "(not installed)"
    versions = f"Python {platform.python_version()}, go-competition-harness {own}, {platform.system()} {platform.release()}"
    return Run(datetime.now(UTC).isoformat(timespec="seconds"), platform.node(), versions)


def usual(limit: str) -> str:
    """Return what a limit is where nobody says, in words: '5; under littlego 10'."""
    general = getattr(Limits(), limit)
    others = {rules: value for rules in PRESETS if (value := getattr(usual_limits(rules), limit)) != general}
    return "; ".join([f"{general:g}", *(f"under {rules} {value:g}" for rules, value in others.items())])


def conditions_for(event: Event, machine: Machine, entrants: Sequence[Entrant], tell: Tell) -> Conditions:
    """Return the conditions under which these entrants play; tell of the sandbox unless all are reference players.

    Raises SandboxError if no sandbox here is as strong as required.
    """
    tier = ""
    if not all(entrant.reference for entrant in entrants):
        from gojudge.sandbox.tiers import require

        tier = require(machine.require_tier)
        who = "submissions" if any(entrant.is_submission for entrant in entrants) else "engines"
        tell(f"{who} play in a sandbox of tier {tier}")
    return conditions_at(tier, event, machine)


def conditions_at(tier: str, event: Event, machine: Machine) -> Conditions:
    """Return the conditions of games whose sandboxes have this tier, '' if there is no submission."""
    asked = tier, machine.python, machine.start_each_move, machine.load_each_game
    return Conditions(event.rules, event.size, event.limits, open_entrant, *asked)
