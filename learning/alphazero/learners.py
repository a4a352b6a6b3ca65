"""What learns in a run. With torch it is `learning.alphazero.training.Learner`; tests have others."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from learning.alphazero.planners import Evaluator
from learning.alphazero.plans import Plan
from learning.alphazero.replay import Batch
from learning.alphazero.weights import Architecture, Weights, architecture_for, fresh_weights

Arrays = dict[str, npt.NDArray[Any]]
Losses = dict[str, float]
"""Name -> mean loss of a batch."""


class Learner(Protocol):
    """A network that learns from batches."""

    def evaluator(self) -> Evaluator:
        """Return the network as it is now; threads may share it, and nothing is learned while they use it."""

    def learn(self, batch: Batch, rate: float) -> Losses:
        """Take one step; return the losses before it."""

    def weights(self) -> Weights:
        """Return the network."""

    def moments(self) -> Arrays:
        """Return all else that the next step depends on."""

    def restore(self, weights: Weights, moments: Arrays) -> None:
        """Go on from what `weights` and `moments` returned."""


def planned(plan: Plan) -> Architecture:
    """Return the architecture of a plan's network."""
    return architecture_for(plan.make_game(), plan.channels, plan.blocks)


def first_weights(plan: Plan) -> Weights:
    """Return the network that a plan begins with."""
    return fresh_weights(planned(plan), np.random.default_rng((plan.seed, 2)))


def about(plan: Plan, rounds: int) -> dict[str, Any]:
    """Return what is known of the network after so many rounds."""
    return {"game": plan.game, "games": plan.played(rounds), "seed": plan.seed}
