"""Forests: what several trees say together, and that the same seed gives the same moves however fast each thread is."""

import threading
import time

import pytest

from goban.diagrams import parse_diagram
from goban.grids import BLACK
from goban.montecarlo import trees as trees_module
from goban.montecarlo.findings import Finding, add_up, best_move, candidate, rank
from goban.montecarlo.pattern_sets import set_named
from goban.montecarlo.spaces import LOST, TIED, UNIT, WON
from goban.montecarlo.trees import Budget, Forest, Tree, TreeSettings, grow_for
from goban.rulesets import ruleset
from goban.solver.errors import BadBudgetError
from goban.solver.solver import Solver
from goban.states import new_game, state_from_rows
from tests.support.missing import needs, no_package
from tests.support.states import play_some

pytestmark = needs(no_package("numba"))
SETTINGS = TreeSettings(set_named("montegnu_classic"), memory=16)


def grown(state, simulations, trees, seed=1, settings=SETTINGS):
    forest = Forest(settings, trees)
    forest.stand(state)
    forest.grow_for(seed, Budget(simulations), lambda: 0.0, 0.0)
    return forest


def visits(forest):
    return sum(one.visits for one in forest.candidates())


def test_one_tree_is_as_that_tree_alone():
    state = new_game(ruleset("aga"), 9)
    tree = Tree(SETTINGS)
    tree.stand(state)
    grow_for(tree, 1, Budget(500), lambda: 0.0, 0.0)
    forest = grown(state, 500, 1)
    assert (forest.best(), forest.candidates()) == (tree.best(), tree.candidates())


@pytest.mark.parametrize(("simulations", "trees"), [(1000, 2), (1001, 2), (1000, 3), (2, 3), (1, 2)])
def test_simulations_are_those_of_all_trees_together(simulations, trees):
    forest = grown(new_game(ruleset("aga"), 9), simulations, trees)
    assert visits(forest) == simulations
    assert forest.best() is not None


def test_candidates_are_added_up_from_trees_of_different_seeds():
    state = new_game(ruleset("aga"), 9)
    forest = grown(state, 2000, 2)
    alone = []
    for tree in forest._trees:
        alone.append({one.move: one for one in tree.findings()})
    assert alone[0] != alone[1]
    doubt = 1 / SETTINGS.rave
    for one in forest.candidates():
        both = [found[one.move] for found in alone if one.move in found]
        assert one.visits == sum(part.visits for part in both)
        others, weight = sum(part.others for part in both), 1 + doubt * sum(part.others for part in both)
        won = sum(part.other_wins + weight * part.wins for part in both)
        assert one.winrate == pytest.approx(won / UNIT / (others + weight * one.visits))
    order = [one.visits for one in forest.candidates()]
    assert order == sorted(order, reverse=True)


class Dawdling(Tree):
    """A tree whose every other growth takes a while; which ones, an attribute says."""

    slow = 0
    made = 0

    def __init__(self, settings):
        super().__init__(settings)
        self.number, self.grown = Dawdling.made % 2, 0
        Dawdling.made += 1

    def grow(self, simulations, seed):
        self.grown += 1
        if self.number == Dawdling.slow and self.grown % 2:
            time.sleep(0.002)
        return super().grow(simulations, seed)


LATE = [("course", 5, seed, 15) for seed in range(6)] + [("aga", 4, seed, 12) for seed in range(4)]
SLOWER = [pytest.param(game, marks=[pytest.mark.slow] * (game[2] > 1)) for game in LATE]


@pytest.mark.parametrize("game", SLOWER)
def test_the_same_seed_gives_the_same_moves_whichever_thread_is_slow(game, monkeypatch):
    """Late in a game, so that trees prove results; what is kept for the next moves is the same, too."""
    played = []
    for slow in (0, 1):
        monkeypatch.setattr(Dawdling, "slow", slow)
        monkeypatch.setattr(Dawdling, "made", 0)
        monkeypatch.setattr(trees_module, "Tree", Dawdling if slow < 2 else Tree)
        state, forest, moves, chosen = play_some(*game)[-1], Forest(SETTINGS, 2), [], None
        while not state.is_over and len(moves) < 6:
            forest.stand(state, chosen)
            forest.grow_for(3, Budget(400), time.monotonic, 0.0)
            chosen = forest.best()
            moves.append((chosen, visits(forest)))
            state = state.play(chosen)
        played.append(moves)
    assert played[0] == played[1]


DECIDED = """
    X X X X .
    X . X X X
    X X X X X
    O O O O O
    . O . O .
"""


def test_who_proves_a_result_first_by_its_own_count_decides():
    state = state_from_rows(ruleset("course"), parse_diagram(DECIDED), BLACK, 21)
    forest = grown(state, 5000, 2)
    decided = [tree for tree in forest._trees if tree.is_decided]
    assert len(decided) == 1
    assert forest.candidates() == decided[0].candidates()
    winning = Solver(16).winning_moves(state).winning_moves
    assert (forest.best() in winning) == bool(winning)


class LastFirst:
    """An executor that does its jobs one after another, the last first."""

    def __init__(self, threads):
        self._jobs = []

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        return None

    def submit(self, work, number):
        self._jobs.append((work, number))
        return self

    def result(self):
        while self._jobs:
            work, number = self._jobs.pop()
            work(number)


def test_of_two_who_prove_a_result_after_as_many_games_the_first_decides(monkeypatch):
    """In whichever order they come to it."""
    monkeypatch.setattr(trees_module, "_APART", 0)
    monkeypatch.setattr(trees_module, "ThreadPoolExecutor", LastFirst)
    forest = grown(state_from_rows(ruleset("course"), parse_diagram(DECIDED), BLACK, 21), 5000, 2)
    assert [tree.is_decided for tree in forest._trees] == [True, False]


def test_ctrl_c_ends_all_threads(monkeypatch):
    state, begun = new_game(ruleset("aga"), 9), threading.active_count()
    forest = Forest(SETTINGS, 2)
    forest.stand(state)

    def result(self, timeout=None):
        raise KeyboardInterrupt

    monkeypatch.setattr(trees_module.ThreadPoolExecutor, "submit", submit_with(result, trees_module.ThreadPoolExecutor.submit))
    with pytest.raises(KeyboardInterrupt):
        forest.grow_for(1, Budget(10**9), time.monotonic, 0.0)
    assert threading.active_count() == begun


def submit_with(result, submit):
    """`submit` of an executor whose futures answer so."""

    def submitted(self, *given):
        future = submit(self, *given)
        future.result = result.__get__(future)
        return future

    return submitted


@pytest.mark.parametrize("trees", [1, 2])
def test_an_analysis_ends_when_no_more_games_can_be_counted(trees, monkeypatch):
    monkeypatch.setattr("goban.montecarlo.trees.MOST_VISITS", 100)
    forest = Forest(SETTINGS, trees)
    forest.stand(new_game(ruleset("aga"), 9))
    for number, _ in enumerate(forest.rounds(1, time.monotonic)):
        assert number < 200
    assert visits(forest) == 100 * trees


@pytest.mark.parametrize("trees", [0, -1, 65])
def test_a_number_of_threads_that_makes_no_sense_is_refused(trees):
    with pytest.raises(BadBudgetError, match=f"^expected 1 to 64 threads, got {trees}$"):
        Forest(SETTINGS, trees)


def test_memory_is_divided():
    assert [tree._settings.memory for tree in Forest(SETTINGS, 3)._trees] == [5] * 3
    assert [tree._settings.memory for tree in Forest(TreeSettings(SETTINGS.table, memory=1), 2)._trees] == [1, 1]


# What is said of moves


def finding(move, visits, wins=0, status=0):
    return Finding(move, status, visits, wins * UNIT, float(wins), visits)


A, B, C = (0, 0), (0, 1), (0, 2)


def test_what_one_tree_has_proven_holds_for_all():
    one, other = [finding(A, 90), finding(B, 10)], [finding(A, 5, status=LOST), finding(B, 10), finding(C, 1, status=WON)]
    together = add_up([one, other])
    assert [(one.move, one.visits) for one in rank(together, tied=False)] == [(C, 1), (B, 20), (A, 95)]


def test_a_tie_is_best_where_all_else_is_unknown_and_the_position_is_tied():
    moves = [finding(A, 50), finding(B, 1, status=TIED)]
    assert [rank(moves, tied)[0].move for tied in (False, True)] == [A, B]


@pytest.mark.parametrize(("gnugo", "move"), [(False, A), (True, B)])
def test_most_games_or_the_greatest_share(gnugo, move):
    state = new_game(ruleset("aga"), 9)
    assert best_move([finding(A, 50, 20), finding(B, 10, 9)], state, False, gnugo) == move


def test_a_lead_is_that_of_the_player_to_move():
    black = new_game(ruleset("aga"), 9)
    assert [candidate(finding(B, 2, 1), state, (), None).lead for state in (black, black.play(A))] == [0.5, -0.5]
