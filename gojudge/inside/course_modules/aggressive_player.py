"""aggressive_player: captures now, or looks for what two placements would capture."""

from __future__ import annotations

import random
from typing import Any

from course_moves import Point, aggressive, nearest_to_centre, placements


class AggressivePlayer:
    """Captures most at once, ties at random; else begins the pair that captures most, nearest to the centre."""

    def __init__(self) -> None:
        self.type = "aggressive"

    def get_input(self, go: Any, piece_type: int) -> Point | str:  # noqa: ANN401
        """Return the point to play on; "PASS" if nothing is legal."""
        points, captures = aggressive(go, placements(go, piece_type), piece_type)
        chosen: list[Point | str] = points if captures else nearest_to_centre(go, points)
        return random.choice(chosen or ["PASS"])
