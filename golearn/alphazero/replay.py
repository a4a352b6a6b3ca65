"""What was learned in self-play, position by position, packed: the newest positions of a run, and batches drawn from them.

A position's planes are kept as bits, so each plane may hold one value besides 0 (counts belong into several planes), and its
policy as float16. All is as the player to move sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from goban.common.excerpts import quoted
from goban.common.files import check_array
from golearn.alphazero.games import CompleteGame, Observations
from golearn.errors import BadGameError

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


class Positions(NamedTuple):
    """Entry k of each array is about the k-th position."""

    bits: npt.NDArray[np.uint8]
    """Where its planes are not 0: shape (positions, octets)."""
    scales: Floats
    """What its planes hold there: shape (positions, planes)."""
    policies: npt.NDArray[np.float16]
    """The planner's, shape (positions, actions)."""
    has_policy: Flags
    """Whether the policy is worth learning: that of a full search is."""
    values: Floats
    """-1 to 1."""
    has_value: Flags
    """Not where the game was broken off."""
    margins: Floats
    """Points by which the player to move is ahead in the end."""
    owners: npt.NDArray[np.int8]
    """Whose each point is in the end, shape (positions, points)."""
    has_ending: Flags
    """Whether margin and owners are known."""


class Batch(NamedTuple):
    """Positions as a network learns them, each in a random symmetry; names and meaning as in `Positions`."""

    planes: Observations
    policies: Floats
    has_policy: Flags
    values: Floats
    has_value: Flags
    margins: Floats
    owners: npt.NDArray[np.int8]
    has_ending: Flags


def pack(planes: Observations) -> tuple[npt.NDArray[np.uint8], Floats]:
    """Return bits and scales; BadGameError if a plane holds two values besides 0."""
    flat = planes.reshape(*planes.shape[:2], -1)
    there = flat != 0
    # Every value in a plane is its mean over where it is not 0, or the plane has several.
    lowest, highest = np.where(there, flat, np.inf).min(axis=2), np.where(there, flat, -np.inf).max(axis=2)
    several = np.argwhere(lowest < highest)
    if len(several):
        raise BadGameError(f"expected planes that hold one value besides 0, got several in plane {several[0][1]}")
    scales = np.where(there.any(axis=2), lowest, 0).astype(np.float32)
    return np.packbits(there.reshape(len(planes), -1), axis=1), scales


def join_parts(parts: Sequence[Positions]) -> Positions:
    """Return all positions of some parts, in their order."""
    arrays: list[Any] = [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
    return Positions(*arrays)


def take_positions(positions: Positions, which: slice | npt.NDArray[np.int64]) -> Positions:
    """Return some of the positions."""
    arrays: list[Any] = [array[which] for array in positions]
    return Positions(*arrays)


def no_positions(game: CompleteGame[Any]) -> Positions:
    """Return arrays of the right shapes for a game, without positions."""
    height, width = game.board_shape
    octets = -(-game.num_planes * height * width // 8)
    return Positions(
        np.empty((0, octets), np.uint8), np.empty((0, game.num_planes), np.float32),
        np.empty((0, game.action_size), np.float16), np.empty(0, np.bool_), np.empty(0, np.float32), np.empty(0, np.bool_),
        np.empty(0, np.float32), np.empty((0, height * width), np.int8), np.empty(0, np.bool_),
    )  # fmt: skip


class Replay:
    """The newest positions; how many of all that came in are kept grows like their number to the power of EXPONENT."""

    EXPONENT = 0.75
    """KataGo's (Wu 2019, appendix C): early games are soon forgotten, and later the window moves ever more slowly."""

    def __init__(self, game: CompleteGame[Any], window: int) -> None:
        """window: up to so many positions all are kept."""
        self.window, self.total = window, 0
        self._game, self.positions = game, no_positions(game)
        self._shape = game.num_planes, *game.board_shape
        symmetries = game.symmetries()
        self._points = np.stack([symmetry.points for symmetry in symmetries])
        self._actions = np.stack([symmetry.actions for symmetry in symmetries])

    def add(self, positions: Positions) -> None:
        """Take in new positions and forget the oldest."""
        self.total += len(positions.values)
        room = self.room()
        self.positions = take_positions(join_parts([self.positions, positions]), slice(-room, None))

    def take_over(self, positions: Positions, total: int) -> None:
        """Go on from another's positions and total; raises ValueError for what is none of this game's."""
        number = len(positions.values)
        if type(total) is not int or total < number:
            raise ValueError(f"positions: expected at least the {number} that are kept, got {quoted(total)}")
        for name, like in no_positions(self._game)._asdict().items():
            check_array(name, getattr(positions, name), like.dtype, (number, *like.shape[1:]))
        self.positions, self.total = positions, total

    def room(self) -> int:
        """Return how many positions are kept at most."""
        if self.total <= self.window:
            return self.window
        return int(self.window * (self.total / self.window) ** self.EXPONENT)

    def draw(self, rng: np.random.Generator, size: int) -> Batch:
        """Return positions drawn at random, each turned by a random symmetry."""
        return self.batch(*self.drawn(rng, size))

    def drawn(self, rng: np.random.Generator, size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return what `batch` makes a drawn batch of: numbers of positions and of symmetries."""
        return rng.integers(len(self.positions.values), size=size), rng.integers(len(self._points), size=size)

    def batch(self, chosen: npt.NDArray[np.int64], turns: npt.NDArray[np.int64]) -> Batch:
        """Return positions by number, each turned by a symmetry by number."""
        drawn = take_positions(self.positions, chosen)
        planes, height, width = self._shape
        bits = np.unpackbits(drawn.bits, axis=1, count=planes * height * width).reshape(len(chosen), planes, height * width)
        points, actions = self._points[turns], self._actions[turns]
        turned = np.take_along_axis(bits, points[:, None], axis=2) * drawn.scales[:, :, None]
        return Batch(
            turned.reshape(len(chosen), planes, height, width),
            np.take_along_axis(drawn.policies, actions, axis=1).astype(np.float32), drawn.has_policy,
            drawn.values, drawn.has_value,
            drawn.margins, np.take_along_axis(drawn.owners, points, axis=1), drawn.has_ending,
        )  # fmt: skip
