"""What an event asks of the machine that plays it. No result depends on it, so it is not part of the event."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.records import Tier


@dataclass(frozen=True)
class Machine:
    """require_tier: the weakest sandbox that will do. python: the interpreter submissions run under; '' for our own."""

    require_tier: Tier = Tier.T2
    python: str = ""


USUAL = Machine()
