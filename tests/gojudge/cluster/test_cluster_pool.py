"""Whatever becomes of a cluster's workers, the results file ends like that of one machine."""

import random
from dataclasses import replace

import pytest

from gojudge.cluster.cluster_pool import ClusterPool, Needs
from gojudge.errors import ClusterError
from gojudge.refereeing.open_seats import close_here
from gojudge.refereeing.probation import telling_games
from gojudge.refereeing.runner import Runner
from tests.support.fake_link import OURS, FakeLink, fake_pool, submissions_in
from tests.support.stores import exported
from tests.support.stubs import conditions
from tournament.events.event_files import make_event
from tournament.events.schedules import key_of_seed, open_batches, pairings
from tournament.store.store import Run, open_store

EVENT = make_event({"kind": "round-robin", "name": "cup", "size": 3, "games": 6})


@pytest.fixture(autouse=True)
def own_caches(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    close_here()
    yield
    close_here()


NAMES = ("alice", "bob", "noisy", "late", "stuck")


@pytest.fixture
def entrants(tmp_path):
    """Five submissions, one of which prints and one never starts, with folders as the intake makes them."""
    return submissions_in(tmp_path / "copies", *NAMES)


def play(path, entrants, pool=None, stopped=lambda kept: False):
    kept = []
    with open_store(path, EVENT, key=key_of_seed(1)) as store:

        def keep(results):
            store.add(*results)
            kept.extend(results)

        store.begin_run(entrants, Run("", "", ""))
        batches = open_batches(pairings(EVENT, entrants, store.key), store.finished())
        options = {} if pool is None else {"pool": pool}
        options["before"] = store.results_of(telling_games(store.rows(), [entrant.name for entrant in entrants]))
        runner = Runner(conditions(size=3), entrants, keep, stopped=lambda: stopped(kept), **options)
        return runner.run(batch.games(store.key) for batch in batches)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """What one machine exports."""
    folder = tmp_path_factory.mktemp("alone")
    play(folder / "alone.db", submissions_in(folder / "copies", *NAMES))
    close_here()
    return exported(folder / "alone.db")


def test_a_calm_cluster_plays_all_games_and_each_submission_travels_once(tmp_path, entrants, alone):
    link = FakeLink(random.Random(1), least=3)
    pool = fake_pool(link)
    pool.muster()
    account = play(tmp_path / "cup.db", entrants, pool)
    assert exported(tmp_path / "cup.db") == alone
    assert (account.played, account.replayed, account.void) == (60, 0, {})
    assert link.asked["keep"] == len(pool.deliveries.sent) == len(entrants)


@pytest.mark.parametrize(("machine", "checkers"), [("here", {"worker-1", "worker-3"}), ("there", set()), ("", set())])
def test_only_workers_of_the_machine_that_started_the_run_check_each_other(machine, checkers):
    """All are of one machine. Another one's could agree on what they say."""
    link = FakeLink(random.Random(1), least=3, description=replace(OURS, machine=machine))
    pool = ClusterPool(link, Needs(replace(OURS, machine="here"), seconds=10_000.0), print, link.clock)
    pool.muster()
    pool.hire(0)
    assert {executor.address for executor in pool.checkers("worker-2")} == checkers


def test_a_pool_that_was_dismissed_is_hired_again(tmp_path, entrants, alone):
    """As for a grade that plays on until bands are decided: one cluster, several rounds of games."""
    pool = fake_pool(FakeLink(random.Random(1)))
    pool.muster()
    for name in ("one", "two"):
        play(tmp_path / f"{name}.db", entrants, pool)
        assert exported(tmp_path / f"{name}.db") == alone


@pytest.mark.parametrize("seed", range(5))
def test_whatever_goes_wrong_and_whenever_it_is_stopped_the_file_ends_the_same(tmp_path, entrants, alone, seed):
    """Workers die, come late and send rubbish; some runs are told to stop, and go on with the cluster or without it."""
    rng = random.Random(seed)
    link, path, turns, account = FakeLink(rng, hazard=rng.choice([0.05, 0.15, 0.25])), tmp_path / "cup.db", 0, None
    while account is None or account.stopped:
        turns += 1
        stop_at = rng.randint(1, 20) if turns < 3 else 10**6
        pool = fake_pool(link) if rng.random() < 0.8 else None
        account = play(path, entrants, pool, lambda kept, last=stop_at: len(kept) >= last)
    link.close()
    assert account.void == {}
    assert exported(path) == alone


def test_who_is_refused_is_named_with_the_reason(tmp_path):
    said = []
    pool = fake_pool(FakeLink(random.Random(1), description=replace(OURS, versions={"Python": "3.12.1"})), said)
    with pytest.raises(ClusterError, match="fake: none of 2 workers can be used"):
        pool.muster()
    assert sorted(said) == [f"worker-{k} is not used: Python is 3.12.1 there, 3.11.7 here" for k in (1, 2)]


@pytest.mark.parametrize(("tier", "required", "reason"), [
    ("T2", "T3", "its best sandbox is of tier T2, expected T3"),
    ("", "T0", "it has no sandbox: no bubblewrap"),
    ("T9", "T2", "it has no sandbox: no bubblewrap"),
])  # fmt: skip
def test_a_sandbox_that_is_too_weak_is_refused(tier, required, reason):
    said = []
    there = replace(OURS, tier=tier, why_not="no bubblewrap")
    with pytest.raises(ClusterError):
        fake_pool(FakeLink(random.Random(1), description=there), said, tier=required).muster()
    assert said[0].endswith(f"is not used: {reason}")


def test_a_run_has_the_best_tier_that_all_workers_have():
    assert fake_pool(FakeLink(random.Random(1), description=replace(OURS, tier="T3")), tier="T2").muster() == "T3"


def test_no_two_programs_think_on_one_core():
    said = []
    pool = fake_pool(FakeLink(random.Random(1), least=3), said, one_a_core=True)
    pool.muster()
    assert len(pool.hire(0)) == 2
    refused = next(line for line in said if "not used" in line)
    assert refused.endswith("the 2 cores of here are taken: no two programs are to think on one core")


def test_a_worker_that_hangs_is_given_up_and_not_used_again(tmp_path, entrants, alone):
    """It is heard of all the time, but what it was asked for never comes."""

    class Hanging(FakeLink):
        def _do(self, address, task, arguments, fate, future):
            if address != "worker-1" or task.__name__ != "play":
                super()._do(address, task, arguments, fate, future)

    said = []
    pool = fake_pool(Hanging(random.Random(1)), said)
    pool._needs = replace(pool._needs, seconds=20.0)
    # Both have come, so that both get games.
    pool.muster()
    play(tmp_path / "cup.db", entrants, pool)
    assert exported(tmp_path / "cup.db") == alone
    assert "worker-1 is not used: it takes longer than any game can" in said


@pytest.mark.slow
def test_when_nobody_comes_the_run_ends(tmp_path, entrants):
    class Empty(FakeLink):
        def alive(self):
            return set()

    with pytest.raises(ClusterError, match="fake: no worker can be used"):
        fake_pool(Empty(random.Random(1))).muster()
    with pytest.raises(ClusterError, match="fake: no worker is left that can be used"):
        play(tmp_path / "cup.db", entrants, fake_pool(Empty(random.Random(1))))
