"""What the commands that play games have in common: the options of a run, and how their scores are printed."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from goban.common.excerpts import quoted
from gojudge.errors import ClusterError
from gojudge.records import Entrant
from tournament.application.plans import EventPlan
from tournament.application.runs import RunSettings
from tournament.errors import StoreError
from tournament.results.tallies import count
from tournament.results.terminal_tables import terminal_table
from tournament.store.store import read_store


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a run, on which no result depends."""
    add_jobs_argument(parser)
    add_cluster_argument(parser)
    parser.add_argument("--verify", metavar="P%", help=(
        "play this share of a cluster's games again at other workers, and expel who told otherwise"
    ))  # fmt: skip


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for how many games are played at a time."""
    parser.add_argument("--jobs", type=int, metavar="N", help="games played at the same time (default: one per core)")


def add_cluster_argument(parser: argparse.ArgumentParser, what: str = "have the games played") -> None:
    """Add the option that names a cluster. what: it is for."""
    parser.add_argument("--cluster", metavar="ADDRESS", help=(
        f"{what} by a dask cluster: tls://HOST:PORT, or local:N processes"
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
    tier_named = bool(options.require_tier)
    return RunSettings(options.jobs, options.cluster, verified_share(options), tier_named=tier_named)


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
