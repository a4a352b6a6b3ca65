"""Budgets: simulations are counted, a clock is never overrun, and a stop is heard after a slice."""

from itertools import pairwise

import pytest

from goban.montecarlo.pattern_sets import set_named
from goban.montecarlo.spaces import COUNT, FIRST, LOST, ROOT, STATUS, VISITS
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

    def __init__(self, clock, seconds, shares=(0.5, 0.5)):
        self.clock, self.seconds, self.visits, self.shares = clock, seconds, 0, shares

    def grow(self, simulations, seed):
        self.clock.now += simulations * self.seconds
        self.visits += simulations
        return simulations

    @property
    def margin(self):
        return int(self.visits * (self.shares[0] - self.shares[1]))


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


@pytest.mark.parametrize(
    ("shares", "spent"),
    # The second needs more than half of the games left: (1 - t) / 2 < margin * t.
    [((0.5, 0.5), 1.0), ((0.6, 0.4), 5 / 7), ((0.75, 0.25), 0.5), ((1.0, 0.0), 1 / 3)],
)
def test_seconds_of_use_later_are_saved_once_the_choice_is_settled(shares, spent):
    clock = Ticks(1e-6)
    slow = Slow(clock, 25e-6, shares)
    grow_for(slow, 1, Budget(1, 2.0, saving=True), clock, clock())
    assert clock.now == pytest.approx(2 * spent, rel=0.05)
    again = Slow(clock, 25e-6, shares)
    grow_for(again, 1, Budget(1, 2.0), clock, clock())
    assert again.visits * 25e-6 > 1.9


def test_a_margin_is_of_the_moves_that_are_not_lost():
    made = tree()
    made.grow(500, 1)
    visits = sorted(one.visits for one in made.findings())
    assert made.margin == visits[-1] - visits[-2]
    nodes = made._nodes
    first, count = nodes[ROOT, [FIRST, COUNT]]
    nodes[first + nodes[first : first + count, VISITS].argmax(), STATUS] |= LOST
    assert made.margin == visits[-2] - visits[-3]


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
