"""Playing an event: the run itself, what it takes of this machine (cores, the sandbox), and its messages. Nothing is printed.

With `--cluster`, workers of a dask cluster play the games, or solve their positions; results are still stored here.
"""

from __future__ import annotations

import math
import os
import platform
import signal
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Protocol

from goban.common.arguments import check_fields, is_whole
from goban.common.command_lines import DONE, INTERRUPTED, LEFT
from goban.common.excerpts import quoted
from goban.common.facades import __version__
from gojudge.errors import ClusterError, JudgeError, SandboxError
from gojudge.records import ENGINE, PROGRAM, Entrant, GameResult, Tier, Turn
from gojudge.refereeing.executors import KeptPool, WorkerPool
from gojudge.refereeing.open_seats import OPEN_SEATS, Conditions, open_entrant
from gojudge.refereeing.probation import Budgets, telling_games
from gojudge.refereeing.runner import Account, Runner, local_executor
from gojudge.sandbox.sweeping import sweep
from tournament.application.classes import check_references
from tournament.application.plans import EventPlan, Tell, tell_changes, tell_nobody
from tournament.application.worker_checks import WorkerChecks, check_sandbox, count_unchecked, take_out_left
from tournament.errors import StoreError
from tournament.events.events import Event, Machine
from tournament.events.schedules import Batch, Pairing, count_by_pair, in_groups, in_turns, open_batches, pairings
from tournament.results.due_games import due_games, games_in_all
from tournament.store.store import Run, Store, open_store

if TYPE_CHECKING:
    from gojudge.cluster.cluster_pool import ClusterPool
    from tournament.pages.truths import Truth

# On a busy machine a game may take this many times as long as its players may be charged for.
_BUSY = 4.0
# Our own players have no limit of time.
_REFERENCE_SECONDS = 3600.0


def jobs(wanted: int | None) -> int:
    """Return the number of games to play at a time, one per core for None; raises JudgeError if it is out of range."""
    if wanted is None:
        return cores()
    if not is_whole(wanted, 1, 1000):
        raise JudgeError(f"jobs: expected a whole number from 1 to 1000, got {quoted(wanted)}")
    return wanted


def at_once(asked: int | None, entrants: Sequence[Entrant], missing: int, tell: Tell) -> int:
    """Return the number of missing games to play at a time; report if it is fewer than asked for. See `jobs`."""
    wanted = min(jobs(asked), missing)
    if any(entrant.kind == PROGRAM for entrant in entrants) and wanted > cores():
        tell(f"{cores()} games at a time, not {wanted}: no two programs are to think on one core")
        return cores()
    return wanted


def cores() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def this_run() -> Run:
    """Return the record of this run: the time, the machine and the versions."""
    own, system = f"go-competition-harness {__version__}", f"{platform.system()} {platform.release()}"
    here = f"Python {platform.python_version()}, {own}, {system}"
    return Run(datetime.now(UTC).isoformat(timespec="seconds"), platform.node(), here)


def conditions_for(event: Event, machine: Machine, entrants: Sequence[Entrant], tell: Tell) -> Conditions:
    """Return the conditions under which these entrants play; report the sandbox unless all are reference players.

    Raises SandboxError if no sandbox here is as strong as required.
    """
    tier = ""
    if not all(entrant.reference for entrant in entrants):
        from gojudge.sandbox.tiers import require

        tier = require(machine.require_tier)
        who = "submissions" if any(entrant.is_submission for entrant in entrants) else "engines"
        tell(f"{who} play in a sandbox of tier {tier}")
    return conditions_at(tier, event, machine)


def conditions_at(tier: str, event: Event, machine: Machine) -> Conditions:
    """Return the conditions of games whose sandboxes have this tier, '' if there is no submission."""
    asked = tier, machine.python, machine.start_each_move, machine.load_each_game
    return Conditions(event.rules, event.size, event.limits, open_entrant, *asked)


@dataclass(frozen=True)
class Cluster:
    """The workers of a cluster. tier: the best sandbox that all of them have, '' if no submission plays."""

    pool: ClusterPool
    tier: str


@contextmanager
def join_cluster(
    address: str, jobs: int | None, event: Event, machine: Machine, entrants: Sequence[Entrant], tell: Tell
) -> Iterator[Cluster]:
    """Join the cluster at an address, and check its workers; leave it at the end. Raises ClusterError.

    jobs: games at a time, which must be None.
    """
    from gojudge.cluster.cluster_pool import ClusterPool, Needs
    from gojudge.cluster.dask_link import connect
    from gojudge.cluster.replies import describe

    if jobs is not None:
        raise ClusterError(f"jobs: expected none with a cluster, each worker plays one game at a time; got {jobs}")
    for entrant in entrants:
        if entrant.kind == ENGINE:
            raise ClusterError(f"cluster: expected no engines, which play where they are installed; got {entrant.name!r}")
    needs = Needs(
        describe(sandboxed=False),
        machine.python,
        "" if all(entrant.reference for entrant in entrants) else str(machine.require_tier),
        any(entrant.kind == PROGRAM for entrant in entrants),
        _longest_game(event),
    )
    link = connect(address)
    try:
        pool = ClusterPool(link, needs, tell)
        yield Cluster(pool, pool.muster())
    finally:
        link.close()


def open_truths(
    address: str, event: Event, seconds: float, wanted: Mapping[str, Sequence[Turn]], tell: Tell
) -> Generator[tuple[str, Truth], None, None]:
    """Yield key and truth of games as the workers of a cluster find them, see `pages.truths`. Raises ClusterError."""
    from gojudge.cluster.cluster_pool import ClusterPool, Needs
    from gojudge.cluster.dask_link import connect
    from gojudge.cluster.replies import describe
    from tournament.pages.truths import TruthQuestion, truths_from

    link = connect(address)
    try:
        pool = ClusterPool(link, Needs(describe(sandboxed=False), bound=math.inf), tell)
        pool.muster()
        yield from truths_from(pool, link, TruthQuestion(event.rules, event.size, seconds), wanted)
    finally:
        link.close()


def _longest_game(event: Event) -> float:
    """Return the seconds after which a game that has not ended is taken to hang."""
    charged = 2 * event.size**2 * event.limits.move_seconds + 4 * event.limits.start_seconds
    return _BUSY * charged + _REFERENCE_SECONDS


class GameWatcher(Protocol):
    """Is told of the games of a run, one by one, like a progress bar."""

    def count(self, result: GameResult) -> None:
        """A game has ended."""

    def tick(self) -> None:
        """Called several times a second, also while no game ends."""

    def close(self) -> None:
        """The run is over, or has stopped."""


class NoWatcher:
    """A `GameWatcher` that does nothing."""

    def __init__(self, total: int, finished: int, left: Mapping[frozenset[str], int]) -> None:
        pass

    def count(self, result: GameResult) -> None:
        """Do nothing."""

    def tick(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


MakeWatcher = Callable[[int, int, Mapping[frozenset[str], int]], GameWatcher]
"""(how many games are due, how many of them have ended, pair of names -> how many are to be played) -> who is told of them.

An empty pair stands for games whose players are not known yet."""


@dataclass(frozen=True)
class RunSettings:
    """How the games of an event are played; no result depends on it.

    jobs: games played at a time; None for one per core. cluster: the address of a cluster that plays them; None for this
    machine. verify: the share of the cluster's games that is replayed, see `tournament.application.worker_checks`.
    force_new: start a new store. tier_named: True if somebody named the tier, which may then be weaker than that of the games
    so far. in_turns: whether opponents take turns game by game. leave_slow: if given, games of slow submissions are left out,
    and it is called with their number (see `gojudge.refereeing.probation`). temporary: whether the store is gone after the
    run; then nothing is told of what it holds, or of how to go on with it.
    """

    jobs: int | None = None
    cluster: str | None = None
    verify: float = 0.0
    force_new: bool = False
    tier_named: bool = False
    in_turns: bool = False
    leave_slow: Callable[[int], None] | None = None
    temporary: bool = False

    def __post_init__(self) -> None:
        jobs(self.jobs)
        check_fields(self, JudgeError)
        if not 0 <= self.verify <= 1:
            raise JudgeError(f"RunSettings: expected a share from 0 to 1 as `verify`, got {quoted(self.verify)}")


def play_event(
    path: Path, plan: EventPlan, entrants: Sequence[Entrant], settings: RunSettings,
    points: Mapping[str, float] | None = None, *, tell: Tell = tell_nobody, watch: MakeWatcher = NoWatcher,
) -> int:  # fmt: skip
    """Play the missing games of an event; return DONE, LEFT if some are still missing, or INTERRUPTED.

    Games of a submission whose contents have changed are played again; the old ones are kept, marked.
    Games of slow submissions are played last; if they are left out, only the others need to be done.

    path: of its store. points: of a first stage, see `tournament.events.schedules.pairings`. tell: called with lines about
    what was done and what is left. watch: creates the watcher of the games.

    Raises JudgeError if the run cannot start or continue. Games played before that are kept.
    """
    sweep()
    event = plan.event
    check_references(entrants, event.rules, event.size)
    with open_store(
        path, event, plan.basis, key=plan.key, machine=plan.machine, force_new=settings.force_new
    ) as store:
        tell_changes(path, store.changes, tell)
        if plan.key is not None:
            tell("the seed makes chance public: who knows it can compute all random choices; leave it out where marks count")
        pairs = pairings(event, entrants, store.key, points)
        _check_tiers(store, plan.machine.require_tier)
        changed = store.begin_run(entrants, this_run())
        for name, games in changed.items():
            tell(f"{name} has changed: {games} games are played again")
        take_out_left(store, pairs, tell)
        account, total, missing = _play_rounds(store, plan, entrants, pairs, settings, tell, watch)
    _tell_void(account, tell)
    return _report(account, path, total, missing, tell_nobody if settings.temporary else tell)


def _play_rounds(
    store: Store, plan: EventPlan, entrants: Sequence[Entrant], pairs: Sequence[Pairing], settings: RunSettings, tell: Tell,
    watch: MakeWatcher,
) -> tuple[Account, int, int]:  # fmt: skip
    """Play what is due until nothing is; return the account, the number of games in all, and how many of them are missing."""
    event, account = plan.event, Account()
    references = {entrant.name for entrant in entrants if entrant.reference}
    unchecked = count_unchecked(store, settings.verify) if settings.cluster is not None else 0

    def look() -> tuple[int, int, list[Batch]]:
        """Return how many games there are in all, how many of them belong to later rounds, and what is to be played now."""
        due = due_games(event, plan.rubric, pairs, store.rows, store.key, account.void)
        total = games_in_all(event, pairs, due)
        return total, total - sum(pairing.games for pairing in due), open_batches(due, store.finished())

    total, later, batches = look()
    budgets = _budgets(plan, pairs, entrants, store)
    # A round needs all its games.
    leave = settings.leave_slow if not event.rounds else None
    slow = SlowGames(budgets, tell, leave is not None)
    with _prepare_games(settings, plan, entrants, store, _missing(batches) or unchecked, tell) as setup:
        if setup.checks is not None:
            setup.checks.begin(pairs)
        while ((playable := _without(batches, account.void)) or unchecked) and not account.stopped:
            unchecked = 0
            groups = in_turns(playable) if settings.in_turns else in_groups(playable, references, OPEN_SEATS)
            passed = play_groups(
                store, groups, setup, total, later=later, slow=slow, watch=watch,
                tell_saved=tell_nobody if settings.temporary else tell,
            )  # fmt: skip
            account = _add_up(account, passed)
            total, later, batches = look()
            if slow.left and not passed.played:
                break
    if slow.left and leave is not None:
        leave(slow.left)
    for pace in budgets.slow():
        tell(pace.words)
    return account, total, later + _missing(batches)


def _budgets(plan: EventPlan, pairs: Sequence[Pairing], entrants: Sequence[Entrant], store: Store) -> Budgets:
    """Return the budgets of all but reference players, with what they have used so far."""
    games = Counter[str]()
    for pairing in pairs:
        for name in (pairing.one, pairing.other):
            games[name] += pairing.games
    if plan.event.rounds:
        games = Counter({name: min(number, plan.event.games * plan.event.rounds) for name, number in games.items()})
    own = {one.name: games[one.name] for one in entrants if not one.reference}
    return Budgets(own, plan.budget(max(own.values(), default=0)), store.rows())


class SlowGames:
    """Decides about the games of slow submissions in a run. leave: whether they are left out; left: how many were, last."""

    def __init__(self, budgets: Budgets, tell: Tell, leave: bool) -> None:
        self.budgets = budgets
        self.left = 0
        self._tell = tell
        self._leave = leave
        # Names and lines.
        self._told: set[str] = set()

    def look(self) -> None:
        """Report submissions that turn out to be slow."""
        for pace in self.budgets.slow():
            if pace.name not in self._told and pace.played < pace.games:
                self._told.add(pace.name)
                self._tell(f"{pace.words}: its other games are played last")

    def are_next(self, games: int) -> bool:
        """Report that nothing else is left to play; return whether the slow games are to be played now."""
        names = ", ".join(pace.name for pace in self.budgets.slow() if pace.played < pace.games)
        line = f"all other games are played; {games} of {names} are left"
        if line not in self._told:
            self._told.add(line)
            self._tell(line)
        self.left = games if self._leave else 0
        return not self._leave


def _without(batches: Sequence[Batch], void: Collection[str]) -> list[Batch]:
    """Return the games without those that are void for this run, so that no others wait for them."""
    if not void:
        return list(batches)
    playable = (
        replace(batch, numbers=tuple(number for number in batch.numbers if batch.pairing.id_of(number) not in void))
        for batch in batches
    )
    return [batch for batch in playable if batch.numbers]


def _missing(batches: Sequence[Batch]) -> int:
    return sum(len(batch.numbers) for batch in batches)


def _add_up(one: Account, other: Account) -> Account:
    """Return the account of two runs, one after the other."""
    void, unplayed = one.void | other.void, one.unplayed + other.unplayed
    return Account(one.played + other.played, one.replayed + other.replayed, void, one.stopped or other.stopped, unplayed)


@dataclass(frozen=True)
class GameSetup:
    """How games are played: the conditions, the entrants, and how many at a time; or the pool, and its checks."""

    conditions: Conditions
    entrants: Sequence[Entrant]
    at_once: int
    pool: WorkerPool | None = None
    checks: WorkerChecks | None = None


@contextmanager
def _prepare_games(
    settings: RunSettings, plan: EventPlan, entrants: Sequence[Entrant], store: Store, missing: int, tell: Tell
) -> Iterator[GameSetup]:
    """Prepare to play the missing games; if there are none, neither a sandbox nor a cluster is needed."""
    if missing and settings.cluster is not None:
        machine = replace(plan.machine, require_tier=_weakest(settings, plan, store))
        with join_cluster(settings.cluster, settings.jobs, plan.event, machine, entrants, tell) as cluster:
            conditions = conditions_at(cluster.tier, plan.event, machine)
            if settings.verify and cluster.tier:
                check_sandbox(cluster.tier)
            checks = WorkerChecks(cluster.pool, conditions, entrants, store, settings.verify, tell)
            try:
                yield GameSetup(conditions, entrants, 0, cluster.pool, checks)
            finally:
                checks.close()
        return
    conditions = _conditions(settings, plan, entrants if missing else (), store, tell)
    if missing:
        _introduce(entrants, conditions, tell)
    # The same workers play all rounds.
    with closing(KeptPool(at_once(settings.jobs, entrants, missing, tell), local_executor)) as pool:
        yield GameSetup(conditions, entrants, 0, pool)


def play_groups(
    store: Store, groups: Sequence[Sequence[Batch]], setup: GameSetup, total: int,
    on_stored: Callable[[GameResult], None] = lambda result: None, *,
    later: int = 0, slow: SlowGames | None = None, enough: Callable[[], bool] = lambda: False,
    tell_saved: Tell = tell_nobody, watch: MakeWatcher = NoWatcher,
) -> Account:  # fmt: skip
    """Play games and store each one; Ctrl-C stops this cleanly. on_stored: called with each game once it is stored.

    groups: a worker plays the games of one, one after the other, then those of another; see `in_groups`.
    total: number of games in all; later: how many of them belong to later rounds, between players not known yet.
    slow: None if nobody is. enough: called several times a second; True stops as Ctrl-C does.

    Raises JudgeError or OSError if the run cannot continue. Games stored before that are kept; `tell_saved` is told of them.
    """
    batches = [batch for group in groups for batch in group]
    missing = later + _missing(batches)
    checks = setup.checks
    slow = slow or SlowGames(Budgets({}, None), tell_nobody, leave=False)
    with stop_signals() as seen, closing(watch(total, total - missing, count_by_pair(batches, later))) as progress:

        def keep(results: Sequence[GameResult]) -> None:
            store.add(*results)
            if checks is not None:
                checks.enter(results)
            for result in results:
                progress.count(result)
                on_stored(result)

        def stopped() -> bool:
            progress.tick()
            slow.look()
            if checks is not None:
                checks.step()
            return bool(seen) or enough() or (checks is not None and bool(checks.wrong))

        runner = _runner(store, setup, slow, keep, stopped)
        store.keep_run()
        try:
            account = runner.run([game for batch in group for game in batch.games(store.key)] for group in groups)
            if checks is not None:
                checks.finish(lambda: bool(seen), progress.tick)
                # An expelled worker ends a round of games, not the run.
                account.stopped = bool(seen)
            return account
        except (JudgeError, OSError):
            progress.close()
            tell_saved(f"{total - missing + runner.account.played} of {total} games are saved in {store.path}")
            raise
        finally:
            if checks is not None and checks.wrong:
                checks.expel()


def _runner(
    store: Store, setup: GameSetup, slow: SlowGames, keep: Callable[[Sequence[GameResult]], None], stopped: Callable[[], bool]
) -> Runner:
    """Return a runner that knows the games in the store."""
    submissions = [entrant.name for entrant in setup.entrants if not entrant.reference]
    before = store.results_of(telling_games(store.rows(), submissions))
    return Runner(
        setup.conditions, setup.entrants, keep, jobs=setup.at_once, pool=setup.pool, stopped=stopped, before=before,
        budgets=slow.budgets, only_slow_left=slow.are_next,
    )  # fmt: skip


def _introduce(entrants: Sequence[Entrant], conditions: Conditions, tell: Tell) -> None:
    """Try the engines, and tell what they are. Raises BadEngineError."""
    from gojudge.refereeing.engine_trials import try_engines

    trials = try_engines(entrants, conditions)
    for engine, introduction in trials.introductions.items():
        tell(f"{engine.name}: {introduction}")
    for error in trials.refused.values():
        raise error
    for warning in trials.warnings:
        tell(warning)


def _check_tiers(store: Store, required: Tier) -> None:
    """Raise StoreError if games that count were played in a weaker sandbox than required."""
    weak = {tier: games for tier, games in store.tiers().items() if tier and tier < required}
    for tier, games in weak.items():
        raise StoreError(
            f"{store.path}: {games} games were played in a sandbox of tier {tier}, weaker than {required}: "
            "another `name` replays all games, in a file of its own"
        )


def _conditions(settings: RunSettings, plan: EventPlan, entrants: Sequence[Entrant], store: Store, tell: Tell) -> Conditions:
    """Return the conditions of a run. Its sandbox is no weaker than that of any game so far, unless a tier was named.

    Raises SandboxError.
    """
    weakest = _weakest(settings, plan, store)
    if weakest == plan.machine.require_tier:
        return conditions_for(plan.event, plan.machine, entrants, tell)
    machine = replace(plan.machine, require_tier=weakest)
    try:
        return conditions_for(plan.event, machine, entrants, tell)
    except SandboxError as error:
        raise SandboxError(
            f"{store.path}: its games so far were played at tier {weakest}: {error}; to continue at a weaker one, name it with "
            "`require_tier`"
        ) from None


def _weakest(settings: RunSettings, plan: EventPlan, store: Store) -> Tier:
    """Return the weakest tier that is allowed: the one required, and none weaker than that of the games so far unless the run
    names a tier."""
    begun = min((tier for tier in store.tiers() if tier), default="")
    return plan.machine.require_tier if settings.tier_named else max(plan.machine.require_tier, Tier(begun or Tier.T0))


def _tell_void(account: Account, tell: Tell) -> None:
    """Report which games came to nothing or were not played, and why."""
    for reason in list(account.void.values())[:3]:
        tell(reason)
    if len(account.void) > 3:
        tell(f"... and {len(account.void) - 3} more void games")
    for (name, reason), games in sorted(account.unplayed.items()):
        tell(f"{name}: {games} games were not played: at the start of the first ones, and of one more at the end, {reason}")


def _report(account: Account, path: Path, total: int, missing: int, tell: Tell) -> int:
    """Report what a run has saved that leaves `missing` due games unplayed; return the exit status."""
    saved = total - missing
    again = f", {account.replayed} of them at the second try or later" if account.replayed else ""
    if account.stopped:
        tell(f"stopped: {saved} of {total} games are saved in {path}; the same command goes on from there")
        return INTERRUPTED
    if account.void:
        tell(f"{saved} of {total} games are saved in {path}; the same command replays the void ones")
        return LEFT
    tell(f"{saved} of {total} games are saved in {path}, {account.played} played now{again}")
    return DONE


@contextmanager
def stop_signals() -> Iterator[list[int]]:
    """Collect SIGINT (Ctrl-C) and SIGTERM in a list, so that they interrupt nothing half-way. Other threads never see them."""
    seen: list[int] = []
    if current_thread() is not main_thread():
        yield seen
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda number, frame: seen.append(number)) for number in numbers]
    try:
        yield seen
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
