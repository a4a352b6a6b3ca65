"""smart_player: first of all, loses nothing to the next reply."""

from __future__ import annotations

import random
from typing import Any

from course_moves import Point, aggressive, fewest_losses, nearest_to_centre, placements


class SmartPlayer:
    """Keeps the placements after which the worst reply costs least; among those, as aggressive, then near the centre."""

    def __init__(self) -> None:
        self.type = "smart"

    def get_input(self, go: Any, piece_type: int) -> Point | str:  # noqa: ANN401
        """Return the point to play on; "PASS" if nothing is legal."""
        safe = fewest_losses(go, placements(go, piece_type), piece_type)
        chosen: list[Point | str] = nearest_to_centre(go, aggressive(go, safe, piece_type)[0])
        return random.choice(chosen or ["PASS"])
