"""A run of training: rounds of self-play and of learning. Where it is kept is the business of `golearn.alphazero.runs`.

All chance comes from the seed of the plan and the numbers of games and rounds, so that a run that goes on from arrays and notes
ends with the same numbers as one that was never stopped. The number of workers changes nothing.
What learns is a `Learner`: with torch that of `golearn.alphazero.training`; tests have others.
"""

from __future__ import annotations

import json
import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.common.excerpts import quoted
from golearn.alphazero.planners import Evaluator
from golearn.alphazero.plans import Plan, difference
from golearn.alphazero.selfplay import Batch, Positions, Replay, SelfPlay, SelfPlayGames, StoppedError, join_parts
from golearn.alphazero.weights import Architecture, Weights, architecture_for, fresh_weights
from golearn.errors import BadPlanError, BadRunError

Arrays: TypeAlias = dict[str, npt.NDArray[Any]]
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


def plan_architecture(plan: Plan) -> Architecture:
    """Return the architecture of a plan's network."""
    return architecture_for(plan.make_game(), plan.channels, plan.blocks)


def first_weights(plan: Plan) -> Weights:
    """Return the network that a plan begins with."""
    return fresh_weights(plan_architecture(plan), np.random.default_rng((plan.seed, 2)))


def about(plan: Plan, rounds: int) -> dict[str, Any]:
    """Return what is known of the network after so many rounds."""
    return {"game": plan.game, "games": plan.count_played(rounds), "seed": plan.seed}


Point = dict[str, float]
"""A round on the curve: see `Run.step`."""

AHEAD = 4
"""Batches that are made ready before they are learned."""


class Run:
    """A run in progress."""

    def __init__(self, plan: Plan, learner: Learner) -> None:
        self.plan, self.learner = plan, learner
        self.game = plan.make_game()
        self.replay = Replay(self.game, plan.window)
        self.curve: list[Point] = []

    @property
    def rounds(self) -> int:
        """Number of finished rounds."""
        return len(self.curve)

    @property
    def played(self) -> int:
        """Number of games in the finished rounds."""
        return self.plan.count_played(self.rounds)

    def step(self, workers: Executor, told: Callable[[int], None], stopped: Callable[[], bool]) -> Point:
        """Play and learn one round, and return its point on the curve, which has:

        games, positions: totals of all rounds so far; plies: mean per game after its opening; first: share of the points won by
        the player who moves first; finished: share of the games played to their end; rate: learning rate; steps: learning
        steps; the losses by name; seconds.
        told: called with the number of games played, now and then. Raises StoppedError as soon as `stopped` says so.
        """
        started, rate = time.monotonic(), self._rate()
        games = self._play(workers, told, stopped)
        self.replay.add(games.positions)
        losses = self._learn(len(games.positions.values), rate, workers, stopped)
        won = games.results[games.finished]
        self.curve.append(
            {
                "games": self.played + len(games.plies), "positions": self.replay.total, "plies": float(games.plies.mean()),
                "first": (1 + float(won.mean())) / 2 if len(won) else 0.5, "finished": float(games.finished.mean()),
                "rate": rate, **losses, "seconds": round(time.monotonic() - started, 3),
            }
        )  # fmt: skip
        return self.curve[-1]

    def _play(self, workers: Executor, told: Callable[[int], None], stopped: Callable[[], bool]) -> SelfPlayGames:
        plan, evaluator = self.plan, self.learner.evaluator()
        numbers = range(self.played, min(plan.games, self.played + plan.round_games))
        parts = [numbers[k : k + plan.lockstep] for k in range(0, len(numbers), plan.lockstep)]
        jobs = [workers.submit(SelfPlay(self.game, evaluator, plan).play, part, stopped) for part in parts]
        found = []
        for part, job in zip(parts, jobs, strict=True):
            found.append(job.result())
            told(part.stop)
        rest = (np.concatenate([getattr(games, name) for games in found]) for name in SelfPlayGames._fields[1:])
        return SelfPlayGames(join_parts([games.positions for games in found]), *rest)

    def _learn(self, new: int, rate: float, workers: Executor, stopped: Callable[[], bool]) -> Losses:
        """Learn from so many batches that each position is used as often as planned; return their number and mean losses."""
        steps = max(1, round(self.plan.uses * new / self.plan.batch))
        total: Losses = {"steps": steps}
        for batch in self._batches(steps, workers):
            if stopped():
                raise StoppedError
            for name, loss in self.learner.learn(batch, rate).items():
                total[name] = total.get(name, 0.0) + loss / steps
        return total

    def _batches(self, count: int, workers: Executor) -> Iterator[Batch]:
        """Yield so many batches; workers make some of them ready while the ones before are learned."""
        rng, ahead = np.random.default_rng((self.plan.seed, 1, self.rounds)), deque[Future[Batch]]()
        for _ in range(count):
            ahead.append(workers.submit(self.replay.batch, *self.replay.draw_numbers(rng, self.plan.batch)))
            if len(ahead) > AHEAD:
                yield ahead.popleft().result()
        for job in ahead:
            yield job.result()

    def _rate(self) -> float:
        """Return this round's rate of learning."""
        return self.plan.rate * (1 + math.cos(math.pi * self.played / self.plan.games)) / 2

    def network(self) -> Weights:
        """Return the current network, with its description."""
        return replace(self.learner.weights(), about=about(self.plan, self.rounds))

    def arrays(self) -> Arrays:
        """Return the arrays from which the run can continue."""
        parts = {
            "weights": self.learner.weights().arrays, "moments": self.learner.moments(),
            "replay": self.replay.positions._asdict(),
        }  # fmt: skip
        return {f"{part}.{name}": array for part, arrays in parts.items() for name, array in arrays.items()}

    def notes(self) -> dict[str, Any]:
        """Return everything else it needs to continue, fit for JSON."""
        return {"plan": asdict(self.plan), "positions": self.replay.total, "curve": self.curve}

    def restore(self, arrays: Arrays, notes: dict[str, Any]) -> None:
        """Continue from what `arrays` and `notes` returned; raises BadRunError if that was under another plan.

        Raises ValueError, KeyError or TypeError for other arrays or notes.
        """
        try:
            changed = difference(Plan(**notes["plan"]), self.plan)
        except BadPlanError as error:
            raise ValueError(str(error)) from None
        if changed:
            raise BadRunError(f"the plan was changed since the run began: {changed}")
        parts: dict[str, Arrays] = {"weights": {}, "moments": {}, "replay": {}}
        for key, array in arrays.items():
            part, _, name = key.partition(".")
            parts[part][name] = array
        network = replace(self.learner.weights(), arrays=parts["weights"])
        self.replay.take_over(Positions(**parts["replay"]), notes["positions"])
        self.curve = self._check(notes["curve"])
        self.learner.restore(network, parts["moments"])

    def _check(self, curve: list[Point]) -> list[Point]:
        """Return a curve; raises ValueError if it is not that of so many rounds of this plan."""
        for number, point in enumerate(curve, 1):
            wrong = [name for name, value in point.items() if type(value) not in (int, float)]
            games = self.plan.count_played(number)
            if wrong or point.keys() != curve[0].keys() or point["games"] != games:
                raise ValueError(f"curve: expected {games} games and other figures, got {quoted(point)}")
        return curve

    def digest(self) -> str:
        """Return 64 hexadecimal digits that differ if the curve differs, or anything the run continues from."""
        found = sha256()
        for name, array in sorted(self.arrays().items()):
            found.update(f"{name} {array.dtype} {array.shape}".encode())
            found.update(np.ascontiguousarray(array).tobytes())
        curve = [{key: value for key, value in point.items() if key != "seconds"} for point in self.curve]
        found.update(json.dumps([self.notes()["plan"], self.replay.total, curve]).encode())
        return found.hexdigest()
