"""What a search is told of new states: how likely each action is to be good, and who is winning.

An evaluator is called with rows of states and returns (logits, values):

    logits   float32, shape (rows, action_size): of any size, also for actions that are not legal
    values   shape (rows,): from -1 to 1, as the player to move sees it

A network sees observations only; `on_observations` and `on_turned_observations` make evaluators of it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from learning.alphazero.games import CompleteGame, Observations, Rows, States, states_of

Evaluation = tuple[npt.NDArray[np.float32], npt.NDArray[np.floating[Any]]]
Evaluator = Callable[[States, Rows], Evaluation]
Network = Callable[[Observations], Evaluation]

LONGEST_ROLLOUT = 2000
"""Actions after which a random game counts as a draw, where the game names no `max_plies`."""


def on_observations(network: Network) -> Evaluator:
    """Return an evaluator that shows a network all states in one call."""
    return lambda states, rows: network(states.encode(rows))


def on_turned_observations(network: Network, game: CompleteGame[Any], seed: int) -> Evaluator:
    """Return an evaluator that shows a network each state by one of the game's symmetries, and turns its answer back.

    So no state owes its value to the side from which the network has looked at it. Which symmetry it is depends on the seed
    and the observation alone: the same state gets the same answer whenever it is asked for, whatever beside it.
    """
    symmetries = game.symmetries()
    points, actions = (np.stack(permutations) for permutations in zip(*symmetries, strict=True))

    def evaluate(states: States, rows: Rows) -> Evaluation:
        planes = states.encode(rows)
        drawn = [zlib.crc32(one.tobytes(), seed & 0xFFFFFFFF) % len(symmetries) for one in planes]
        flat = planes.reshape(*planes.shape[:2], -1)
        turned = np.take_along_axis(flat, points[drawn][:, None, :], axis=2)
        said, values = network(turned.reshape(planes.shape))
        logits = np.empty_like(said)
        np.put_along_axis(logits, actions[drawn], said, axis=1)
        return logits, values

    return evaluate


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
        self._games = states_of(game, 0)

    def __call__(self, states: States, rows: Rows) -> Evaluation:
        count = len(rows) * self.rollouts
        if count > self._room:
            self._games, self._room = states_of(self.game, count), count
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
