"""A batch of games on a graphics card, by the same kernels as `GoBatch`, bit for bit, a thread for each game.

    batch = CudaGoBatch(GoBatch(size=9, games=16384, seed=0))
    batch.step(batch.sample(rng))
    observation = torch.as_tensor(batch.observation)

What it shows are arrays on the card. They have `__cuda_array_interface__`, by which torch, CuPy and others take them without a
copy. This needs a card that CUDA knows, and `pip install -e ".[gpu]"`. With NUMBA_ENABLE_CUDASIM=1 numba plays a card, slowly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numba.cuda
import numpy as np
import numpy.typing as npt

from goban.kernels.environments.observations import planes_of
from goban.kernels.environments.steps import ENDED, PLAYER, STEPS, TURN, UNSEEN, WON, begin_game, draw_place, step_game
from goban.kernels.numba_tools.bits import lowest, nth_bit_by_loop
from golearn.errors import ActionError, EnvironmentsError

if TYPE_CHECKING:
    from golearn.environments.batches import GoBatch

cuda: Any = numba.cuda

OnCard: TypeAlias = Any
"""An array on the card, as `numba.cuda.to_device` makes them."""

_BLOCK = 64
"""Threads of a block. A game takes much of what a processor keeps for each thread."""


def _for_card(function: Callable[..., None]) -> Any:  # noqa: ANN401
    """Return a kernel of the card, compiled when it is first called."""
    return cuda.jit(function)


@_for_card
def _find_wrong(actions: OnCard, most: int, wrong: OnCard) -> None:
    """Note the number of the first game whose action is not from 0 to `most`."""
    g = cuda.grid(1)
    if g < len(actions) and (actions[g] < 0 or actions[g] > most):
        cuda.atomic.min(wrong, 0, g)


@_for_card
def _step(actions: OnCard, chosen: OnCard, mode: int, games: OnCard, shown: OnCard, table: OnCard) -> None:
    g = cuda.grid(1)
    if g < len(actions) and chosen[g]:
        step_game(g, actions[g], mode, games, shown, table)


@_for_card
def _begin(chosen: OnCard, games: OnCard, shown: OnCard, table: OnCard) -> None:
    g = cuda.grid(1)
    if g < len(chosen) and chosen[g]:
        begin_game(g, games, shown, table)


@_for_card
def _draw(chances: OnCard, legal: OnCard, actions: OnCard) -> None:
    g = cuda.grid(1)
    if g < len(actions):
        w, left = draw_place(chances[g], legal[g])
        actions[g] = (w - 1) * 64 + lowest(nth_bit_by_loop(legal[g, w], left))


class CudaGoBatch:
    """The games of a `GoBatch` on a card, from where they stand; the batch itself stays as it is.

    The arrays are those of `GoBatch`, on the card, and written anew by every step. What a step does is asked for and not waited
    for, as is usual on a card.
    """

    def __init__(self, batch: GoBatch) -> None:
        """Copy a batch to the card. Raises EnvironmentsError where there is none."""
        if not cuda.is_available():
            raise EnvironmentsError("expected a graphics card that CUDA knows, found none")
        self._batch = batch.copy()
        kind = batch.settings
        self._games = tuple(map(cuda.to_device, batch.arrays))
        self._shown = tuple(map(cuda.to_device, batch.shown))
        self._table = tuple(cuda.to_device(each) if isinstance(each, np.ndarray) else each for each in batch.table)
        self._everywhere = cuda.to_device(np.ones(kind.games, dtype=np.bool_))
        self._blocks = -(-kind.games // _BLOCK)
        observation, mask, self.rewards, over = self._shown
        planes = planes_of(kind.history_length)
        self.observation: OnCard = observation.view(np.bool_).reshape(kind.games, kind.size, kind.size, planes)
        self.legal_action_mask: OnCard = mask.view(np.bool_)
        self.terminated: OnCard = over.view(np.bool_)
        facts = self._games[-1]
        self.current_player, self.colour, self.step_count = facts[PLAYER], facts[TURN], facts[STEPS]
        self.winner, self.ending = facts[WON], facts[ENDED]

    def __len__(self) -> int:
        return len(self._batch)

    def step(self, actions: Any, mask: Any = None, *, show: bool = True) -> None:  # noqa: ANN401
        """Take one action in each game, or in those that `mask` marks, as `GoBatch.step` does.

        actions, mask: int64 and bool, (games,), on the card or not. Raises ActionError, and changes nothing, unless the actions
        are from 0 to size * size.
        """
        chosen = self._moved("actions", actions, np.int64)
        marked = self._everywhere if mask is None else self._moved("mask", mask, np.bool_)
        most = self._batch.settings.actions - 1
        wrong = cuda.to_device(np.array([len(self)], dtype=np.int64))
        _find_wrong[self._blocks, _BLOCK](chosen, most, wrong)
        game = int(wrong.copy_to_host()[0])
        if game < len(self):
            raise ActionError(f"game {game}: expected an action from 0 to {most}, got {chosen.copy_to_host()[game]}")
        mode = self._batch.mode if show else self._batch.mode + UNSEEN
        _step[self._blocks, _BLOCK](chosen, marked, mode, self._games, self._shown, self._table)

    def reset(self, mask: Any = None) -> None:  # noqa: ANN401
        """Begin new games, all of them or those that `mask` marks, (games,) bool on the card or not. Raises ActionError."""
        marked = self._everywhere if mask is None else self._moved("mask", mask, np.bool_)
        _begin[self._blocks, _BLOCK](marked, self._games, self._shown, self._table)

    def sample(self, rng: np.random.Generator) -> OnCard:
        """Return a legal action for each game, (games,) int64 on the card: what `GoBatch.sample` draws with the same `rng`."""
        actions = cuda.device_array(len(self), dtype=np.int64)
        _draw[self._blocks, _BLOCK](cuda.to_device(rng.random(len(self))), self._games[5], actions)
        return actions

    def to_host(self) -> GoBatch:
        """Return a `GoBatch` that goes on from here."""
        batch = self._batch.copy()
        batch.take(each.copy_to_host() for each in (*self._games, *self._shown))
        return batch

    def _moved(self, name: str, array: Any, kind: npt.DTypeLike) -> OnCard:  # noqa: ANN401
        """Return an array of an entry for each game as one on the card."""
        moved = array
        if not isinstance(array, type(self._everywhere)):
            lies_on_card = hasattr(array, "__cuda_array_interface__")
            moved = cuda.as_cuda_array(array) if lies_on_card else cuda.to_device(np.asarray(array))
        if moved.shape != (len(self),) or moved.dtype != kind:
            wanted = np.dtype(kind)
            raise ActionError(f"{name}: expected {len(self)} entries of {wanted}, got {moved.dtype} of shape {moved.shape}")
        return moved
