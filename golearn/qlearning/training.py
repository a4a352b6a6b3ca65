"""The training loop: rounds of games played with the tables frozen, then learned from in order.

Threads play the games in chunks, with tables that nobody writes to meanwhile. What they bring back is put in the order of the
games before anything is learned. So the result depends on the plan and its seed alone, not on the number of workers.
"""

from __future__ import annotations

import random
from concurrent.futures import Executor
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from goban.kernels.bitboards import random_states
from goban.kernels.reference_players import REFERENCES
from golearn.qlearning.games import LEARNER, PAST, Record, empty_record, learn, play_games
from golearn.qlearning.patterns import ENTRIES, STAGES, Geometry, States, Tables, Weights, geometry, no_states, scratch

ROUND = 2000
CHUNK = 250
LEAGUE = 6
STATE_BITS = 21
MOST_STATES, LEAST_VISITS = 400_000, 4
OPPONENTS = {**{name: number for number, name in enumerate(REFERENCES)}, "self": LEARNER, "past": PAST}


@dataclass(frozen=True)
class Plan:
    """Everything the result depends on.

    games: how many in all. opponents: name -> share of the games. rate, exploration: at the start and at the end; the rate
    falls by equal factors, exploration (the share of random moves) by equal steps. trace: 0 (one step ahead) to 1 (to the first
    move that is not the best). states_from: share of the games after which single states are learned as well as patterns.
    """

    games: int
    seed: int
    opponents: dict[str, float]
    rate: tuple[float, float]
    exploration: tuple[float, float]
    trace: float
    states_from: float


@dataclass
class Training:
    """A training run on its way: what it has learned after `played` games."""

    plan: Plan
    played: int = 0
    weights: Weights = field(default_factory=lambda: np.zeros((STAGES, ENTRIES), np.float32))
    states: States = field(default_factory=lambda: no_states(STATE_BITS))
    known: int = 0
    league: list[Weights] = field(default_factory=list)
    curve: list[dict[str, float]] = field(default_factory=list)
    geometry: Geometry = field(default_factory=geometry)

    @property
    def tables(self) -> Tables:
        """What the learner plays by."""
        return Tables(self.weights, self.states)

    def step(self, workers: Executor) -> float:
        """Play and learn one round; return the mean squared error of the values before they were corrected."""
        plan, done = self.plan, self.played / self.plan.games
        games = min(ROUND, plan.games - self.played)
        if "past" in plan.opponents and len(self.league) < LEAGUE * done:
            self.league.append(self.weights.copy())
        players = self._pairings(games)
        jobs = [workers.submit(self._play, players[at : at + CHUNK], self.played + at) for at in range(0, games, CHUNK)]
        # All games must be over before any is learned from: the threads read the tables that learning writes.
        records = [job.result() for job in jobs]
        rate = plan.rate[0] * (plan.rate[1] / plan.rate[0]) ** done
        error = 0.0
        for record, number in records:
            chunk_error, self.known = learn(
                record, number, self.tables, rate, self.known, done >= plan.states_from, self.geometry, scratch()
            )
            error += chunk_error / len(records)
        self.played += games
        return error

    def _pairings(self, games: int) -> npt.NDArray[np.int32]:
        """Return (Black, White) of the next games; the learner plays every other game as Black."""
        lots = random.Random(f"{self.plan.seed} {self.played}")
        names = lots.choices(list(self.plan.opponents), list(self.plan.opponents.values()), k=games)
        pairs = [(LEARNER, OPPONENTS[name]) if game % 2 == 0 else (OPPONENTS[name], LEARNER) for game, name in enumerate(names)]
        return np.array(pairs, dtype=np.int32)

    def _play(self, players: npt.NDArray[np.int32], first: int) -> tuple[Record, int]:
        """Play games with the tables as they are; return what happened and how many afterstates that is."""
        plan = self.plan
        exploration = plan.exploration[0] + (plan.exploration[1] - plan.exploration[0]) * self.played / plan.games
        past = self.league[first // CHUNK % len(self.league)] if self.league else self.weights
        record = empty_record(len(players))
        number = play_games(
            players, self.tables, Tables(past, no_states(0)), exploration, plan.trace,
            self.geometry, random_states(plan.seed, first, len(players)), scratch(), record,
        )  # fmt: skip
        return record, number

    def known_states(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float32]]:
        """Return (keys, values) of the MOST_STATES states visited most, each at least LEAST_VISITS times; keys rise."""
        keys, values, visits = self.states
        order = np.lexsort((keys, -visits))[:MOST_STATES]
        order = order[visits[order] >= LEAST_VISITS]
        order = order[np.argsort(keys[order])]
        return keys[order], values[order]
