"""games: what can be learned."""

from __future__ import annotations

import argparse

from goban.common.command_lines import DONE
from golearn.alphazero.games import GAME_CHOICES, game_from_name
from golearn.alphazero.plans import PRESETS, read_plan

SUMMARY = "list the games there are, and the plans for them"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It has none."""


def run(options: argparse.Namespace) -> int:
    """Print a table."""
    plans = {name: read_plan(name) for name in PRESETS}
    print(f"{'game':<14}{'board':>7}{'actions':>9}{'planes':>8}  plans")
    for name in GAME_CHOICES:
        game = game_from_name(name)
        height, width = game.board_shape
        fitting = ", ".join(f"{plan} ({plans[plan].games:,} games)" for plan in plans if plans[plan].game == name)
        print(f"{name:<14}{f'{height}x{width}':>7}{game.action_size:>9}{game.num_planes:>8}  {fitting}".rstrip())
    return DONE
