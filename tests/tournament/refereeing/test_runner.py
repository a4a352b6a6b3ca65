import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections import Counter
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar

import pytest

from tests.support import killed_run
from tests.support.stubs import StubSeat, conditions, open_stub
from tournament.errors import HarnessFaultError, SandboxError, StoreError, TournamentError
from tournament.events.event_files import make_event
from tournament.events.schedules import pairings
from tournament.records import Entrant
from tournament.refereeing import open_seats
from tournament.refereeing.open_seats import close_here
from tournament.refereeing.runner import MAX_REPLAYS, Runner, local_executor
from tournament.results.exports import Extras, write_json
from tournament.store.store import read_store
from tournament.verdicts import Fault, PlayerFaultError, Termination

ROOT = Path(__file__).parents[3]


class Inline(Executor):
    """Does every task at once, in this process; `order` keeps the games in the order they were given."""

    order: ClassVar = []

    def submit(self, task, /, *args, **kwargs):
        future = Future()
        if len(args) > 1:
            Inline.order.append(args[1].id)
        try:
            future.set_result(task(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture(autouse=True)
def fresh_process():
    close_here()
    Inline.order = []
    yield
    close_here()


def people(*names):
    return [Entrant(name, digest=name) for name in names]


def schedule(names, games=4, seed=1):
    event = make_event({"kind": "round-robin", "games": games, "seed": seed})
    return [[pairing.game(number, event.seed) for number in range(1, games + 1)] for pairing in pairings(event, people(*names))]


def run(names, games=4, opener=open_stub, executor=Inline, batches=None, **options):
    kept = []
    runner = Runner(conditions(opener=opener), people(*names), kept.append, executor=executor, **options)
    return kept, runner.run(batches or schedule(names, games))


def moves(results):
    return {result.spec.id: [turn.move for turn in result.turns] for result in results}


# Same games, however they are played


def test_every_game_is_played_once():
    kept, account = run("abc")
    assert Counter(result.spec.id for result in kept) == {game.id: 1 for batch in schedule("abc") for game in batch}
    assert (account.played, account.replayed, account.void, account.stopped) == (12, 0, {}, False)


def test_one_worker_process_or_three_in_any_order_the_games_are_the_same():
    alone = run("abcd", jobs=1)[0]
    batches = schedule("abcd")
    random.Random(1).shuffle(batches)
    kept = run("abcd", jobs=3, executor=local_executor, batches=batches)[0]
    assert moves(kept) == moves(alone)


def test_any_executor_of_that_shape_will_do():
    assert moves(run("ab", executor=lambda: ThreadPoolExecutor(1))[0]) == moves(run("ab")[0])


def test_games_of_a_pair_are_played_at_the_same_seats():
    opened = []

    def opener(entrant, conditions):
        opened.append(entrant.name)
        return StubSeat(entrant)

    run("abcd", games=10, opener=opener)
    assert sorted(opened) == ["a", "b", "c", "d"]


def test_seats_that_are_not_needed_any_more_are_closed():
    seats = []

    def opener(entrant, conditions):
        seats.append(StubSeat(entrant))
        return seats[-1]

    run([f"p{k}" for k in range(10)], games=1, opener=opener)
    assert sum("close" not in seat.calls for seat in seats) == 0
    assert len(seats) > 10


def test_a_worker_without_work_takes_half_of_anothers():
    class Named(Inline):
        made: ClassVar = []

        def __init__(self):
            self.games = 0
            self.made.append(self)

        def submit(self, task, /, *args, **kwargs):
            self.games += len(args) > 1
            return super().submit(task, *args, **kwargs)

    run("ab", games=40, executor=Named, jobs=2)
    assert all(worker.games >= 15 for worker in Named.made)


def test_nothing_to_do_is_done_at_once():
    runner = Runner(conditions(), [], lambda result: None, jobs=0)
    assert runner.run([]).played == 0


# Our failures


class Failing(StubSeat):
    """Fails in game a-b-002, the first `times` times."""

    times = 0
    error: Exception = HarnessFaultError("out of memory")

    def begin(self, spec, colour):
        super().begin(spec, colour)
        if spec.id == "a-b-002" and Failing.times > 0:
            Failing.times -= 1
            raise Failing.error


def failing(times, error=None):
    Failing.times, Failing.error = times, error or HarnessFaultError("out of memory")
    return lambda entrant, conditions: Failing(entrant)


def test_a_void_game_is_played_again_under_its_id_when_all_others_are_done():
    kept, account = run("ab", opener=failing(2))
    assert Inline.order == ["a-b-001", "a-b-002", "a-b-003", "a-b-004", "a-b-002", "a-b-002"]
    again = next(result for result in kept if result.spec.id == "a-b-002")
    assert again.replays == 2
    assert again.notes == ("game a-b-002 is void: HarnessFaultError: out of memory",) * 2
    assert moves(kept) == moves(run("ab")[0])
    assert (account.played, account.replayed) == (4, 1)


def test_a_game_that_stays_void_is_left_open_and_named():
    kept, account = run("ab", opener=failing(99))
    assert [result.spec.id for result in kept] == ["a-b-001", "a-b-003", "a-b-004"]
    assert account.void == {"a-b-002": "game a-b-002 is void: HarnessFaultError: out of memory"}
    assert Inline.order.count("a-b-002") == 1 + MAX_REPLAYS


def test_after_a_void_game_the_seats_are_opened_anew():
    opened = []

    def opener(entrant, conditions):
        opened.append(entrant.name)
        return Failing(entrant)

    failing(1)
    run("ab", opener=opener)
    assert Counter(opened) == {"a": 2, "b": 2}


def test_when_nothing_works_the_run_gives_up():
    def opener(entrant, conditions):
        raise OSError(12, "Cannot allocate memory")

    with pytest.raises(TournamentError, match=r"the last 20 games were all void; the last one: .*Cannot allocate memory"):
        run("abcdef", games=9, opener=opener)


def test_a_machine_without_sandbox_ends_the_run():
    def opener(entrant, conditions):
        raise SandboxError("no bubblewrap")

    with pytest.raises(SandboxError, match="no bubblewrap"):
        run("ab", opener=opener)


def test_a_result_that_cannot_be_kept_ends_the_run():
    def keep(result):
        raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="the disk is full"):
        Runner(conditions(), people("a", "b"), keep, jobs=2).run(schedule("ab"))


def test_a_game_that_brings_its_process_down_is_void_and_harms_no_other():
    names = ["alice", "bob", "deadly"]
    kept, account = run(names, games=3, executor=local_executor, jobs=2)
    assert {result.spec.id for result in kept} == {"alice-bob-001", "alice-bob-002", "alice-bob-003"}
    assert set(account.void) == {f"{name}-deadly-00{k}" for name in ("alice", "bob") for k in (1, 2, 3)}
    assert all(reason.endswith("the process that played it died") for reason in account.void.values())


# Time-outs and our own lateness


class TimesOut(StubSeat):
    """Takes too long in game a-b-002."""

    termination = Termination.TIME_OUT

    def begin(self, spec, colour):
        super().begin(spec, colour)
        if spec.id == "a-b-002":
            raise PlayerFaultError(Fault(TimesOut.termination, "the player was not made within 15 s"))


def late_by(monkeypatch, *seconds):
    """Be late by so many seconds in each of the next time-outs, and in every other answer too."""
    reading = [0.0]
    lags = list(seconds)

    def meter():
        reading[0] += lags[0]
        return reading[0]

    monkeypatch.setattr(open_seats, "_lag_meter", lambda: meter)
    return lags


def test_a_time_out_counts_at_once_if_we_were_in_time(monkeypatch):
    late_by(monkeypatch, 0.0)
    kept, account = run("ab", opener=lambda entrant, conditions: TimesOut(entrant))
    assert account.replayed == 0
    assert Inline.order == ["a-b-001", "a-b-002", "a-b-003", "a-b-004"]
    assert next(result for result in kept if result.spec.id == "a-b-002").termination is Termination.TIME_OUT


@pytest.mark.parametrize(("termination", "late"), [(Termination.TIME_OUT, 0.5), (Termination.START_UP_FAILURE, 0.8)])
def test_who_took_too_long_while_we_were_late_plays_again_alone_before_it_counts(monkeypatch, termination, late):
    """Of 5 s for a move, or 15 s for starting, our side takes a twentieth or more."""
    monkeypatch.setattr(TimesOut, "termination", termination)
    lags = late_by(monkeypatch, late)

    def opener(entrant, conditions):
        if Inline.order.count("a-b-002") > 1:
            lags[0] = 0.0
        return TimesOut(entrant)

    class Counting(Inline):
        def submit(self, task, /, *args, **kwargs):
            if Inline.order.count("a-b-002") == 1 and len(args) > 1 and args[1].id == "a-b-002":
                lags[0] = 0.0
            return super().submit(task, *args, **kwargs)

    kept, account = run("ab", opener=opener, executor=Counting)
    assert Inline.order == ["a-b-001", "a-b-002", "a-b-003", "a-b-004", "a-b-002"]
    again = next(result for result in kept if result.spec.id == "a-b-002")
    assert again.termination is termination
    assert again.notes == (f"{termination.value} while this machine was {late:.2f} s late: played again, alone",)
    assert (again.replays, account.replayed) == (1, 1)


def test_a_start_is_not_in_doubt_for_what_would_put_a_move_in_doubt(monkeypatch):
    monkeypatch.setattr(TimesOut, "termination", Termination.START_UP_FAILURE)
    late_by(monkeypatch, 0.5)
    _, account = run("ab", opener=lambda entrant, conditions: TimesOut(entrant))
    assert account.replayed == 0


def test_replays_of_a_time_out_are_bounded_and_the_record_says_so(monkeypatch):
    late_by(monkeypatch, 0.5)
    kept, _ = run("ab", opener=lambda entrant, conditions: TimesOut(entrant))
    again = next(result for result in kept if result.spec.id == "a-b-002")
    assert again.replays == MAX_REPLAYS
    assert again.notes[-1] == "time-out while this machine was 0.50 s late, as each time before: it counts"
    assert len(again.notes) == MAX_REPLAYS + 1


def test_lateness_excuses_no_other_forfeit(monkeypatch):
    late_by(monkeypatch, 0.5)

    class Crashes(StubSeat):
        def choose(self, state, complaint):
            raise PlayerFaultError(Fault(Termination.CRASH, "ZeroDivisionError"))

    _, account = run("ab", opener=lambda entrant, conditions: Crashes(entrant))
    assert account.replayed == 0


# Being stopped


def test_a_run_that_is_told_to_stop_keeps_what_was_finished():
    kept = []
    runner = Runner(conditions(), people("a", "b", "slow"), kept.append, jobs=2, stopped=lambda: len(kept) >= 3)
    account = runner.run(schedule(["a", "b", "slow"], games=20))
    assert account.stopped
    assert 3 <= len(kept) < 60


def exported(path):
    with read_store(path) as store:
        write_json(store.results(), path.with_suffix(".json"), Extras(logs=True), {})
    return path.with_suffix(".json").read_bytes()


def killed_again_and_again(tmp_path, games, kills):
    """Return the export of a run that was killed so often at random moments, after checking that nothing was lost."""
    path, rng = tmp_path / "killed.db", random.Random(20260501)
    marker = uuid.uuid4().hex
    environment = {**os.environ, "RUN_MARKER": marker}
    command = [sys.executable, "-m", "tests.support.killed_run", str(path), str(games)]
    for turn in range(kills):
        process = subprocess.Popen(
            [*command, str(rng.randint(1, 3)), str(turn)],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        # Every other time while it starts, or soon after; else when it has begun to play, however long that takes.
        said = os.read(process.stdout.fileno(), 10_000) if turn % 2 else b""
        time.sleep(rng.uniform(0.0, 0.3 if turn % 2 else 0.5))
        assert process.poll() is None, "the run was over before it could be killed"
        os.kill(process.pid, signal.SIGKILL)
        said += process.communicate(timeout=60)[0]
        if path.exists() and path.stat().st_size:
            with read_store(path) as store:
                assert set(said[: said.rfind(b"\n") + 1].decode().split()) <= store.finished().keys()
    subprocess.run([*command, "2", "0"], cwd=ROOT, env=environment, check=True, timeout=300, stdout=subprocess.DEVNULL)
    assert_gone(marker)
    return exported(path)


def assert_gone(marker):
    """Nothing that a killed run started may stay for long."""
    deadline = time.monotonic() + 30
    while left := [pid for pid in os.listdir("/proc") if pid.isdigit() and marker in _environment(pid)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def _environment(pid):
    try:
        return Path(f"/proc/{pid}/environ").read_text(errors="replace")
    except OSError:
        return ""


def undisturbed(tmp_path, games):
    killed_run.main(tmp_path / "calm.db", games, 1, 0)
    return exported(tmp_path / "calm.db")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_run_killed_a_few_times_ends_like_one_that_was_not(tmp_path):
    assert killed_again_and_again(tmp_path, 40, 6) == undisturbed(tmp_path, 40)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_run_killed_a_hundred_times_ends_like_one_that_was_not(tmp_path):
    assert killed_again_and_again(tmp_path, 250, 110) == undisturbed(tmp_path, 250)
