"""Chance: an event's secret key, and all that is drawn by it.

    the key            256 random bits, drawn when the event's store is made and kept in it; or made of `--seed N`
    players' seeds     of each player in each game, 128 bits: all its random choices in this game come from it
    the first draw     who has the extra first move of two with equal points; the schedule shows what came of it

Everything is HMAC-SHA-256 (RFC 2104) of the key and the name of what is drawn. Whoever knows some of these values can compute
neither another one nor the key. A player is given its own seed and nothing else that depends on the key. A game has no seed of
its own: nothing in it is drawn but by its players.

The key is shown by `python3 -m tournament key` only. It is in no page, export or message.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

from goban.grids import BLACK, WHITE

_KEY_BYTES = 32
_SEED_BYTES = 16


@dataclass(frozen=True)
class Key:
    """An event's key. secret: 32 bytes; left out of the key's `repr`, so that no message shows it by accident."""

    secret: bytes = field(repr=False)

    def seeds(self, game_id: str) -> tuple[int, int]:
        """Return the seeds of Black and of White in a game, each 0 .. 2**128 - 1."""
        return self._draw("player", game_id, str(BLACK)), self._draw("player", game_id, str(WHITE))

    def draws_first(self, one: str, other: str) -> bool:
        """Tell whether the draw for the extra first move between these two falls on the first named."""
        return self._draw("first move", one, other) % 2 == 1

    def _draw(self, *name: str) -> int:
        # No id and no entrant's name holds the separator, so no two draws share a name.
        text = "\x1f".join(name).encode()
        return int.from_bytes(hmac.digest(self.secret, text, hashlib.sha256)[:_SEED_BYTES], "big")


def new_key() -> Key:
    """Return a key that nobody knows, from the operating system's source of random bytes."""
    return Key(secrets.token_bytes(_KEY_BYTES))


def key_of_seed(seed: int) -> Key:
    """Return the key that `--seed` stands for: the SHA-256 of a label and the number. It is as public as the number."""
    return Key(hashlib.sha256(f"go-competition-harness event key {seed}".encode()).digest())
