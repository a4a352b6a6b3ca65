"""grade, round-robin, gauntlet: events are played; sample: a class and small events for trying the other commands."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from goban.common.command_lines import DONE, INTERRUPTED, LEFT, Subcommand, command_line, need_packages, say, whole_number
from goban.common.files import check_folder_writable, write_beside
from gojudge.errors import BadRosterError, JudgeError
from gojudge.intake.submissions import Intake
from gojudge.shelf.classroom import TWENTY, make_class, make_small_class, roster_of
from tournament.application.classes import names_beside, nothing_left_if_refused, take_in, take_in_players
from tournament.application.grades import EventRun, grade, round_robin
from tournament.application.plans import USUAL_RUBRIC
from tournament.application.runs import play_event
from tournament.commands import report
from tournament.commands.event_options import (
    PLAYED,
    GameProgress,
    add_class_arguments,
    add_event_arguments,
    add_run_arguments,
    print_scores,
    print_tables,
    read_named_file,
    read_plan,
    read_sources,
    run_settings,
    store_of,
)
from tournament.errors import BadEventError
from tournament.events.event_files import is_reference
from tournament.results.exports import check_list

_OPPONENTS = ("random", "greedy", "aggressive", "smart")

# Time per game for computing what its moves were worth: enough to find the mistakes in most games.
_TRUTH_SECONDS = 2.0
_GAMES = 4
_SMALL = "-small"
_EVENT = """\
name = "{name}"
rubric = "{rubric}"
size = 5
games = {games}
submissions = "{folder}"
store = "{store}"
seed = 1                        # for a demonstration; marks need a secret key, which is drawn if this line is removed
require_tier = "T0"

[limits]
move_seconds = 1
"""


def _add_grade(parser: argparse.ArgumentParser) -> None:
    add_class_arguments(parser)
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=(
        "where to write grades.csv and grades.json (default: NAME.grades)"
    ))  # fmt: skip
    add_event_arguments(parser, *PLAYED, "rubric", "memory-mib")
    add_run_arguments(parser)


def _grade(options: argparse.Namespace) -> int:
    """Play the games still to be played, then report."""
    need_packages("tabulate")
    plan = read_plan(options, "grade", USUAL_RUBRIC)
    if plan.file.engines:
        raise BadEventError(f"{options.event}: engine: expected none, since a grade's opponents are those of its rubric")
    store, handed = store_of(plan), read_sources(options, plan.file)
    settings = run_settings(options)
    out = options.out or store.with_name(f"{store.stem}.grades")
    check_folder_writable(out)
    check_list(out / "grades.csv", "grades", "name,students,")
    with nothing_left_if_refused(store):
        intake = take_in(plan, handed, store, tell=say)
        graded = grade(plan, intake, store, settings, roster=handed.roster, tell=say, watch=GameProgress)
    if graded.status == INTERRUPTED:
        return graded.status
    _report_grades(graded, out)
    return LEFT if graded.complete and not (intake.as_listed and graded.timed) else graded.status


def _report_grades(graded: EventRun, out: Path) -> None:
    from tournament.results.grade_report import write_grade_reports

    plan, rubric = graded.plan, graded.plan.rubric
    assert rubric is not None
    print_tables(write_grade_reports(graded.grades, rubric, plan.event, out, plan.machine))
    say(f"grades are written to {out}")


GRADE = Subcommand(
    "play each submission against the rubric's reference players, and give points",
    _add_grade, _grade, "hw2 --roster hw2.csv --event hw2.toml",
)  # fmt: skip


def _add_round_robin(parser: argparse.ArgumentParser) -> None:
    add_class_arguments(parser, "; names of reference players")
    parser.add_argument("--first-stage", type=Path, metavar="FILE", help=(
        "points that decide who takes part: the results file of a grade, or a CSV file: name,points"
    ))  # fmt: skip
    add_event_arguments(parser, *PLAYED, "rules", "size", "rubric", "memory-mib")
    add_run_arguments(parser)


def _round_robin(options: argparse.Namespace) -> int:
    """Play the games still to be played."""
    references = [str(path) for path in options.submissions if is_reference(str(path)) and not path.exists()]
    options.submissions = [path for path in options.submissions if str(path) not in references]
    plan = read_plan(options, "round-robin", references=references)
    if plan.event.deciding or plan.event.rounds:
        # Which games are due is a matter of ratings.
        need_packages("numpy", "scipy")
    handed, first_stage = read_sources(options, plan.file), options.first_stage or plan.file.first_stage
    points = first_stage_points(first_stage)
    if first_stage is not None and points is not None:
        # Whoever has points is called what they were called then.
        handed = replace(handed, earlier=names_beside(first_stage), before=points)
    store, intake, settings = store_of(plan), Intake((), ()), run_settings(options)
    with nothing_left_if_refused(store):
        if handed.sources or not (plan.file.engines or len(plan.event.references) > 1):
            intake = take_in(plan, handed, store, tell=say)
        played = round_robin(plan, intake, store, settings, points=points, tell=say, watch=GameProgress)
    if played.status != INTERRUPTED:
        say(f"{command_line('tournament')} standings {played.store}")
    return LEFT if played.status == DONE and not intake.as_listed else played.status


def first_stage_points(path: Path | None) -> Mapping[str, float] | None:
    """Return name -> points of a first stage, None if there was none."""
    if path is None:
        return None
    from tournament.application.grades import points_notices, read_points

    for line in points_notices(path):
        say(line)
    return read_points(path)


ROUND_ROBIN = Subcommand(
    "play everyone against everyone",
    _add_round_robin, _round_robin, "hw2 --first-stage grade.db --rubric 2019-second",
)  # fmt: skip


def _add_gauntlet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("player", metavar="PLAYER", help=(
        "a reference player, a submission, or an engine: gtp:COMMAND, or its name in the event file"
    ))  # fmt: skip
    parser.add_argument("opponents", nargs="*", metavar="OPPONENT", help=(
        f"the same, or a folder of them (default: the event file's, or {' '.join(_OPPONENTS)})"
    ))  # fmt: skip
    add_event_arguments(parser, *PLAYED, "rules", "size")
    add_run_arguments(parser)


def _gauntlet(options: argparse.Namespace) -> int:
    """Play the games still to be played, and print the scores."""
    need_packages("tabulate")
    kind = "match" if read_named_file(options).values.get("kind") == "match" else "gauntlet"
    plan = read_plan(options, kind)
    store, opponents, settings = store_of(plan), options.opponents, run_settings(options)
    if kind != "match" or not opponents:
        engines = [engine.name for engine in plan.file.engines if engine.name not in (options.player, *opponents)]
        opponents = [*opponents, *plan.event.references, *engines]
        opponents = opponents or [name for name in _OPPONENTS if name != options.player]
    with nothing_left_if_refused(store):
        first, *others = take_in_players(
            [options.player, *opponents], plan.file.roster, store, plan.event.rules, plan.file.engines, say
        )
        if len(first) != 1:
            raise BadRosterError(f"expected one player, got the {len(first)} in {options.player!r}")
        entrants = [*first, *(entrant for group in others for entrant in group)]
        status = play_event(store, plan, entrants, settings, tell=say, watch=GameProgress)
    print_scores(store, entrants[:1], entrants[1:])
    return status


GAUNTLET = Subcommand(
    "play one player against another, or against each of several",
    _add_gauntlet, _gauntlet, "mine/my_player.py smart greedy --games 20",
)  # fmt: skip


REPORT = Subcommand(report.SUMMARY, report.add_arguments, report.run)


def _add_sample(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to write them; the roster is FOLDER.csv")
    number = whole_number(1, 1000, "a number of submissions")
    parser.add_argument("number", type=number, nargs="?", default=TWENTY, metavar="N", help=(
        f"number of submissions; beyond twenty they repeat under other names (default: {TWENTY})"
    ))  # fmt: skip
    parser.add_argument("--site", action="store_true", help=(
        "also play and grade a small event, and write FOLDER-small.site and FOLDER-grade.site"
    ))  # fmt: skip


def _sample(options: argparse.Namespace) -> int:
    """Write the class, and the site if asked for."""
    folder: Path = options.folder
    if not folder.name:
        raise JudgeError(f"FOLDER: expected the name of a folder, got {str(folder)!r}")
    if options.site:
        need_packages("jinja2", "numpy", "scipy", "tabulate", "tqdm")
    number = make_class(folder, options.number)
    print(f"{number} submissions in {folder}, roster in {roster_of(folder)}")
    return _make_site(folder.with_name(f"{folder.name}{_SMALL}")) if options.site else DONE


def _make_site(small: Path) -> int:
    """Play the small event, grade its class, write the pages; return the exit status. What was done before is kept."""
    make_small_class(small)
    grades = small.with_name(f"{small.name.removesuffix(_SMALL)}-grade.toml")
    cup = small.with_name(f"{small.name}.toml")
    for command, file, name, rubric, games in (
        (ROUND_ROBIN, cup, "cup", "2019-second", 2), (GRADE, grades, "grade", "2019", _GAMES),
    ):  # fmt: skip
        store = file.with_suffix(".db")
        text = _EVENT.format(name=name, rubric=rubric, games=games, folder=small.name, store=store.name)
        write_beside(file, text.encode())
        status = _call(command, "--event", str(file))
        if status == DONE:
            status = _call(REPORT, str(store), "--truth", str(_TRUTH_SECONDS))
        if status != DONE:
            return status
    return DONE


def _call(command: Subcommand, *arguments: str) -> int:
    """Run another command with these arguments; return its status."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_intermixed_args(arguments))


SAMPLE = Subcommand(
    "write a class of submissions, good, bad and broken, for trying the other commands",
    _add_sample, _sample, "hw2",
)  # fmt: skip
