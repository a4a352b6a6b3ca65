"""A learner without torch, for runs in tests.

It does not learn to play well: each step moves the biases of the last layers towards the targets. But what it is depends on
every batch it was shown, and it has moments.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from golearn.alphazero.planners import on_observations
from golearn.alphazero.rounds import first_weights
from golearn.alphazero.weights import NumpyNetwork

SLOW = 0.1

_TINY = """
game = "{game}"
games = {games}
round_games = 8
lockstep = 4
simulations = 4
quick_simulations = 2
random_plies = 2
window = 60
batch = 16
channels = 2
blocks = 1
"""


def tiny_plan(games=24, game="tictactoe"):
    """A plan as text: three rounds."""
    return _TINY.format(games=games, game=game)


class PlainLearner:
    """See `golearn.alphazero.rounds.Learner`."""

    def __init__(self, plan):
        self._weights = first_weights(plan)
        self._speed = {"policy": np.zeros(9, np.float32), "value": np.zeros(1, np.float32)}

    def evaluator(self):
        return on_observations(NumpyNetwork(self._weights))

    def learn(self, batch, rate):
        said = NumpyNetwork(self._weights).heads(batch.planes)
        wrong = {"policy": batch.policies.mean(axis=0), "value": (batch.values - said.values).mean(keepdims=True)}
        for name, error in wrong.items():
            self._speed[name] = (SLOW * error + (1 - SLOW) * self._speed[name]).astype(np.float32)
        arrays = dict(self._weights.arrays)
        arrays["policy_points"] = arrays["policy_points"] + np.float32(rate) * self._speed["policy"][:1, None]
        arrays["value_last_bias"] = arrays["value_last_bias"] + np.float32(rate) * self._speed["value"]
        self._weights = replace(self._weights, arrays=arrays)
        return {"policy": 0.0, "value": float(np.square(wrong["value"]).mean())}

    def weights(self):
        return self._weights

    def moments(self):
        return dict(self._speed)

    def restore(self, weights, moments):
        self._weights, self._speed = weights, dict(moments)
