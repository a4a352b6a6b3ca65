"""How fast games are stepped on a graphics card: CudaGoBatch beside Pgx on the same card, in turns.

    python3 -m benchmarks.card [--rounds 5] [--sizes 5 9 19] [--games 16384 32768 65536 131072]

A step draws a legal action, plays it, finds the legal actions, writes the observation (17 planes), and begins the next game
where one is over. Pgx's games begin together and are not begun anew, which is to its advantage, and its steps are compiled as
one loop, while ours are asked for one by one from Python; it makes its random numbers, ours lie on the card before. Figures
are steps per second by the clock, from when the card is idle until it is idle again: the median of the rounds with the lowest
and the highest; ratios are taken within a round. Needs a card, the extra `gpu`, and for Pgx a jax that finds the card
(`pip install pgx "jax[cuda12]"`).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import numpy as np
from tabulate import tabulate

from benchmarks.environments_others import pgx_round
from benchmarks.playouts import spread
from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run, whole_number
from golearn.environments import EnvironmentsError, GoBatch

STEPS = 60
"""Steps of all games in a round of ours."""
PGX_STEPS = 20
"""From the beginning, so that nearly all games last that long."""

Round = Callable[[], float]
"""Plays, and returns steps per second."""


def ours(size: int, games: int) -> Round:
    """Return a round of a batch on the card, warmed up."""
    from golearn.environments.cuda_batches import CudaGoBatch, cuda

    batch, rng = CudaGoBatch(GoBatch(size, games, auto_reset="same_step")), np.random.default_rng(0)
    # Games of a batch begin together; after a while they are spread out.
    for _ in range(2 * size * size):
        batch.step(batch.sample(rng), show=False)
    chances = [cuda.to_device(rng.random(games)) for _ in range(STEPS)]

    def play() -> float:
        cuda.synchronize()
        begun = time.perf_counter()
        for chance in chances:
            batch.step(batch.sample(chance))
        cuda.synchronize()
        return STEPS * games / (time.perf_counter() - begun)

    play()
    return play


def pgx(size: int, games: int) -> Round:
    """Return a round of Pgx: a batch from its beginning, for as long as nearly all games last."""
    # It takes most of the card's memory otherwise.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    advance = pgx_round(size, games, PGX_STEPS)

    def play() -> float:
        begun = time.perf_counter()
        return advance() / (time.perf_counter() - begun)

    return play


def compare(size: int, games: int, rounds: int) -> list[str]:
    """Return the row of a board size and a batch."""
    mine, theirs = ours(size, games), None
    try:
        theirs = pgx(size, games)
    except ImportError as error:
        print(f"pgx left out: {error}", file=sys.stderr)
    rates, others = list[float](), list[float]()
    for _ in range(rounds):
        rates.append(mine())
        others += [theirs()] if theirs else []

    ratio = spread([one / other for one, other in zip(rates, others, strict=False)])
    return [f"{size}x{size}", f"{games:,}", *(spread([rate / 1e6 for rate in found]) for found in (rates, others)), ratio]


def main() -> int:
    """Measure and print."""
    parser = parser_of("card", "Environment steps a second on a graphics card.")
    parser.add_argument("--rounds", type=whole_number(1, 1000, "a number"), default=5, help="how often each figure is taken")
    parser.add_argument("--sizes", type=whole_number(2, 19, "a size"), nargs="*", default=[5, 9, 19], help="default: 5 9 19")
    parser.add_argument(
        "--games", type=whole_number(1, 10**7, "a number"), nargs="*", default=[2**14, 2**15, 2**16, 2**17],
        help="batches (default: 16384 32768 65536 131072)",
    )  # fmt: skip
    arguments = parser.parse_args()
    rows = [compare(size, games, arguments.rounds) for size in arguments.sizes for games in arguments.games]
    print("millions of steps a second: step, legal actions, observation")
    heads = ["board", "games", "CudaGoBatch", "Pgx", "as fast"]
    print(tabulate(rows, heads, disable_numparse=True, colalign=("left", "right", "right", "right", "right")))
    return DONE


if __name__ == "__main__":
    sys.exit(run("card", main, EnvironmentsError))
