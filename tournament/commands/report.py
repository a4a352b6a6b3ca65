"""report: an event as web pages."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from common.command_lines import DONE
from goban.rulesets import ruleset
from tournament.errors import TournamentError
from tournament.results.rubric_files import names, read_rubric
from tournament.store.store import Store, read_store

SUMMARY = "an event as web pages: standings, crosstable, games to replay, a page per submission"
_KINDS = ("instructor", "class", "student")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder to write to (default: the store's name + .site)")
    parser.add_argument("--single-file", action="store_true", help="write one page that holds everything; --out names it")
    parser.add_argument("--rubric", metavar="NAME", help=f"what ranks are worth: {', '.join(names())} or a file.toml")
    who = parser.add_argument_group("the readers")
    who.add_argument("--edition", choices=_KINDS, default="instructor", help=(
        "instructor: names, logs, tracebacks (the default); class: nicknames and no logs; student: one submission's own games"
    ))  # fmt: skip
    who.add_argument("--student", default="", metavar="NAME", help="the submission that a student's edition is for")
    who.add_argument(
        "--names", type=Path, metavar="FILE",
        help="CSV with columns name,nickname; missing nicknames are drawn and added (default: STORE.names.csv)",
    )  # fmt: skip
    truth = parser.add_argument_group("what moves were worth (course and littlego on 5x5)")
    truth.add_argument(
        "--truth", type=float, default=0.0, metavar="SECONDS",
        help="compute what is not known yet, this long per game; kept in STORE.truth.jsonl (default: show what is known)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Write the pages."""
    from tournament.pages.editions import edition
    from tournament.pages.nicknames import nicknames_of
    from tournament.pages.sites import gather, write_folder, write_single
    from tournament.pages.truths import read_truths, truth_path

    _check(options)
    with read_store(options.store) as store:
        chosen = options.rubric or (store.event.rubric if store.event.kind == "round-robin" else "")
        rubric = read_rubric(chosen) if chosen else None
        entrants = store.entrants()
        nicknames = {}
        if options.edition != "instructor":
            path = options.names or options.store.with_name(f"{options.store.name}.names.csv")
            own = [entrant.name for entrant in entrants if not entrant.reference]
            # Not seeded: nobody must be able to draw the same names again.
            nicknames = nicknames_of(path, own, (one.name for one in entrants if one.reference), random.SystemRandom())
        shown = edition(options.edition, entrants, nicknames, options.student)
        note = compute_truth(store, options.truth) if options.truth else ""
        truths = read_truths(truth_path(options.store))
        contents = gather(store, shown, rubric, truths, note)
    if options.single_file:
        out = options.out or options.store.with_suffix(".html")
        size = write_single(contents, out)
        print(f"{contents.album.games} games, {size / 1e6:.1f} MB, written to {out}", file=sys.stderr)
    else:
        out = options.out or options.store.with_suffix(".site")
        files = write_folder(contents, out)
        print(f"{contents.album.games} games, {files} files, written to {out}: open {out / 'index.html'}", file=sys.stderr)
    return DONE


def _check(options: argparse.Namespace) -> None:
    if not 0 <= options.truth <= 1e5:
        raise TournamentError(f"--truth: expected a number of seconds, 0 or more, got {options.truth:g}")
    if (options.edition == "student") != bool(options.student):
        raise TournamentError("--student: expected together with --edition student, and only then")


def compute_truth(store: Store, seconds: float) -> str:
    """Compute what is not known yet, game by game, with a progress bar. Return '', or one line that says why it cannot."""
    from tqdm import tqdm

    from tournament.pages.truths import analyser, append_truth, missing, read_truths, supported, truth_path

    event = store.event
    if not supported(event.rules, event.size):
        return f"What moves were worth is not known for {event.rules} on {event.size}×{event.size}."
    path = truth_path(store.path)
    wanted = missing((result.turns for result in store.results()), event.rules, event.size, read_truths(path), seconds)
    if not wanted:
        return ""
    try:
        look = analyser(ruleset(event.rules), event.size, seconds)
    except ModuleNotFoundError as error:
        return f"What moves were worth is not shown: that needs {error.name}."
    for key, turns in tqdm(wanted.items(), unit="game", disable=not sys.stderr.isatty(), leave=False):
        append_truth(path, key, look(turns))
    return ""
