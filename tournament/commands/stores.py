"""export, verify, key: what a results file holds, for other programs and for whoever doubts it."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, groupby
from pathlib import Path

from goban.common.command_lines import DONE, INTERRUPTED, LEFT, Subcommand, say
from goban.common.excerpts import quoted
from goban.common.files import check_folder_writable, check_writable, make_folder, write_beside
from gojudge.records import Entrant, GameResult, GameSpec
from gojudge.refereeing.runner import Runner
from gojudge.sandbox.sweeping import sweep
from tournament.application.classes import copies_beside
from tournament.application.plans import rubric_now
from tournament.application.runs import GameSetup, conditions_at, conditions_for, jobs, join_cluster, stop_signals
from tournament.application.worker_checks import Difference, difference
from tournament.commands.event_options import (
    add_cluster_argument,
    add_copies_argument,
    add_jobs_argument,
    add_rubric_argument,
    open_results,
)
from tournament.errors import BadEventError
from tournament.events.event_files import event_fields
from tournament.results.course_systems import SYSTEMS, people, points_csv, vocareum_files, whole_columns
from tournament.results.exports import FORMATS, Extras, check_list, write_csv, write_json, write_sgfs
from tournament.results.grade_report import read_refusals
from tournament.results.grading import class_grades
from tournament.results.rubrics import show_points
from tournament.store.store import Store, read_store

_WITH = ("times", "machine", "logs")
_PER_GAME = "sgf-per-game"
_FORMATS = (*FORMATS, _PER_GAME)
_IN_FOLDERS = ("sgf", _PER_GAME, "vocareum")


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("format", choices=(*_FORMATS, *SYSTEMS), metavar="FORMAT", help=(
        f"{', '.join((*_FORMATS, *SYSTEMS))}; sgf writes one file per pair"
    ))  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="PATH", help=(
        "the file to write, or the folder for sgf and vocareum (default: beside the store)"
    ))  # fmt: skip
    parser.add_argument("--with", dest="parts", type=_parts, default=(), metavar="PART,...", help=(
        "also export what differs from run to run. times: of moves; machine: sandbox, replays, when and "
        "where; logs: what players printed"
    ))  # fmt: skip
    parser.add_argument("--assignment", metavar="NAME", help="the column with the points (default: the rubric's title)")
    add_rubric_argument(parser)


def _parts(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in _WITH:
            raise argparse.ArgumentTypeError(f"expected some of {','.join(_WITH)}, got {quoted(name)}")
    return names


def _export(options: argparse.Namespace) -> int:
    """Write the games, sorted by id, or the points."""
    if options.out is not None:
        if options.format in _IN_FOLDERS:
            check_folder_writable(options.out)
        else:
            check_writable(options.out, *([".json"] if options.format == "json" else [".csv", ".txt"]))
    return _write_points(options) if options.format in SYSTEMS else _write_games(options)


def _write_games(options: argparse.Namespace) -> int:
    extras = Extras(*(part in options.parts for part in _WITH))
    with open_results(options.store) as store:
        event, entrants = store.event, store.entrants()
        if options.format in ("sgf", _PER_GAME):
            out = options.out or options.store.with_name(f"{options.store.stem}.sgf")
            number = write_sgfs(store.results(), out, event.rules, event.size, extras, options.format == _PER_GAME)
        elif options.format == "csv":
            out = options.out or options.store.with_suffix(".csv")
            check_list(out, "games", "id,black,white,")
            number = write_csv(store.results(), out, extras, entrants)
        else:
            out = options.out or options.store.with_suffix(".json")
            runs = [vars(run) for run in store.runs()]
            about = event_fields(event, store.machine) | ({"runs": runs} if extras.machine else {})
            number = write_json(store.results(), out, extras, about, entrants)
    _tell(f"{number} games written to {out}")
    return DONE


def _write_points(options: argparse.Namespace) -> int:
    """Write a grade's points for a course system; say who is left out, and whose points are not final."""
    with open_results(options.store) as store:
        event, entrants, rows = store.event, store.entrants(), store.rows()
        rubric = rubric_now(store, options.rubric, say)
    if event.kind != "grade" or rubric is None or not rubric.opponents:
        raise BadEventError(f"{options.format}: expected the results of a grade, got those of a {event.kind}")
    grades = class_grades(rows, rubric, entrants, read_refusals(options.store), event.games, event.until_decided)
    everybody = people(grades, options.format)
    title = options.assignment or rubric.title
    if options.format == "vocareum":
        out = options.out or options.store.with_suffix(".vocareum")
        for path, text in vocareum_files(everybody.persons).items():
            make_folder((out / path).parent)
            write_beside(out / path, text.encode())
    else:
        out = options.out or options.store.with_suffix(f".{options.format}.csv")
        text = points_csv(everybody.persons, options.format, title, show_points(rubric.full))
        if SYSTEMS[options.format].headed:
            check_list(out, f"points for {options.format}", text.partition("\n")[0])
        write_beside(out, text.encode())
    unfinished = [grade.name for grade in grades if grade.played and not grade.complete]
    open_ones = [f"{name}: games are missing; these points are not final" for name in unfinished]
    for line in (*everybody.left_out, *open_ones):
        _tell(line)
    number = len(everybody.persons)
    _tell(f"the points of {number} student{'s' * (number != 1)} written to {out}")
    if (columns := whole_columns(everybody.persons, options.format)) is not None:
        _tell(f"map from {' or '.join(columns)}" if columns else "no column to map from says of everybody who they are")
    return LEFT if everybody.left_out or open_ones else DONE


def _tell(text: str) -> None:
    say(text)


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("which", nargs="*", metavar="ID|PLAYER", help=(
        "games to replay, or players whose games to replay (default: all)"
    ))  # fmt: skip
    parser.add_argument("--every", type=int, default=1, metavar="N", help="replay only every Nth game (default: %(default)s)")
    add_copies_argument(parser)
    add_jobs_argument(parser)
    add_cluster_argument(parser)


def _verify(options: argparse.Namespace) -> int:
    """Play the games again; print every difference, and which players are not deterministic."""
    from gojudge.intake.copies import find_copies

    sweep()
    with read_store(options.store) as store:
        entrants, absent = find_copies(store.entrants(), options.submissions or copies_beside(options.store))
        differences: list[Difference] = []

        def compare(results: Sequence[GameResult]) -> None:
            differing = (difference(store.result(again.spec.id), again) for again in results)
            differences.extend(one for one in differing if one is not None)

        with _table(options, store, entrants) as table, stop_signals() as seen:
            names = {entrant.name for entrant in entrants}
            runner = Runner(
                table.conditions, entrants, compare, jobs=table.at_once, pool=table.pool, stopped=lambda: bool(seen)
            )
            account = runner.run(_choose(store, names, options.which, options.every))
    left_out = (f"{name}: games left out: {reason}" for name, reason in absent.items())
    for reason in (*left_out, *account.void.values()):
        say(reason)
    _print_differences(sorted(differences, key=lambda differing: differing.id), account.played)
    if account.stopped:
        return INTERRUPTED
    return LEFT if differences or absent or account.void else DONE


@contextmanager
def _table(options: argparse.Namespace, store: Store, entrants: Sequence[Entrant]) -> Iterator[GameSetup]:
    if options.cluster is None:
        yield GameSetup(conditions_for(store.event, store.machine, entrants, say), entrants, jobs(options.jobs))
        return
    with join_cluster(options.cluster, options.jobs, store.event, store.machine, entrants, say) as cluster:
        yield GameSetup(conditions_at(cluster.tier, store.event, store.machine), entrants, 0, cluster.pool)


def _choose(store: Store, names: set[str], which: Sequence[str], every: int) -> Iterator[Iterator[GameSpec]]:
    """Yield the games to be played again, pair by pair: the named games, and all games of the named players."""
    players = {entrant.name for entrant in store.entrants()}.intersection(which)
    ids = [name for name in which if name not in players]
    of_players = (one for one in store.results() if not which or not players.isdisjoint((one.spec.black, one.spec.white)))
    results = chain(of_players if players or not which else (), (store.result(game_id) for game_id in ids))
    specs = (result.spec for number, result in enumerate(results) if number % max(every, 1) == 0)
    playable = (spec for spec in specs if spec.black in names and spec.white in names)
    for _, group in groupby(playable, key=lambda spec: {spec.black, spec.white}):
        yield iter(list(group))


def _print_differences(differences: Sequence[Difference], played: int) -> None:
    for change in differences:
        print(change)
    counts = Counter(change.player for change in differences)
    for name, number in counts.most_common():
        print(f"{name} is not deterministic: another answer in the same position, in {number} of the games above")
    print(f"{played - len(differences)} of {played} games came out the same")


def _add_key(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file; verify and later runs find the key in it")


def _show_key(options: argparse.Namespace) -> int:
    """Print the key as hexadecimal digits. No other command shows it."""
    with read_store(options.store) as store:
        print(store.key.secret.hex())
    say("whoever has this key can compute every random choice in the event: keep it secret")
    return DONE


EXPORT = Subcommand(
    "write games as csv, json or SGF; write a grade's points for Canvas, Moodle, Vocareum",
    _add_export, _export, "grade.db canvas",
)  # fmt: skip
VERIFY = Subcommand(
    "replay stored games, and show where they differ",
    _add_verify, _verify, "grade.db --every 40",
)  # fmt: skip
KEY = Subcommand(
    "print the secret key of an event, from which all its random choices come",
    _add_key, _show_key, "cup.db",
)  # fmt: skip
