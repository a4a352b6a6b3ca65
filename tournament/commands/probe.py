"""probe: what players can do, from fixed positions whose exact answers are known."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from goban.common.command_lines import DONE, INTERRUPTED, LEFT, need_packages, say
from goban.common.excerpts import is_terminal
from goban.common.files import check_writable, write_beside
from goban.rulesets import ruleset
from gojudge.records import Entrant
from gojudge.refereeing.open_seats import Conditions
from gojudge.sandbox.leftovers import owned_folder
from gojudge.sandbox.sweeping import sweep
from tournament.application.classes import SubmissionSources, take_in_players, take_in_to_check
from tournament.application.runs import conditions_for
from tournament.commands.event_options import add_event_option, read_named_file, seed_of, single_event
from tournament.errors import BadEventError
from tournament.events.event_files import PREFIX as ENGINE_PREFIX
from tournament.events.event_files import is_reference

if TYPE_CHECKING:
    from tournament.probing.asking import ProbeAnswer
    from tournament.probing.findings import Findings
    from tournament.probing.positions import Position

SUMMARY = "test what players can do: captures, snapbacks, ladders, ko; stones lost in each phase"
EXAMPLE = "mine/my_player.py greedy --show"
_SEED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("players", nargs="+", metavar="PLAYER", help=(
        "a reference player, a file, or a folder with one or more submissions"
    ))  # fmt: skip
    parser.add_argument("--show", action="store_true", help="also draw each missed position, with the moves that win")
    add_event_option(parser, "a TOML file with rules, limits and seed", "course; the other is littlego")
    parser.add_argument("--out", type=Path, action="append", default=[], metavar="FILE", help=(
        "also write all findings as JSON; for FILE.sgf, the missed positions, as games"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print the table; return 0, or 1 if a player was refused or gave no legal answer somewhere."""
    from tournament.probing.findings import document, missed_text, remarks, sgf, table
    from tournament.probing.positions import read_shipped

    need_packages("tabulate")
    for path in options.out:
        check_writable(path, ".json", ".sgf")
    sweep()
    file = read_named_file(options)
    event, machine = single_event(options, file)
    seed = seed_of(options, file, _SEED)
    positions = read_shipped(ruleset(event.rules), event.size)
    with owned_folder() as folder:
        entrants, refused = _players(options.players, event.rules, folder / "probe.db")
        for line in refused:
            say(line)
        findings, stopped = _probe_all(entrants, conditions_for(event, machine, entrants, say), positions, seed)
    if findings:
        print(table(findings))
    for one in findings:
        for line in remarks(one):
            print(line)
        for finding in one.probes if options.show else ():
            if finding.misses:
                print(f"\n{missed_text(finding)}")
    if stopped:
        say("stopped; nothing was written")
        return INTERRUPTED
    for path in options.out:
        text = sgf(findings) if path.suffix == ".sgf" else f"{document(findings, event.rules, seed)}\n"
        write_beside(path, text.encode())
    return LEFT if refused or any(one.faults or one.void for one in findings) else DONE


def _players(names: Sequence[str], rules: str, store: Path) -> tuple[list[Entrant], list[str]]:
    """Return who is asked, and a line for each submission that cannot be taken in."""
    for name in names:
        if name.startswith(ENGINE_PREFIX):
            raise BadEventError(f"expected a reference player, a file or a folder, got {name!r}: engines cannot be probed")
    references = [name for name in names if is_reference(name)]
    paths = [Path(name) for name in names if not is_reference(name)]
    players = [one for each in take_in_players(references, None, store, rules, tell=say) for one in each]
    if not paths:
        return players, []
    intake = take_in_to_check(SubmissionSources(paths), store, [one.name for one in players], rules, say)
    return [*players, *intake.entrants], [f"{one.name}: {one.reason}" for one in intake.refused]


def _probe_all(
    entrants: Sequence[Entrant], conditions: Conditions, positions: Sequence[Position], seed: int
) -> tuple[list[Findings], bool]:
    """Return what came of everybody who was asked everything, and whether that was stopped."""
    from tournament.probing.asking import ask_all, questions
    from tournament.probing.findings import findings

    asked = questions(positions)
    probed: list[Findings] = []
    try:
        for entrant in entrants:
            with _progress(entrant.name, len(asked)) as progress:
                answers, tier = ask_all(entrant, conditions, asked, seed, progress)
            probed.append(findings(entrant.name, entrant.digest, tier, answers))
    except KeyboardInterrupt:
        return probed, True
    return probed, False


@contextmanager
def _progress(name: str, total: int) -> Iterator[Callable[[ProbeAnswer], object]]:
    """Show on a terminal how many questions have been answered; yield what is called with each answer."""
    if not is_terminal(sys.stderr):
        yield lambda _: None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit="position", desc=name, leave=False) as bar:
        yield lambda _: bar.update()
