"""What a supervisor asks a player through, and how far the player has come."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from gojudge.inside.protocol import Message


class Conversation(Protocol):
    """What a process is asked through: JSON lines (`gojudge.inside.protocol.Channel`), or GTP."""

    def send(self, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        """Send a message; raises as `Channel.send`."""

    def take(self) -> Message | None:
        """Return a message that has been read already, None if there is none. Raises ProtocolError."""

    def fill(self) -> None:
        """Read what has arrived. Raises ClosedError."""

    def fileno(self) -> int:
        """Return the descriptor to wait for."""


class Phase(Enum):
    """How far a player has come. What fails before PLAYING is a start-up failure.

    LOADING: its submission is being compiled or loaded; a process that fails at that is of no use for the next game.
    STARTING: the game has begun, the player is being made. PLAYING: the player has been asked.
    """

    LOADING = "loading"
    STARTING = "starting"
    PLAYING = "playing"
