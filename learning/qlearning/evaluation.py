"""How well the trained player does on the real host against the reference players."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from go import GO
from goban.grids import BLACK, WHITE
from kernels.reference_players import REFERENCES
from players.registry import make_player
from players.shipped_player import ShippedPlayer


def wins(player: ShippedPlayer, opponent: str, colour: int, games: range, seed: int) -> int:
    """Return how many of the games `player` wins as `colour`; each has its own generator, made from seed and number."""
    won = 0
    for game in games:
        other = make_player(opponent, random.Random(f"{seed} {opponent} {colour} {game}"))
        black, white = (player, other) if colour == BLACK else (other, player)
        won += GO(5).play(black, white) == colour
    return won


def win_rates(table: Path, games: int, seed: int) -> Iterator[tuple[str, float]]:
    """Yield ('smart B', share of games won as Black), ('smart W', ...) for every reference player."""
    player = ShippedPlayer(table)
    for opponent in REFERENCES:
        for colour, letter in ((BLACK, "B"), (WHITE, "W")):
            yield f"{opponent} {letter}", wins(player, opponent, colour, range(games), seed) / games
