"""go_play: plays games between two player objects, as the course's script of this name does for those who import it."""

from __future__ import annotations

from typing import Any

from aggressive_player import AggressivePlayer as AggressivePlayer
from greedy_player import GreedyPlayer as GreedyPlayer
from random_player import RandomPlayer as RandomPlayer
from smart_player import SmartPlayer as SmartPlayer

from go import GO


def play_multiple(player1: Any, player2: Any, times: int, n: int) -> tuple[int, int]:  # noqa: ANN401
    """Play so many games on an n x n board, player1 Black; return how many Black won, and White."""
    winners = [GO(n).play(player1, player2) for _ in range(times)]
    return winners.count(1), winners.count(2)


def main(arguments: object = None) -> None:
    """Refuse: the script of this name plays games with players, and is no part of one."""
    raise RuntimeError("go_play.main() plays games with players; a player does not call it")
