"""What an answer takes, and what of it is the player's own doing.

A player is charged for the time in which it ran or slept of its own will. Other programs on the machine may keep it from
running; the time in which it wanted a core and had none costs it nothing. So a verdict by the clock is the same on a busy
machine and on an idle one.
"""

from __future__ import annotations

from dataclasses import dataclass

_GRACE_SHARE, _GRACE_SECONDS = 0.2, 0.5


@dataclass(frozen=True)
class Spent:
    """The seconds that an answer took.

    wall: from the question to the answer, by our clock. cpu: in which the player's processes ran, added up over all of them.
    slept: in which none of them ran or wanted to. waited: in which they wanted a core and had none. What is then left of `wall`
    is our own side's: it was late to notice.
    """

    wall: float = 0.0
    cpu: float = 0.0
    slept: float = 0.0
    waited: float = 0.0

    @property
    def charge(self) -> float:
        """The seconds that count against a limit."""
        return self.cpu + self.slept

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.wall + other.wall, self.cpu + other.cpu, self.slept + other.slept, self.waited + other.waited
        )


NOTHING = Spent()


def charge_seconds(move_seconds: float) -> float:
    """Return how many seconds one start of a program may be charged, where its CPU time may be `move_seconds`."""
    return move_seconds * (1 + _GRACE_SHARE) + _GRACE_SECONDS
