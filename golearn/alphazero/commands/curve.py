"""curve: how near the networks of a run came to the exact values, one after the other."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goban.common.command_lines import DONE, CommandError
from goban.common.files import write_beside
from players.registry import compilation_told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from golearn.alphazero.answers import Ask
    from golearn.alphazero.commands.contenders import Results

SUMMARY = "measures a run's networks by the exact values, and draws that"
LINES, PICTURE = "truth.jsonl", "truth.svg"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help=(
        f"of a run; {LINES} and {PICTURE} are written there. Games are those of evaluate"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Measure each network, print a table, write figures and the picture."""
    from golearn.alphazero.answers import network_answers
    from golearn.alphazero.commands.contenders import lines_of
    from golearn.alphazero.games import game_named
    from golearn.alphazero.numpy_network import NumpyNetwork
    from golearn.alphazero.runs import kept_networks, plan_of, truth_picture

    name = plan_of(options.folder).game
    game, measure = game_named(name), _measure(name)
    networks = kept_networks(options.folder)
    if not networks:
        raise CommandError(f"{options.folder}: no network of this run has been written yet")
    curve: list[tuple[int, Results]] = []
    with compilation_told("curve"):
        for weights in networks:
            curve.append((int(weights.about["games"]), measure(network_answers(game, NumpyNetwork(weights)))))
    lines = [line for games, results in curve for line in lines_of({"games": games, "game": name}, results)]
    write_beside(options.folder / LINES, "".join(f"{line}\n" for line in lines).encode())
    write_beside(options.folder / PICTURE, truth_picture(curve).encode())
    print(_table(curve))
    return DONE


def _measure(name: str) -> Callable[[Ask], Results]:
    """Return what measures answers about a game; raises CommandError for one whose values nobody knows."""
    from golearn.alphazero.commands.contenders import GAMES, OF_POSITIONS, EveryState, known_positions, of_positions

    if name in OF_POSITIONS:
        known = known_positions(name)
        return lambda ask: of_positions(known, ask)
    if name not in GAMES and ":" not in name:
        raise CommandError(f"expected a run of {', '.join(GAMES)}, or of a small game of your own; this one is of {name}")
    return EveryState(name).measured


def _table(curve: Sequence[tuple[int, Results]]) -> str:
    from tabulate import tabulate

    from golearn.alphazero.commands.contenders import cell
    from golearn.alphazero.runs import TRUTHS
    from golearn.alphazero.truth import EVERY

    names = [name for name in TRUTHS if name in curve[0][1][EVERY]]
    rows: list[list[Any]] = [
        [f"{games:,}", *(cell(name, results[EVERY].get(name)) for name in names)] for games, results in curve
    ]
    return tabulate(rows, ["games", *names], disable_numparse=True, colalign=("right", *("left" for _ in names)))
