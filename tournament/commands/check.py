"""check: whether submissions can be taken in and play, one line each. Students run it on their own file.

Of a single submission it ends with what would be graded: what plays, and what some games suggest that its points would be.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from goban.common.command_lines import DONE, INTERRUPTED, LEFT, say
from goban.common.excerpts import printable, quoted, quoted_path
from gojudge.errors import JudgeError, SandboxError
from gojudge.intake.dependencies import hint
from gojudge.intake.submissions import Intake
from gojudge.records import Entrant, GameResult, Termination
from gojudge.refereeing.open_seats import Conditions
from gojudge.sandbox.leftovers import owned_folder
from gojudge.sandbox.sweeping import sweep
from tournament.application.classes import SubmissionSources, describe_entrant, nothing_left_if_refused, take_in_to_check
from tournament.application.plans import EventPlan
from tournament.application.runs import conditions_at
from tournament.application.trials import (
    GAMES_AHEAD,
    NO_PROTECTION,
    OPPONENT,
    GamesAhead,
    about,
    play_ahead,
    try_entrants,
    try_without_sandbox,
    verdict,
)
from tournament.commands.event_options import (
    GameProgress,
    add_class_arguments,
    add_event_option,
    add_jobs_argument,
    add_move_seconds,
    read_graded_plan,
    read_named_file,
    read_sources,
    say_result,
    single_event,
)
from tournament.errors import BadEventError, StoreError
from tournament.events.event_files import PREFIX as ENGINE_PREFIX
from tournament.events.event_files import EventFile, name_engine
from tournament.events.events import Event, Machine
from tournament.results.grading import forecast
from tournament.results.rubrics import show_points

SUMMARY = "check that submissions can be taken in and play; for one alone, estimate its points"
EXAMPLE = "mine/my_player.py"
AGAIN = "the same command goes on from there"
_NO_VERDICT = ", tried without a sandbox: this is no verdict, and gives no mark"
# Between two lines of the games by which points are foreseen, which take half a minute.
_LINE_SECONDS = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class_arguments(parser)
    add_event_option(
        parser, "a TOML file with rules, board, limits and engines, which are checked too", "the event's, or course"
    )
    add_move_seconds(parser)
    parser.add_argument("--no-games", action="store_true", help="run nothing; only look at files and sources")
    parser.add_argument("--no-sandbox", action="store_true", help=(
        "play without any protection: for your own code, where there is no sandbox, as on Windows"
    ))  # fmt: skip
    parser.add_argument("--store", type=Path, metavar="FILE", help=(
        "keep the games in this file; the same command continues a stopped run"
    ))  # fmt: skip
    add_jobs_argument(parser)
    parser.add_argument("--verbose", action="store_true", help="also print what a failing player printed, and its traceback")


def run(options: argparse.Namespace) -> int:
    """Print a line for each submission; return 0 if all are fine, else 1."""
    started = time.monotonic()
    file = read_named_file(options)
    event, machine = single_event(options, file)
    engines = [*file.engines, *_part_engines(options)]
    handed = read_sources(options, file)
    if options.no_sandbox:
        _check_without_sandbox(options, engines)
    sweep()
    conditions = None if options.no_games else _conditions(event, machine, options.no_sandbox)
    with _results_file(options.store) as store:
        intake, playing, refused = _find_players(handed, engines, store, event, conditions)
        lines = _Lines([*(entrant.name for entrant in playing), *refused], intake.lone, options.verbose)
        for name, reason in refused.items():
            lines.tell(name, False, reason)
        if _try_all(options, playing, store, conditions, lines):
            again = AGAIN if options.store else "with --store FILE the same command would go on"
            say("stopped" if options.no_sandbox else f"stopped; {again}")
            return INTERRUPTED
        total = len(playing) + len(refused)
        print(f"{lines.good} of {total} ok{_where(conditions)}", flush=True)
        status = DONE if lines.good == total and intake.as_listed else LEFT
        if total != 1 or engines or conditions is None or not GAMES_AHEAD:
            return status
        estimate, worst = _estimate(options, file, intake, store, conditions.tier, lines.games, started)
    for line in estimate:
        print(line)
    return worst or status


def _part_engines(options: argparse.Namespace) -> list[Entrant]:
    """Return the engines named among the submissions, which then are the others."""
    named = [name for name in map(str, options.submissions) if name.startswith(ENGINE_PREFIX)]
    options.submissions = [path for path in options.submissions if str(path) not in named]
    return [name_engine(name) for name in named]


@contextmanager
def _results_file(named: Path | None) -> Iterator[Path]:
    """Yield the file that keeps the games: the one named, or one that is gone afterwards. Raises StoreError."""
    if named is not None and named.is_dir():
        raise StoreError(f"--store: expected a file, got the folder {quoted_path(named)}")
    with owned_folder() as folder:
        path = named or folder / "check.db"
        with nothing_left_if_refused(path):
            yield path


def _find_players(
    handed: SubmissionSources, engines: Sequence[Entrant], store: Path, event: Event, conditions: Conditions | None
) -> tuple[Intake, dict[Entrant, str], dict[str, str]]:
    """Return the submissions; entrant -> what plays, in words, of submissions and engines; name -> why it is refused."""
    intake = Intake((), ())
    if handed.sources or not engines:
        # Names are checked as they will be in an event.
        reserved = [OPPONENT.name, *(engine.name for engine in engines)]
        intake = take_in_to_check(handed, store, reserved, event.rules, say)
    # Where nothing is to be run, nothing is known of an engine.
    playing, refused = dict[Entrant, str](), dict[str, str]()
    if engines and conditions is not None:
        from gojudge.refereeing.engine_trials import try_engines

        trials = try_engines(engines, conditions)
        playing |= trials.introductions
        refused |= {name: str(error) for name, error in trials.refused.items()}
        for warning in trials.warnings:
            say(warning)
    for entrant in intake.entrants:
        playing[entrant] = about(entrant, along(entrant) if entrant.name in intake.lone else ())
    refused |= {one.name: one.reason for one in intake.refused}
    return intake, playing, refused


# What would be graded


def _estimate(
    options: argparse.Namespace, file: EventFile, intake: Intake, store: Path, tier: str, trials: Sequence[GameResult],
    started: float,
) -> tuple[list[str], int]:  # fmt: skip
    """Return what a grade of a single submission would play and come to; and the exit status, DONE where its trials decide.

    trials: its trial games. started: see `play_ahead`.
    """
    plan = _plan_of_grade(options, file)
    if plan is None:
        return [], DONE
    if not intake.entrants:
        return [f"a grade would play nothing: {_no_points(plan)} as long as it is refused"], DONE
    entrant = intake.entrants[0]
    entry_text = describe_entrant(entrant)
    if trials and all(game.termination is Termination.START_UP_FAILURE for game in trials):
        return [f"a grade would play {entry_text}: {_no_points(plan)} as long as it cannot start"], DONE
    try:
        ahead = _play_ahead(options, plan, entrant, store, tier, trials, started)
    except JudgeError as error:
        say(f"nothing can be said of its points: {error}")
        return [], LEFT
    status = INTERRUPTED if ahead.stopped else LEFT if _own_forfeits(ahead, entrant.name) else DONE
    return points_lines(ahead, entrant.name, entry_text), status


def _plan_of_grade(options: argparse.Namespace, file: EventFile) -> EventPlan | None:
    """Return the grade whose points are foreseen; None if there is none, which is told if it is by mistake."""
    try:
        plan = read_graded_plan(options, file)
        if plan is not None and plan.rubric is not None:
            plan.rubric.references()
        return plan
    except JudgeError as error:
        say(f"nothing can be said of its points: {error}")
        return None


def _play_ahead(
    options: argparse.Namespace, plan: EventPlan, entrant: Entrant, store: Path, tier: str, trials: Sequence[GameResult],
    started: float,
) -> GamesAhead:  # fmt: skip
    assert plan.rubric is not None
    names = [opponent.name for opponent in plan.rubric.opponents]
    each = f"{', '.join(names[:-1])} and {names[-1]} each" if names[1:] else names[0]
    say(f"{GAMES_AHEAD} games against {each}, to estimate its points; Ctrl-C ends them")
    beside = None if options.no_sandbox else store.with_name(f"{store.stem}.points.db")
    return play_ahead(
        beside, entrant, plan, tier, trials, number=GAMES_AHEAD, jobs=options.jobs, started=started, tell=say,
        watch=partial(GameProgress, every=_LINE_SECONDS),
    )  # fmt: skip


def points_lines(ahead: GamesAhead, name: str, entry_text: str) -> list[str]:
    """Return what a submission's games are and suggest, the points last. entry_text: what plays of it."""
    plan, rows = ahead.plan, ahead.rows
    assert plan.rubric is not None
    estimate = forecast(rows, plan.rubric, name, plan.event.games, plan.event.until_decided)
    totals = [(opponent.name, tally.total) for opponent, tally in zip(plan.rubric.opponents, estimate.tallies, strict=True)]
    lines = ["won: " + ", ".join(f"{opponent} {score.wins} of {score.games}" for opponent, score in totals)]
    if forfeits := _own_forfeits(ahead, name):
        kinds = Counter(game.termination.value for game in forfeits)
        each = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
        first = forfeits[0].detail.replace(f" ({name})", "", 1)
        lines.append(f"forfeited, which counts as lost: {len(forfeits)} of {len(rows)} games ({each}); the first: {first}")
    if len(rows) < ahead.due:
        why = "stopped" if ahead.stopped else "a minute is over" if ahead.enough else "the others came to nothing"
        lines.append(f"{why}: {len(rows)} of {ahead.due} games were played, so less is known")
    lines += _budget_lines(ahead, name)
    late = ", before any late penalty" if plan.rubric.deadline is not None else ""
    lines.append(f"a grade would play {entry_text}: {estimate.words}, by {printable(plan.rubric.title, 100)}{late}")
    return lines


def _no_points(plan: EventPlan) -> str:
    return f"0 of {show_points(plan.rubric.full) if plan.rubric else 0} points"


def _own_forfeits(ahead: GamesAhead, name: str) -> list[GameResult]:
    """Return the games that the submission forfeited, in their order."""
    return sorted((game for game in ahead.games if game.forfeiter == name), key=lambda game: game.spec.id)


def _budget_lines(ahead: GamesAhead, name: str) -> list[str]:
    """Return that all games of a grade would take longer than its rubric wants; nothing if they would not."""
    plan, rubric = ahead.plan, ahead.plan.rubric
    if rubric is None or rubric.seconds is None or not ahead.games:
        return []
    used = sum(row.black_seconds if row.black == name else row.white_seconds for row in ahead.rows)
    games = plan.event.games * len(rubric.opponents)
    whole = used * games / len(ahead.games)
    if whole <= rubric.seconds:
        return []
    minutes, allowed = f"{whole / 60:.0f}", f"{rubric.seconds / 60:g}"
    return [f"slow: the {games} games of a grade would take it about {minutes} min, and {allowed} are allowed"]


def _check_without_sandbox(options: argparse.Namespace, engines: Sequence[Entrant]) -> None:
    """Raise BadEventError for options that mean nothing without a sandbox, and for engines; else say what is not protected."""
    others = {"no-games": options.no_games, "store": options.store, "jobs": options.jobs}
    for name, given in others.items():
        if given:
            raise BadEventError(f"--no-sandbox: expected without --{name}")
    for engine in engines:
        raise BadEventError(f"--no-sandbox: expected submissions, got the engine {quoted(engine.name)}")
    say(NO_PROTECTION)


def _where(conditions: Conditions | None) -> str:
    """Return how strong the sandbox was, as the end of a sentence; '' if nothing was run."""
    if conditions is None:
        return ""
    return f", tried at {conditions.tier}" if conditions.tier else _NO_VERDICT


def _conditions(event: Event, machine: Machine, no_sandbox: bool) -> Conditions:
    if no_sandbox:
        return conditions_at("", event, Machine())
    from gojudge.sandbox.tiers import require

    try:
        return conditions_at(require(machine.require_tier), event, machine)
    except SandboxError as error:
        raise SandboxError(f"{error}; --no-sandbox plays your own code without one") from None


def _try_all(
    options: argparse.Namespace, playing: Mapping[Entrant, str], store: Path, conditions: Conditions | None, lines: _Lines
) -> bool:
    """Try everybody, and print their lines; return whether that was stopped. playing: see `_find_players`."""
    if conditions is None or not playing:
        for entrant, entry_text in playing.items():
            lines.tell(entrant.name, *verdict(entrant, [], entry_text))
        return False

    def tell_outcome(entrant: Entrant, games: Sequence[GameResult], reason: str) -> None:
        if reason:
            lines.tell(entrant.name, False, f"could not be tried, which is not its fault: {reason}")
        else:
            lines.tell(entrant.name, *verdict(entrant, games, playing[entrant]), games)

    if options.no_sandbox:
        return try_without_sandbox(list(playing), conditions, tell_outcome, GameProgress)
    return try_entrants(
        store, list(playing), conditions, tell_outcome, jobs=options.jobs, tell=say, watch=GameProgress
    )


class _Lines:
    """Prints a line for each name, in their order, each as soon as it is known and those before it are.

    lone: name -> the file that was named, of submissions that are one. games: those of whom the last line was about.
    """

    def __init__(self, names: Sequence[str], lone: Mapping[str, Path], verbose: bool) -> None:
        self.good = 0
        self.games: Sequence[GameResult] = ()
        self._lone = lone
        self._verbose = verbose
        self._names = sorted(names)
        self._known: dict[str, tuple[bool, str, Sequence[GameResult]]] = {}

    def tell(self, name: str, fine: bool, line: str, games: Sequence[GameResult] = ()) -> None:
        """Take in a line, and print those that can be printed now."""
        self._known[name] = fine, line, games
        while self._names and self._names[0] in self._known:
            self._print(self._names.pop(0))

    def _print(self, name: str) -> None:
        fine, line, games = self._known.pop(name)
        self.good += fine
        self.games = games
        say_result(f"{name}: {line}")
        if not fine and name in self._lone and (advice := hint(self._lone[name], line)):
            say(f"{name}: {advice}")
        if self._verbose:
            _print_evidence(games)


def along(entrant: Entrant) -> list[str]:
    """Return the files of a submission other than the one that plays."""
    paths = (str(path.relative_to(entrant.folder)) for path in entrant.folder.rglob("*") if path.is_file())
    return sorted(path for path in paths if path != entrant.entry)


def _print_evidence(games: Sequence[GameResult]) -> None:
    """Print what the player printed in the first game that it forfeited, and its traceback."""
    for game in games:
        if game.termination.is_forfeit:
            log = game.black_log if game.forfeited_by == 1 else game.white_log
            for line in [*log.splitlines(), *game.evidence.splitlines()]:
                say_result(f"    {printable(line, 200)}")
            return
