"""What the commands that play games have in common: the options of a run, and how their scores are printed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from tournament.application.plans import EventPlan
from tournament.application.runs import RunSettings
from tournament.errors import StoreError
from tournament.records import Entrant
from tournament.results.tallies import count
from tournament.results.terminal_tables import terminal_table
from tournament.store.store import read_store


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a run, on which no result depends."""
    add_jobs_argument(parser)
    add_cluster_argument(parser)


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for how many games are played at a time."""
    parser.add_argument("--jobs", type=int, metavar="N", help="games played at the same time (default: one per core)")


def add_cluster_argument(parser: argparse.ArgumentParser, what: str = "have the games played") -> None:
    """Add the option that names a cluster. what: it is for."""
    parser.add_argument("--cluster", metavar="ADDRESS", help=(
        f"{what} by a dask cluster: tcp://HOST:PORT, or local:N processes"
    ))  # fmt: skip


def add_copies_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for where the copies of the submissions of a results file are."""
    parser.add_argument("--submissions", type=Path, metavar="FOLDER", help=(
        "where the copies of the submissions are (default: beside the results file)"
    ))  # fmt: skip


def store_of(plan: EventPlan) -> Path:
    """Return the path of an event's results file; raises StoreError if it is a folder."""
    path = plan.file.store or Path(f"{plan.event.name}.db")
    if path.is_dir():
        raise StoreError(f"{path}: expected a results file, got a folder")
    return path


def run_settings(options: argparse.Namespace) -> RunSettings:
    """Return what the options of `add_run_arguments` and `add_event_arguments` say of the run."""
    return RunSettings(options.jobs, options.cluster, tier_named=bool(options.require_tier))


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
