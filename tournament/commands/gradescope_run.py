"""gradescope-run: inside Gradescope's container, grade the one submission that is there. `run_autograder` calls it.

    ROOT/source                      the zip of gradescope-autograder, unpacked
    ROOT/submission                  what was handed in
    ROOT/submission_metadata.json    who handed it in
    ROOT/results/results.json        written here: first that nothing is known, then the grade

Before anything of the submission is run, these are closed to everybody but us. That keeps out a submission wherever its
sandbox has a user of its own or hides files; see docs/course-systems.md for what holds at which tier.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any

from common.command_lines import DONE, LEFT
from common.excerpts import message_line
from common.files import write_beside
from tournament.application.plans import read_file_plan
from tournament.application.runs import RunSettings, play_event
from tournament.commands.progress import GameProgress, say
from tournament.errors import BadSubmissionError, SandboxError, TournamentError
from tournament.events.events import Machine
from tournament.intake.archives import JUNK, is_archive
from tournament.intake.copies import Submission, take
from tournament.intake.player_files import kinds_for
from tournament.pages.words import first_forfeits
from tournament.records import Tier
from tournament.results.autograders import AutograderSettings, Handed, key_for, read_metadata, read_settings
from tournament.results.deadlines import due_words, moved
from tournament.results.grade_report import json_bytes
from tournament.results.gradescope import not_another, results, unfinished
from tournament.results.grading import Grade, class_grades, refused_grade
from tournament.results.rubrics import Rubric
from tournament.sandbox.leftovers import owned_folder
from tournament.store.store import open_store, read_store

SUMMARY = "inside Gradescope's container: grade the submission there"
_NAME = "submission"
_METADATA = "submission_metadata.json"
_CLOSED = ("source", "submission", "results", _METADATA)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--root", type=Path, default=Path("/autograder"), metavar="FOLDER", help="Gradescope's folder (default: %(default)s)"
    )


def run(options: argparse.Namespace) -> int:
    """Grade the submission. Whatever happens, a `results.json` is left."""
    root, started = options.root, time.monotonic()
    result = root / "results/results.json"
    result.parent.mkdir(exist_ok=True)
    write_beside(result, json_bytes(unfinished("the grading was stopped before its end")))
    try:
        for path in [root / name for name in _CLOSED if (root / name).exists()]:
            path.chmod(0o700 if path.is_dir() else 0o600)
        settings, handed = read_settings(root / "source/settings.json"), read_metadata(root / _METADATA)
        if settings.attempts and handed.graded >= settings.attempts:
            shown = not_another(handed.graded, settings.attempts, handed.result)
        else:
            shown = _grade(root, settings, handed)
            shown["execution_time"] = round(time.monotonic() - started)
    except Exception as error:
        write_beside(result, json_bytes(unfinished(f"the grading failed ({message_line(str(error), 300)})")))
        raise
    write_beside(result, json_bytes(shown))
    points = f"{shown['score']:g} points" if "score" in shown else "no score"
    print(f"{points}, written to {result}", file=sys.stderr)
    return DONE


def _grade(root: Path, settings: AutograderSettings, handed: Handed) -> dict[str, Any]:
    """Play the games and return the contents of `results.json`. Raises TournamentError or OSError if that cannot be done."""
    with owned_folder() as work:
        played = _played(root, work, settings, handed)
    shown = results(played.grade, settings.visibility, played.faults)
    shown["output"] += played.note
    shown["extra_data"] = {**shown.get("extra_data", {}), "tier": played.tier}
    return shown


@dataclass(frozen=True)
class _Played:
    """A grade. tier: of the weakest sandbox used, '' if nothing was played. faults: see `results`. note: what more to say."""

    grade: Grade
    tier: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def _played(root: Path, work: Path, settings: AutograderSettings, handed: Handed) -> _Played:
    """Play the games. work: an empty folder that only we can read. Raises TournamentError or OSError if that cannot be done."""
    plan, store = read_file_plan(root / "source/event.toml", "grade"), work / "grade.db"
    assert plan.rubric is not None
    rubric = plan.rubric
    if rubric.deadline is not None:
        rubric = replace(rubric, deadline=moved(rubric.deadline, handed.due, handed.late_due))
    one = Submission(_source(root / "submission"), _NAME, fields=handed.fields)
    (work / "copies").mkdir()
    try:
        entrant = take(one, work / "copies", None, kinds_for(plan.event.rules)).entrant
    except BadSubmissionError as error:
        return _Played(refused_grade(_NAME, (), str(error), rubric, handed.fields))
    _check_walls(plan.machine)
    # The key is as secret as the zip is.
    key = key_for(settings, handed.student, entrant.digest)
    open_store(store, plan.event, plan.basis, key=key, machine=plan.machine).close()
    players = [entrant, *rubric.references()]
    with _ending_after(settings.seconds):
        how = RunSettings(settings.jobs, in_turns=True)
        status = play_event(store, replace(plan, key=None), players, how, tell=say, watch=GameProgress)
    if status == LEFT:
        raise TournamentError("games could not be played, see the output of the autograder")
    with read_store(store) as games:
        rows, tiers, faults = games.rows(), games.tiers(), first_forfeits(games.results(), plan.event.limits)
    (found,) = class_grades(rows, rubric, [entrant], (), plan.event.games, plan.event.until_decided)
    tier = min((tier for tier in tiers if tier), default="")
    return _Played(found, tier, faults.get(_NAME, {}), _note(found, rubric, settings, tier))


def _note(grade: Grade, rubric: Rubric, settings: AutograderSettings, tier: str) -> str:
    """Return what more there is to say of a grade, in lines that each begin with a line end."""
    said = [f"{due_words(rubric.deadline)}."] if rubric.deadline is not None else []
    if not grade.complete:
        said.append(
            f"The assignment's time-out of {settings.minutes:g} minutes left no time for more. Please tell the course's staff."
        )
    said += [f"Played in a sandbox of tier {tier}."] if tier else []
    return "".join(f"\n{line}" for line in said)


def _check_walls(machine: Machine) -> None:
    """Raise SandboxError if a submission would run as root here, which it never does: it could write its own result.

    At T2 and T3 it has a user of its own anyway.
    """
    from tournament.sandbox.interpreters import interpreter
    from tournament.sandbox.launching import can_be_another_user, what_keeps_others_out
    from tournament.sandbox.tiers import require

    tier, program = require(machine.require_tier), interpreter(machine.python)
    if tier <= Tier.T1 and not os.geteuid() and not can_be_another_user(program):
        raise SandboxError(f"at tier {tier} a submission would run as root: {what_keeps_others_out(program)}")


def _source(folder: Path) -> Path:
    """Return what was handed in: the folder, or the archive that is all it holds."""
    inside = [path for path in folder.iterdir() if path.name not in JUNK and not path.name.startswith(".")]
    return inside[0] if len(inside) == 1 and inside[0].is_file() and is_archive(inside[0]) else folder


@contextmanager
def _ending_after(seconds: float) -> Iterator[None]:
    """Send ourselves SIGTERM after so many seconds, and every second from then on: whatever plays games ends in good order."""

    def end(number: int, frame: FrameType | None) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.signal(signal.SIGALRM, end), signal.signal(signal.SIGTERM, lambda number, frame: None)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before[0])
        signal.signal(signal.SIGTERM, before[1])
