"""verify: whether stored games come out the same when they are played again."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from common.command_lines import DONE, INTERRUPTED, LEFT
from tournament.commands.players import copies_beside
from tournament.commands.running import conditions_for, jobs, stop_signals
from tournament.errors import BadSubmissionError
from tournament.records import Entrant, GameResult, GameSpec
from tournament.refereeing.runner import Runner
from tournament.results.verification import Difference, difference
from tournament.sandbox.sweeping import sweep
from tournament.store.store import Store, read_store

SUMMARY = "play stored games again, and show where they differ"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("ids", nargs="*", metavar="ID", help="games to play again (default: all)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth game (default: %(default)s)")
    parser.add_argument("--player", metavar="NAME", help="only games of this player")
    parser.add_argument(
        "--submissions", type=Path, metavar="FOLDER", help="where the copies of the submissions are (default: beside the store)"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="games played at the same time (default: one per core)")


def run(options: argparse.Namespace) -> int:
    """Play the games again; print every difference, and which players are not deterministic."""
    sweep()
    with read_store(options.store) as store:
        entrants, absent = found_copies(store.entrants(), options.submissions or copies_beside(options.store))
        conditions = conditions_for(store.event, store.machine, entrants)
        differences: list[Difference] = []

        def compare(again: GameResult) -> None:
            found = difference(store.result(again.spec.id), again)
            if found is not None:
                differences.append(found)

        with stop_signals() as seen:
            names = {entrant.name for entrant in entrants}
            runner = Runner(conditions, entrants, compare, jobs=jobs(options), stopped=lambda: bool(seen))
            account = runner.run(_chosen(store, names, options))
    for reason in (*absent, *account.void.values()):
        print(reason, file=sys.stderr)
    _print(sorted(differences, key=lambda found: found.id), account.played)
    if account.stopped:
        return INTERRUPTED
    return LEFT if differences or absent or account.void else DONE


def found_copies(entrants: Sequence[Entrant], folder: Path) -> tuple[list[Entrant], list[str]]:
    """Return the entrants whose copies are there and unchanged, and a line about each of the others."""
    from tournament.intake.copies import digest_of_copy

    found, absent = [], []
    for entrant in entrants:
        if entrant.reference:
            found.append(entrant)
            continue
        copy = folder / f"{entrant.name}-{entrant.digest[:12]}"
        try:
            if digest_of_copy(copy) == entrant.digest:
                found.append(replace(entrant, folder=copy))
                continue
            reason = f"{copy} does not hold the contents that played"
        except (BadSubmissionError, OSError) as error:
            reason = f"{copy}: {error}"
        absent.append(f"{entrant.name}: games left out: {reason}")
    return found, absent


def _chosen(store: Store, names: set[str], options: argparse.Namespace) -> Iterator[Iterator[GameSpec]]:
    """Yield the games to be played again, pair by pair."""
    results = (store.result(game_id) for game_id in options.ids) if options.ids else store.results()
    specs = (
        result.spec
        for number, result in enumerate(results)
        if number % max(options.every, 1) == 0 and options.player in (None, result.spec.black, result.spec.white)
    )
    playable = (spec for spec in specs if spec.black in names and spec.white in names)
    for _, group in groupby(playable, key=lambda spec: {spec.black, spec.white}):
        yield iter(list(group))


def _print(differences: Sequence[Difference], played: int) -> None:
    for found in differences:
        print(found)
    counts = Counter(found.player for found in differences)
    for name, number in counts.most_common():
        print(f"{name} is not deterministic: another answer in the same position, in {number} of the games above")
    print(f"{played - len(differences)} of {played} games came out the same")
