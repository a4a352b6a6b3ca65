"""verify: whether stored games come out the same when they are played again."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, groupby
from pathlib import Path

from goban.common.command_lines import DONE, INTERRUPTED, LEFT
from gojudge.records import Entrant, GameResult, GameSpec
from gojudge.refereeing.runner import Runner
from gojudge.sandbox.sweeping import sweep
from tournament.application.classes import copies_beside
from tournament.application.clusters import join_cluster
from tournament.application.plans import conditions_at, conditions_for, jobs
from tournament.application.runs import GameSetup, stop_signals
from tournament.commands.progress import add_cluster_argument, add_copies_argument, add_jobs_argument, say
from tournament.results.verification import Difference, difference
from tournament.store.store import Store, read_store

SUMMARY = "play stored games again, and show where they differ"
EXAMPLE = "grade.db --every 40"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("which", nargs="*", metavar="ID|PLAYER", help=(
        "games to play again, or players whose games these are (default: all)"
    ))  # fmt: skip
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth game (default: %(default)s)")
    add_copies_argument(parser)
    add_jobs_argument(parser)
    add_cluster_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Play the games again; print every difference, and which players are not deterministic."""
    from gojudge.intake.copies import find_copies

    sweep()
    with read_store(options.store) as store:
        entrants, absent = find_copies(store.entrants(), options.submissions or copies_beside(options.store))
        differences: list[Difference] = []

        def compare(results: Sequence[GameResult]) -> None:
            found = (difference(store.result(again.spec.id), again) for again in results)
            differences.extend(one for one in found if one is not None)

        with _table(options, store, entrants) as table, stop_signals() as seen:
            names = {entrant.name for entrant in entrants}
            runner = Runner(
                table.conditions, entrants, compare, jobs=table.at_once, crew=table.crew, stopped=lambda: bool(seen)
            )
            account = runner.run(_chosen(store, names, options.which, options.every))
    left_out = (f"{name}: games left out: {reason}" for name, reason in absent.items())
    for reason in (*left_out, *account.void.values()):
        print(reason, file=sys.stderr)
    _print(sorted(differences, key=lambda found: found.id), account.played)
    if account.stopped:
        return INTERRUPTED
    return LEFT if differences or absent or account.void else DONE


@contextmanager
def _table(options: argparse.Namespace, store: Store, entrants: Sequence[Entrant]) -> Iterator[GameSetup]:
    if options.cluster is None:
        yield GameSetup(conditions_for(store.event, store.machine, entrants, say), entrants, jobs(options.jobs))
        return
    with join_cluster(options.cluster, options.jobs, store.event, store.machine, entrants, say) as cluster:
        yield GameSetup(conditions_at(cluster.tier, store.event, store.machine), entrants, 0, cluster.crew)


def _chosen(store: Store, names: set[str], which: Sequence[str], every: int) -> Iterator[Iterator[GameSpec]]:
    """Yield the games to be played again, pair by pair: the named games, and all games of the named players."""
    players = {entrant.name for entrant in store.entrants()}.intersection(which)
    ids = [name for name in which if name not in players]
    of_players = (one for one in store.results() if not which or not players.isdisjoint((one.spec.black, one.spec.white)))
    results = chain(of_players if players or not which else (), (store.result(game_id) for game_id in ids))
    specs = (result.spec for number, result in enumerate(results) if number % max(every, 1) == 0)
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
