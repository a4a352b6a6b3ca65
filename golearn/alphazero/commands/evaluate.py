"""evaluate: how near networks, searches and players come to the exact values."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goban.common.command_lines import DONE, CommandError, complain, whole_number
from goban.common.files import check_writable, write_beside
from players.registry import compilation_told

if TYPE_CHECKING:
    from golearn.alphazero.commands.contenders import Results
    from golearn.alphazero.go_trials import Opening


class _Found(NamedTuple):
    """What is said of one player."""

    results: Results
    opening: Opening | None = None
    remark: str = ""
    """After the opening."""


SUMMARY = "how near networks, searches and players come to the exact values"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    from golearn.alphazero.commands.contenders import GAMES, OF_OPENINGS, PLAYERS_HELP, add_game_argument

    parser.add_argument("players", nargs="+", metavar="PLAYER", help=PLAYERS_HELP)
    add_game_argument(parser, (*GAMES, *OF_OPENINGS))
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
    from golearn.alphazero.commands.contenders import OF_OPENINGS, OF_POSITIONS, lines_of

    measure = _go if options.game in OF_POSITIONS else _opening if options.game in OF_OPENINGS else _every_state
    if options.game not in OF_POSITIONS and (options.positions or options.conversion):
        raise CommandError(f"--positions and --conversion: expected with {' or '.join(OF_POSITIONS)} only")
    if options.out is not None:
        check_writable(options.out)
    lines: list[str] = []
    for done, name in enumerate(options.players):
        try:
            with compilation_told("evaluate"):
                found = measure(options, name)
        except KeyboardInterrupt:
            if options.out is not None:
                complain("evaluate", f"{options.out} has {done} of {len(options.players)} players")
            raise
        print("\n".join(filter(None, (f"{name}, {options.game}", _table(found.results), _said(found)))), end="\n\n", flush=True)
        about = {"player": name, "game": options.game}
        lines += lines_of(about, found.results)
        if found.opening is not None:
            lines.append(json.dumps({**about, "opening": asdict(found.opening)}))
        if options.out is not None:
            write_beside(options.out, "".join(f"{line}\n" for line in lines).encode())
    return DONE


def _said(found: _Found) -> str:
    return "; ".join(str(part) for part in (found.opening, found.remark) if part)


def _go(options: argparse.Namespace, name: str) -> _Found:
    from golearn.alphazero.commands.contenders import bar, contender, known_positions, of_positions
    from golearn.alphazero.games import CompleteGame
    from golearn.alphazero.go_trials import conversion, opening

    known = known_positions(options.game, options.positions)
    ask = contender(name, CompleteGame(known.game), f"{options.seed} {name}")
    results = of_positions(known, ask)
    if options.conversion:
        with bar(options.conversion, " games") as shown:
            shares = conversion(known, ask, options.conversion, options.seed, lambda ended: shown.update(ended - shown.n))
        for part, share in shares.items():
            results[part]["conversion"] = share
    return _Found(results, opening(known.game, ask))


def _opening(options: argparse.Namespace, name: str) -> _Found:
    from golearn.alphazero.commands.contenders import contender
    from golearn.alphazero.games import CompleteGame, game_from_name
    from golearn.alphazero.go_games import GoGame
    from golearn.alphazero.go_trials import LEAD_ON_7X7, opening

    game = game_from_name(options.game)
    assert isinstance(game, GoGame)
    opened = opening(game, contender(name, CompleteGame(game), f"{options.seed} {name}"))
    winner = "Black" if game.komi < LEAD_ON_7X7 else "White"
    return _Found({}, opened, f"with perfect play {winner} wins: Black is {LEAD_ON_7X7} points ahead, komi {game.komi:g}")


def _every_state(options: argparse.Namespace, name: str) -> _Found:
    from golearn.alphazero.commands.contenders import EveryState, contender
    from golearn.alphazero.games import game_named

    ask = contender(name, game_named(options.game), f"{options.seed} {name}")
    return _Found(EveryState(options.game).measured(ask))


def _table(results: Results) -> str:
    from tabulate import tabulate

    from golearn.alphazero.commands.contenders import cell

    names = dict.fromkeys(name for metrics in results.values() for name in metrics)
    rows = [[name, *(cell(name, metrics.get(name)) for metrics in results.values())] for name in names]
    return tabulate(rows, ["", *results], disable_numparse=True) if rows else ""
