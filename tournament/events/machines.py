"""What an event asks of the machine that plays it. No result depends on it, so it is not part of the event."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from tournament.records import Tier


@dataclass(frozen=True)
class Machine:
    """require_tier: the weakest sandbox that will do. python: the interpreter submissions run under; '' for our own.

    load_each_game: whether each game loads the submission anew, rather than play by a copy of what was loaded once.
    """

    require_tier: Tier = Tier.T2
    python: str = ""
    load_each_game: bool = False

    @property
    def record(self) -> dict[str, Any]:
        """Its fields as plain data. What came later is left out where it is off, as in `Event.record`."""
        values = dataclasses.asdict(self)
        return {key: value for key, value in values.items() if key != "load_each_game" or value}


USUAL = Machine()
