"""Train the table of my_player.py by Q-learning.

    python3 -m golearn.qlearning                                     as `python3 my_player.py learn` does, faster and longer
    python3 -m golearn.qlearning --games 20000                       a first try, in seconds
    python3 -m golearn.qlearning --rule minimax                      the shipped table, byte for byte
    python3 -m golearn.qlearning --resume trained.npz                go on after Ctrl-C or a crash

Prints a line of the learning curve per evaluation. Writes the table (--table) and, next to it, a checkpoint (.npz) to go
on from. The result depends on the options and the seed, not on --workers nor on interruptions.

A learning curve, as text or as a picture, says how well the trained player does on the real host against the reference players.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import random
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tqdm import tqdm

from go import GO
from goban.common.command_lines import DONE, INTERRUPTED, Parser, command_line, how_to_install
from goban.common.excerpts import is_terminal, quoted_path
from goban.common.files import check_writable, write_beside
from goban.grids import BLACK, WHITE
from goban.kernels.reference_players import REFERENCES
from golearn.errors import BadPlanError
from golearn.qlearning import checkpoints
from golearn.qlearning.checkpoints import table_bytes
from golearn.qlearning.training import MINIMAX, OPPONENTS, RIVAL, RULES, Plan, Training
from players.qlearner_player import QLearnerPlayer
from players.registry import make_player
from players.shipped_player import ShippedPlayer


class TableAlone(QLearnerPlayer):
    """Plays as `qlearner` does, by another table: what was learned is seen best without a look ahead."""

    def __init__(self, table: Path) -> None:
        super().__init__(random.Random(1))
        self._learner = ShippedPlayer(table)


def _wins(player: TableAlone, opponent: str, colour: int, games: range, seed: int) -> int:
    """Return how many of the games `player` wins as `colour`; each has its own generator, made from seed and number."""
    won = 0
    for game in games:
        other = make_player(opponent, random.Random(f"{seed} {opponent} {colour} {game}"))
        black, white = (player, other) if colour == BLACK else (other, player)
        won += GO(5).play(black, white) == colour
    return won


def win_rates(table: Path, games: int, seed: int) -> Iterator[tuple[str, float]]:
    """Yield ('smart B', share of games won as Black), ('smart W', ...) for every reference player."""
    player = TableAlone(table)
    for opponent in REFERENCES:
        for colour, letter in ((BLACK, "B"), (WHITE, "W")):
            yield f"{opponent} {letter}", _wins(player, opponent, colour, range(games), seed) / games


_CELL = 7
"""Width of a win rate."""
Point = dict[str, float]
"""One evaluation: 'games' played so far, mean squared 'error', and a win rate (0 to 1) under each opponent and colour."""


def curve_header(point: Point) -> str:
    """Return the two lines of column names above a curve."""
    names = [name.split() for name in point if name not in ("games", "error")]
    opponents = "".join(f"{name:>{2 * _CELL}}" for name in dict.fromkeys(name for name, _ in names))
    return f"{'':>18}{opponents}\n{'games':>10} {'error':>7}" + "".join(f"{colour:>{_CELL}}" for _, colour in names)


def curve_line(point: Point) -> str:
    """Return one evaluation as a line under `curve_header`; against four opponents it fits into 80 columns."""
    rates = (rate for name, rate in point.items() if name not in ("games", "error"))
    return f"{point['games']:>10.0f} {point['error']:>7.4f}" + "".join(f"{rate:>{_CELL}.1%}" for rate in rates)


def check_curve_format(path: Path) -> None:
    """Raise BadPlanError if no curve can be written to this path: a wrong ending, or no matplotlib for a picture."""
    if path.suffix not in (".txt", ".png"):
        raise BadPlanError(f"--curve: expected a file ending in .txt or .png, got {str(path)!r}")
    if path.suffix == ".png" and importlib.util.find_spec("matplotlib") is None:
        raise BadPlanError(f"--curve: a .png needs matplotlib, which is missing ({how_to_install('plots')}); ask for a .txt")


def write_curve(curve: Sequence[Point], path: Path) -> None:
    """Write a curve of at least one point as text or as a picture, as the ending of the path says."""
    if path.suffix == ".txt":
        write_beside(path, "\n".join([curve_header(curve[0]), *map(curve_line, curve), ""]).encode())
    else:
        _draw(curve, path)


def _draw(curve: Sequence[Point], path: Path) -> None:
    import io

    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    games = [point["games"] for point in curve]
    # A colour for each opponent; a broken line as White, so that lines on top of each other can be told apart.
    for k, name in enumerate(name for name in curve[0] if name not in ("games", "error")):
        opponent, colour = name.split()
        side, style = ("Black", "o-") if colour == "B" else ("White", "x--")
        axes.plot(games, [100 * point[name] for point in curve], style, color=f"C{k // 2}", label=f"{opponent}, as {side}")
    axes.set(xlabel="training games", ylabel="games won, %", ylim=(-2, 102))
    axes.set_xlim(left=0)
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right upper")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    write_beside(path, buffer.getvalue())


# What a run is made of and a checkpoint therefore fixes: rule -> option -> value unless given.
DEFAULTS: dict[str, dict[str, Any]] = {
    RIVAL: {
        "games": 1_000_000,
        "seed": 1,
        "opponents": "random:1,greedy:2,smart:1,aggressive:1",
        "rate": "0.06:0.001",
        "exploration": "0.15:0.02",
        "trace": 0.8,
        "states_from": 1.0,
    },
    MINIMAX: {
        "games": 4_000_000,
        "seed": 1,
        "opponents": "self:7,greedy:1,aggressive:1,smart:1",
        "rate": "0.1:0.0025",
        "exploration": "0.35:0.01",
        "trace": 0.8,
        "states_from": 0.5,
    },
}
OPTIONS = ("rule", *DEFAULTS[RIVAL])
"""Those of the plan."""


def parser() -> Parser:
    """Return the command line's parser; options of the plan are None unless given."""
    description = "Train the table of my_player.py by Q-learning."
    root = Parser(name="qlearning", prog=command_line("golearn.qlearning"), description=description)
    plan = root.add_argument_group("the plan, on which the result depends")
    plan.add_argument("--rule", choices=RULES, help=(
        "rival: as in `my_player.py learn`, the default; minimax: as for the shipped table, with defaults of its own"
    ))  # fmt: skip
    plan.add_argument("--games", type=int, help=f"training games ({_defaults('games')})")
    plan.add_argument("--seed", type=int, help=f"whole number ({_defaults('seed')})")
    plan.add_argument("--opponents", metavar="NAME[:SHARE],...", help=(
        f"from {', '.join(OPPONENTS)}; 'past' means earlier tables of the same run ({_defaults('opponents')})"
    ))  # fmt: skip
    plan.add_argument("--rate", metavar="START[:END]", help=f"learning rate ({_defaults('rate')})")
    plan.add_argument("--exploration", metavar="START[:END]", help=f"share of random moves ({_defaults('exploration')})")
    plan.add_argument("--trace", type=float, help=f"lambda of Q(lambda), 0 to 1 ({_defaults('trace')})")
    plan.add_argument("--states-from", type=float, metavar="SHARE", help=(
        f"fraction of the games after which single states are learned too, 0 to 1 ({_defaults('states_from')})"
    ))  # fmt: skip
    root.add_argument("--resume", type=Path, metavar="FILE", help="continue from a checkpoint, with the plan stored in it")
    root.add_argument("--table", type=Path, default=Path("trained.bin"), help="file to write (default %(default)s)")
    root.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="threads, for minimax (default: one per core)")
    root.add_argument("--evaluations", type=int, default=10, help="number of evaluations during the run (default %(default)s)")
    root.add_argument("--evaluation-games", type=int, default=10, metavar="N", help=(
        "evaluation games per opponent and colour (default %(default)s)"
    ))  # fmt: skip
    root.add_argument("--curve", type=Path, metavar="FILE", help="also write the learning curve, to a .txt or .png")
    return root


def _defaults(option: str) -> str:
    rival, minimax = (DEFAULTS[rule][option] for rule in RULES)
    return f"default {rival}" + (f", minimax {minimax}" if minimax != rival else "")


def read_schedule(option: str, text: str, least: float) -> tuple[float, float]:
    """Return (start, end) from 'START' or 'START:END'; raises BadPlanError unless both are from `least` to 1."""
    parts = text.split(":")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2) or not all(least <= number <= 1 for number in numbers):
        raise BadPlanError(f"--{option}: expected START or START:END, each from {least:g} to 1, got {text!r}")
    return numbers[0], numbers[-1]


def read_opponents(text: str) -> dict[str, float]:
    """Return name -> share from 'smart,self:3'; raises BadPlanError for unknown names and bad shares."""
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.strip().partition(":")
        if name not in OPPONENTS:
            raise BadPlanError(f"--opponents: expected some of {', '.join(OPPONENTS)}, got {name!r}")
        try:
            shares[name] = float(share or 1)
        except ValueError:
            shares[name] = math.nan
        if not 0 < shares[name] < math.inf:
            raise BadPlanError(f"--opponents: expected a share above 0 after {name!r}, got {share!r}")
    return shares


def read_plan(options: argparse.Namespace) -> Plan:
    """Return the plan the options ask for; raises BadPlanError."""
    rule = options.rule or RIVAL
    given = {name: getattr(options, name) for name in DEFAULTS[rule]}
    chosen = {name: DEFAULTS[rule][name] if value is None else value for name, value in given.items()}
    if chosen["games"] < 1:
        raise BadPlanError(f"--games: expected at least 1, got {chosen['games']}")
    for name in ("trace", "states_from"):
        if not 0 <= chosen[name] <= 1:
            raise BadPlanError(f"--{name.replace('_', '-')}: expected a number from 0 to 1, got {chosen[name]}")
    return Plan(
        rule=rule,
        games=chosen["games"],
        seed=chosen["seed"],
        opponents=read_opponents(chosen["opponents"]),
        rate=read_schedule("rate", chosen["rate"], 1e-6),
        exploration=read_schedule("exploration", chosen["exploration"], 0),
        trace=chosen["trace"],
        states_from=chosen["states_from"],
    )


def start(options: argparse.Namespace) -> Training:
    """Return the training run to be done, fresh or resumed; raises LearningError."""
    for name in ("workers", "evaluations", "evaluation_games"):
        if getattr(options, name) < 1:
            raise BadPlanError(f"--{name.replace('_', '-')}: expected at least 1, got {getattr(options, name)}")
    if options.curve is not None:
        check_curve_format(options.curve)
    if not options.table.name:
        raise BadPlanError(f"--table: expected the name of a file, got {quoted_path(options.table)}")
    if options.table.suffix == ".npz":
        raise BadPlanError(f"--table: the checkpoint will be called {str(options.table)!r}, choose another ending")
    for name, path, suffixes in (
        ("table", options.table, [".bin"]), ("table", options.table.with_suffix(".npz"), [".npz"]),
        ("curve", options.curve, [".txt", ".png"]),
    ):  # fmt: skip
        try:
            if path is not None:
                check_writable(path, *suffixes)
        except OSError as error:
            raise BadPlanError(f"--{name}: {quoted_path(path)} cannot be written: {error.strerror}") from None
    if options.resume is None:
        plan = read_plan(options)
        _check_nothing_is_lost(plan, options.table)
        return Training(plan)
    doubled = [name for name in OPTIONS if getattr(options, name) is not None]
    if doubled:
        raise BadPlanError(f"--resume goes on with the plan in the file: leave out --{doubled[0].replace('_', '-')}")
    return checkpoints.load(options.resume)


def _check_nothing_is_lost(plan: Plan, table: Path) -> None:
    """Raise BadPlanError if a table would be replaced that has learned from more games than a new one is to."""
    checkpoint = table.with_suffix(".npz")
    played = checkpoints.games_in(checkpoint) if table.exists() else 0
    if played > plan.games:
        raise BadPlanError(
            f"--table: {table} has learned from {played} games, and would be replaced by one of {plan.games}: "
            f"expected another name, or --resume {checkpoint} to go on with it"
        )


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """Collect Ctrl-C in a list instead of raising: a round is either learned from as a whole or not at all."""
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)


def save(training: Training, options: argparse.Namespace) -> str:
    """Write table, checkpoint and, once there is one, the curve; return their names in words."""
    checkpoint = options.table.with_suffix(".npz")
    write_beside(options.table, table_bytes(training.weights, *training.known_states(), training.geometry))
    checkpoints.save(training, checkpoint)
    names = [str(options.table), str(checkpoint)]
    if options.curve is not None and training.curve:
        write_curve(training.curve, options.curve)
        names.append(str(options.curve))
    return ", ".join(names)


def evaluate(training: Training, options: argparse.Namespace, error: float, stopped: Sequence[int]) -> None:
    """Save, play evaluation games with the saved table, add a point to the curve and print it, unless stopped meanwhile."""
    save(training, options)
    point = {"games": float(training.played), "error": error}
    for name, rate in win_rates(options.table, options.evaluation_games, training.plan.seed):
        if stopped:
            return
        point[name] = rate
    # Not in the line of the bar.
    if not training.curve:
        tqdm.write(curve_header(point))
    training.curve.append(point)
    tqdm.write(curve_line(point))
    sys.stdout.flush()


def train(training: Training, options: argparse.Namespace, stopped: Sequence[int]) -> None:
    """Play the games the plan still asks for, or as many whole rounds as there are before Ctrl-C fills `stopped`."""
    games = training.plan.games
    marks = [games * k // options.evaluations for k in range(1, options.evaluations + 1)]
    bar = tqdm(total=games, initial=training.played, unit="game", disable=not is_terminal(sys.stderr))
    with ThreadPoolExecutor(options.workers) as workers, bar:
        while training.played < games and not stopped:
            before = training.played
            error = training.step(workers)
            bar.update(training.played - before)
            if any(before < mark <= training.played for mark in marks):
                evaluate(training, options, error, stopped)


def train_as_asked(arguments: Sequence[str] | None) -> int:
    """Do what the command line says; return the exit status: 0 done, 130 stopped by Ctrl-C. Raises LearningError, OSError."""
    options = parser().parse_args(arguments)
    with interrupts() as stopped:
        training = start(options)
        train(training, options, stopped)
        saved = save(training, options)
    finished = training.played >= training.plan.games
    print(f"{'done' if finished else 'stopped'} after {training.played} of {training.plan.games} games; saved {saved}")
    return DONE if finished else INTERRUPTED
