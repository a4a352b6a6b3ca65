"""A run plays every game once, the same however it is played; our own failures make a game void and harm no other."""

import random
import re
import threading
from collections import Counter
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from typing import ClassVar

import pytest

from goban.errors import BadBoardError, UnknownRuleSetError
from gojudge.errors import HarnessFaultError, JudgeError, SandboxError
from gojudge.refereeing.open_seats import OPEN_SEATS, Job, close_here, play_here
from gojudge.refereeing.runner import MAX_REPLAYS, Runner, _Worker, local_executor
from tests.support.stub_runs import Inline, people, run, schedule
from tests.support.stubs import StubSeat, conditions
from tournament.errors import StoreError
from tournament.events.event_files import make_event
from tournament.events.schedules import in_groups, key_of_seed, open_batches, pairings

pytestmark = pytest.mark.usefixtures("fresh_process")


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


NAMES = [f"p{k:02}" for k in range(20)]


def grouped():
    """One game of each two of twenty, in groups."""
    key = key_of_seed(1)
    pairs = pairings(make_event({"kind": "round-robin", "games": 1}), people(*NAMES), key)
    return [[batch.pairing.game(1, key) for batch in group] for group in in_groups(open_batches(pairs, {}), (), OPEN_SEATS)]


def test_in_groups_a_player_is_loaded_for_three_others_at_once():
    opened = []

    def opener(entrant, conditions):
        opened.append(entrant.name)
        return StubSeat(entrant)

    run(NAMES, opener=opener, batches=grouped())
    assert len(opened) < 190 / 3 + 30
    opened.clear()
    run(NAMES, opener=opener, games=1)
    assert len(opened) > 170


def test_a_worker_plays_a_whole_batch():
    """Then it has met this game's players within its last games more often than not."""
    played = {}

    class Worker(Inline):
        def submit(self, task, /, *args, **kwargs):
            if len(args) > 1:
                played.setdefault(self, []).append(args[1])
            return super().submit(task, *args, **kwargs)

    def are_new(games, number):
        last = {name for game in games[max(0, number - 4) : number] for name in (game.black, game.white)}
        return len({games[number].black, games[number].white} - last)

    run(NAMES, executor=Worker, jobs=2, batches=grouped())
    assert [len(games) > 80 for games in played.values()] == [True, True]
    assert sum(are_new(games, number) for games in played.values() for number in range(len(games))) < 100


def test_seats_that_are_not_needed_any_more_are_closed():
    seats = []

    def opener(entrant, conditions):
        seats.append(StubSeat(entrant))
        return seats[-1]

    run([f"p{k}" for k in range(10)], games=1, opener=opener)
    assert sum("close" not in seat.calls for seat in seats) == 0
    assert len(seats) > 10


def test_a_thread_that_closes_its_seats_closes_no_others():
    """It may be one that looks after its seats now and then, in a process in which another one plays."""
    seats = []

    def opener(entrant, conditions):
        seats.append(StubSeat(entrant))
        return seats[-1]

    (games,) = schedule("ab", games=2)
    for game in games:
        play_here(conditions(opener=opener), game, *people("a", "b"))
        other = threading.Thread(target=close_here)
        other.start()
        other.join()
        assert [seat.calls.count("close") for seat in seats] == [0, 0]
    close_here()
    assert [seat.calls.count("close") for seat in seats] == [1, 1]


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

    with pytest.raises(JudgeError, match=r"the last 20 games were all void; the last one: .*Cannot allocate memory"):
        run("abcdef", games=9, opener=opener)


def test_a_machine_without_sandbox_ends_the_run():
    def opener(entrant, conditions):
        raise SandboxError("no bubblewrap")

    with pytest.raises(SandboxError, match="no bubblewrap"):
        run("ab", opener=opener)


def test_a_result_that_cannot_be_kept_ends_the_run():
    def keep(results):
        raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="the disk is full"):
        Runner(conditions(), people("a", "b"), keep, jobs=2).run(schedule("ab"))


@pytest.mark.slow
def test_a_game_that_brings_its_process_down_is_void_and_harms_no_other():
    names = ["alice", "bob", "deadly"]
    kept, account = run(names, games=3, executor=local_executor, jobs=2)
    assert {result.spec.id for result in kept} == {"alice-bob-001", "alice-bob-002", "alice-bob-003"}
    assert set(account.void) == {f"{name}-deadly-00{k}" for name in ("alice", "bob") for k in (1, 2, 3)}
    assert all(reason.endswith("the process that played it died") for reason in account.void.values())


class Breaks(Inline):
    """The first of these breaks in its first game, and refuses the next before it says so."""

    first: ClassVar[list[Future]] = []
    refused = 0

    def __init__(self):
        self.playing = None
        self.good = bool(Breaks.first)

    def submit(self, task, /, *args, **kwargs):
        if self.good:
            return super().submit(task, *args, **kwargs)
        if self.playing is None:
            self.playing = Future()
            Breaks.first.append(self.playing)
            return self.playing
        Breaks.refused += 1
        raise BrokenExecutor("a worker process has died")

    def shutdown(self, wait=True, *, cancel_futures=False):
        if cancel_futures and self.playing is not None:
            self.playing.cancel()

    @classmethod
    def say_so(cls):
        for future in cls.first:
            if cls.refused and not future.done():
                future.set_exception(BrokenExecutor("a worker process has died"))
        return False


def test_a_process_that_dies_between_two_games_costs_the_one_it_played_a_replay():
    kept, account = run("ab", games=4, executor=Breaks, stopped=Breaks.say_so)
    assert Breaks.refused == 1
    assert [(result.spec.id, result.notes) for result in kept if result.replays] == [
        ("a-b-001", ("game a-b-001 is void: the process that played it died",))
    ]
    assert sorted(result.spec.id for result in kept) == [f"a-b-00{k}" for k in (1, 2, 3, 4)]
    assert not account.void


def test_a_game_that_another_worker_has_as_well_is_not_handed_out_again_when_its_own_is_lost():
    runner, job = Runner(conditions(size=5), people("ab"), print), Job(schedule("ab")[0][0])
    workers = lost, _ = _Worker(Inline()), _Worker(Inline())
    for worker in workers:
        worker.given[Future()] = job
    runner._workers, runner._shared = [*workers], {job.spec.id}
    runner._lose(lost)
    assert not runner._left


class NeverBegins(Inline):
    """The process of an executor dies before its first game, of the first so many."""

    dying = 0

    def submit(self, task, /, *args, **kwargs):
        if NeverBegins.dying > 0:
            NeverBegins.dying -= 1
            raise BrokenExecutor("a worker process has died")
        return super().submit(task, *args, **kwargs)


def test_a_process_that_dies_before_its_first_game_is_no_end_of_the_run(monkeypatch):
    monkeypatch.setattr(NeverBegins, "dying", 3)
    kept, account = run("ab", games=4, executor=NeverBegins)
    assert [(result.spec.id, result.replays) for result in kept if result.replays] == [("a-b-001", 1)]
    assert moves(kept) == moves(run("ab", games=4)[0])
    assert not account.void


def test_when_no_process_can_be_had_the_run_says_so(monkeypatch):
    monkeypatch.setattr(NeverBegins, "dying", 10**9)
    with pytest.raises(JudgeError, match=r"the last 20 games were all void; the last one: .* a worker process has died"):
        run("abcdef", games=9, executor=NeverBegins)


# What is refused at once


@pytest.mark.parametrize(("batches", "message"), [
    (schedule("ac"), "game 'a-c-001': expected the name of an entrant, got 'c'"),
    (schedule("ab")[0], f"expected lists of games as `batches`, such as [[game]], got {schedule('ab')[0][0]}"),
])  # fmt: skip
def test_games_of_others_and_games_alone_are_refused(batches, message):
    with pytest.raises(JudgeError, match=f"^{re.escape(message)}$"):
        run("ab", batches=batches)


def test_nobody_plays_with_no_worker():
    with pytest.raises(JudgeError, match=r"^expected 1 or more as `jobs`, got 0$"):
        run("ab", jobs=0)


def test_limits_are_positive_and_conditions_can_be_played():
    with pytest.raises(JudgeError, match=r"^expected more than 0 as `move_seconds`, got -1.0$"):
        conditions(move_seconds=-1.0)
    with pytest.raises(UnknownRuleSetError, match=r"got 'cours'$"):
        conditions("cours")
    with pytest.raises(BadBoardError, match="50"):
        conditions(size=50)
