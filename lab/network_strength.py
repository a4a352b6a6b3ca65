"""How strong a network of Go is with a search, against `montecarlo` in equal time or against GNU Go --monte-carlo.

    python3 -m lab.network_strength go7.npz --simulations 32
    python3 -m lab.network_strength go9.npz --simulations 400 --gnugo 80000 --rules tromp-taylor-strict

Games are on the board that the network is for. Players take turns with Black, each game has its own seed, and our board and our
count decide. Equal time is time of the processor, see `benchmarks.strength`: `montecarlo` may spend what the network's search
has spent in the same game on as many moves, and FIRST_MOVE if it moves first. What either side compiles is compiled before a
game begins, and counts as nobody's time. GNU Go is given simulations. The table says what both have spent, and the ratio. The
network plays without chance: it is its opponent's seeds that make games differ.

Games are kept in build/network_strength, by the network's digest, as they end: the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from pathlib import Path

# Small products are not worth numpy's second thread, whose spinning would count as the network's time.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from tabulate import tabulate

from benchmarks.kept_games import HEADERS, Pairing, play_all, row
from benchmarks.pools import parser_of
from benchmarks.strength import monte_carlo
from goban.common.command_lines import DONE, CommandError, run, whole_number
from goban.rulesets import PRESETS, full_name
from golearn.alphazero.weights import read_weights
from golearn.errors import AlphaZeroError
from players.errors import BadPlayerError

FIRST_MOVE = "seconds=0.05"
"""What `montecarlo` may spend on a move before the network has made one."""
FOLDER = Path("build/network_strength")


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser."""
    made = parser_of("network_strength", "How strong a network is with a search, against montecarlo or GNU Go.")
    number = whole_number(1, 10**9, "a number")
    made.add_argument("network", type=Path, metavar="FILE", help="as `python3 -m golearn.alphazero export` writes it")
    made.add_argument(
        "--rules", type=full_name, choices=tuple(PRESETS), default="alphago7", metavar="RULES", help="default: %(default)s"
    )
    made.add_argument("--simulations", type=number, default=32, metavar="N", help="a move (default: %(default)s)")
    made.add_argument("--gnugo", type=number, metavar="N", help="against GNU Go --monte-carlo with so many simulations a move")
    made.add_argument("--games", type=number, default=400, metavar="N", help="default: %(default)s")
    made.add_argument("--seed", type=whole_number(0, 2**31, "a seed"), default=1, metavar="N", help="default: 1")
    return made


def pairing_of(options: argparse.Namespace) -> Pairing:
    """Return who plays. Raises BadWeightsError for a file that holds no network, CommandError for one that cannot be read."""
    try:
        size = read_weights(options.network).architecture.height
    except OSError as error:
        raise CommandError(f"{options.network}: {error.strerror}") from None
    opponent, name = f"montecarlo:{FIRST_MOVE}", "montecarlo in equal time"
    if options.gnugo:
        opponent, name = monte_carlo(options.gnugo), f"GNU Go --monte-carlo, {options.gnugo} simulations,"
    label = f"{name} against {options.network.name}, {options.simulations} simulations"
    network = f"zero:network={options.network},simulations={options.simulations}"
    conditions = options.rules, size, options.games, options.seed
    return Pairing(label, opponent, network, *conditions, equal=not options.gnugo)


def main() -> int:
    """Play and print."""
    options = parser().parse_args()
    pairing = pairing_of(options)
    FOLDER.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(options.network.read_bytes()).hexdigest()[:16]
    (games,) = play_all([pairing], FOLDER / f"{digest}.jsonl")
    print(tabulate([row(pairing.label, games)], HEADERS, disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("network_strength", main, BadPlayerError, AlphaZeroError))
