"""greedy_player: captures as much as it can at once."""

from __future__ import annotations

import random
from typing import Any

from course_moves import Point, most_captures, placements


class GreedyPlayer:
    """Plays a placement that captures most, ties at random; "PASS" if nothing is legal."""

    def __init__(self) -> None:
        self.type = "greedy"

    def get_input(self, go: Any, piece_type: int) -> Point | str:  # noqa: ANN401
        """Return the point to play on."""
        points: list[Point | str] = most_captures(go, placements(go, piece_type), piece_type)[0]
        return random.choice(points or ["PASS"])
