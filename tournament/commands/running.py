"""What the commands that play games have in common: their options, the run itself, and its messages."""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import RLock

from common.command_lines import DONE, INTERRUPTED, LEFT
from tournament.commands.event_options import Plan
from tournament.errors import SandboxError, StoreError, TournamentError
from tournament.events.events import Event
from tournament.events.machines import Machine
from tournament.events.schedules import open_batches, pairings
from tournament.records import PROGRAM, Entrant, GameResult, Tier
from tournament.refereeing.open_seats import Conditions, open_entrant
from tournament.refereeing.runner import Account, Runner
from tournament.results.tallies import count
from tournament.sandbox.sweeping import sweep
from tournament.store.store import Run, Store, open_store, read_store


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a run, on which no result depends."""
    run = parser.add_argument_group("this run")
    run.add_argument("--store", type=Path, metavar="FILE", help="where results are kept (default: the event's name + .db)")
    run.add_argument("--force-new", action="store_true", help="begin a new store; the old file is renamed")
    run.add_argument(
        "--rerun", choices=["changed"], help="replay the games of submissions whose contents have changed since"
    )
    run.add_argument(
        "--exec", dest="real_starts", action="store_true",
        help="start a new process for every move of a program that reads input.txt; many times slower (default: fork one)",
    )  # fmt: skip
    run.add_argument("--jobs", type=int, metavar="N", help="games played at the same time (default: one per core)")


def store_of(options: argparse.Namespace, plan: Plan) -> Path:
    """Return the path of an event's results file; raises StoreError if it is a folder."""
    path: Path = options.store or Path(f"{plan.event.name}.db")
    if path.is_dir():
        raise StoreError(f"--store: expected a file, got the folder {str(path)!r}")
    return path


@dataclass(frozen=True)
class Played:
    """The outcome of a run: the store it filled, and the exit status."""

    store: Path
    status: int


def play_event(
    options: argparse.Namespace, plan: Plan, entrants: Sequence[Entrant], points: Mapping[str, float] | None = None
) -> Played:
    """Play the games of an event that are still to be played; report on stderr what was done and what is left.

    Raises TournamentError if the run cannot go on. Games played until then are kept.
    """
    sweep()
    event = plan.event
    path = store_of(options, plan)
    with open_store(
        path, event, plan.digest, key=plan.key, machine=plan.machine, force_new=options.force_new
    ) as store:
        if plan.key is not None:
            _say("the seed makes chance public: who knows it can compute all random choices; leave it out where marks count")
        pairs = pairings(event, entrants, store.key, points)
        _check_tiers(store, plan.machine.require_tier)
        changed = store.begin_run(entrants, this_run(), rerun_changed=options.rerun == "changed")
        for name, games in changed.items():
            _say(f"{name} has changed: {games} games are played again")
        total = sum(pairing.games for pairing in pairs)
        batches = open_batches(pairs, store.finished())
        missing = sum(len(batch.numbers) for batch in batches)
        # If no game is to be played, no sandbox is needed.
        conditions = _conditions(options, plan, entrants if missing else (), store)
        with stop_signals() as seen, _Progress(store, total, total - missing) as progress:
            at_once = min(jobs(options), missing)
            if any(entrant.kind == PROGRAM for entrant in entrants) and at_once > cores():
                _say(f"--jobs: {cores()} games at a time, not {at_once}: no two programs are to think on one core")
                at_once = cores()
            runner = Runner(conditions, entrants, progress.keep, jobs=at_once, stopped=lambda: bool(seen))
            try:
                account = runner.run(batch.games(store.key) for batch in batches)
            except (TournamentError, OSError):
                progress.close()
                _say(f"{total - missing + runner.account.played} of {total} games are saved in {path}")
                raise
    return Played(path, _report(account, path, total, missing))


def _check_tiers(store: Store, required: Tier) -> None:
    """Raise StoreError if games that count were played in a weaker sandbox than required."""
    weak = {tier: games for tier, games in store.tiers().items() if tier and tier < required}
    for tier, games in weak.items():
        raise StoreError(
            f"{store.path}: {games} games were played in a sandbox of tier {tier}, weaker than {required}: "
            "--force-new plays all games again"
        )


def _conditions(options: argparse.Namespace, plan: Plan, entrants: Sequence[Entrant], store: Store) -> Conditions:
    """Return the conditions of a run. Unless it was told what will do, its sandbox is no weaker than that of any game so far.

    Raises SandboxError.
    """
    begun = min((tier for tier in store.tiers() if tier), default="")
    if options.require_tier or begun <= plan.machine.require_tier:
        return conditions_for(plan.event, plan.machine, entrants, options.real_starts)
    machine = replace(plan.machine, require_tier=Tier(begun))
    try:
        return conditions_for(plan.event, machine, entrants, options.real_starts)
    except SandboxError as error:
        raise SandboxError(
            f"{store.path}: its games so far were played at tier {begun}: {error}; to go on at a weaker one, name it with "
            "--require-tier"
        ) from None


def jobs(options: argparse.Namespace) -> int:
    """Return how many games to play at a time; raises TournamentError if the option is out of range."""
    if options.jobs is None:
        return cores()
    if not 1 <= options.jobs <= 1000:
        raise TournamentError(f"--jobs: expected a whole number from 1 to 1000, got {options.jobs}")
    return int(options.jobs)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def this_run() -> Run:
    """Return the record of this run: the time, the machine and the versions."""
    try:
        own = version("go-competition-harness")
    except PackageNotFoundError:
        own = "(not installed)"
    versions = f"Python {platform.python_version()}, go-competition-harness {own}, {platform.system()} {platform.release()}"
    return Run(datetime.now(UTC).isoformat(timespec="seconds"), platform.node(), versions)


def conditions_for(event: Event, machine: Machine, entrants: Sequence[Entrant], real_starts: bool = False) -> Conditions:
    """Return the conditions under which these entrants play; name the sandbox on stderr if one of them is a submission.

    Raises SandboxError if no sandbox here is as strong as required.
    """
    tier = ""
    if not all(entrant.reference for entrant in entrants):
        from tournament.sandbox.tiers import require

        tier = require(machine.require_tier)
        _say(f"submissions play in a sandbox of tier {tier}")
    return Conditions(event.rules, event.size, event.limits, open_entrant, tier, machine.python, real_starts)


def print_scores(path: Path, players: Sequence[Entrant], opponents: Sequence[Entrant]) -> None:
    """Print how often some players won, tied and lost against others."""
    from tabulate import tabulate

    with read_store(path) as store:
        tallies = count(store.rows())
    lines = [
        (player.name, opponent.name, tally.total.games, tally.total.wins, tally.total.ties, tally.total.losses)
        for player in players
        for opponent in opponents
        if (tally := tallies.get((player.name, opponent.name))) is not None
    ]
    print(tabulate(lines, ("player", "opponent", "games", "wins", "ties", "losses")))


def _report(account: Account, path: Path, total: int, missing: int) -> int:
    """Report the outcome of a run; return the exit status."""
    saved = total - missing + account.played
    for reason in list(account.void.values())[:3]:
        _say(reason)
    if len(account.void) > 3:
        _say(f"... and {len(account.void) - 3} more void games")
    again = f", {account.replayed} of them at the second try or later" if account.replayed else ""
    if account.stopped:
        _say(f"stopped: {saved} of {total} games are saved in {path}; the same command goes on from there")
        return INTERRUPTED
    if account.void:
        _say(f"{saved} of {total} games are saved in {path}; the same command plays the void ones again")
        return LEFT
    _say(f"{saved} of {total} games are saved in {path}, {account.played} played now{again}")
    return DONE


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextmanager
def stop_signals() -> Iterator[list[int]]:
    """Collect SIGINT (Ctrl-C) and SIGTERM in a list, so that they interrupt nothing half-way."""
    seen: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda number, frame: seen.append(number)) for number in numbers]
    try:
        yield seen
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


class _Progress:
    """Stores results, and shows progress on a terminal: games, rate, time left, forfeits."""

    def __init__(self, store: Store, total: int, finished: int) -> None:
        from tqdm import tqdm

        # By default tqdm shares a semaphore with other processes, for nothing: only this one shows progress.
        tqdm.set_lock(RLock())
        self._store = store
        self._forfeits = 0
        # No monitor thread: it would only get in the way when worker processes start.
        tqdm.monitor_interval = 0
        self._bar = tqdm(total=total, initial=finished, unit="game", disable=not sys.stderr.isatty(), leave=False)

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the progress bar."""
        self._bar.close()

    def keep(self, result: GameResult) -> None:
        """Store a game, and update the progress bar."""
        self._store.add(result)
        if result.termination.is_forfeit:
            self._forfeits += 1
            self._bar.set_postfix(forfeits=self._forfeits, refresh=False)
        self._bar.update()
