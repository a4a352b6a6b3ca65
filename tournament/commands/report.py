"""report: an event as web pages.

`--serve` shows them to a browser on this machine, read-only.
"""

from __future__ import annotations

import argparse
import mimetypes
import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from goban.common.command_lines import DONE, need_packages, say
from goban.common.excerpts import is_terminal, quoted_path
from goban.common.files import check_folder_writable, check_writable
from goban.common.local_server import ADDRESS, LocalHandler, LocalServer
from goban.rulesets import ruleset
from gojudge.errors import JudgeError
from gojudge.records import Turn
from tournament.application.reports import EventPages, ask_losses_again
from tournament.application.runs import open_truths
from tournament.commands.event_options import add_cluster_argument, add_rubric_argument, open_results
from tournament.events.events import Event
from tournament.pages.editions import PUBLIC
from tournament.results.exports import check_list
from tournament.store.store import Store

if TYPE_CHECKING:
    from tournament.pages.contents import Contents
    from tournament.pages.truths import Truth

SUMMARY = "write an event's web pages: marks or standings, games to replay, a page for everybody"
EXAMPLE = "grade.db --serve"
_STUDENTS = "students"
_KINDS = ("instructor", *PUBLIC, _STUDENTS)
_PORT, _LAST_PORT = 8000, 65535
_PAGE = ".html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file; with --serve also a folder of pages")
    parser.add_argument("--out", type=Path, metavar="PATH", help=(
        "the folder to write; with FILE.html, one page that holds everything (default: beside the store)"
    ))  # fmt: skip
    add_rubric_argument(parser)
    parser.add_argument("--edition", choices=_KINDS, metavar="KIND", help=(
        "instructor: names and logs (the default); class: nicknames from STORE.names.csv, no logs; named, agreed: like class, "
        "but with the real names of all, or of those who agreed; "
        "students: one file per student with their own page, and the list mail.csv"
    ))  # fmt: skip
    parser.add_argument("--student", default="", metavar="NAME", help="only the pages of this submission's games")
    parser.add_argument("--truth", type=float, default=0.0, metavar="SECONDS", help=(
        "find out what moves were worth, and which lines lost games, for this long per game; the results are kept beside STORE"
    ))  # fmt: skip
    add_cluster_argument(parser, "have that computed")
    parser.add_argument("--serve", type=int, nargs="?", const=_PORT, metavar="PORT", help=(
        f"then serve the pages to browsers on this machine, until Ctrl-C (default: {_PORT})"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Write the pages; show them to a browser if asked for."""
    if options.serve is not None and not 0 <= options.serve <= _LAST_PORT:
        raise JudgeError(f"--serve: expected a port from 0 to {_LAST_PORT}, got {options.serve}")
    if options.serve is not None and options.store.is_dir():
        _check_folder(options)
        return _serve(options.store, options.serve)
    need_packages("jinja2", *(["numpy", "scipy", "tqdm"] if options.truth else []))
    from tournament.pages.sites import HEADER, LIST, check_site, write_students

    _check(options)
    for_all = options.edition == _STUDENTS
    kind = "student" if for_all or options.student else options.edition or "instructor"
    with open_results(options.store) as store:
        out = options.out or store.path.with_suffix(".students" if for_all else ".site")
        if out.suffix == _PAGE:
            check_writable(out, _PAGE)
        else:
            check_folder_writable(out)
            if for_all:
                check_list(out / LIST, "pages", ",".join(HEADER))
            else:
                check_site(out)
        pages = EventPages(store, kind, None if for_all else options.student, rubric=options.rubric, tell=say)
        edition = None if for_all else pages.edition(options.student)
        note = compute_truth(store, options.truth, options.cluster) if options.truth else ""
        if options.truth:
            ask_losses_again(store, say)
        if edition is None:
            written = write_students(pages.students(note), pages.entrants, out)
            say(f"{written} pages written to {out}: mail them with {out / LIST}")
        else:
            _write(out, pages.contents(edition, note))
    return DONE if options.serve is None else _serve(out, options.serve)


def _serve(folder: Path, port: int) -> int:

    serve(folder, port)
    return DONE


def _write(out: Path, contents: Contents) -> None:
    from tournament.pages.sites import write_folder, write_single

    if out.suffix == _PAGE:
        size = write_single(contents, out)
        say(f"{contents.album.games} games, {size / 1e6:.1f} MB, written to {out}")
    else:
        files = write_folder(contents, out)
        say(f"{contents.album.games} games, {files} files, written to {out}: open {out / 'index.html'}")


def _check_folder(options: argparse.Namespace) -> None:
    others = {"out": options.out, "rubric": options.rubric, "edition": options.edition, "student": options.student}
    others |= {"truth": options.truth, "cluster": options.cluster}
    for name, given in others.items():
        if given:
            raise JudgeError(f"--{name}: expected a results file, got the folder of pages {quoted_path(options.store)}")


def _check(options: argparse.Namespace) -> None:
    if not 0 <= options.truth <= 1e5:
        raise JudgeError(f"--truth: expected a number of seconds, 0 or more, got {options.truth:g}")
    if options.cluster and not options.truth:
        raise JudgeError("--cluster: expected together with --truth, which is what it computes")
    if options.student and options.edition:
        raise JudgeError("--student: expected without --edition; --edition students writes everybody's pages")
    if options.out is not None and options.out.suffix == _PAGE and (options.serve is not None or options.edition == _STUDENTS):
        raise JudgeError(f"--out: expected a folder, got {quoted_path(options.out)}")


def compute_truth(store: Store, seconds: float, cluster: str | None) -> str:
    """Compute what is not known yet, game by game, with a progress bar. Return '', or one line that says why it cannot.

    cluster: the address of one that does it, None for this machine. Raises ClusterError.
    """
    from tqdm import tqdm

    from tournament.pages.truths import append_truth, has_solver, missing, read_truths, truth_path

    event = store.event
    if not has_solver(event.rules, event.size):
        return f"What moves were worth is not known for {event.rules} on {event.size}×{event.size}."
    path = truth_path(store.path)
    wanted = missing((result.turns for result in store.results()), event.rules, event.size, read_truths(path), seconds)
    if not wanted:
        return ""
    try:
        solved = open_truths(cluster, event, seconds, wanted, say) if cluster else _truths_here(event, seconds, wanted)
    except ModuleNotFoundError as error:
        return f"What moves were worth is not shown: that needs {error.name}."
    with closing(solved):
        for key, truth in tqdm(solved, total=len(wanted), unit="game", disable=not is_terminal(sys.stderr), leave=False):
            append_truth(path, key, truth)
    return ""


def _truths_here(
    event: Event, seconds: float, wanted: Mapping[str, Sequence[Turn]]
) -> Generator[tuple[str, Truth], None, None]:
    from tournament.pages.truths import analyser

    look = analyser(ruleset(event.rules), event.size, seconds)
    return ((key, look(turns)) for key, turns in wanted.items())


_TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}


def serve(folder: Path, port: int) -> None:
    """Serve a folder until Ctrl-C. port: 0 for any that is free. Raises OSError if the port is taken."""
    server = make_server(folder, port)
    place = f"http://{ADDRESS}:{server.server_address[1]}/"
    server.serve_until_stopped(lambda: say(f"{place}  (Ctrl-C stops)"))


def make_server(folder: Path, port: int) -> LocalServer:
    """Return a server for a folder, not yet running. Raises OSError if the port is taken."""
    root = folder.resolve()

    class Handler(_Handler):
        place = root

    return LocalServer(port, Handler, "serve")


class _Handler(LocalHandler):
    """Answers GET with a file of the folder, and everything else with an error."""

    place: Path

    def do_GET(self) -> None:  # noqa: N802
        """Answer with a file."""
        if not self.asks_for_us():
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        path = file_of(self.place, self.path)
        try:
            data = path.read_bytes() if path is not None else None
        except OSError:
            data = None
        if path is None or data is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self.send_data(data, kind, {"Cache-Control": "no-cache"})


def file_of(root: Path, target: str) -> Path | None:
    """Return the file that a request means; None if it is not a file in the folder. Links out of the folder are not."""
    try:
        name = unquote(urlsplit(target).path).lstrip("/")
    except ValueError:
        return None
    if "\0" in name or "\\" in name:
        return None
    path = Path(os.path.realpath(root / name))
    # Unlike Path.is_dir and is_file, these take a name that is too long for one that does not exist.
    if os.path.isdir(path):
        path = path / "index.html"
    inside = path.is_relative_to(root) and Path(os.path.realpath(path)).is_relative_to(root)
    return path if inside and os.path.isfile(path) else None
