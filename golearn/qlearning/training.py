"""The training loop: rounds of games, played and learned from.

By the rule `rival`, that of `my_player.learn`, each game is learned from before the next one. By `minimax` all games of a
round are played with the tables frozen, then learned from in order: threads play them in chunks, and what they bring back is
put in the order of the games before anything is learned. So the result depends on the plan and its seed alone, not on the
number of workers.
"""

from __future__ import annotations

import random
from concurrent.futures import Executor
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from goban.kernels.bitboards import random_states
from goban.kernels.reference_players import REFERENCES
from golearn.qlearning.games import LEARNER, PAST, Record, empty_record, learn, learn_from_games, play_games
from golearn.qlearning.patterns import ATARI, ENTRIES, STAGES, Geometry, States, Tables, Weights, geometry, no_states, scratch

ROUND = 2000
CHUNK = 250
LEAGUE = 6
STATE_BITS = 21
MOST_STATES, LEAST_VISITS = 400_000, 4
RIVAL, MINIMAX = RULES = ("rival", "minimax")
OPPONENTS = {**{name: number for number, name in enumerate(REFERENCES)}, "self": LEARNER, "past": PAST}


@dataclass(frozen=True)
class Plan:
    """Everything the result depends on.

    rule: one of RULES; `rival` is minimax against oneself and the rule against a rival else, see `games`, and looks at stones
    in atari, too. games: how many in all. opponents: name -> share of the games. rate, exploration: at the start and at the
    end; exploration (the share of random moves) falls by equal steps, and so does the rate, but by minimax by equal factors.
    trace: 0 (one step ahead) to 1 (to the first move that is not the best). states_from: share of the games after which single
    states are learned as well as patterns.
    """

    rule: str
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
    weights: Weights = field(init=False)
    states: States = field(init=False)
    known: int = 0
    league: list[Weights] = field(default_factory=list)
    curve: list[dict[str, float]] = field(default_factory=list)
    geometry: Geometry = field(default_factory=geometry)

    def __post_init__(self) -> None:
        # As exact as `my_player.learn`, which a test holds it against.
        shape, exact = ((STAGES, ENTRIES + ATARI), np.float64) if self.plan.rule == RIVAL else ((STAGES, ENTRIES), np.float32)
        self.weights = np.zeros(shape, exact)
        self.states = no_states(STATE_BITS if self.plan.states_from < 1 else 0)

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
        learn_from = self._each if plan.rule == RIVAL else self._round
        error = learn_from(self._pairings(games), workers, done >= plan.states_from)
        self.played += games
        return error

    def _pairings(self, games: int) -> npt.NDArray[np.int32]:
        """Return (Black, White) of the next games; the learner has each colour in turn, by `rival` against the same one."""
        rival = self.plan.rule == RIVAL
        lots = random.Random(f"{self.plan.seed} {self.played}")
        names = lots.choices(list(self.plan.opponents), list(self.plan.opponents.values()), k=games)
        pairs = [(OPPONENTS[names[game // 2 if rival else game]], LEARNER) for game in range(games)]
        return np.array([pair if game % 2 != rival else pair[::-1] for game, pair in enumerate(pairs)], dtype=np.int32)

    def _past(self, first: int) -> Tables:
        """Return the tables by which `past` plays the game of this number and those after it."""
        return Tables(self.league[first // CHUNK % len(self.league)] if self.league else self.weights, no_states(0))

    def _each(self, players: npt.NDArray[np.int32], _: Executor, with_states: bool) -> float:
        """Play games and learn from each before the next one; return the mean squared error."""
        plan, space = self.plan, scratch(self.weights)
        left = 1 - np.arange(self.played, self.played + len(players)) / plan.games
        rates, explorations = (last + (first - last) * left for first, last in (plan.rate, plan.exploration))
        error, self.known = learn_from_games(
            players, self.tables, self._past(self.played), explorations, plan.trace, rates, self.known, with_states,
            self.geometry, random_states(plan.seed, self.played, len(players)), space, empty_record(1, self.weights),
        )  # fmt: skip
        return error

    def _round(self, players: npt.NDArray[np.int32], workers: Executor, with_states: bool) -> float:
        """Play games with the tables as they are, then learn from them; return the mean squared error."""
        plan, done = self.plan, self.played / self.plan.games
        starts = range(0, len(players), CHUNK)
        jobs = [workers.submit(self._play, players[at : at + CHUNK], self.played + at) for at in starts]
        # All games must be over before any is learned from: the threads read the tables that learning writes.
        records = [job.result() for job in jobs]
        rate = plan.rate[0] * (plan.rate[1] / plan.rate[0]) ** done
        error, space = 0.0, scratch(self.weights)
        for record, number in records:
            chunk_error, self.known = learn(record, number, self.tables, rate, self.known, with_states, self.geometry, space)
            error += chunk_error / len(records)
        return error

    def _play(self, players: npt.NDArray[np.int32], first: int) -> tuple[Record, int]:
        """Play games with the tables as they are; return what happened and how many afterstates that is."""
        plan = self.plan
        exploration = plan.exploration[0] + (plan.exploration[1] - plan.exploration[0]) * self.played / plan.games
        record = empty_record(len(players), self.weights)
        number = play_games(
            players, self.tables, self._past(first), exploration, plan.trace,
            self.geometry, random_states(plan.seed, first, len(players)), scratch(self.weights), record,
        )  # fmt: skip
        return record, number

    def known_states(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float32]]:
        """Return (keys, values) of the MOST_STATES states visited most, each at least LEAST_VISITS times; keys rise."""
        keys, values, visits = self.states
        order = np.lexsort((keys, -visits))[:MOST_STATES]
        order = order[visits[order] >= LEAST_VISITS]
        order = order[np.argsort(keys[order])]
        return keys[order], values[order]
