"""Budgets: simulations are counted, a clock is never overrun, and a stop is heard after a slice."""

from itertools import pairwise

import pytest

from goban.montecarlo.pattern_sets import set_named
from goban.montecarlo.trees import Budget, Tree, TreeSettings, grow_for, slices
from goban.rulesets import ruleset
from goban.solver.errors import BadBudgetError
from goban.states import new_game
from tests.support.missing import needs, no_package

pytestmark = needs(no_package("numba"))


class Ticks:
    """A clock on which so many seconds pass from one reading to the next, or what a tree's growth takes."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def __call__(self):
        self.now += self.step
        return self.now


class Slow:
    """A tree on which a simulation takes a known time."""

    def __init__(self, clock, seconds):
        self.clock, self.seconds, self.visits = clock, seconds, 0

    def grow(self, simulations, seed):
        self.clock.now += simulations * self.seconds
        self.visits += simulations
        return simulations


def tree(**options):
    made = Tree(TreeSettings(set_named("montegnu_classic"), memory=16, **options))
    made.stand(new_game(ruleset("aga"), 9))
    return made


def test_simulations_are_counted_exactly():
    made = tree()
    grow_for(made, 1, Budget(777), Ticks(0.0), 0.0)
    assert made.visits == 777


@pytest.mark.parametrize("seconds", [0.05, 0.3, 1, 20])
@pytest.mark.parametrize("each", [1e-6, 25e-6, 1e-3, 5e-3])
def test_a_clock_is_never_overrun_and_most_of_it_used(seconds, each):
    clock = Ticks(1e-6)
    slow = Slow(clock, each)
    started = clock()
    grow_for(slow, 1, Budget(1, seconds), clock, started)
    assert clock.now <= started + seconds
    assert slow.visits * each > 0.6 * seconds or each > 0.01 * seconds


def test_there_is_a_move_however_short_the_time():
    clock, made = Ticks(10.0), tree()
    grow_for(made, 1, Budget(1, 0.001), clock, clock())
    assert made.visits == 8


def test_a_slice_takes_about_a_millisecond():
    clock = Ticks(1e-9)
    slow = Slow(clock, 1e-5)
    ends = [clock.now for _ in slices(slow, 1, clock, deadline=1.0)]
    taken = [after - before for before, after in pairwise(ends)]
    assert max(taken) < 0.003
    assert sorted(taken)[len(taken) // 2] > 0.0003


@pytest.mark.parametrize("budget", [(0, None), (-1, None), (1, 0.0), (1, -1.0), (1, float("inf"))])
def test_budgets_that_make_no_sense(budget):
    with pytest.raises(BadBudgetError, match=r"^expected "):
        Budget(*budget)
