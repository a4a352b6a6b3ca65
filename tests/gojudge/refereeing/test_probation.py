"""A submission that fails at every start costs a few games; the others are not played, and their records show no difference."""

import random
from collections import Counter, deque
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial
from typing import ClassVar

import pytest

from gojudge.errors import HarnessFaultError
from gojudge.records import Fault, PlayerFaultError, Termination, seed_of
from gojudge.refereeing import probation
from gojudge.refereeing.open_seats import Conditions, close_here, open_entrant
from gojudge.refereeing.probation import MOST_FAILURES, MOST_UNANSWERED, NOT_PLAYED, TRIED_AGAIN, telling_games
from gojudge.refereeing.runner import Runner
from gojudge.sandbox.tiers import best_tier
from tests.support.stub_runs import Inline, people, schedule
from tests.support.stubs import StubSeat, conditions
from tests.support.submissions import LIMITS, submission
from tournament.events.event_files import make_event
from tournament.events.schedules import key_of_seed, pairings, reference_entrants
from tournament.results.exports import Extras, write_json
from tournament.store.store import Run, open_store, read_store

pytestmark = pytest.mark.usefixtures("fresh_process")

HUNG = Fault(Termination.START_UP_FAILURE, "the submission was not loaded within 15 s")
SLOW = Fault(Termination.START_UP_FAILURE, "the player was not made within 15 s", "a traceback")
LARGE = Fault(Termination.OUT_OF_MEMORY, "it took more than 1024 MiB of memory")
LATE = Fault(Termination.TIME_OUT, "no answer within 5 s")


class Failing(StubSeat):
    """A seat that fails as `how` says, from the id of the game and the colour; it counts in `tries` how often it was begun."""

    tries: ClassVar = Counter()
    tier = "T2"

    def __init__(self, entrant, how):
        super().__init__(entrant)
        self.how = how

    def begin(self, spec, colour):
        super().begin(spec, colour)
        Failing.tries[self.entrant.name] += 1
        fault = self.how(spec, colour)
        if fault is not None and fault.termination is not Termination.TIME_OUT:
            raise PlayerFaultError(fault)

    def choose(self, state, complaint):
        fault = self.how(self.spec, self.colour)
        if fault is not None and fault.termination is Termination.TIME_OUT:
            raise PlayerFaultError(fault)
        return super().choose(state, complaint)

    def end(self):
        super().end()
        return "loading...\n"


def always(fault):
    return lambda spec, colour: fault


def at(opener):
    """Return the conditions of games with seats that are opened so."""
    return replace(conditions(opener=opener), tier="T2")


def opener(ways):
    """Open seats of entrants that fail in these ways, by name; the others play."""
    return lambda entrant, conditions: Failing(entrant, ways.get(entrant.name, always(None)))


def play(names, ways, games=6, before=(), **options):
    """Play a round robin; return the results by id, and the account. before: results of earlier runs."""
    Failing.tries = Counter()
    close_here()
    kept, known = [], {result.spec.id for result in before}
    batches = [[game for game in batch if game.id not in known] for batch in schedule(names, games)]
    runner = Runner(
        at(opener(ways)), people(*names), kept.extend, before=before, **{"executor": Inline, **options}
    )
    account = runner.run(batch for batch in batches if batch)
    found = {result.spec.id: result for result in kept}
    assert len(found) == len(kept)
    return found, account


def played_out(monkeypatch, *arguments, **options):
    """Return the results of a run in which every game is played, whatever the submissions do."""
    with monkeypatch.context() as patch:
        patch.setattr(probation, "MOST_FAILURES", 10**9)
        patch.setattr(probation, "MOST_UNANSWERED", 10**9)
        return play(*arguments, **options)[0]


def without_notes(results):
    return {name: replace(result, notes=()) for name, result in results.items()}


def noted(results, name):
    return Counter(result.notes for result in results.values() if name in (result.spec.black, result.spec.white))


@pytest.mark.parametrize("fault", [HUNG, SLOW, LARGE])
def test_after_three_equal_failures_and_one_more_at_the_end_the_rest_is_not_played(monkeypatch, fault):
    results, account = play(["alice", "bob", "stuck"], {"stuck": always(fault)})
    assert Failing.tries["stuck"] == MOST_FAILURES + 1
    assert noted(results, "stuck") == {(): 3, (TRIED_AGAIN,): 1, (NOT_PLAYED,): 8}
    assert account.unplayed == {("stuck", fault.detail): 8}
    assert without_notes(results) == played_out(monkeypatch, ["alice", "bob", "stuck"], {"stuck": always(fault)})
    assert {loser(result) for result in results.values() if "stuck" in result.spec.id} == {"stuck"}


def loser(result):
    return (result.spec.black, result.spec.white)[result.forfeited_by - 1]


def test_the_one_that_is_tried_again_is_the_last_and_plays_alone():
    play(["alice", "bob", "stuck"], {"stuck": always(HUNG)})
    order = Inline.order
    tried = order.index("bob-stuck-006")
    assert order[tried - 1] == "alice-stuck-003"
    assert set(order[:tried]) == {f"{pair}-00{k}" for pair in ("alice-bob",) for k in range(1, 7)} | {
        "alice-stuck-001", "alice-stuck-002", "alice-stuck-003",
    }  # fmt: skip


def test_if_that_one_succeeds_all_are_played(monkeypatch):
    def recovers(spec, colour):
        return None if spec.id == "bob-stuck-006" else HUNG

    ways = {"stuck": recovers}
    results, account = play(["alice", "bob", "stuck"], ways)
    assert (Failing.tries["stuck"], account.unplayed) == (12, {})
    assert without_notes(results) == played_out(monkeypatch, ["alice", "bob", "stuck"], ways)


def test_who_has_begun_once_is_begun_each_time():
    results, _ = play(["alice", "stuck"], {"stuck": lambda spec, colour: None if spec.id.endswith("2") else HUNG}, games=9)
    assert Failing.tries["stuck"] == 9
    assert all(not result.notes for result in results.values())


def test_failures_that_differ_are_each_played():
    faults = {"001": HUNG, "002": SLOW}
    play(["alice", "stuck"], {"stuck": lambda spec, colour: faults.get(spec.id[-3:], HUNG)}, games=9)
    assert Failing.tries["stuck"] == 9


def test_numbers_in_a_line_make_no_difference():
    def odd(spec, colour):
        return replace(HUNG, detail=f"ValueError: <object at 0x7f{spec.id[-3:]}> ({spec.id[-3:]})")

    play(["alice", "stuck"], {"stuck": odd}, games=9)
    assert Failing.tries["stuck"] == 4


def test_ten_first_questions_without_an_answer_are_enough(monkeypatch):
    ways = {"stuck": always(LATE)}
    results, _ = play(["alice", "bob", "stuck"], ways, games=10)
    assert Failing.tries["stuck"] == MOST_UNANSWERED + 1
    assert noted(results, "stuck") == {(): 10, (TRIED_AGAIN,): 1, (NOT_PLAYED,): 9}
    patient = played_out(monkeypatch, ["alice", "bob", "stuck"], ways, games=10)
    # Nobody waited for the answer that is not asked for.
    assert {name: replace(result, last=None) for name, result in without_notes(results).items()} == {
        name: replace(result, last=None) for name, result in patient.items()
    }


def test_first_questions_in_one_colour_say_nothing_of_the_other():
    results, _ = play(["alice", "stuck"], {"stuck": lambda spec, colour: LATE if colour == 1 else None}, games=40)
    assert noted(results, "stuck") == {(): 40}


def test_crashes_at_the_first_question_are_played():
    crash = Fault(Termination.CRASH, "ZeroDivisionError")

    class Crashing(StubSeat):
        def choose(self, state, complaint):
            raise PlayerFaultError(crash)

    kept = []
    runner = Runner(conditions(opener=lambda entrant, _: Crashing(entrant)), people("a", "b"), kept.extend, executor=Inline)
    runner.run(schedule("ab", games=30))
    assert {result.notes for result in kept} == {()}


def test_where_all_fail_black_loses_as_when_all_is_played(monkeypatch):
    names, ways = ["a", "b", "c", "d"], {name: always(HUNG) for name in "abcd"}
    results, _ = play(names, ways, games=12)
    assert without_notes(results) == played_out(monkeypatch, names, ways, games=12)
    assert {result.winner for result in results.values()} == {2}
    assert max(Failing.tries.values()) <= 72


def test_whose_opponents_all_fail_is_begun_all_the_same(monkeypatch):
    names, ways = ["a", "b", "fine"], {"a": always(HUNG), "b": always(LATE)}
    results, _ = play(names, ways, games=30)
    patient = played_out(monkeypatch, names, ways, games=30)
    assert {name: (result.winner, result.detail) for name, result in results.items()} == {
        name: (result.winner, result.detail) for name, result in patient.items()
    }


def test_a_game_that_stays_void_leaves_nobody_waiting():
    class Void(Failing):
        def begin(self, spec, colour):
            if spec.id == "alice-bob-002":
                raise HarnessFaultError("out of memory")
            super().begin(spec, colour)

    kept = []
    runner = Runner(
        conditions(opener=lambda entrant, _: Void(entrant, always(HUNG if entrant.name == "bob" else None))),
        people("alice", "bob"), kept.extend, executor=Inline,
    )  # fmt: skip
    account = runner.run(schedule(["alice", "bob"], games=9))
    assert (len(kept), list(account.void)) == (8, ["alice-bob-002"])


def test_batches_far_away_are_not_read_while_the_first_game_is_played(monkeypatch):
    monkeypatch.setattr("gojudge.refereeing.runner._MOST_HELD", 50)
    read, seen = 0, []
    batches = schedule([f"p{k:02}" for k in range(20)], games=4)

    def watched():
        nonlocal read
        for batch in batches:
            read += 1
            yield batch

    class Watching(Inline):
        def submit(self, task, /, *args, **kwargs):
            seen.append(read)
            return super().submit(task, *args, **kwargs)

    kept = []
    Runner(conditions(), people(*(f"p{k:02}" for k in range(20))), kept.extend, executor=Watching, jobs=3).run(watched())
    assert seen[0] < 20
    assert len(kept) == 190 * 4


# The same records however the games are played


class AtRandom(Executor):
    """Keeps its games until `end_one` plays one of those that are due, of any of these; a game may go wrong on our side."""

    def __init__(self, rng, all_of_them):
        self.rng, self.waiting = rng, deque()
        all_of_them.append(self)

    def submit(self, task, /, *args, **kwargs):
        future = Future()
        self.waiting.append((future, task, args, kwargs))
        return future

    def end_one(self):
        future, task, args, kwargs = self.waiting.popleft()
        if not future.cancelled():
            future.set_result(task(*args, **kwargs))


def at_random(rng, stop_after):
    """Return the options of a run whose games end in any order, and which is stopped after so many."""
    executors, ended = [], 0

    def stopped():
        nonlocal ended
        for _ in range(rng.randint(1, 3)):
            if due := [executor for executor in executors if executor.waiting]:
                rng.choice(due).end_one()
                ended += 1
        return ended > stop_after

    return {"executor": lambda: AtRandom(rng, executors), "jobs": rng.randint(1, 5), "stopped": stopped}


def by_seed(fault, share):
    """Fail in some games, whoever plays them."""
    return lambda spec, colour: fault if seed_of(spec.seeds[colour - 1]) % 100 < share else None


WAYS = {
    "stuck": always(HUNG), "large": always(LARGE), "late": always(LATE), "half": by_seed(HUNG, 50), "most": by_seed(HUNG, 90),
    "slow": by_seed(LATE, 90), "black": lambda spec, colour: HUNG if colour == 1 else None,
    "white": lambda spec, colour: LATE if colour == 2 else None, "fine": always(None), "good": always(None),
}  # fmt: skip


@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 12))])
def test_in_any_order_with_any_workers_and_stops_the_records_are_the_same(seed):
    rng = random.Random(seed)
    names = rng.sample(sorted(WAYS), rng.randint(2, 6))
    games = rng.choice([2, 5, 12])
    alone, _ = play(names, WAYS, games)
    found, account = {}, None
    while account is None or account.stopped:
        options = at_random(rng, rng.randint(1, 60))
        stored = found.values()
        telling = [found[name] for name in telling_games(map(row_of, stored), names)]
        more, account = play_more(names, games, found, telling, options)
        found |= more
    assert found == alone


def play_more(names, games, found, telling, options):
    close_here()
    kept = []
    batches = [[game for game in batch if game.id not in found] for batch in schedule(names, games)]
    runner = Runner(at(opener(WAYS)), people(*names), kept.extend, before=telling, **options)
    account = runner.run(batch for batch in batches if batch)
    return {result.spec.id: result for result in kept}, account


def row_of(result):
    class Row:
        id, black, white = result.spec.id, result.spec.black, result.spec.white
        black_moves, white_moves = len(result.answers_of(1)), len(result.answers_of(2))

    return Row


# With a store and a sandbox

EVENT = make_event({"kind": "round-robin", "games": 12})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("", "the submission was not loaded within 1 s"),
        ("    def __init__(self): time.sleep(600)\n", "the player was not made within 1 s"),
    ],
)
def test_a_real_submission_that_hangs(tmp_path, where, line):
    first = "" if where else "time.sleep(600)\n"
    source = f"import time\nprint('loading')\n{first}class MyPlayer:\n{where}    def get_input(self, go, piece_type): pass\n"
    stuck = replace(submission(tmp_path / "stuck", source), name="stuck", digest="stuck")
    here = Conditions("course", 3, replace(LIMITS, start_seconds=1.0), open_entrant, best_tier())
    everybody = [stuck, *reference_entrants(["random"])]
    run = partial(stored_export, tmp_path, everybody, here)
    found = run(jobs=1)
    assert found.count(line.encode()) == 12
    # What it printed is kept; what the harness asked it is not.
    assert found.count(b'["loading"]') == (0 if where else 12)
    assert b"File" not in found
    assert run(jobs=2) == found


def stored_export(tmp_path, everybody, here, **options):
    path, key = tmp_path / f"{options['jobs']}.db", key_of_seed(1)
    with open_store(path, EVENT, key=key) as store:
        store.begin_run(everybody, Run("", "", ""))
        batches = [[pair.game(k, key) for k in range(1, 13)] for pair in pairings(EVENT, everybody, key)]
        Runner(here, everybody, lambda games: store.add(*games), **options).run(batches)
    with read_store(path) as store:
        write_json(store.results(), path.with_suffix(".json"), Extras(logs=True, machine=True), {})
    return path.with_suffix(".json").read_bytes()
