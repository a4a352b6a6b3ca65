"""Searches in lockstep: the same as mctx's, independent of each other, and better with every simulation."""

import json
from pathlib import Path

import numpy as np
import pytest

from golearn.alphazero.games import CompleteGame, PlainStates, beginnings, game_from_name
from golearn.alphazero.planners import GumbelPlanner, PuctPlanner, Rollouts, on_observations, turn_states, uniform
from golearn.errors import BadEvaluationError, SearchRequestError
from tests.support.random_trees import ACTIONS, NODES, SEARCHES, TREES, RandomTrees, games
from tests.support.take_away import TakeAway

RECORDED = json.loads((Path(__file__).parent / "mctx.json").read_text())
EVERY = np.arange(TREES)


def roots(random_trees):
    """The roots of all trees, one in each row."""
    states = PlainStates(CompleteGame(random_trees), TREES)
    for tree in range(TREES):
        states.put(tree, (tree, 0))
    return states


def gumbel(random_trees, simulations, considered=16):
    return GumbelPlanner(CompleteGame(random_trees), random_trees.evaluate, simulations, considered)


def puct(random_trees, simulations):
    return PuctPlanner(CompleteGame(random_trees), random_trees.evaluate, simulations)


def test_two_hundred_trees_were_recorded():
    assert sum(len(search["actions"]) for search in RECORDED) == 200


@pytest.mark.parametrize(("number", "simulations", "considered", "game"), list(games()), ids=[f"{n}-{m}" for n, m in SEARCHES])
def test_searches_agree_with_mctx(number, simulations, considered, game):
    """Recorded by tests/support/record_mctx.py, with the same draws."""
    plans, expected = gumbel(game, simulations, considered).plan(roots(game), EVERY, game.draws), RECORDED[number]
    assert plans.visits.tolist() == expected["visits"]
    assert plans.actions.tolist() == expected["actions"]
    assert np.abs(plans.policies - expected["policies"]).max() < 1e-5
    assert np.abs(plans.values - expected["values"]).max() < 1e-5


@pytest.mark.parametrize("planner", [gumbel, puct])
def test_a_search_does_not_depend_on_what_is_searched_beside_it(planner):
    game = RandomTrees(7)
    states, together = roots(game), planner(game, 20).plan(roots(game), EVERY, game.draws)
    shared = planner(game, 20)
    for rows in (np.array([3]), np.array([24, 3, 0])):
        plans = shared.plan(states, rows, game.draws[rows])
        for alone, all_of_them in zip(plans, together, strict=True):
            assert np.array_equal(alone, all_of_them[rows])


class PlainNode:
    """A node of `plain_puct`."""

    def __init__(self, state):
        self.state, self.visits, self.total, self.children = state, 0, 0.0, {}


def plain_puct(game, simulations, draws):
    """The same search, one tree and one node at a time; returns the visits of the root's actions."""

    def visit(node, priors):
        """Go down and add a leaf; return the value for who moves at `node`."""
        state = node.state
        if game.is_terminal(state):
            value = game.winner(state) * game.current_player(state)
        elif not node.visits:
            value = float(game.values[state])
        else:
            best = max(game.legal_moves(state), key=lambda a: score(node, priors(state), a))
            child = node.children.setdefault(best, PlainNode(game.apply_move(state, best)))
            value = visit(child, prior) * game.current_player(state) * game.current_player(child.state)
        node.visits, node.total = node.visits + 1, node.total + value
        return value

    def prior(state):
        legal = game.legal_moves(state)
        weights = np.exp(game.logits[state].astype(np.float64)[legal])
        return dict(zip(legal, weights / weights.sum(), strict=True))

    def score(node, priors, action):
        child = node.children.get(action)
        u = 1.5 * priors[action] * node.visits**0.5 / (1 + (child.visits if child else 0))
        sign = game.current_player(node.state) * game.current_player(child.state) if child else 1
        return u + (sign * child.total / child.visits if child else 0)

    def noisy(tree):
        return lambda state: {a: 0.75 * p + 0.25 * float(draws[tree, a]) for a, p in prior(state).items()}

    found = np.zeros((TREES, ACTIONS), dtype=int)
    for tree in range(TREES):
        root = PlainNode((tree, 0))
        for _ in range(simulations + 1):
            visit(root, noisy(tree))
        for action, child in root.children.items():
            found[tree, action] = child.visits
    return found


def test_puct_agrees_with_a_plain_search_of_one_tree_at_a_time():
    game = RandomTrees(11)
    draws = np.random.RandomState(1).dirichlet([0.3] * ACTIONS, TREES)
    plans = puct(game, 60).plan(roots(game), EVERY, draws)
    assert plans.visits.tolist() == plain_puct(game, 60, draws).tolist()
    assert np.allclose(plans.policies, plans.visits / 60)
    assert np.array_equal(plans.actions, plans.visits.argmax(axis=1))


@pytest.mark.parametrize("planner", [gumbel, puct])
def test_every_simulation_tries_one_action_and_only_legal_ones(planner):
    game = RandomTrees(3)
    plans = planner(game, 13).plan(roots(game), EVERY, game.draws if planner is gumbel else None)
    assert (plans.visits.sum(axis=1) == 13).all()
    assert not plans.visits[~game.legal[:, 0]].any()
    assert not plans.policies[~game.legal[:, 0]].any()
    assert np.allclose(plans.policies.sum(axis=1), 1)
    assert (np.abs(plans.values) <= 1).all()


def test_one_evaluation_serves_all_leaves_of_a_simulation():
    game, calls = RandomTrees(5), []
    game.over[:] = False
    planner = GumbelPlanner(CompleteGame(game), lambda s, rows: calls.append(len(rows)) or game.evaluate(s, rows), 10)
    planner.plan(roots(game), EVERY)
    assert calls == [TREES] * 11


@pytest.mark.parametrize("make", [GumbelPlanner, PuctPlanner])
def test_take_away_is_played_perfectly(make):
    """Who leaves a multiple of three has won."""
    game = CompleteGame(TakeAway())
    states = PlainStates(game, 4)
    for row, heap in enumerate((7, 5, 4, 2)):
        states.put(row, (heap, 1 if row % 2 else -1))
    plans = make(game, uniform(game), 200).plan(states, np.arange(4))
    assert plans.actions.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("make", [GumbelPlanner, PuctPlanner])
def test_a_win_is_taken_and_a_loss_averted_with_rollouts(make):
    game = CompleteGame(game_from_name("tictactoe"))
    states = PlainStates(game, 2)
    for row, played in enumerate(([0, 3, 1, 4], [0, 3, 8, 4])):
        state = game.initial_state()
        for action in played:
            state = game.apply_move(state, action)
        states.put(row, state)
    plans = make(game, Rollouts(game, 4, np.random.default_rng(1)), 64).plan(states, np.arange(2))
    assert plans.actions.tolist() == [2, 5]


def test_a_state_is_worth_what_its_good_actions_are_worth():
    """X can win at once at 2, and each other action lets O win; sequential halving tries all of them."""
    game = CompleteGame(game_from_name("tictactoe"))
    states = PlainStates(game, 1)
    state = game.initial_state()
    for action in (0, 3, 1, 4):
        state = game.apply_move(state, action)
    states.put(0, state)
    plans = GumbelPlanner(game, Rollouts(game, 20, np.random.default_rng(1)), 8).plan(states, np.arange(1))
    assert (plans.visits[0] > 0).sum() == 5
    assert plans.values[0] > 0.9


def test_a_network_sees_observations_in_one_batch():
    game, seen = CompleteGame(game_from_name("go5")), []

    def network(observations):
        seen.append(observations.shape)
        return np.zeros((len(observations), 26), np.float32), observations[:, 5, 0, 0] * 0.5

    GumbelPlanner(game, on_observations(network), 2).plan(beginnings(game, 3), np.arange(3))
    assert seen == [(3, 8, 5, 5)] * 3


def test_rollouts_are_the_mean_of_random_games():
    """The first player wins 58.5 % of random games of tic-tac-toe and loses 28.8 %."""
    game = CompleteGame(game_from_name("tictactoe"))
    logits, values = Rollouts(game, 4000, np.random.default_rng(3))(beginnings(game, 1), np.arange(1))
    assert not logits.any()
    assert values[0] == pytest.approx(0.585 - 0.288, abs=0.06)


def test_a_game_that_is_over_is_not_searched():
    game = RandomTrees(2)
    game.over[4, 0] = True
    with pytest.raises(SearchRequestError, match="in which the game goes on"):
        gumbel(game, 4).plan(roots(game), EVERY)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda g: GumbelPlanner(g, uniform(g), 0), "at least 1 simulation, got 0"),
        (lambda g: PuctPlanner(g, uniform(g), -3), "at least 1 simulation, got -3"),
        (lambda g: GumbelPlanner(g, uniform(g), 4, 0), "at least 1 action to be considered, got 0"),
    ],
)
def test_numbers_out_of_range_are_refused(make, said):
    with pytest.raises(SearchRequestError, match=said):
        make(CompleteGame(TakeAway()))


def test_draws_of_another_shape_are_refused():
    game = RandomTrees(2)
    with pytest.raises(SearchRequestError, match=r"draws of shape \(25, 9\), got \(25, 8\)"):
        gumbel(game, 4).plan(roots(game), EVERY, np.zeros((TREES, 8)))


def test_an_evaluator_that_returns_no_numbers_is_refused():
    game = RandomTrees(2)
    game.values[:, NODES // 2 :] = np.nan
    with pytest.raises(BadEvaluationError, match="finite logits and values"):
        gumbel(game, 30).plan(roots(game), EVERY)


def some_go_states(count):
    """Positions of a game of 5x5 by chance, one in each row, and the game."""
    game, rng = CompleteGame(game_from_name("go5")), np.random.default_rng(1)
    states, state = game.states(count), game.initial_state()
    for row in range(count):
        states.put(row, state)
        state = game.apply_move(state, int(rng.choice(game.legal_moves(state))))
    return game, states


def test_a_turned_state_is_answered_as_the_state_itself():
    """By an evaluator that says of each point what it sees there."""
    game, states = some_go_states(12)

    def seen(states, rows):
        planes = states.encode(rows)
        points = (planes * np.arange(1, 9)[:, None, None]).sum(axis=1).reshape(len(rows), 25)
        return np.hstack([points, np.full((len(rows), 1), 0.5)]).astype(np.float32), planes[:, 0].sum(axis=(1, 2)) / 25

    rows = np.arange(12)
    for one, other in zip(turn_states(game, seen)(states, rows), seen(states, rows), strict=True):
        assert np.array_equal(one, other)


def test_a_state_is_always_turned_in_the_same_way_and_not_all_are_in_one():
    """By an evaluator that says how often it was asked about a corner, whatever it sees."""
    game, states = some_go_states(20)
    corner = np.eye(26, dtype=np.float32)[0]
    evaluate = turn_states(game, lambda _, rows: (np.tile(corner, (len(rows), 1)), np.zeros(len(rows))))
    together = evaluate(states, np.arange(20))[0]
    alone = np.concatenate([evaluate(states, np.array([row]))[0] for row in range(20)])
    assert np.array_equal(together, alone)
    assert set(together.argmax(axis=1).tolist()) == {0, 4, 20, 24}


def test_a_game_without_symmetries_is_never_turned():
    evaluate = uniform(CompleteGame(random_game := next(iter(games()))[3]))
    assert turn_states(CompleteGame(random_game), evaluate) is evaluate
