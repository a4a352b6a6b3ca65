"""Learn weights of patterns from finished games.

    python3 -m golearn.patterns games.sgf --out mine.json           then: montecarlo:patterns=mine.json
    python3 -m golearn.patterns *.sgf --rules aga --steps 500       for other rules; a first try

Every tenth game is kept back: by these is told what was learned, as the mean squared distance between the results of games and
how often playouts from their positions win. The factors depend on the games, the options and the seed, not on --workers.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from goban.common.command_lines import DONE, INTERRUPTED, CommandError, Parser, whole_number
from goban.common.files import check_writable, write_beside
from goban.montecarlo.pattern_sets import ENDING, GNUGO_NAMES
from goban.rulesets import PRESETS, full_name, ruleset
from golearn.errors import PatternTrainingError
from golearn.patterns.training import FinishedGame, Plan, Training, error_of, games_of

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
    made.add_argument("--playouts", type=number, default=Plan.playouts, metavar="N", help="a position (default: %(default)s)")
    made.add_argument("--rate", type=float, default=Plan.rate, metavar="R", help="length of a step (default: %(default)s)")
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
    check_writable(options.out)
    games = games_of(options.games, ruleset(options.rules))
    if len(games) < _APART:
        raise PatternTrainingError(f"expected {_APART} games with a result or more, got {len(games)}")
    apart = games[::_APART]
    training = Training([game for k, game in enumerate(games) if k % _APART], plan, options.workers)
    print(f"{len(games)} games, {len(apart)} of them kept back: {_told(training, apart)} before", flush=True)
    try:
        for _ in tqdm(training.steps(), total=plan.steps, unit=" steps", file=sys.stderr, disable=None):
            pass
    except KeyboardInterrupt:
        write_beside(options.out, training.factors().text().encode())
        sys.stderr.write(f"\nstopped; what was learned so far is in {options.out}\n")
        return INTERRUPTED
    write_beside(options.out, training.factors().text().encode())
    print(f"{_told(training, apart)} after {plan.steps} steps: {options.out}")
    return DONE


def _plan(options: argparse.Namespace) -> Plan:
    if options.out.suffix != ENDING:
        raise CommandError(f"--out: expected a name that ends in {ENDING}, got '{options.out}'")
    if options.playouts % 2:
        raise CommandError(f"--playouts: expected an even number, got {options.playouts}")
    if not 0 < options.rate <= 1:
        raise CommandError(f"--rate: expected more than 0 and at most 1, got {options.rate:g}")
    return Plan(options.base, options.steps, options.playouts, options.rate, options.seed)


def _told(training: Training, apart: Sequence[FinishedGame]) -> str:
    return f"squared distance {error_of(training.factors(), apart, _PLAYOUTS, 0):.4f}"
