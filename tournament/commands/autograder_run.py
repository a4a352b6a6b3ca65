"""autograder-run: where a course system grades, grade the one submission that is there. What `autograder` writes calls it.

    system             the zip, unpacked   the submission        what is written
    gradescope         ROOT/source         ROOT/submission       ROOT/results/results.json
    vocareum           ROOT                $VOC_HOME_DIR         $vocareumGradeFile, $vocareumReportFile
    github-classroom   ROOT                $GITHUB_WORKSPACE     $GITHUB_STEP_SUMMARY, $GITHUB_OUTPUT

First it is written that nothing is known, then the grade. Before anything of the submission is run, what the system has there
is closed to everybody but us. That keeps out a submission wherever its sandbox has a user of its own or hides files; see
docs/course-systems.md for what holds at which tier.
"""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType

from goban.common.command_lines import DONE, LEFT, say
from goban.common.excerpts import message_line
from goban.common.files import write_beside
from gojudge.errors import BadSubmissionError, JudgeError, SandboxError
from gojudge.intake.copies import Submission, take
from gojudge.intake.player_files import kinds_for
from gojudge.records import Tier
from gojudge.sandbox.leftovers import owned_folder
from tournament.application.plans import read_file_plan
from tournament.application.runs import RunSettings, play_event
from tournament.commands.event_options import GameProgress
from tournament.errors import BadEventError
from tournament.events.events import Machine
from tournament.pages.words import first_forfeits
from tournament.results.autograders import (
    GITHUB,
    GRADESCOPE,
    SYSTEMS,
    VOCAREUM,
    AutograderSettings,
    Handed,
    key_for,
    read_settings,
    read_submission_metadata,
)
from tournament.results.course_systems import (
    DECIMALS,
    github_result,
    github_summary,
    not_another,
    results,
    tell_unfinished,
    vocareum_grade,
    vocareum_report,
)
from tournament.results.deadlines import due_words, move_dates
from tournament.results.grade_report import json_bytes
from tournament.results.grading import Grade, class_grades, refused_grade
from tournament.results.rubrics import Rubric, show_points
from tournament.store.store import open_store, read_store

SUMMARY = "where a course system grades: grade the submission there"
EXAMPLE = "gradescope"
_NAME = "submission"
_METADATA = "submission_metadata.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("system", choices=SYSTEMS, metavar="SYSTEM", help=", ".join(SYSTEMS))
    parser.add_argument(
        "--root", type=Path, default=Path("/autograder"), metavar="FOLDER",
        help="where the zip is unpacked, of Gradescope the folder above (default: %(default)s)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Grade the submission. Whatever happens, something is said of it where the system looks."""
    started = time.monotonic()
    place = _PLACES[options.system](options.root)
    place.write_unknown("the grading was stopped before its end")
    try:
        for path in [path for path in place.closed if path.exists()]:
            with suppress(PermissionError):
                path.chmod(0o700 if path.is_dir() else 0o600)
        settings = read_settings(place.source / "settings.json")
        handed = place.read_handed()
        if handed.unread:
            say(f"{handed.unread}: whose it is, when it came and what was handed in before is not known")
        if settings.attempts and handed.graded >= settings.attempts:
            return place.write_again(handed, settings)
        with owned_folder() as work:
            played = _play(place, work, settings, handed)
    except Exception as error:
        place.write_unknown(f"the grading failed ({message_line(str(error), 300)})")
        raise
    return place.write(played, settings, round(time.monotonic() - started))


def _tell(grade: Grade, where: Path) -> int:
    points = f"{float(show_points(grade.points, DECIMALS)):g} points" if grade.complete else "no score"
    say(f"{points}, written to {where}")
    return DONE


class _Gradescope:
    """Gradescope's folder."""

    def __init__(self, root: Path) -> None:
        self.source, self.submission, self._metadata = root / "source", root / "submission", root / _METADATA
        self._result = root / "results/results.json"
        self._result.parent.mkdir(exist_ok=True)
        self.closed = (self.source, self.submission, self._result.parent, self._metadata)

    def read_handed(self) -> Handed:
        """Return what the system says of the submission."""
        return read_submission_metadata(self._metadata)

    def write_unknown(self, reason: str) -> None:
        """Write that nothing is known."""
        write_beside(self._result, json_bytes(tell_unfinished(reason)))

    def write_again(self, handed: Handed, settings: AutograderSettings) -> int:
        """Write the result of the last submission that was graded."""
        write_beside(self._result, json_bytes(not_another(handed.graded, settings.attempts, handed.result)))
        return DONE

    def write(self, played: _Played, settings: AutograderSettings, seconds: int) -> int:
        """Write the grade."""
        report = results(played.grade, settings.visibility, played.faults)
        report["output"] += played.note
        report["extra_data"] = {**report.get("extra_data", {}), "tier": played.tier}
        write_beside(self._result, json_bytes({**report, "execution_time": seconds}))
        return _tell(played.grade, self._result)


class _ByVariables:
    """A system that says in variables of the environment where things are."""

    names: tuple[str, str] = ("", "")
    who, where = "", ""

    def __init__(self, root: Path) -> None:
        self.source, self.submission = root, Path(os.environ.get(self.where) or ".").resolve()
        missing = [name for name in self.names if not os.environ.get(name)]
        if missing:
            raise BadEventError(f"expected the system's variable {missing[0]}, which says where to write, got none")
        self.first, self.second = (Path(os.environ[name]) for name in self.names)
        self.closed = (root, self.first, self.second)

    def read_handed(self) -> Handed:
        """Return who has handed in, by the system's own number or name."""
        return Handed(os.environ.get(self.who, ""))

    def write_again(self, handed: Handed, settings: AutograderSettings) -> int:
        """Nothing is known of earlier submissions."""
        raise BadEventError(f"settings.json: attempts: expected 0, got {settings.attempts}")


class _Vocareum(_ByVariables):
    """A container of Vocareum's, in which `grade.sh` runs."""

    names = ("vocareumGradeFile", "vocareumReportFile")
    who, where = "VOC_USERID", "VOC_HOME_DIR"

    def write_unknown(self, reason: str) -> None:
        """Say so in the report; the grade file is left empty, so that no points are recorded."""
        self._report(str(tell_unfinished(reason)["output"]))

    def write(self, played: _Played, settings: AutograderSettings, seconds: int) -> int:
        """Write the grade file and the report. While games are missing there are no points."""
        self._report(vocareum_report(played.grade, played.faults) + played.note)
        if not played.grade.complete:
            return LEFT
        self.first.write_text(vocareum_grade(played.grade), "utf-8")
        return _tell(played.grade, self.first)

    def _report(self, text: str) -> None:
        # The files are there already, and whoever reads them may hold them open: so they are not replaced.
        self.second.write_text(f"VOC_NO_REPORT_OUTPUT\n{text.rstrip()}\n", "utf-8")


class _GitHub(_ByVariables):
    """A job of GitHub Actions in a student's repository."""

    names = ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")
    who, where = "GITHUB_REPOSITORY", "GITHUB_WORKSPACE"

    def write_unknown(self, reason: str) -> None:
        """Say so in the summary."""
        self.first.write_text(f"{tell_unfinished(reason)['output']}\n", "utf-8")

    def write(self, played: _Played, settings: AutograderSettings, seconds: int) -> int:
        """Write the summary, and what the workflow's next step reports."""
        self.first.write_text(github_summary(played.grade, played.note, played.faults), "utf-8")
        with self.second.open("a", encoding="utf-8") as file:
            file.write(f"result={github_result(played.grade)}\n")
        _tell(played.grade, self.first)
        return DONE if played.grade.complete else LEFT


_PLACES: dict[str, type[_Gradescope | _Vocareum | _GitHub]] = {
    GRADESCOPE: _Gradescope, VOCAREUM: _Vocareum, GITHUB: _GitHub,
}  # fmt: skip


@dataclass(frozen=True)
class _Played:
    """A grade. tier: of the weakest sandbox used, '' if nothing was played. faults: see `results`. note: what more to say."""

    grade: Grade
    tier: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def _play(place: _Gradescope | _ByVariables, work: Path, settings: AutograderSettings, handed: Handed) -> _Played:
    """Play the games. work: an empty folder that only we can read. Raises JudgeError or OSError if that cannot be done."""
    plan, store = read_file_plan(place.source / "event.toml", "grade"), work / "grade.db"
    assert plan.rubric is not None
    rubric = plan.rubric
    if rubric.deadline is not None:
        rubric = replace(rubric, deadline=move_dates(rubric.deadline, handed.due, handed.late_due))
    one = Submission(place.submission, _NAME, fields=handed.fields)
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
        how = RunSettings(settings.jobs, in_turns=True, temporary=True)
        status = play_event(store, replace(plan, key=None), players, how, tell=say, watch=GameProgress)
    if status == LEFT:
        raise JudgeError("games could not be played, see the output of the autograder")
    with read_store(store) as games:
        rows, tiers, faults = games.rows(), games.tiers(), first_forfeits(games.results(), plan.event.limits)
    (found,) = class_grades(rows, rubric, [entrant], (), plan.event.games, plan.event.until_decided)
    tier = min((tier for tier in tiers if tier), default="")
    return _Played(found, tier, faults.get(_NAME, {}), _note(found, rubric, settings, tier, handed))


def _note(grade: Grade, rubric: Rubric, settings: AutograderSettings, tier: str, handed: Handed) -> str:
    """Return what more there is to say of a grade, in lines that each begin with a line end."""
    said = [f"{due_words(rubric.deadline)}."] if rubric.deadline is not None else []
    if handed.unread and (rubric.deadline is not None or settings.attempts):
        counted = f"{handed.unread}. So this counts as in time, and as the first submission."
        said.append(f"{counted} Please tell the course's staff.")
    if rubric.deadline is not None and grade.late is not None and grade.late.days:
        free = rubric.deadline.late_days or 0
        days = f"{free or 'no'} late day{'s' * (free != 1)} free"
        said.append(f"Counted by this homework alone, {days}: what is left of a course's late days is not known here.")
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
    from gojudge.sandbox.launching import can_be_another_user, interpreter, what_keeps_others_out
    from gojudge.sandbox.tiers import require

    tier, program = require(machine.require_tier), interpreter(machine.python)
    if tier <= Tier.T1 and not os.geteuid() and not can_be_another_user(program):
        raise SandboxError(f"at tier {tier} a submission would run as root: {what_keeps_others_out(program)}")


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
