"""Which limit a player has overrun, by what its processes have used.

Above all stands CPU used while they were to be stopped; then come the limits of a move, of memory and of a game.
"""

from __future__ import annotations

from gojudge.sandbox.accounts import Usage
from gojudge.seats import Limits
from gojudge.times import Spent
from gojudge.verdicts import Fault, Termination

# Seconds of CPU that may be used between an answer and the next question: what it takes to stop, and the clock's own grain.
_IDLE = 0.02

# We wait for an answer up to this many times the player's time, and this many seconds.
_PATIENCE_FACTOR, _PATIENCE_SECONDS = 20, 60


def overrun(used: Usage, spent: Spent, limits: Limits, move_cpu_seconds: float, playing: bool) -> Fault | None:
    """Return the fault of a player that has used more than it may, None if it has not.

    used: in this game; spent: since it was asked; playing: whether it has been asked in this game.
    """
    if playing and used.idle > _IDLE:
        return Fault(Termination.TIME_OUT, "it thinks in the opponent's time")
    if playing and spent.cpu > move_cpu_seconds:
        return Fault(Termination.TIME_OUT, f"it used more than {move_cpu_seconds:g} s of CPU time for this move")
    if used.memory > limits.memory_mib << 20:
        return too_much_memory(limits)
    if used.cpu > limits.game_cpu_seconds:
        return Fault(Termination.TIME_OUT, f"it used more than {limits.game_cpu_seconds:g} s of CPU time in this game")
    return None


def too_much_memory(limits: Limits, evidence: str = "") -> Fault:
    """Return the fault of a player that holds too much, or that the kernel has killed for that."""
    return Fault(Termination.OUT_OF_MEMORY, f"it took more than {limits.memory_mib} MiB of memory", evidence)


def is_hopeless(spent: Spent, seconds: float) -> bool:
    """Tell whether so much time has gone by that the machine must be too busy. seconds: how much the player may be charged."""
    return spent.wall > _PATIENCE_FACTOR * seconds + _PATIENCE_SECONDS
