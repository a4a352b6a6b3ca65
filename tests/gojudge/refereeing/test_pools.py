"""Workers that join and are lost in the middle of a run: every game is played once, and the same as without them."""

import random
from collections import Counter

import pytest

from gojudge.errors import JudgeError
from gojudge.refereeing.executors import LostWorkerError
from gojudge.refereeing.runner import Runner
from tests.support.stub_runs import Inline, people, run, schedule
from tests.support.stubs import conditions

pytestmark = pytest.mark.usefixtures("fresh_process")


class Fleeting(Inline):
    """Is lost with a chance, at a game or when it is given one. deadly: a game at which every worker is lost."""

    def __init__(self, rng, chance, deadly):
        self.rng, self.chance, self.deadly = rng, chance, deadly

    def submit(self, task, /, *args, **kwargs):
        if self.rng.random() < self.chance / 2:
            raise LostWorkerError("gone")
        future = super().submit(task, *args, **kwargs)
        if self.rng.random() < self.chance / 2 or (len(args) > 1 and args[1].id == self.deadly):
            future._exception = LostWorkerError("gone")
        return future


class Changing:
    """A pool of one to four workers."""

    def __init__(self, rng, chance, deadly=""):
        self.rng, self.chance, self.deadly, self.hired = rng, chance, deadly, []

    def hire(self, present):
        joins = self.rng.random() < 0.5 and present < 4
        found = [Fleeting(self.rng, self.chance, self.deadly)] if joins or not present else []
        self.hired += found
        return found

    def ahead(self, executor):
        return self.rng.randint(1, 5)

    def late(self):
        return [executor for executor in self.hired if self.rng.random() < 0.3]

    def dismiss(self, executors, *, in_peace):
        pass


def results(kept):
    return {result.spec.id: [turn.move for turn in result.turns] for result in kept}


@pytest.mark.parametrize("seed", range(20))
def test_whoever_is_lost_and_whenever_every_game_is_kept_once_and_is_the_same(seed):
    rng = random.Random(seed)
    kept, account = run("abcd", pool=Changing(rng, rng.choice([0.0, 0.05, 0.2])))
    assert set(Counter(result.spec.id for result in kept).values()) == {1}
    assert results(kept) == results(run("abcd")[0])
    assert (account.played, account.replayed, account.void) == (24, 0, {})


def test_a_game_at_which_worker_after_worker_is_lost_is_void_in_the_end():
    kept, account = run("abc", pool=Changing(random.Random(1), 0.0, deadly="a-b-002"))
    assert len(kept) == 11
    assert account.void == {"a-b-002": "game a-b-002 is void: the last 10 workers that had it were lost"}


def test_if_nobody_is_left_the_run_ends_and_keeps_what_it_has():
    class Ended(Changing):
        def hire(self, present):
            if kept and not present:
                raise JudgeError("nobody is left")
            return super().hire(present) if not kept else []

    kept = []
    with pytest.raises(JudgeError, match="nobody is left"):
        Runner(conditions(), people(*"abcd"), kept.extend, pool=Ended(random.Random(3), 0.3)).run(schedule("abcd"))
    assert 1 <= len(kept) < 24
