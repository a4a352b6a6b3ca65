"""Replays some of the games that a cluster's workers have played, and expels the workers that reported something else.

    a share of the games, drawn by the event's key, and each worker's first one
        played again at a worker of another machine, or here if there is none
    ended differently
        played twice here, which decides: see `tournament.application.worker_checks.blame`
    because of the worker
        it is expelled, and none of its games counts: others play them anew
    because of the player, or of the clock
        reported once for each player; the games stay

A submission may play differently now and then, by the operating system's chance. Then a worker only seems to be wrong. So if
two workers seem to be wrong at answers of one submission, the second is not blamed: none costs a run more than one worker.

A file beside the store says which games have been checked. Whatever is missing there is checked anew. A worker that is wrong is
noted there before its games are taken out: if the run is killed meanwhile, the next one does it, see `take_out_left`.

`difference` compares a replayed game with the stored one: the first move that differs, who made it, and why.
"""

from __future__ import annotations

import json
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path

from goban.common.excerpts import error_line
from goban.common.files import append_line
from goban.grids import BLACK, WHITE
from goban.rulesets import COLOUR_NAMES
from gojudge.cluster.cluster_pool import ClusterPool, Service
from gojudge.errors import ClusterError, JudgeError, SandboxError
from gojudge.records import NOTHING, Entrant, GameResult, Termination, Turn
from gojudge.refereeing.executors import LocalPool
from gojudge.refereeing.open_seats import Conditions, close_here, play_here
from gojudge.refereeing.probation import NOT_PLAYED, TRIED_AGAIN
from gojudge.refereeing.referee import Played
from gojudge.refereeing.runner import local_executor
from tournament.application.plans import Tell
from tournament.events.schedules import Pairing
from tournament.results.standings import terminal_table
from tournament.store.store import Store

# An answer for which a player thought longer than this share of its limit may depend on the clock; a time-out may be honest if
# it thought longer than the other share elsewhere.
_THINKING, _NEARLY_LATE = 0.05, 0.5


@dataclass(frozen=True)
class Difference:
    """Where a replayed game differs. move: the number of the first move that differs, from 1. player: who made it, in the
    same position with the same seed. before, now: what was played, or how the game ended there."""

    id: str
    move: int
    player: str
    colour: int
    before: str
    now: str

    def __str__(self) -> str:
        who = f"{COLOUR_NAMES[self.colour]} ({self.player})"
        return f"{self.id}: move {self.move}: {who} played {self.before} then, {self.now} now"


def difference(stored: GameResult, again: GameResult) -> Difference | None:
    """Return how a replayed game differs from the stored one, None if it does not. Times are not compared."""
    moves = [[turn.move for turn in result.turns] for result in (stored, again)]
    if moves[0] == moves[1] and _end(stored) == _end(again):
        return None
    number = next((k for k, pair in enumerate(zip(*moves, strict=False)) if pair[0] != pair[1]), min(map(len, moves)))
    colour = WHITE if number % 2 else BLACK
    for result in (stored, again):
        # A player who could not even start forfeits before move 1, whatever their colour.
        if len(result.turns) == number and result.forfeited_by:
            colour = result.forfeited_by
    player = stored.spec.black if colour == BLACK else stored.spec.white
    counted = all(len(result.turns) == number and not result.forfeited_by for result in (stored, again))
    then, now = (_describe_end(result) if counted else _say_played(result, number) for result in (stored, again))
    return Difference(stored.spec.id, number + 1, player, colour, then, now)


class Blame(Enum):
    """Why a game ended differently: because of the worker, of a player that does not play the same game twice, or of the
    clock; NOBODY if it ended the same."""

    NOBODY = auto()
    WORKER = auto()
    PLAYER = auto()
    CLOCK = auto()


def blame(
    claimed: GameResult, here: GameResult, again: GameResult, limit: Callable[[str], float | None]
) -> tuple[Blame, Difference | None]:
    """Say who is to blame if a worker's result of a game differs from ours. We have played the game twice.

    limit: name -> how many seconds this player has for an answer, None for one of ours.
    """
    if (unsteady := difference(here, again)) is not None:
        return Blame.PLAYER, unsteady
    change = difference(claimed, here)
    if change is None:
        return Blame.NOBODY, None
    seconds, number = limit(change.player), change.move - 1
    counted = number == len(claimed.turns) == len(here.turns) and not (claimed.forfeited_by or here.forfeited_by)
    if seconds is None or counted:
        return Blame.WORKER, change
    at_once = Turn("", NOTHING)
    answer = here.turns[number] if number < len(here.turns) else here.last or at_once
    late = _is_late(claimed, number)
    if _is_late(here, number) or answer.spent.charge > seconds * (_NEARLY_LATE if late else _THINKING):
        return Blame.CLOCK, change
    return Blame.WORKER, change


def _is_late(result: GameResult, number: int) -> bool:
    return len(result.turns) == number and result.termination is Termination.TIME_OUT


def _end(result: GameResult) -> tuple[object, ...]:
    return result.winner, result.termination, result.forfeited_by, result.black_score, result.white_score


def _describe_end(result: GameResult) -> str:
    winner = "nobody" if not result.winner else COLOUR_NAMES[result.winner]
    return f"the last one ({result.termination.value}, {result.black_score:g} to {result.white_score:g}, {winner} won)"


def _say_played(result: GameResult, number: int) -> str:
    """Return the move of this index, or say that there was none and why."""
    return result.turns[number].move if number < len(result.turns) else f"nothing ({result.termination.value})"


# A game is given to so many workers before it is played here.
_MOST_TRIES = 3
# The table at the end shows so many of the workers about which there is nothing to say.
_MOST_WORKERS = 40


def checks_beside(store: Path) -> Path:
    """Return the file that says which games of a store have been checked."""
    return store.with_name(f"{store.name}.checked.jsonl")


@dataclass
class _Check:
    """A game to be checked. claimed: what its worker says. second: what another says, and its address. here: as played here."""

    claimed: GameResult
    tries: int = 0
    second: GameResult | None = None
    here: list[GameResult] = field(default_factory=list)


class WorkerChecks:
    """See the top of this file.

    share: of the games in the store that are checked, 0 for none. judge: makes what plays games here, one after the other.
    """

    def __init__(
        self, pool: ClusterPool, conditions: Conditions, entrants: Sequence[Entrant], store: Store, share: float, tell: Tell,
        judge: Callable[[], Executor] = local_executor,
    ) -> None:  # fmt: skip
        self._pool = pool
        self._conditions = conditions
        self._entrants = {entrant.name: entrant for entrant in entrants}
        self._store = store
        self._pairs: Sequence[Pairing] = ()
        self._share = share
        self._tell = tell
        self._make_judge = judge
        self._judge: Executor | None = None
        self._seen: set[str] = set()
        self._waiting: deque[_Check] = deque()
        self._elsewhere: dict[Future[Played], tuple[str, _Check]] = {}
        self._for_here: deque[_Check] = deque()
        self._at_judge: tuple[Future[Played], _Check] | None = None
        # name of a submission -> the worker that was expelled for its answer; and of those that are told to be unsteady
        self._cost: dict[str, str] = {}
        self._unsteady: set[str] = set()
        # Workers that are wrong, and noted as such in the file.
        self._noted: set[str] = set()

    @property
    def wrong(self) -> Mapping[str, str]:
        """Address -> why, of workers whose games are to be taken out; see `expel`."""
        return self._pool.wrong

    def begin(self, pairs: Sequence[Pairing]) -> None:
        """Take in the games of earlier runs that are still to be checked. pairs: all of the event."""
        self._pairs = pairs
        self._waiting.extend(_Check(result) for result in _find_unchecked(self._store, self._share))

    def enter(self, results: Iterable[GameResult]) -> None:
        """Take in games that were stored; those of the sample are checked."""
        for result in results:
            if not self._share or not result.worker or NOT_PLAYED in result.notes:
                continue
            if result.worker not in self._seen or self._store.key.chooses(result.spec.id, self._share):
                self._seen.add(result.worker)
                self._waiting.append(_Check(result))

    def step(self) -> None:
        """Continue the checks; called several times a second, and does not wait."""
        for future, (address, _) in list(self._elsewhere.items()):
            if future.done() or self._pool.is_late(address):
                self._take(*self._elsewhere.pop(future), future)
        if self._at_judge is not None and self._at_judge[0].done():
            future, check = self._at_judge
            self._at_judge = None
            self._take_here(check, future)
        for _ in range(len(self._waiting)):
            self._send(self._waiting.popleft())
        while self._at_judge is None and self._for_here:
            self._play_here(self._for_here.popleft())
        self._note_wrong()

    def finish(self, stopped: Callable[[], bool], tick: Callable[[], None]) -> None:
        """Wait until everything is checked, a worker is wrong, or `stopped` says so. tick: called meanwhile."""
        try:
            while self._is_busy() and not self.wrong and not stopped():
                self._pool.hire(0)
                self.step()
                tick()
                time.sleep(0.02)
        finally:
            self._pool.dismiss(self._pool.executors(), in_peace=not stopped())

    def expel(self) -> None:
        """Take the games of all workers that are wrong out of the store, and report it."""
        self._note_wrong()
        _take_out(self._store, self._pairs, self.wrong, self._tell)
        self._pool.wrong.clear()
        self._noted.clear()

    def close(self) -> None:
        """End the replays here, and report what became of the workers."""
        if self._judge is not None:
            with suppress(BrokenExecutor):
                self._judge.submit(close_here)
            LocalPool(0, self._make_judge).dismiss([self._judge], in_peace=self._at_judge is None)
        if services := self._pool.account():
            self._tell(_table(services))

    # Elsewhere

    def _is_busy(self) -> bool:
        return bool(self._waiting or self._elsewhere or self._for_here or self._at_judge)

    def _send(self, check: _Check) -> None:
        if self._pool.is_expelled(check.claimed.worker):
            return
        able = self._pool.checkers(check.claimed.worker) if check.tries < _MOST_TRIES else []
        if not able:
            self._for_here.append(check)
        elif len(self._elsewhere) >= 2 * len(able):
            self._waiting.append(check)
        else:
            try:
                future = self._submit(able[0], check)
            except BrokenExecutor:
                self._waiting.append(check)
                return
            self._elsewhere[future] = able[0].address, check

    def _submit(self, executor: Executor, check: _Check) -> Future[Played]:
        spec = check.claimed.spec
        return executor.submit(play_here, self._conditions, spec, self._entrants[spec.black], self._entrants[spec.white], {})

    def _take(self, address: str, check: _Check, future: Future[Played]) -> None:
        try:
            result = future.result(0).result
        except (Exception, CancelledError):
            # It was lost, or takes long.
            result = None
        if result is None or result.winner is None:
            check.tries += 1
            self._waiting.append(check)
            return
        self._pool.service(address).checks += 1
        change = difference(check.claimed, result)
        if change is None or change.player in self._unsteady:
            self._note(check)
        else:
            check.second = result
            self._for_here.append(check)

    # Here

    def _play_here(self, check: _Check) -> None:
        if self._pool.is_expelled(check.claimed.worker):
            return
        try:
            self._judge = self._judge or self._make_judge()
            self._at_judge = self._submit(self._judge, check), check
        except BrokenExecutor as error:
            self._give_up(check, error)

    def _take_here(self, check: _Check, future: Future[Played]) -> None:
        try:
            result = future.result().result
        except (Exception, CancelledError) as error:
            self._give_up(check, error)
            return
        if result.winner is None:
            self._give_up(check, JudgeError(result.detail))
            return
        check.here.append(result)
        if check.second is None and difference(check.claimed, result) is None:
            self._note(check)
        elif len(check.here) < 2:
            self._for_here.appendleft(check)
        else:
            self._decide(check)

    def _give_up(self, check: _Check, error: BaseException) -> None:
        self._tell(f"game {check.claimed.spec.id} could not be checked here: {error_line(error)}")
        if self._judge is not None:
            self._judge.shutdown(wait=False, cancel_futures=True)
            self._judge = None

    def _decide(self, check: _Check) -> None:
        for claimed in (check.claimed, check.second):
            if claimed is not None:
                self._judge_claim(claimed, *check.here)
        if not self._pool.is_expelled(check.claimed.worker):
            self._note(check)

    def _judge_claim(self, claimed: GameResult, here: GameResult, again: GameResult) -> None:
        whose, change = blame(claimed, here, again, self._limit)
        if change is None:
            return
        of_submission = self._entrants[change.player].is_submission
        if whose is Blame.WORKER and of_submission and self._cost.setdefault(change.player, claimed.worker) != claimed.worker:
            whose = Blame.PLAYER
        if whose is Blame.WORKER:
            self._pool.expel(claimed.worker, _describe_difference(change))
        elif change.player not in self._unsteady:
            self._unsteady.add(change.player)
            why = "answers depend on the clock" if whose is Blame.CLOCK else "answers differ from game to game"
            self._tell(f"{change.player}: {why}, which is no worker's doing: {_describe_difference(change)}")

    def _limit(self, name: str) -> float | None:
        entrant = self._entrants[name]
        return None if entrant.reference else self._conditions.limits_of(entrant).move_seconds

    # What has been checked

    def _note(self, check: _Check) -> None:
        game, worker = check.claimed.spec.id, check.claimed.worker
        _write(self._store, {"game": game, "worker": worker, "mark": self._store.key.mark_of_check(game, worker)})

    def _note_wrong(self) -> None:
        for address, reason in self.wrong.items():
            if address not in self._noted:
                self._noted.add(address)
                _note_about(self._store, address, reason)


def take_out_left(store: Store, pairs: Sequence[Pairing], tell: Tell) -> None:
    """Take out the games of workers that a run found wrong before it was killed.

    pairs: all of the event.
    """
    if left := _find_left_over(store):
        _take_out(store, pairs, left, tell)


def _take_out(store: Store, pairs: Sequence[Pairing], wrong: Mapping[str, str], tell: Tell) -> None:
    """Stop counting the games of some workers, and report it. wrong: address -> why."""
    played = store.workers()
    expelled = {game for game, worker in played.items() if worker in wrong}
    more = _suspects(store, pairs, expelled) - expelled
    store.expel(wrong, sorted(expelled | more))
    stored = Counter(played.values())
    for address, reason in wrong.items():
        _note_about(store, address, "")
        tell(f"{address} is expelled: {reason}; its {stored[address]} games are played anew by others")
    if more:
        tell(f"{len(more)} games that depend on them will be replayed too")


def check_sandbox(tier: str) -> None:
    """Raise ClusterError unless sandboxes of a tier work here, where games that ended differently are replayed."""
    from gojudge.sandbox.tiers import require

    try:
        require(tier)
    except SandboxError as error:
        raise ClusterError(f"verify: games that come out differently are replayed here: {error}") from None


def count_unchecked(store: Store, share: float) -> int:
    """Return how many of the games that a cluster has played are still to be checked."""
    return len(_find_unchecked(store, share))


def _find_unchecked(store: Store, share: float) -> list[GameResult]:
    """Return the games in a store that must still be checked: those of the sample, and one of each worker that has none in it.
    """
    if not share:
        return []
    known = {line["mark"] for line in _lines(store)}
    of_workers: dict[str, list[str]] = {}
    for game, worker in store.workers().items():
        of_workers.setdefault(worker, []).append(game)
    unchecked = []
    for worker, games in of_workers.items():
        left = [game for game in games if store.key.mark_of_check(game, worker) not in known]
        drawn = _find_played(store, [game for game in left if store.key.chooses(game, share)])
        if not drawn and len(left) == len(games):
            # One at a time: there may be many, and nearly always one of the first is in the sample.
            drawn = next((one for game in games if (one := _find_played(store, [game]))), [])
        unchecked += [replace(result, worker=worker) for result in drawn]
    return unchecked


def _find_played(store: Store, games: Sequence[str]) -> list[GameResult]:
    return [result for result in store.results_of(games) if NOT_PLAYED not in result.notes]


# The file beside the store: lines of JSON, each with a mark that nobody else can make


def _write(store: Store, fields: Mapping[str, str]) -> None:
    append_line(checks_beside(store.path), json.dumps(fields).encode())


def _note_about(store: Store, address: str, reason: str) -> None:
    """Write down that a worker is wrong, and why; or '' once its games are taken out."""
    _write(store, {"wrong": reason, "worker": address, "mark": store.key.mark_of_check("", address)})


def _find_left_over(store: Store) -> dict[str, str]:
    left_over: dict[str, str] = {}
    for line in _lines(store):
        if (reason := line.get("wrong")) is not None and line["mark"] == store.key.mark_of_check("", line.get("worker", "")):
            left_over[line["worker"]] = reason
    return {address: reason for address, reason in left_over.items() if reason}


def _lines(store: Store) -> list[dict[str, str]]:
    """Return the lines that have a mark; lines that cannot be read are skipped."""
    path, lines = checks_beside(store.path), []
    for text in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else ():
        with suppress(ValueError, RecursionError):
            line = json.loads(text)
            if isinstance(line, dict) and "mark" in line:
                lines.append({key: str(value) for key, value in line.items()})
    return lines


def _describe_difference(change: Difference) -> str:
    played = f"{change.player} played {change.before} there, {change.now} here"
    return f"game {change.id}, played again: move {change.move}: {played}"


def _suspects(store: Store, pairs: Sequence[Pairing], expelled: set[str]) -> set[str]:
    """Return the ids of stored games that would have been played differently, or not at all, without the games taken out."""
    event = store.event
    if not expelled:
        return set()
    # Whether a failing submission plays its next game depends on how it failed before, see `gojudge.refereeing.probation`.
    answers = {row.id: (0, row.black_moves, row.white_moves)[row.forfeited_by] for row in store.rows() if row.forfeited_by}
    suspects = {game for game, number in answers.items() if number < 2}
    suspects |= {result.spec.id for result in store.noted(TRIED_AGAIN)}
    stored = store.finished()
    if event.rounds and pairs:
        # Each round is made of those before it.
        first_round = min(map(pairs[0].round_of, expelled))
        suspects.update(game for game in stored if pairs[0].round_of(game) > first_round)
    for pairing in pairs if event.until_decided or event.deciding else ():
        games = [game for game in pairing.ids if game in stored]
        if event.until_decided:
            first = next((place for place, game in enumerate(games) if game in expelled), len(games))
            suspects.update(games[first:])
        else:
            suspects.update(games[event.games :])
    return suspects


def _table(services: Sequence[Service]) -> str:
    """Return a table of what became of the workers: all that were lost or failed, and the first few of the others."""
    fine = [service for service in services if not service.end]
    listed = [service for service in services if service.end or service in fine[:_MOST_WORKERS]]
    rows = [
        (service.address, service.host, service.games, service.checks, f"{service.seconds:.1f}", service.end)
        for service in listed
    ]
    more = len(services) - len(listed)
    header, align = ("worker", "machine", "games", "checks", "seconds", ""), ("left", "left", "right", "right", "right", "left")
    table = terminal_table(rows, header, align)
    return f"{table}\n... and {more} more workers of which there is nothing to say" if more else table
