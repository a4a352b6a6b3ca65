"""Weights of patterns that make playouts win as often as the games did that their positions come from.

A step takes a position from each of BATCH games drawn at random, and lets playouts say how often Black wins. The factors are
moved so that the squared distance to the game's result shrinks: half of the playouts say how far off they are, and the other
half which way to go, and the other way round, so that chance counts nothing twice. Source: Huang, Coulom and Lin,
*Monte-Carlo simulation balancing in practice*, 2010; the step is Adam's (Kingma and Ba, *Adam*, 2015), with an epsilon that
keeps the factors of rare neighbourhoods, whose slopes are little but chance, near 1. The factors that come out are the mean
over the second half of the steps.

Playouts that tell results well make a search strong; weights that predict the next move well need not.
The games come from SGF files, with their positions and who won.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from goban.common.excerpts import quoted_path
from goban.errors import GobanError, SgfError
from goban.kernels.patterns.gradients import FACTORS, gradient
from goban.kernels.patterns.neighbourhoods import CLASSES
from goban.kernels.patterns.pattern_games import play_patterns
from goban.kernels.patterns.tables import Tables, make_tables
from goban.montecarlo.pattern_sets import MOST, LearnedFactors, set_named
from goban.open_games import follow
from goban.rulesets import RuleSet
from goban.sgf import SgfGame
from goban.solver.sgf_files import main_lines, read_game
from goban.states import State
from golearn.errors import PatternTrainingError

_RESULTS = {"B": 1.0, "W": 0.0, "0": 0.5, "D": 0.5}
"""By the first letter of RE: B+12.5, W+R, 0 or Draw; a game without any of them teaches nothing."""


@dataclass(frozen=True)
class FinishedGame:
    """The positions of a game in which somebody had to move, and what Black got of 1."""

    states: tuple[State, ...]
    black: float


def games_of(paths: Sequence[Path], rules: RuleSet) -> list[FinishedGame]:
    """Return the games with a result in SGF files. Raises OSError, and PatternTrainingError with the file and the game."""
    found: list[FinishedGame] = []
    for path in paths:
        for number, line in enumerate(main_lines(path.read_bytes()), start=1):
            if line is not None:
                try:
                    found += _finished(read_game(line), rules)
                except GobanError as error:
                    raise PatternTrainingError(f"{quoted_path(path)}: game {number}: {error}") from None
    return found


def _finished(game: SgfGame, rules: RuleSet) -> Iterator[FinishedGame]:
    black = _RESULTS.get(game.result[:1])
    if black is None:
        return
    if game.komi is not None and game.komi != rules.komi(game.size):
        raise SgfError(f"expected komi {rules.komi(game.size):g} as in {rules.name}, got {game.komi:g}")
    states: list[State] = []
    follow(game, rules, before=states.append)
    if states:
        yield FinishedGame(tuple(states), black)


BATCH = 32
_FIRST, _SECOND, _EPSILON = 0.9, 0.999, 0.005
"""Adam's."""

Vector = npt.NDArray[np.float64]
Sample = tuple[State, float, int]
"""A position, what Black got in the end, and a seed."""


@dataclass(frozen=True)
class Plan:
    """On what the factors depend besides the games. playouts: for a position, an even number. rate: the length of a step in
    logarithms; it falls evenly to a tenth."""

    base: str = "montegnu_classic"
    steps: int = 1000
    playouts: int = 256
    rate: float = 0.03
    seed: int = 1


class Training:
    """Learns step by step. The same games and plan give the same factors with any number of threads."""

    def __init__(self, games: Sequence[FinishedGame], plan: Plan, threads: int) -> None:
        self._games, self._plan, self._threads = games, plan, threads
        self._table, self._rng = set_named(plan.base), random.Random(plan.seed)
        self._logarithms, self._first, self._second, self._sum = np.zeros((4, FACTORS))
        self._summed = 0

    def factors(self) -> LearnedFactors:
        """Return what is known so far."""
        return self._as_factors(self._sum / self._summed if self._summed else self._logarithms)

    def _as_factors(self, logarithms: Vector) -> LearnedFactors:
        return LearnedFactors(self._plan.base, logarithms[:CLASSES].copy(), logarithms[CLASSES:].copy())

    def steps(self) -> Iterator[int]:
        """Learn, and yield the number of each step that is done."""
        with ThreadPoolExecutor(self._threads) as pool:
            for done in range(1, self._plan.steps + 1):
                samples = [self._sample() for _ in range(BATCH)]
                tables = self._tables({state.grid.size for state, *_ in samples})
                slopes = pool.map(lambda sample, known=tables: self._slope(sample, known), samples)
                self._step(np.sum([*slopes], axis=0) / BATCH, done)
                yield done

    def _sample(self) -> Sample:
        game = self._rng.choice(self._games)
        return self._rng.choice(game.states), game.black, self._rng.getrandbits(64)

    def _tables(self, sizes: set[int]) -> dict[int, Tables]:
        values = self._as_factors(self._logarithms).apply(self._table, "").values
        return {size: make_tables(size, values) for size in sizes}

    def _slope(self, sample: Sample, tables: dict[int, Tables]) -> Vector:
        """Return the gradient of half the squared distance."""
        state, black, seed = sample
        one, other = (gradient(state, tables[state.grid.size], self._plan.playouts // 2, seed + k) for k in (0, 1))
        slope: Vector = (one.won - black) * other.changes(one.won) + (other.won - black) * one.changes(other.won)
        return slope / 2

    def _step(self, slope: Vector, number: int) -> None:
        self._first += (1 - _FIRST) * (slope - self._first)
        self._second += (1 - _SECOND) * (slope**2 - self._second)
        mean, square = self._first / (1 - _FIRST**number), self._second / (1 - _SECOND**number)
        rate = self._plan.rate * (1 - 0.9 * number / self._plan.steps)
        self._logarithms -= rate * mean / (np.sqrt(square) + _EPSILON)
        np.clip(self._logarithms, -MOST, MOST, out=self._logarithms)
        if 2 * number > self._plan.steps:
            self._sum += self._logarithms
            self._summed += 1


def error_of(factors: LearnedFactors, games: Sequence[FinishedGame], playouts: int, seed: int) -> float:
    """Return the mean squared distance between results and how often playouts win, from every fourth position of the games.

    The chance of as many playouts is taken out: what is left is the distance that endless playouts would have.
    """
    table = factors.apply(set_named(factors.base), "")
    tables = {size: make_tables(size, table.values) for size in {game.states[0].grid.size for game in games}}
    errors: list[float] = []
    for game in games:
        for state in game.states[::4]:
            size = state.grid.size
            scores = play_patterns(state, tables[size], playouts, seed + len(errors)).scores - state.rules.komi(size)
            won = (np.sign(scores) + 1) / 2
            errors.append(float((won.mean() - game.black) ** 2 - won.var() / (playouts - 1)))
    return float(np.mean(errors))
