"""report: an event as web pages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from common.command_lines import DONE, need_packages
from goban.rulesets import ruleset
from tournament.application.clusters import clustered_truths
from tournament.application.reports import EventPages
from tournament.commands.progress import say
from tournament.commands.running import add_cluster_argument
from tournament.errors import TournamentError
from tournament.events.events import Event
from tournament.records import Turn
from tournament.results.rubric_files import names
from tournament.store.store import Store, read_store

if TYPE_CHECKING:
    from tournament.pages.contents import Contents
    from tournament.pages.truths import Truth

SUMMARY = "an event as web pages: marks or standings, games to replay, a page per submission"
_KINDS = ("instructor", "class", "student")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder to write to (default: the store's name + .site)")
    parser.add_argument("--single-file", action="store_true", help="write one page that holds everything; --out names it")
    parser.add_argument("--rubric", metavar="NAME", help=f"what results are worth: {', '.join(names())} or a file.toml")
    who = parser.add_argument_group("the readers")
    who.add_argument("--edition", choices=_KINDS, default="instructor", help=(
        "instructor: names, logs, tracebacks (the default); class: nicknames and no logs; student: one submission's own games"
    ))  # fmt: skip
    who.add_argument("--student", default="", metavar="NAME", help="the submission that a student's edition is for")
    who.add_argument("--all", action="store_true", help=(
        "with --edition student: everybody's page, one file each, and the list mail.csv (default --out: the store's name + "
        ".students)"
    ))  # fmt: skip
    who.add_argument(
        "--names", type=Path, metavar="FILE",
        help="CSV with columns name,nickname; missing nicknames are drawn and added (default: STORE.names.csv)",
    )  # fmt: skip
    truth = parser.add_argument_group("what moves were worth (course and littlego on 5x5)")
    truth.add_argument(
        "--truth", type=float, default=0.0, metavar="SECONDS",
        help="compute what is not known yet, this long per game; kept in STORE.truth.jsonl (default: show what is known)",
    )  # fmt: skip
    add_cluster_argument(truth, "have it computed", "compute it here")


def run(options: argparse.Namespace) -> int:
    """Write the pages."""
    need_packages("jinja2", *(["numpy", "scipy", "tqdm"] if options.truth else []))
    from tournament.pages.sites import LIST, write_students

    _check(options)
    with read_store(options.store) as store:
        pages = EventPages(store, options.edition, rubric=options.rubric, names=options.names, tell=say)
        shown = None if options.all else pages.edition(options.student)
        note = compute_truth(store, options.truth, options.cluster) if options.truth else ""
        if shown is not None:
            _write(options, pages.contents(shown, note))
            return DONE
        out = options.out or options.store.with_suffix(".students")
        written = write_students(pages.students(note), pages.entrants, out)
        print(f"{written} pages written to {out}: mail them by {out / LIST}", file=sys.stderr)
    return DONE


def _write(options: argparse.Namespace, contents: Contents) -> None:
    from tournament.pages.sites import write_folder, write_single

    if options.single_file:
        out = options.out or options.store.with_suffix(".html")
        size = write_single(contents, out)
        print(f"{contents.album.games} games, {size / 1e6:.1f} MB, written to {out}", file=sys.stderr)
    else:
        out = options.out or options.store.with_suffix(".site")
        files = write_folder(contents, out)
        print(f"{contents.album.games} games, {files} files, written to {out}: open {out / 'index.html'}", file=sys.stderr)


def _check(options: argparse.Namespace) -> None:
    if not 0 <= options.truth <= 1e5:
        raise TournamentError(f"--truth: expected a number of seconds, 0 or more, got {options.truth:g}")
    if options.cluster and not options.truth:
        raise TournamentError("--cluster: expected together with --truth, which is what it computes")
    if options.all and options.student:
        raise TournamentError("--all: expected without --student, for it writes everybody's pages")
    if options.all and options.edition != "student":
        raise TournamentError("--all: expected together with --edition student, and only then")
    if not options.all and (options.edition == "student") != bool(options.student):
        raise TournamentError("--student: expected together with --edition student, and only then")


def compute_truth(store: Store, seconds: float, cluster: str | None) -> str:
    """Compute what is not known yet, game by game, with a progress bar. Return '', or one line that says why it cannot.

    cluster: the address of one that does it, None for this machine. Raises ClusterError.
    """
    from tqdm import tqdm

    from tournament.pages.truths import append_truth, missing, read_truths, supported, truth_path

    event = store.event
    if not supported(event.rules, event.size):
        return f"What moves were worth is not known for {event.rules} on {event.size}×{event.size}."
    path = truth_path(store.path)
    wanted = missing((result.turns for result in store.results()), event.rules, event.size, read_truths(path), seconds)
    if not wanted:
        return ""
    try:
        found = clustered_truths(cluster, event, seconds, wanted, say) if cluster else _truths_here(event, seconds, wanted)
    except ModuleNotFoundError as error:
        return f"What moves were worth is not shown: that needs {error.name}."
    with closing(found):
        for key, truth in tqdm(found, total=len(wanted), unit="game", disable=not sys.stderr.isatty(), leave=False):
            append_truth(path, key, truth)
    return ""


def _truths_here(
    event: Event, seconds: float, wanted: Mapping[str, Sequence[Turn]]
) -> Generator[tuple[str, Truth], None, None]:
    from tournament.pages.truths import analyser

    look = analyser(ruleset(event.rules), event.size, seconds)
    return ((key, look(turns)) for key, turns in wanted.items())
