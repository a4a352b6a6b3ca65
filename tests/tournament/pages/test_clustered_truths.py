"""What moves were worth is the same from a cluster as from one machine, whatever becomes of its workers."""

import random
import re
from concurrent.futures import Future
from functools import cache

import pytest

from goban.rulesets import COURSE
from gojudge.cluster.replies import pack_reply
from gojudge.errors import ClusterError
from gojudge.records import NOTHING, Turn
from tests.support.fake_link import FakeLink, fake_pool
from tournament.pages import truths
from tournament.pages.truths import Truth, TruthQuestion, analyser, fields_of, look, truth_of_fields, truths_from

QUESTION = TruthQuestion("course", 5, 0.5)


def turns(*moves):
    return [Turn(move, NOTHING) for move in moves]


def shams(rng, games=60):
    """Games of any length, each with another first move."""
    return {f"game-{number}": turns(f"A{number}", *["C3"] * rng.randrange(20)) for number in range(games)}


def sham_truth(played):
    number = int(played[0].move[1:])
    return Truth(tuple([None, 1, 2][number % 3] for _ in range(len(played) + 1)), (number,) * (len(played) + 1), {1: "D4"}, 0.5)


@pytest.fixture
def sham_solver(monkeypatch):
    truths._analyser.cache_clear()
    monkeypatch.setattr(truths, "analyser", lambda rules, size, seconds: sham_truth)
    yield
    truths._analyser.cache_clear()


@cache
def local_truth():
    return analyser(COURSE, 5, 0.5)(turns("C3", "C2", "D3"))


@pytest.mark.slow
def test_a_worker_finds_what_this_machine_finds():
    truths._analyser.cache_clear()
    link = FakeLink(random.Random(1))
    found = dict(truths_from(fake_pool(link), link, QUESTION, {"one": turns("C3", "C2", "D3")}, link.clock))
    known = zip(found["one"].winners, local_truth().winners, strict=True)
    assert all(there == here or None in (there, here) for there, here in known)
    assert found["one"].seconds == 0.5


@pytest.mark.parametrize("seed", range(8))
def test_every_game_is_looked_at_whatever_becomes_of_the_workers(seed, sham_solver):
    rng = random.Random(seed)
    link, wanted = FakeLink(rng, hazard=0.3, least=3), shams(rng)
    found = list(truths_from(fake_pool(link), link, QUESTION, wanted, link.clock))
    link.close()
    assert len(found) == len(wanted)
    assert dict(found) == {key: sham_truth(played) for key, played in wanted.items()}


def test_a_worker_has_one_game_at_a_time(sham_solver):
    link, wanted = FakeLink(random.Random(1), least=2), shams(random.Random(1), 9)
    found = truths_from(fake_pool(link), link, QUESTION, wanted, link.clock)
    next(found)
    assert link.asked["look"] <= 3
    found.close()


def test_a_worker_without_a_solver_is_named_and_refused(monkeypatch):
    def no_numba(rules, size, seconds):
        raise ModuleNotFoundError("No module named 'numba'", name="numba")

    truths._analyser.cache_clear()
    monkeypatch.setattr(truths, "analyser", no_numba)
    link, said = FakeLink(random.Random(1)), []
    with pytest.raises(ClusterError, match="no worker is left that can be used"):
        list(truths_from(fake_pool(link, said), link, QUESTION, shams(random.Random(1), 3), link.clock))
    assert re.fullmatch(r"worker-\d is not used: it says: \"ModuleNotFoundError: No module named 'numba'\"", said[1])


class Cancelling(FakeLink):
    """Its scheduler gives every game up."""

    def submit(self, address, task, *arguments):
        if task is not look:
            return super().submit(address, task, *arguments)
        future = Future()
        future.cancel()
        return future


def test_a_game_that_is_lost_again_and_again_ends_the_run(sham_solver):
    link = Cancelling(random.Random(1))
    with pytest.raises(ClusterError, match="the last 10 workers that looked at game game-0 were lost"):
        list(truths_from(fake_pool(link), link, QUESTION, shams(random.Random(1), 1), link.clock))


TRUTH = sham_truth(turns("A4", "B2"))


@pytest.mark.parametrize("reply", [
    pack_reply(), pack_reply(key="x", truth=fields_of(TRUTH)),
    pack_reply(key="game-0", truth=fields_of(sham_truth(turns("A4")))),
    pack_reply(key="game-0", truth=None), pack_reply(key="game-0", truth={"winners": [1, 1, 1]}), b"{}", b"\x00", b"[" * 99999,
    pack_reply(key="game-0", truth={**fields_of(TRUTH), "winners": [3, 3, 3]}),
    pack_reply(key="game-0", truth={**fields_of(TRUTH), "margins": ["1", 1, 1]}),
    pack_reply(key="game-0", truth={**fields_of(TRUTH), "seconds": "long"}),
    pack_reply(key="game-0", truth={**fields_of(TRUTH), "best": []}),
    pack_reply(key="game-0", truth={**fields_of(TRUTH), "best": {"x": "D4"}}),
])  # fmt: skip
def test_what_is_no_truth_about_the_game_is_not_taken(reply):
    with pytest.raises(truths.NonsenseError):
        truths._truth_in(reply, "game-0", turns("A4", "B2"))


def test_a_truth_travels_whole():
    assert truth_of_fields(fields_of(TRUTH)) == TRUTH
    assert truths._truth_in(pack_reply(key="k", truth=fields_of(TRUTH)), "k", turns("A4", "B2")) == TRUTH
