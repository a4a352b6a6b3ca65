"""random_player: plays anywhere it may."""

from __future__ import annotations

import random
from typing import Any

from course_moves import Point, placements


class RandomPlayer:
    """Plays uniformly at random among the legal placements; "PASS" if there is none."""

    def __init__(self) -> None:
        self.type = "random"

    def get_input(self, go: Any, piece_type: int) -> Point | str:  # noqa: ANN401
        """Return the point to play on."""
        points: list[Point | str] = placements(go, piece_type)
        return random.choice(points or ["PASS"])
