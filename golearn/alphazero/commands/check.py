"""check: a game of one's own, played at random before anything is trained."""

from __future__ import annotations

import argparse

from goban.common.command_lines import DONE, LEFT, whole_number
from goban.common.terminals import Progress
from golearn.alphazero.game_checks import check_game
from golearn.alphazero.games import game_named
from players.registry import compilation_told

SUMMARY = "play a game of your own at random, and say what contradicts itself"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("game", metavar="GAME", help="MODULE:CLASS, MODULE:CLASS(size=5), or a game's name")
    parser.add_argument("--games", type=whole_number(1, 10**6, "a number of games"), default=20, help="default: %(default)s")
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), default=0, help="of the games (default: 0)")


def run(options: argparse.Namespace) -> int:
    """Play, and print a line for each fault; the exit status is 1 if there is one."""
    game, progress = game_named(options.game).game, Progress(options.games, quiet=False)
    try:
        with compilation_told("check"):
            findings = check_game(game, options.games, options.seed, progress.update)
    finally:
        progress.clear()
    for finding in findings:
        print(finding)
    if not findings:
        print(f"{options.game}: nothing found in {options.games} random games")
    return LEFT if findings else DONE
