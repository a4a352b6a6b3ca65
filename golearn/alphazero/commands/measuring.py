"""evaluate, curve, truth-set: how near networks, searches and players come to the exact values."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goban.common.command_lines import DONE, CommandError, Subcommand, complain, whole_number
from goban.common.excerpts import is_terminal, quoted
from goban.common.files import check_writable, write_beside
from goban.common.terminals import fit_tables
from players.registry import tell_compilation

if TYPE_CHECKING:
    from golearn.alphazero.answers import Ask
    from golearn.alphazero.truth import Estimate
    from golearn.evaluation import Evaluation, Progress, Results

LINES, PICTURE = "truth.jsonl", "truth.svg"
LINES_OF_JSON = (".jsonl", ".json", ".txt")
COUNT = 2000
PLAYERS_HELP = (
    "a network's file, FILE.npz or FILE.onnx, alone or with a search, FILE.npz:simulations=32; uniform:simulations=32, "
    "rollouts:simulations=100, random, minimax (small games) or, in games of Go, any player of go_play.py, gtp:COMMAND, or "
    "MODULE:FUNCTION"
)


def add_game(parser: argparse.ArgumentParser, choices: Sequence[str]) -> None:
    """Add --game, one of these or somebody's own."""

    def name(text: str) -> str:
        if ":" not in text and text not in choices:
            raise argparse.ArgumentTypeError(f"expected one of {', '.join(choices)}, or MODULE:CLASS, got {quoted(text)}")
        return text

    parser.add_argument("--game", type=name, default="go5", metavar="GAME", help=(
        f"{', '.join(choices)}, or your own, MODULE:CLASS (default: %(default)s)"
    ))  # fmt: skip


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add --seed, from which all chance comes."""
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), default=1, help=(
        "seed of all random choices (default: 1)"
    ))  # fmt: skip


@contextmanager
def tell_if_stopped(command: str, text: str) -> Iterator[None]:
    """Within the block, Ctrl-C has a command say what there is so far, if there is a text; KeyboardInterrupt goes on."""
    try:
        yield
    except KeyboardInterrupt:
        if text:
            complain(command, text)
        raise


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Yield what shows on a terminal how far something is; see `golearn.evaluation.Progress`."""
    from tqdm import tqdm

    bars: dict[str, Any] = {}

    def show(what: str, done: int, total: int) -> None:
        if what not in bars:
            bars[what] = tqdm(total=total, unit=f" {what}", leave=False, disable=not is_terminal(sys.stderr))
        bars[what].update(done - bars[what].n)

    try:
        yield show
    finally:
        for bar in bars.values():
            bar.close()


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    from golearn.evaluation import GAMES, OF_OPENINGS

    parser.add_argument("players", nargs="+", metavar="PLAYER", help=PLAYERS_HELP)
    add_game(parser, (*GAMES, *OF_OPENINGS))
    parser.add_argument("--positions", type=Path, metavar="FILE", help=(
        "Go positions with exact values, as written by truth-set (default: those that come with the project)"
    ))  # fmt: skip
    parser.add_argument("--conversion", type=whole_number(0, 10_000, "a number of games"), default=0, metavar="GAMES", help=(
        "in Go, also play this many won positions against `perfect` (default: none; 200 take some minutes)"
    ))  # fmt: skip
    add_seed(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write every figure, as lines of JSON")


def _evaluate(options: argparse.Namespace) -> int:
    """Print a table for each player, and write their figures."""
    from golearn.evaluation import OF_POSITIONS, evaluate

    game, positions, conversion = options.game, options.positions, options.conversion
    if game not in OF_POSITIONS and (positions or conversion):
        raise CommandError(f"--positions and --conversion: expected with {' or '.join(OF_POSITIONS)} only")
    if options.out is not None:
        check_writable(options.out, *LINES_OF_JSON)
    lines: list[str] = []
    for done, name in enumerate(options.players):
        so_far = f"{options.out} has {done} of {len(options.players)} players" if options.out else ""
        with tell_if_stopped("evaluate", so_far), tell_compilation("evaluate"), show_progress() as show:
            evaluation = evaluate(name, game, positions=positions, conversion=conversion, seed=options.seed, progress=show)
        print(fit_tables("\n".join(filter(None, (f"{name}, {game}", *_texts(evaluation))))), end="\n\n", flush=True)
        about = {"player": name, "game": game}
        lines += lines_of(about, evaluation.results)
        if evaluation.opening is not None:
            lines.append(json.dumps({**about, "opening": asdict(evaluation.opening)}))
        if options.out is not None:
            write_beside(options.out, "".join(f"{line}\n" for line in lines).encode())
    return DONE


def _texts(evaluation: Evaluation) -> tuple[str, str]:
    """Return the table, and what is said of the opening; '' for what there is not."""
    from tabulate import tabulate

    results = evaluation.results
    names = dict.fromkeys(name for metrics in results.values() for name in metrics)
    rows = [[name, *(cell(name, metrics.get(name)) for metrics in results.values())] for name in names]
    table = tabulate(rows, ["", *results], disable_numparse=True) if rows else ""
    return table, "; ".join(str(part) for part in (evaluation.opening, evaluation.note) if part)


def _add_curve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help=(
        f"folder of a run; {LINES} and {PICTURE} are written there. Games are those of evaluate"
    ))  # fmt: skip


def _curve(options: argparse.Namespace) -> int:
    """Measure each network, print a table, write figures and the picture."""
    from golearn.alphazero.answers import network_answers
    from golearn.alphazero.games import find_game
    from golearn.alphazero.runs import kept_networks, plan_of, truth_picture
    from golearn.alphazero.weights import NumpyNetwork

    name = plan_of(options.folder).game
    game, measure = find_game(name), _measure(name)
    networks = kept_networks(options.folder)
    if not networks:
        raise CommandError(f"{options.folder}: no network of this run has been written yet")
    curve: list[tuple[int, Results]] = []
    with tell_compilation("curve"):
        for weights in networks:
            with show_progress() as show:
                curve.append((int(weights.about["games"]), measure(network_answers(game, NumpyNetwork(weights)), show)))
    lines = [line for games, results in curve for line in lines_of({"games": games, "game": name}, results)]
    write_beside(options.folder / LINES, "".join(f"{line}\n" for line in lines).encode())
    write_beside(options.folder / PICTURE, truth_picture(curve).encode())
    print(fit_tables(_curve_table(curve)))
    return DONE


def _measure(name: str) -> Callable[[Ask, Progress], Results]:
    """Return what measures answers about a game; raises CommandError for one whose values nobody knows."""
    from golearn.evaluation import GAMES, OF_POSITIONS, EveryState, known_positions, of_positions

    if name in OF_POSITIONS:
        known = known_positions(name)
        return lambda ask, show: of_positions(known, ask, show)
    if name not in GAMES and ":" not in name:
        raise CommandError(f"expected a run of {', '.join(GAMES)}, or of a small game of your own; this one is of {name}")
    return EveryState(name).measure


def _curve_table(curve: Sequence[tuple[int, Results]]) -> str:
    from tabulate import tabulate

    from golearn.alphazero.runs import TRUTHS
    from golearn.alphazero.truth import EVERY

    names = [name for name in TRUTHS if name in curve[0][1][EVERY]]
    rows: list[list[Any]] = [
        [f"{games:,}", *(cell(name, results[EVERY].get(name)) for name in names)] for games, results in curve
    ]
    return tabulate(rows, ["games", *names], disable_numparse=True, colalign=("right", *("left" for _ in names)))


def cell(name: str, estimate: Estimate | None) -> str:
    """Return a metric with its interval, '' if nothing is known of it."""
    from golearn.alphazero.truth import SHARES

    if estimate is None:
        return ""
    figures = estimate.value, estimate.low, estimate.high
    return "{:.1%} ({:.1%}-{:.1%})".format(*figures) if name in SHARES else "{:.3f} ({:.3f}-{:.3f})".format(*figures)


def lines_of(about: dict[str, Any], results: Results) -> list[str]:
    """Return results as lines of JSON, one for each figure; about: what they all say."""
    return [
        json.dumps({**about, "positions": part, "metric": name, **asdict(estimate)})
        for part, metrics in results.items()
        for name, estimate in metrics.items()
    ]


def _add_truth_set(parser: argparse.ArgumentParser) -> None:
    from golearn.alphazero.go_positions import RULES

    parser.add_argument("rules", choices=RULES, help="rule set")
    parser.add_argument("--positions", type=whole_number(1, 100_000, "a number"), default=COUNT, metavar="N", help=(
        "number of positions, a quarter from each part of the game (default: %(default)s, which take a quarter of an hour)"
    ))  # fmt: skip
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), default=1, help="default: %(default)s")
    parser.add_argument("--out", type=Path, metavar="FILE", help="file to write, an .npz (default: RULES.npz)")


def _make_truth_set(options: argparse.Namespace) -> int:
    """Make the file. What was found is kept beside it: stopped, the same command goes on."""
    from tqdm import tqdm

    from golearn.alphazero.go_positions import make_positions, set_bytes

    path = options.out or Path(f"{options.rules}.npz")
    check_writable(path, ".npz")
    notes = path.with_name(f"{path.name}.part")
    so_far = f"what is done is in {notes}: the same command goes on from there"
    hidden = not is_terminal(sys.stderr)
    with tqdm(total=options.positions, unit=" positions", disable=hidden) as bar, tell_if_stopped("truth-set", so_far):
        known = make_positions(options.rules, options.positions, options.seed, notes, lambda n: bar.update(n - bar.n))
    data = set_bytes(known)
    write_beside(path, data)
    notes.unlink()
    print(f"{path}: {len(known):,} positions, {len(data):,} bytes")
    return DONE


EVALUATE = Subcommand("measure how near networks, searches and players come to the exact values", _add_evaluate, _evaluate)
CURVE = Subcommand("measure a run's networks against the exact values, and draw the curve", _add_curve, _curve)
TRUTH_SET = Subcommand(
    "draw random positions of 5x5 Go and find the exact value of every action", _add_truth_set, _make_truth_set
)
