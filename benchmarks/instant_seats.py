"""Seats that answer at once, so that only the harness costs time. Worker processes import them from this module."""

from __future__ import annotations

import random

from goban.moves import Resign
from goban.states import State
from gojudge.records import Entrant, GameSpec, Spent
from gojudge.refereeing.open_seats import Conditions
from gojudge.seats import Reply


class InstantSeat:
    """Plays seeded random legal moves, and prints nothing."""

    tier = ""

    def __init__(self) -> None:
        self._rng = random.Random()

    def begin(self, spec: GameSpec, colour: int) -> None:
        """Start a game."""
        self._rng = random.Random(spec.seeds[colour - 1])

    def answer(self, state: State, complaint: str) -> Reply:
        """Return a random legal move, in a form that JSON can hold."""
        move = self._rng.choice(state.legal_moves())
        return Reply("PASS" if move is None else move.value if isinstance(move, Resign) else list(move), Spent(0.001, 0.0005))

    def printed(self) -> str:
        """Return nothing."""
        return ""

    def end(self) -> str:
        """Return nothing."""
        return ""

    def close(self) -> None:
        """Do nothing: the seat holds no resources."""


def open_instant_seat(entrant: Entrant, conditions: Conditions) -> InstantSeat:
    """Return a seat; entrant and conditions do not matter."""
    return InstantSeat()
