"""Which action to play in many states at once, by search; and what a search is told of new states.

    planner = GumbelPlanner(game, evaluator, simulations=16)
    plans = planner.plan(states, rows, draws)

All searches take each step together, and the evaluator is called once for all their new leaves. Chance comes in as numbers
that the caller has drawn: the same numbers give the same plans, whatever else is searched at the same time.

An evaluator says how likely each action is to be good, and who is winning. It is called with rows of states and returns
(logits, values):

    logits   float32, shape (rows, action_size): of any size, also for actions that are not legal
    values   shape (rows,): from -1 to 1, as the player to move sees it

A network sees observations only; `on_observations` makes an evaluator of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from goban.common.turns import Turns, in_turn
from golearn import lockstep
from golearn.alphazero.games import CompleteGame, Facts, Observations, Rows, States
from golearn.errors import BadEvaluationError, SearchRequestError
from golearn.lockstep import NONE, Floats, Indices, Leaves, Trees, attach, back_up, empty_trees, root_visits

Evaluation: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.floating[Any]]]
Evaluator: TypeAlias = Callable[[States, Rows], Evaluation]
Network: TypeAlias = Callable[[Observations], Evaluation]

LONGEST_ROLLOUT = 2000
"""Actions after which a random game counts as a draw, where the game names no `max_plies`."""


def on_observations(network: Network) -> Evaluator:
    """Return an evaluator that shows a network all states in one call."""
    return lambda states, rows: network(states.encode(rows))


def turn_states(game: CompleteGame[Any], evaluator: Evaluator) -> Evaluator:
    """Return an evaluator that is shown each state in a symmetry of the game, which the state alone decides.

    A network errs in one symmetry and not in another. The leaves of a search are many, so that their mean has fewer errors.
    """
    symmetries = game.symmetries()
    if len(symmetries) == 1:
        return evaluator
    points, actions = (np.array(numbers) for numbers in zip(*symmetries, strict=True))
    weights = np.random.default_rng(0).integers(1, 2**31, game.num_planes * points.shape[1])

    def evaluate(states: States, rows: Rows) -> Evaluation:
        planes = states.encode(rows).reshape(len(rows), game.num_planes, -1)
        which = (planes.reshape(len(rows), -1) != 0) @ weights // 2**8 % len(symmetries)
        shown = np.take_along_axis(planes, points[which][:, None], axis=2).reshape(-1, game.num_planes, *game.board_shape)
        said, values = evaluator(cast(States, _Shown(shown)), rows)
        logits = np.empty_like(said)
        np.put_along_axis(logits, actions[which], said, axis=1)
        return logits, values

    return evaluate


class _Shown:
    """States of which an evaluator asks no more than what they look like."""

    def __init__(self, observations: Observations) -> None:
        self.observations = observations

    def encode(self, rows: Rows) -> Observations:
        return self.observations


def uniform(game: CompleteGame[Any]) -> Evaluator:
    """Return the evaluator that knows nothing: all actions alike, value 0."""
    return lambda _, rows: (np.zeros((len(rows), game.action_size), np.float32), np.zeros(len(rows)))


class Rollouts:
    """The mean result of random games; all actions alike."""

    def __init__(self, game: CompleteGame[Any], rollouts: int, rng: np.random.Generator) -> None:
        """rollouts: games from each state; they are played in lockstep."""
        self.game, self.rollouts, self.rng = game, rollouts, rng
        self.most_plies = game.max_plies or LONGEST_ROLLOUT
        self._room = 0
        self._games = game.states(0)

    def __call__(self, states: States, rows: Rows) -> Evaluation:
        count = len(rows) * self.rollouts
        if count > self._room:
            self._games, self._room = self.game.states(count), count
        self._games.copy(states, np.repeat(rows, self.rollouts), np.arange(count))
        values = self._play(count).reshape(-1, self.rollouts).mean(axis=1) * states.facts(rows).players
        return np.zeros((len(rows), self.game.action_size), np.float32), values

    def _play(self, count: int) -> npt.NDArray[np.int8]:
        """Play the first so many games to their ends and return the results."""
        results, going = np.zeros(count, dtype=np.int8), np.arange(count)
        for _ in range(self.most_plies + 1):
            facts = self._games.facts(going)
            results[going] = facts.results
            going, legal = going[~facts.over], facts.legal[~facts.over]
            if not len(going):
                break
            drawn = self.rng.random(legal.shape)
            self._games.play(going, np.where(legal, drawn, -1.0).argmax(axis=1), going)
        return results


Choice = Callable[[Trees, int, Indices, Indices], None]
"""Called with the trees and the number of the simulation; writes where each tree goes on, as (parents, actions)."""


class Plans(NamedTuple):
    """What came of the searches; entry k of each array is about the k-th state."""

    actions: Indices
    """To be played."""
    policies: Floats
    """What training should teach, shape (states, action_size); the sum is 1."""
    values: Floats
    """What the states are worth by the search, as the player to move sees it: -1 to 1."""
    visits: npt.NDArray[np.int32]
    """How often each action was tried, shape (states, action_size)."""


class _Lockstep:
    """What all planners do: trees that grow by one leaf each in every simulation. Threads that share one take turns."""

    def __init__(self, game: CompleteGame[Any], evaluator: Evaluator, simulations: int) -> None:
        if simulations < 1:
            raise SearchRequestError(f"expected at least 1 simulation, got {simulations}")
        self.game, self.evaluator, self.simulations = game, evaluator, simulations
        self._turns = Turns()
        self._room = 0
        self._nodes = game.states(0)

    def _plant(self, states: States, rows: Rows) -> Trees:
        """Return trees with roots; SearchRequestError if a game is over."""
        count, nodes = len(rows), self.simulations + 1
        if count > self._room:
            self._nodes, self._room = self.game.states(count * nodes), count
        trees, every = empty_trees(count, nodes, self.game.action_size), np.arange(count)
        self._nodes.copy(states, rows, every * nodes)
        none = np.full(count, NONE)
        self._add(trees, every, none, none, 0)
        if trees.over[:, 0].any():
            raise SearchRequestError("expected states to search in which the game goes on")
        back_up(trees, np.zeros(count, np.int64))
        return trees

    def _grow(self, trees: Trees, choose: Choice) -> None:
        """Simulate."""
        count, nodes = len(trees.visits), self.simulations + 1
        every, parents, actions = np.arange(count), np.empty(count, np.int64), np.empty(count, np.int64)
        for node in range(1, nodes):
            choose(trees, node - 1, parents, actions)
            # Only the end of a game is arrived at a second time.
            known = trees.children[every, parents, actions].astype(np.int64)
            new = np.flatnonzero(known == NONE)
            self._nodes.play(new * nodes + parents[new], actions[new], new * nodes + node)
            self._add(trees, new, parents[new], actions[new], node)
            back_up(trees, np.where(known == NONE, node, known))

    def _add(self, trees: Trees, which: Indices, parents: Indices, actions: Indices, node: int) -> None:
        """Attach the states of row `node` of some trees' nodes."""
        rows = which * (self.simulations + 1) + node
        facts = self._nodes.facts(rows)
        logits, values = self._evaluate(rows, facts)
        attach(trees, Leaves(which, parents, actions, logits, facts.legal, values, facts.players, facts.over), node)

    def _evaluate(self, rows: Rows, facts: Facts) -> tuple[npt.NDArray[np.float32], Floats]:
        """Return logits and values: the evaluator's, or the result where the game is over."""
        logits = np.zeros(facts.legal.shape, np.float32)
        values = (facts.results * facts.players).astype(np.float64)
        going = np.flatnonzero(~facts.over)
        if len(going):
            logits[going], values[going] = self.evaluator(self._nodes, rows[going])
            if not (np.isfinite(logits).all() and np.isfinite(values).all()):
                raise BadEvaluationError("expected finite logits and values from the evaluator, got some that are not")
        return logits, values

    def _draws(self, rows: Rows, draws: Floats | None) -> Floats:
        shape = len(rows), self.game.action_size
        if draws is None:
            return np.zeros(shape)
        if draws.shape != shape:
            raise SearchRequestError(f"expected draws of shape {shape}, got {draws.shape}")
        return np.ascontiguousarray(draws, dtype=np.float64)


class GumbelPlanner(_Lockstep):
    """See `golearn.lockstep`. `considered`: how many actions of a root are looked at, at most."""

    def __init__(self, game: CompleteGame[Any], evaluator: Evaluator, simulations: int, considered: int = 16) -> None:
        super().__init__(game, evaluator, simulations)
        if considered < 1:
            raise SearchRequestError(f"expected at least 1 action to be considered, got {considered}")
        self._table = lockstep.considered_table(considered, simulations)

    @in_turn
    def plan(self, states: States, rows: Rows, draws: Floats | None = None) -> Plans:
        """Return plans; `draws` from Gumbel(0, 1), None for play without chance."""
        draws, trees = self._draws(rows, draws), self._plant(states, rows)
        self._grow(trees, lambda trees, number, *out: lockstep.select(trees, draws, self._table, number, *out))
        actions, values = np.empty(len(rows), np.int64), np.empty(len(rows))
        policies = np.empty((len(rows), self.game.action_size))
        lockstep.conclude(trees, draws, actions, policies, values)
        return Plans(actions, policies, values, root_visits(trees))


class PuctPlanner(_Lockstep):
    """See `golearn.lockstep`. Plans have shares of visits as policies and the mean of all that was seen as values,
    and play what was tried most."""

    NOISE = 0.25
    """Share of the draws in the priors of a root."""

    def __init__(self, game: CompleteGame[Any], evaluator: Evaluator, simulations: int, exploration: float = 1.5) -> None:
        super().__init__(game, evaluator, simulations)
        self.exploration = exploration

    @in_turn
    def plan(self, states: States, rows: Rows, draws: Floats | None = None) -> Plans:
        """Return plans; `draws` from a Dirichlet distribution over the legal actions, None for play without chance."""
        trees = self._plant(states, rows)
        priors = trees.priors[:, 0].astype(np.float64)
        if draws is not None:
            priors = (1 - self.NOISE) * priors + self.NOISE * self._draws(rows, draws)
        self._grow(trees, lambda trees, _, *out: lockstep.select_puct(trees, priors, self.exploration, *out))
        visits = root_visits(trees)
        return Plans(visits.argmax(axis=1), visits / self.simulations, trees.sums[:, 0] / trees.visits[:, 0], visits)
