"""What the commands that play games have in common: the options of a run, and how their scores are printed."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from common.excerpts import quoted
from tournament.application.plans import EventPlan
from tournament.application.runs import RunSettings
from tournament.errors import ClusterError, StoreError
from tournament.records import Entrant
from tournament.results.tallies import count
from tournament.results.terminal_tables import terminal_table
from tournament.store.store import read_store


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a run, on which no result depends."""
    run = parser.add_argument_group("this run")
    add_store_arguments(run, "the event's name + .db")
    add_cluster_argument(run)
    add_verify_argument(run)
    run.add_argument(
        "--rerun", choices=["changed"], help="replay the games of submissions whose contents have changed since"
    )
    run.add_argument(
        "--exec", dest="real_starts", action="store_true",
        help="start a new process for every move of a program that reads input.txt; many times slower (default: fork one)",
    )  # fmt: skip


def add_store_arguments(run: argparse._ArgumentGroup, default: str) -> None:
    """Add the options for where results are kept and how many games are played at a time. default: the store's, in words."""
    run.add_argument("--store", type=Path, metavar="FILE", help=f"where results are kept (default: {default})")
    run.add_argument("--force-new", action="store_true", help="begin a new store; the old file is renamed")
    run.add_argument("--jobs", type=int, metavar="N", help="games played at the same time (default: one per core)")


def store_of(options: argparse.Namespace, plan: EventPlan) -> Path:
    """Return the path of an event's results file; raises StoreError if it is a folder."""
    return store_file(options, Path(f"{plan.event.name}.db"))


def store_file(options: argparse.Namespace, usual: Path) -> Path:
    """Return the results file that the options name, or the usual one; raises StoreError if it is a folder."""
    path: Path = options.store or usual
    if path.is_dir():
        raise StoreError(f"--store: expected a file, got the folder {str(path)!r}")
    return path


def run_settings(options: argparse.Namespace) -> RunSettings:
    """Return what the options of `add_run_arguments` and `add_event_arguments` say of the run."""
    return RunSettings(
        options.jobs, options.cluster, verified_share(options), options.force_new, options.rerun == "changed",
        options.real_starts, bool(options.require_tier),
    )  # fmt: skip


def add_cluster_argument(
    run: argparse._ActionsContainer, what: str = "have the games played", usual: str = "play them in this process's own workers"
) -> None:
    """Add the option that names a cluster. what: it is for; usual: what is done without it."""
    run.add_argument(
        "--cluster", metavar="ADDRESS",
        help=f"{what} by the workers of a dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes here "
        f"(default: {usual})",
    )  # fmt: skip


def add_verify_argument(run: argparse._ActionsContainer) -> None:
    """Add the option that has a cluster's games checked."""
    run.add_argument(
        "--verify", metavar="P%",
        help="play this share of a cluster's games again at other workers, and expel who told something else (default: none)",
    )


def verified_share(options: argparse.Namespace) -> float:
    """Return the share of games that --verify names, 0 if it is not given. Raises ClusterError."""
    text = options.verify
    if text is None:
        return 0.0
    number = float(text[:-1]) if re.fullmatch(r"\d{1,3}(\.\d{1,6})?%", text, re.ASCII) else 0.0
    if not 0 < number <= 100:
        raise ClusterError(f"--verify: expected a share above 0% and up to 100%, as 2%, got {quoted(text)}")
    if options.cluster is None:
        raise ClusterError("--verify: expected together with --cluster, whose workers it checks")
    return number / 100


def print_scores(path: Path, players: Sequence[Entrant], opponents: Sequence[Entrant]) -> None:
    """Print how often some players won, tied and lost against others, and how many games differ from each other."""
    with read_store(path) as store:
        rows, different = store.rows(), store.different_games()
    tallies = count(rows)
    lines = [
        (player.name, opponent.name, tally.total.games, tally.total.wins, tally.total.ties, tally.total.losses)
        for player in players
        for opponent in opponents
        if (tally := tallies.get((player.name, opponent.name))) is not None
    ]
    print(terminal_table(lines, ("player", "opponent", "games", "wins", "ties", "losses")))
    print(f"\n{len(rows)} games, {different} different")
