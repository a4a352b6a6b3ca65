"""Answers about states of a game, from a network, a search, or a player that shows only its moves.

    ask = network_answers(game, network)           a network alone
    ask = search_answers(game, planner)            a search
    ask = player_answers(GoPlayer(game, "smart"))  moves only
    ask(states).actions

All of them are asked in the same way, so a match or a measurement need not know what it asks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from golearn.alphazero.games import CompleteGame, Observations, States
from golearn.alphazero.planners import GumbelPlanner, PuctPlanner
from golearn.alphazero.weights import Heads
from golearn.errors import WrongAnswerError

MOST_AT_ONCE = 256
"""Number of states shown to a network or a search in one call."""
MOST_NODES = 2**15
"""Of all trees of one call: a state of Go takes 6 KB."""

Floats: TypeAlias = npt.NDArray[np.float64]


class Answers(NamedTuple):
    """Entry k of each array is about the k-th state; None if there is no such answer."""

    actions: npt.NDArray[np.int64]
    """To be played."""
    policies: Floats | None = None
    """Shape (states, action_size); 0 for what may not be played, the sum is 1."""
    values: Floats | None = None
    """From -1 to 1, as the player to move sees it."""
    margins: Floats | None = None
    """Points by which the player to move will be ahead on the board."""

    def part(self, which: npt.NDArray[np.bool_]) -> Answers:
        """Return the answers about some of the states."""
        others = (None if column is None else column[which] for column in self[1:])
        return Answers(self.actions[which], *others)


Ask = Callable[[Sequence[Any]], Answers]
"""Called with states of a game in which it goes on; the same states in the same order have the same answers."""


class MoveMaker(Protocol):
    """Who only moves."""

    def action(self, state: Any) -> int:  # noqa: ANN401
        """Return the action it plays."""


class ValueMaker(Protocol):
    """Who moves, and may say what a state is worth."""

    def answer(self, state: Any) -> tuple[int, float | None]:  # noqa: ANN401
        """Return the action it plays, and a value from -1 to 1 as the player to move sees it."""


class HeadedNetwork(Protocol):
    """A network of numpy or another that says as much."""

    def heads(self, observations: Observations) -> Heads:
        """Return all that it says."""


def network_answers(game: CompleteGame[Any], network: HeadedNetwork) -> Ask:
    """Return how to ask a network without a search; it plays what it holds for most likely."""
    height, width = game.board_shape

    def some(states: States, rows: npt.NDArray[np.int64]) -> Answers:
        heads = network.heads(states.encode(rows))
        margins = None if heads.margins is None else heads.margins.astype(np.float64) * height * width
        return _most_likely(states, rows, heads.logits, heads.values)._replace(margins=margins)

    return _in_parts(game, some, MOST_AT_ONCE)


def _most_likely(
    states: States, rows: npt.NDArray[np.int64], logits: npt.NDArray[np.floating[Any]], values: npt.NDArray[np.floating[Any]]
) -> Answers:
    policies = likelihoods(logits, states.facts(rows).legal)
    return Answers(policies.argmax(axis=1), policies, np.asarray(values, np.float64))


def likelihoods(logits: npt.NDArray[np.floating[Any]], legal: npt.NDArray[np.bool_]) -> Floats:
    """Return the softmax of logits over what is legal, both of shape (states, action_size)."""
    shown = np.where(legal, logits.astype(np.float64), -np.inf)
    weights = np.exp(shown - shown.max(axis=1, keepdims=True))
    found: Floats = weights / weights.sum(axis=1, keepdims=True)
    return found


def search_answers(game: CompleteGame[Any], planner: GumbelPlanner | PuctPlanner) -> Ask:
    """Return how to ask a search, which plays without chance."""

    def some(states: States, rows: npt.NDArray[np.int64]) -> Answers:
        plans = planner.plan(states, rows)
        return Answers(plans.actions, plans.policies, plans.values)

    return _in_parts(game, some, max(1, min(MOST_AT_ONCE, MOST_NODES // (planner.simulations + 1))))


Forgive = Callable[[Any, WrongAnswerError], int]
"""What stands for a wrong answer about a state: the action it returns."""


def player_answers(player: MoveMaker, forgive: Forgive | None = None) -> Ask:
    """Return how to ask somebody who only moves. Wrong answers are raised unless they are forgiven."""
    return _one_by_one(lambda state: (player.action(state), None), forgive)


def function_answers(player: ValueMaker, forgive: Forgive | None = None) -> Ask:
    """Return how to ask somebody who moves and may say what a state is worth; who says nothing of some holds those for even."""
    return _one_by_one(player.answer, forgive)


def _one_by_one(answer: Callable[[Any], tuple[int, float | None]], forgive: Forgive | None) -> Ask:
    def forgiven(state: Any) -> tuple[int, float | None]:  # noqa: ANN401
        try:
            return answer(state)
        except WrongAnswerError as error:
            if forgive is None:
                raise
            return forgive(state, error), None

    def ask(states: Sequence[Any]) -> Answers:
        found = [forgiven(state) for state in states]
        said = any(value is not None for _, value in found)
        actions = np.array([action for action, _ in found], np.int64)
        return Answers(actions, values=np.array([value or 0 for _, value in found], float) if said else None)

    return ask


def chance_answers(game: CompleteGame[Any], rng: random.Random) -> Ask:
    """Return how to ask somebody who plays any legal action; as a policy, all of them alike."""

    def ask(states: Sequence[Any]) -> Answers:
        legal = np.array([game.legal_mask(state) for state in states]).reshape(-1, game.action_size)
        actions = [rng.choice(np.flatnonzero(row).tolist()) for row in legal]
        return Answers(np.array(actions, np.int64), legal / legal.sum(axis=1, keepdims=True))

    return ask


def _in_parts(game: CompleteGame[Any], some: Callable[[States, npt.NDArray[np.int64]], Answers], most: int) -> Ask:
    """Return what asks about so many states at once."""

    def asked(states: Sequence[Any]) -> Answers:
        rows = game.states(len(states))
        for row, state in enumerate(states):
            rows.put(row, state)
        return some(rows, np.arange(len(states)))

    return lambda states: together([asked(states[first : first + most]) for first in range(0, len(states), most)])


def together(parts: Sequence[Answers]) -> Answers:
    """Return answers about the states of all parts, one part or more of the same kind."""
    actions, *others = zip(*parts, strict=True)
    return Answers(np.concatenate(actions), *map(_join, others))


def _join(columns: Sequence[Floats | None]) -> Floats | None:
    known = [column for column in columns if column is not None]
    return np.concatenate(known) if known else None
