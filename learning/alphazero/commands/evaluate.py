"""evaluate: how near networks, searches and players come to the exact values."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from common.command_lines import DONE, CommandError, complain, whole_number
from common.files import write_beside
from learning.alphazero.commands.compilations import compilation_told

if TYPE_CHECKING:
    from learning.alphazero.answers import Answers, Ask
    from learning.alphazero.truth import Estimate, Metrics

SUMMARY = "how near networks, searches and players come to the exact values"
OF_POSITIONS = ("go5", "go5-littlego")
"""Games of which the values of some positions are known."""
GAMES = (*OF_POSITIONS, "tictactoe")
"""With those of which every state can be looked at, as of one's own it may be."""

Results = dict[str, "Metrics"]
"""By the name of a part of the positions."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    from learning.alphazero.commands.contenders import PLAYERS_HELP, add_game_argument

    parser.add_argument("players", nargs="+", metavar="PLAYER", help=PLAYERS_HELP)
    add_game_argument(parser, GAMES)
    parser.add_argument("--positions", type=Path, metavar="FILE", help=(
        "of Go, with exact values, as truth-set writes them (default: those that come with the project)"
    ))  # fmt: skip
    parser.add_argument("--conversion", type=whole_number(0, 10_000, "a number of games"), default=0, metavar="GAMES", help=(
        "of Go: also play so many won positions against `perfect` (default: none; 200 take some minutes)"
    ))  # fmt: skip
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), default=1, help="of all chance (default: 1)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write every figure, as lines of JSON")


def run(options: argparse.Namespace) -> int:
    """Print a table for each player, and write their figures."""
    measure = _go if options.game in OF_POSITIONS else _every_state
    if options.game not in OF_POSITIONS and (options.positions or options.conversion):
        raise CommandError("--positions and --conversion: expected with games of Go only")
    lines: list[str] = []
    for done, name in enumerate(options.players):
        try:
            with compilation_told("evaluate"):
                results, remark = measure(options, name)
        except KeyboardInterrupt:
            if options.out is not None:
                complain("evaluate", f"{options.out} has {done} of {len(options.players)} players")
            raise
        print("\n".join(filter(None, (f"{name}, {options.game}", _table(results), remark))), end="\n\n", flush=True)
        lines += _lines({"player": name, "game": options.game}, results)
        if options.out is not None:
            write_beside(options.out, "".join(f"{line}\n" for line in lines).encode())
    return DONE


def _go(options: argparse.Namespace, name: str) -> tuple[Results, str]:
    from learning.alphazero.commands.contenders import contender
    from learning.alphazero.complete_games import CompleteGame
    from learning.alphazero.go_positions import read_positions, shipped_path
    from learning.alphazero.go_trials import conversion, opening
    from learning.alphazero.truth import by_bucket

    rules = "course" if options.game == "go5" else "littlego"
    known = read_positions(options.positions or shipped_path(rules))
    if known.rules != rules:
        raise CommandError(f"--positions: expected positions of {rules}, got {known.rules}")
    ask = contender(name, CompleteGame(known.game), f"{options.seed} {name}")
    results = by_bucket(known, _asked(ask, known.states()))
    if options.conversion:
        with _bar(options.conversion, " games") as bar:
            shares = conversion(known, ask, options.conversion, options.seed, lambda ended: bar.update(ended - bar.n))
        for part, share in shares.items():
            results[part]["conversion"] = share
    opened = opening(known, ask)
    remark = f"opens with {opened.move}"
    if opened.value is not None:
        remark += f"; value of the empty board {opened.value:+.2f}, of the board after C3 {opened.value_after_centre:+.2f}"
    return results, remark


def _every_state(options: argparse.Namespace, name: str) -> tuple[Results, str]:
    from learning.alphazero.commands.contenders import contender
    from learning.alphazero.complete_games import game_named
    from learning.alphazero.minimax import Minimax, every_state, kept_values
    from learning.alphazero.truth import EVERY

    game = game_named(options.game)
    ask, solved = contender(name, game, f"{options.seed} {name}"), Minimax(game)
    # Before its states are listed: this is what finds out whether the game is small enough.
    solved.value(game.initial_state())
    states = list(every_state(game))
    return {EVERY: kept_values(solved, states, _asked(ask, states))}, ""


def _asked(ask: Ask, states: Sequence[Any]) -> Answers:
    """Ask about all states; show how far that is."""
    from learning.alphazero.answers import MOST_AT_ONCE, together

    found = []
    with _bar(len(states), " positions") as bar:
        for first in range(0, len(states), MOST_AT_ONCE):
            found.append(ask(states[first : first + MOST_AT_ONCE]))
            bar.update(len(found[-1].actions))
    return together(found)


def _bar(total: int, unit: str) -> Any:  # noqa: ANN401
    from tqdm import tqdm

    return tqdm(total=total, unit=unit, leave=False, disable=not sys.stderr.isatty())


def _table(results: Results) -> str:
    from tabulate import tabulate

    names = dict.fromkeys(name for metrics in results.values() for name in metrics)
    rows = [[name, *(_cell(name, metrics.get(name)) for metrics in results.values())] for name in names]
    return tabulate(rows, ["", *results], disable_numparse=True)


def _cell(name: str, estimate: Estimate | None) -> str:
    from learning.alphazero.truth import SHARES

    if estimate is None:
        return ""
    figures = estimate.value, estimate.low, estimate.high
    return "{:.1%} ({:.1%}-{:.1%})".format(*figures) if name in SHARES else "{:.3f} ({:.3f}-{:.3f})".format(*figures)


def _lines(about: dict[str, str], results: Results) -> list[str]:
    return [
        json.dumps({**about, "positions": part, "metric": name, **asdict(estimate)})
        for part, metrics in results.items()
        for name, estimate in metrics.items()
    ]
