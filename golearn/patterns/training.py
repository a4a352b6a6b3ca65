"""Weights of patterns that make playouts win as often as the games did that their positions come from.

A step takes a position from each of BATCH games drawn at random, and lets playouts say how often Black wins. The factors are
moved so that the squared distance to the game's result shrinks: half of the playouts say how far off they are, and the other
half which way to go, and the other way round, so that chance counts nothing twice. Source: Huang, Coulom and Lin,
*Monte-Carlo simulation balancing in practice*, 2010; the step is Adam's (Kingma and Ba, *Adam*, 2015), with an epsilon that
keeps the factors of rare neighbourhoods, whose slopes are little but chance, near 1. The factors that come out are the mean
over the second half of the steps.

Playouts that tell results well make a search strong; weights that predict the next move well need not.
The games come from SGF files, with their positions and who won.

The command line:

    python3 -m golearn.patterns games.sgf --out mine.json           then: montecarlo:patterns=mine.json
    python3 -m golearn.patterns *.sgf --rules aga --steps 500       for other rules; a first try

Every tenth game is kept back: by these is told what was learned, as the mean squared distance between the results of games and
how often playouts from their positions win. The factors depend on the games, the options and the seed, not on --workers.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from goban.common.command_lines import DONE, INTERRUPTED, CommandError, Parser, whole_number
from goban.common.excerpts import quoted_path
from goban.common.files import check_writable, write_beside
from goban.errors import GobanError, SgfError
from goban.kernels.patterns.gradients import FACTORS, gradient
from goban.kernels.patterns.neighbourhoods import CLASSES
from goban.kernels.patterns.pattern_games import play_patterns
from goban.kernels.patterns.tables import Tables, make_tables
from goban.montecarlo.pattern_sets import ENDING, GNUGO_NAMES, MOST, LearnedFactors, set_named
from goban.open_games import follow
from goban.rulesets import PRESETS, RuleSet, full_name, ruleset
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
                    found += _read_finished(read_game(line), rules)
                except GobanError as error:
                    raise PatternTrainingError(f"{quoted_path(path)}: game {number}: {error}") from None
    return found


def _read_finished(game: SgfGame, rules: RuleSet) -> Iterator[FinishedGame]:
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

Vector: TypeAlias = npt.NDArray[np.float64]
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


_APART = 10
"""One game of so many is kept back."""
_PLAYOUTS = 200
"""For a position of these."""


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(name="patterns", prog="python3 -m golearn.patterns", description="Learn weights of patterns from games.")
    number = whole_number(1, 10**6, "a number")
    made.add_argument("games", type=Path, nargs="+", metavar="GAMES.sgf", help="finished games, all under the same rules")
    made.add_argument("--out", type=Path, default=Path(f"learned{ENDING}"), metavar="FILE", help="default: %(default)s")
    made.add_argument("--rules", type=full_name, choices=PRESETS, default="tromp-taylor-strict", help="default: %(default)s")
    made.add_argument("--base", choices=[name for name in GNUGO_NAMES if name != "uniform"], default=Plan.base, help=(
        "set to begin with (default: %(default)s)"
    ))  # fmt: skip
    made.add_argument("--steps", type=number, default=Plan.steps, metavar="N", help="default: %(default)s")
    made.add_argument("--playouts", type=number, default=Plan.playouts, metavar="N", help=(
        "playouts per position (default: %(default)s)"
    ))  # fmt: skip
    made.add_argument("--rate", type=float, default=Plan.rate, metavar="R", help="step size (default: %(default)s)")
    seed = whole_number(0, 2**31, "a seed")
    made.add_argument("--seed", type=seed, default=Plan.seed, metavar="N", help="default: %(default)s")
    made.add_argument("--workers", type=whole_number(1, 1024, "a number"), default=os.cpu_count() or 1, metavar="N", help=(
        "threads (default: one per core)"
    ))  # fmt: skip
    return made


def learn_as_asked(arguments: Sequence[str] | None) -> int:
    """Learn, write the factors and say how far results are told better. Stopped by Ctrl-C, write those found so far."""
    options = parser().parse_args(arguments)
    plan = _plan(options)
    check_writable(options.out, ENDING)
    games = games_of(options.games, ruleset(options.rules))
    if len(games) < _APART:
        raise PatternTrainingError(f"expected {_APART} games with a result or more, got {len(games)}")
    apart = games[::_APART]
    training = Training([game for k, game in enumerate(games) if k % _APART], plan, options.workers)
    print(f"{len(games)} games, {len(apart)} of them kept back: {_describe_error(training, apart)} before", flush=True)
    try:
        for _ in tqdm(training.steps(), total=plan.steps, unit=" steps", file=sys.stderr, disable=None):
            pass
    except KeyboardInterrupt:
        write_beside(options.out, training.factors().text().encode())
        sys.stderr.write(f"\nstopped; what was learned so far is in {options.out}\n")
        return INTERRUPTED
    write_beside(options.out, training.factors().text().encode())
    print(f"{_describe_error(training, apart)} after {plan.steps} steps: {options.out}")
    return DONE


def _plan(options: argparse.Namespace) -> Plan:
    if options.out.suffix != ENDING:
        raise CommandError(f"--out: expected a name that ends in {ENDING}, got '{options.out}'")
    if options.playouts % 2:
        raise CommandError(f"--playouts: expected an even number, got {options.playouts}")
    if not 0 < options.rate <= 1:
        raise CommandError(f"--rate: expected more than 0 and at most 1, got {options.rate:g}")
    return Plan(options.base, options.steps, options.playouts, options.rate, options.seed)


def _describe_error(training: Training, apart: Sequence[FinishedGame]) -> str:
    return f"squared distance {error_of(training.factors(), apart, _PLAYOUTS, 0):.4f}"
