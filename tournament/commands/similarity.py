"""similarity: which submissions of an event play alike and read alike, for a person to look at."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from goban.common.command_lines import DONE, LEFT, need_packages, say
from goban.common.excerpts import is_terminal, printable, quoted, quoted_path
from goban.common.files import check_writable, write_beside
from gojudge.errors import BadRosterError, BadSubmissionError
from gojudge.records import Entrant, GameRow
from tournament.application.classes import copies_beside
from tournament.commands.event_options import add_copies_argument
from tournament.errors import BadCourseError
from tournament.results.exports import check_list
from tournament.results.ratings import ratings
from tournament.results.standings import standings
from tournament.store.store import Store, read_store

if TYPE_CHECKING:
    from goban.states import State
    from tournament.similarity.choices import Choices
    from tournament.similarity.fingerprints import Sources
    from tournament.similarity.playing_alike import PlayPair
    from tournament.similarity.reading_alike import TextPair

T = TypeVar("T")

SUMMARY = "list submissions that play or read alike, with the evidence, for a person to judge"
EXAMPLE = "cup.db --base handouts"
_BRIEF, _FULL = (3, 2, 12), (12, 20, 60)
"""Positions, passages, and lines of each, that are shown of a pair."""
_MOST_PAIRS, _MOST_ASIDES = 3, 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("--pair", nargs=2, metavar="NAME", help="show everything these two have in common, marked or not")
    add_copies_argument(parser)
    parser.add_argument("--base", type=Path, action="append", default=[], metavar="PATH", help=(
        "what the course has handed out, which does not count: a folder, an archive, or a TOML file "
        "of an event or a course with the key base; may be repeated"
    ))  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write all pairs, to a CSV file")


def run(options: argparse.Namespace) -> int:
    """Print both rankings, and the evidence for the pairs that are marked or asked for."""
    from tournament.similarity.choices import gather
    from tournament.similarity.playing_alike import playing_alike
    from tournament.similarity.reading_alike import reading_alike, set_aside
    from tournament.similarity.report import JUDGEMENT, asides_text, pairs_csv, play_table, text_table

    need_packages("numpy", "pygments", "scipy", "tabulate")
    if options.out is not None:
        check_writable(options.out, ".csv", ".txt")
        check_list(options.out, "pairs", "one,other,")
    with read_store(options.store) as store:
        entrants = [entrant for entrant in store.entrants() if entrant.is_submission]
        wanted = _find_pair(options.pair, entrants)
        base = _hand_out([place for path in options.base for place in _base_of(path, store.event.name)])
        rows = store.rows()
        choices = gather(_show_progress(store.results(), len(rows), "game"), store.event.rules, store.event.size)
        played = playing_alike(choices, _ratings(rows), {entrant.name for entrant in entrants})
        played = [_untaught(pair, store, choices) for pair in played]
        copies, sources, unread = _read(entrants, options.submissions or copies_beside(options.store))
        own, asides = set_aside(sources, base)
        read, short = reading_alike(own)
        event = store.event
        print(f"{event.name}: {event.kind}, {event.rules}, {event.size}x{event.size}, {len(rows)} games")
        print(f"\n{play_table(played)}\n\n{text_table(read, len(sources) - len(short), short)}")
        shown = [one for one in asides if not wanted or not set(one.names).isdisjoint(wanted[0])]
        if text := asides_text(shown, len(shown) if wanted else _MOST_ASIDES):
            print(f"\n{text}")
        marked = _choose_marked(played, read)
        for pair in wanted or marked[:_MOST_PAIRS]:
            _show(pair, store, choices, read, copies, _FULL if wanted else _BRIEF)
        if not wanted and len(marked) > _MOST_PAIRS:
            print(f"\n{len(marked) - _MOST_PAIRS} more pairs are marked: --pair NAME NAME shows what two have in common.")
    print(f"\n{JUDGEMENT}")
    if options.out is not None:
        write_beside(options.out, pairs_csv(played, read).encode())
    for line in unread:
        say(line)
    return LEFT if unread else DONE


def _find_pair(names: Sequence[str] | None, entrants: Sequence[Entrant]) -> list[tuple[str, str]]:
    """Return the pair that was asked for, if one was."""
    if names is None:
        return []
    known = {entrant.name for entrant in entrants}
    for name in names:
        if name not in known:
            raise BadRosterError(f"--pair: expected the name of a submission in the results file, got {quoted(name)}")
    one, other = sorted(names)
    if one == other:
        raise BadRosterError(f"--pair: expected two submissions, got {quoted(one)} twice")
    return [(one, other)]


def _base_of(path: Path, name: str) -> Sequence[Path]:
    """Return a folder or an archive as it is; of a TOML file what its key `base` says.

    In a course's it is the one of the homework, or the ladder, of this name.
    """
    from tournament.courses.course_files import is_course, read_course
    from tournament.events.event_files import read_event_file

    if path.suffix != ".toml" or path.is_dir():
        return [path]
    if not is_course(path):
        return read_event_file(path).base
    stages = read_course(path).stages
    files = [stage.file for stage in stages if stage.name == name]
    if not files:
        names = ", ".join(stage.name for stage in stages)
        raise BadCourseError(f"--base: expected a course that has {quoted(name)}, found {names} in {quoted_path(path)}")
    return files[0].base


def _hand_out(folders: Sequence[Path]) -> frozenset[int]:
    """Return the fingerprints of what the course has handed out."""
    from tournament.similarity.fingerprints import hash_handouts

    found: set[int] = set()
    for folder in folders:
        try:
            found |= hash_handouts(folder)
        except BadSubmissionError as error:
            raise BadRosterError(f"base: {printable(str(folder), 400)}: {error}") from None
    return frozenset(found)


def _ratings(rows: Sequence[GameRow]) -> dict[str, float]:
    names = {name for row in rows for name in (row.black, row.white)}
    return {one.name: one.rating for one in ratings(standings(rows, names, None).tallies).players}


def _read(entrants: Sequence[Entrant], folder: Path) -> tuple[dict[str, Path], dict[str, Sources], list[str]]:
    """Return the copies by name, what their sources say, and a line about each that cannot be read as a whole."""
    from gojudge.intake.copies import find_copies
    from tournament.similarity.fingerprints import MOST_BYTES, sources_of

    found, absent = find_copies(entrants, folder)
    unread = [f"{name}: sources not compared: {reason}" for name, reason in absent.items()]
    sources: dict[str, Sources] = {}
    for entrant in _show_progress(found, len(found), "submission"):
        try:
            sources[entrant.name] = sources_of(entrant.folder, entrant.entry)
        except (BadSubmissionError, OSError) as error:
            unread.append(f"{entrant.name}: sources not compared: {error}")
            continue
        if sources[entrant.name].cut:
            unread.append(f"{entrant.name}: only the first {MOST_BYTES // 1024} KiB of its sources are compared")
    return {entrant.name: entrant.folder for entrant in found}, sources, unread


def _untaught(pair: PlayPair, store: Store, choices: Choices) -> PlayPair:
    """Return a pair without its mark if both play as everybody has been taught."""
    from tournament.similarity.choices import play_as_taught, state_before

    def state_of(game: str, ply: int) -> State:
        return state_before(store.result(game).turns, ply, store.event.rules, store.event.size)

    return replace(pair, taught=True) if pair.marked and play_as_taught(choices, pair.one, pair.other, state_of) else pair


def _choose_marked(played: Sequence[PlayPair], read: Sequence[TextPair]) -> list[tuple[str, str]]:
    """Return the pairs that are marked in either ranking: those that are in both first."""
    by_play = [(pair.one, pair.other) for pair in played if pair.marked]
    by_text = [(pair.one, pair.other) for pair in read if pair.marked]
    both = [pair for pair in by_play if pair in by_text]
    return list(dict.fromkeys([*both, *by_play, *by_text]))


def _show(
    pair: tuple[str, str],
    store: Store,
    choices: Choices,
    read: Sequence[TextPair],
    copies: Mapping[str, Path],
    most: tuple[int, int, int],
) -> None:
    """Print positions with the same rare move, and passages side by side."""
    from tournament.similarity.choices import board_before, same_moves
    from tournament.similarity.report import passage_text, same_move_text

    positions, passages, lines = most
    one, other = pair
    print(f"\n{one} & {other}")
    for same in same_moves(choices, one, other)[:positions]:
        board = board_before(store.result(same.game).turns, same.ply, store.event.rules, store.event.size)
        print(f"\n{same_move_text(same, board)}")
    alike = next((text for text in read if (text.one, text.other) == pair), None)
    if alike is not None:
        texts = [_texts(copies[name]) for name in pair]
        for passage in alike.passages[:passages]:
            print(f"\n{passage_text(passage, texts, lines)}")


def _texts(folder: Path) -> dict[str, list[str]]:
    """Return the lines of a copy's files by path, whatever bytes they are."""
    from gojudge.intake.archives import read_files
    from tournament.similarity.fingerprints import lines_of

    return {path: lines_of(data.decode("utf-8", "replace")) for path, data in read_files(folder).items()}


def _show_progress(things: Iterable[T], total: int, unit: str) -> Iterator[T]:
    """Yield things, with a bar on a terminal."""
    from tqdm import tqdm

    # No thread for the bar: submissions are read in forks of this process.
    tqdm.monitor_interval = 0
    yield from tqdm(things, total=total, unit=unit, disable=not is_terminal(sys.stderr), leave=False)
