"""autograder: write what makes a course system grade each submission as soon as it is handed in.

    gradescope         a zip, for the page Configure Autograder
    vocareum           a zip, to be unpacked in the assignment's /voc/scripts
    github-classroom   a workflow and what it runs, written into the folder of the assignment's repository

It is only made if its games fit into the time-out. How long they take is estimated: the answers of the rubric's players
are measured here, in a game of each; a submission's are taken to be as long as the rubric's budget allows, or as --move-time
says.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from goban.common.command_lines import DONE, say
from goban.common.excerpts import quoted_path
from goban.common.files import check_folder_writable, check_writable, make_folder, read_bounded, write_beside
from goban.grids import BLACK
from gojudge.records import GameSpec, Tier, open_seeds
from gojudge.refereeing.open_seats import open_entrant
from gojudge.refereeing.referee import play
from tournament.application.classes import check_references
from tournament.application.plans import USUAL_RUBRIC, EventPlan
from tournament.application.runs import conditions_at
from tournament.commands.event_options import add_event_arguments, read_plan
from tournament.errors import BadEventError
from tournament.events.schedules import new_key, reference_entrants
from tournament.results.autograders import (
    GITHUB,
    GRADESCOPE,
    SYSTEMS,
    VOCAREUM,
    WORKFLOW,
    ZIP_BESIDE,
    AutograderSettings,
    autograder,
    workflow,
)
from tournament.results.course_systems import VISIBILITIES

SUMMARY = "make an autograder for Gradescope, Vocareum or GitHub Classroom"
EXAMPLE = "gradescope autograder.zip --rubric 2019 --minutes 20"
_MOST_BYTES = 100_000
_MOST_MINUTES = 40
_MOST_JOBS = 16
_MOST_ATTEMPTS = 1000
# Of an answer, where neither the instructor nor the rubric says how long it may take: what the rubric of 2019 allows.
_USUAL_MOVE_TIME = 0.25
# Containers forbid the stronger ones, as a rule.
_USUAL_TIER = Tier.T0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("system", choices=SYSTEMS, metavar="SYSTEM", help=", ".join(SYSTEMS))
    parser.add_argument("out", type=Path, metavar="FILE", help="the zip to write; for github-classroom the repository's folder")
    add_event_arguments(parser, "games", "rubric")
    parser.add_argument("--minutes", type=float, default=10.0, metavar="N", help=(
        "the assignment's time-out, from 2 to 40; grading ends a minute earlier (default: %(default)g)"
    ))  # fmt: skip
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help=(
        "games played at the same time; use the assignment's number of CPUs (default: %(default)s)"
    ))  # fmt: skip
    parser.add_argument(
        "--visibility", default="visible", choices=VISIBILITIES, metavar="WHO",
        help=f"who sees Gradescope's tests: {', '.join(VISIBILITIES)}",
    )  # fmt: skip
    parser.add_argument("--requirements", type=Path, metavar="FILE", help=(
        "packages that pip installs there for submissions to import, such as numpy; not on Vocareum"
    ))  # fmt: skip
    parser.add_argument("--attempts", type=int, default=0, metavar="N", help=(
        "number of submissions per student that Gradescope grades; later ones show the last result (default: all)"
    ))  # fmt: skip
    parser.add_argument("--move-time", type=float, metavar="N", help=(
        "expected seconds per answer, used to see whether all games fit into the time-out "
        f"(default: what the rubric allows, else {_USUAL_MOVE_TIME})"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Write the zip."""
    _check_numbers(options)
    _check_system(options.system, options.attempts, options.visibility, options.requirements, options.out)
    if options.system == GITHUB:
        check_folder_writable(options.out)
    else:
        check_writable(options.out, ".zip")
    plan = read_plan(options, "grade", USUAL_RUBRIC)
    if plan.file.engines:
        raise BadEventError(f"{options.event}: engine: expected none, since a grade's opponents are those of its rubric")
    assert plan.rubric is not None
    # What is asked for is kept.
    asked = plan.file.machine.get("require_tier")
    machine = plan.machine if asked else replace(plan.machine, require_tier=_USUAL_TIER)
    requirements = read_bounded(options.requirements, _MOST_BYTES) if options.requirements else b""
    key = (plan.key or new_key()).secret.hex()
    settings = AutograderSettings(key, options.visibility, options.minutes, options.jobs, options.attempts)
    data = autograder(options.system, plan.event, machine, plan.rubric, settings, requirements)
    estimate = _estimate(plan, options.move_time)
    words = estimate.words(settings)
    if estimate.seconds / settings.jobs > settings.seconds:
        raise BadEventError(
            f"--minutes: expected time for {'; '.join(words)} (more --minutes, fewer --games or a shorter --move-time would do)"
        )
    written, secrecy = options.out, "it holds the secret key of all chance, so show it to nobody"
    if options.system == GITHUB:
        written, secrecy = options.out / ZIP_BESIDE, "students can read it, the key of all chance too: its points are no marks"
        for path in (written, options.out / WORKFLOW):
            make_folder(path.parent)
        write_beside(options.out / WORKFLOW, workflow(settings))
    write_beside(written, data)
    what = f"{len(data) / 1e6:.1f} MB, {plan.rubric.title}, {plan.event.games} games per opponent"
    say("\n".join([f"{written}: {what}", secrecy, *words]))
    return DONE


def _check_numbers(options: argparse.Namespace) -> None:
    if not 2 <= options.minutes <= _MOST_MINUTES:
        raise BadEventError(f"--minutes: expected a number from 2 to {_MOST_MINUTES}, got {options.minutes:g}")
    if not 1 <= options.jobs <= _MOST_JOBS:
        raise BadEventError(f"--jobs: expected a whole number from 1 to {_MOST_JOBS}, got {options.jobs}")
    if not 0 <= options.attempts <= _MOST_ATTEMPTS:
        raise BadEventError(f"--attempts: expected a whole number from 0 to {_MOST_ATTEMPTS}, got {options.attempts}")
    if options.move_time is not None and not 0 < options.move_time <= _MOST_MINUTES * 60:
        raise BadEventError(f"--move-time: expected a number above 0, at most {_MOST_MINUTES * 60}, got {options.move_time:g}")


def _check_system(system: str, attempts: int, visibility: str, requirements: Path | None, out: Path) -> None:
    """Raise BadEventError for what this system does not know, and if the folder of a repository is none."""
    if system != GRADESCOPE:
        for name, given in (("attempts", attempts), ("visibility", visibility != VISIBILITIES[0])):
            if given:
                raise BadEventError(f"--{name}: expected the system {GRADESCOPE}, got {system}, which has a setting of its own")
    if system == VOCAREUM and requirements is not None:
        raise BadEventError("--requirements: expected packages in the assignment's container, for vocareum installs none")
    if system == GITHUB and not out.is_dir():
        raise BadEventError(f"expected the folder of the assignment's repository, got {quoted_path(out)}")


@dataclass(frozen=True)
class _Estimate:
    """How long the games of one submission take. move_time: what each of its answers is expected to take. own: what the answers
    of the rubric's players take in all games. worst: if the submission makes full use of its limits, with `own`."""

    games: int
    answers: int
    move_time: float
    own: float
    worst: float

    @property
    def seconds(self) -> float:
        """What all games are expected to take, one after the other."""
        return self.games * self.answers * self.move_time + self.own

    def words(self, settings: AutograderSettings) -> tuple[str, str]:
        """Return the estimate, and what else there is to know, in two lines."""
        jobs = settings.jobs
        side = f", {jobs} at a time" if jobs > 1 else ""
        return (
            f"{self.games} games{side}: about {self.seconds / jobs / 60:.1f} min, with {self.move_time:.2g} s for each of a "
            f"submission's {self.answers} answers in a game and {self.own:.0f} s for its opponents'",
            f"at its limits it would take {self.worst / jobs / 60:.0f} min; there are {settings.seconds / 60:.1f} min",
        )


def _estimate(plan: EventPlan, move_time: float | None) -> _Estimate:
    """Return how long the games of a submission take, after a game of each of the rubric's players."""
    event, rubric = plan.event, plan.rubric
    assert rubric is not None
    games = event.games * len(rubric.opponents)
    # As long as games without passes are: half of the points, the first player's one more.
    answers = event.size * event.size // 2
    if move_time is None:
        of_rubric = rubric.seconds and rubric.seconds / (rubric.games * len(rubric.opponents) * answers)
        move_time = of_rubric or _USUAL_MOVE_TIME
    own = event.games * sum(_seconds_of_games(plan))
    in_a_game = min(answers * event.limits.move_seconds, event.limits.game_cpu_seconds)
    return _Estimate(games, answers, move_time, own, games * in_a_game + own)


def _seconds_of_games(plan: EventPlan) -> list[float]:
    """Return how long the answers of each of the rubric's players take in a game against the random player, on this machine."""
    references = plan.given
    check_references(references, plan.event.rules, plan.event.size)
    conditions = conditions_at("", plan.event, plan.machine)
    (random,) = reference_entrants(["random"])
    found = []
    for player in references:
        game = GameSpec(f"estimate-{player.name}", player.name, "random", open_seeds("estimate", player.name))
        played = play(game, conditions.start(), open_entrant(player, conditions), open_entrant(random, conditions)).result
        found.append(sum(turn.spent.wall for turn in played.answers_of(BLACK)))
    return found
