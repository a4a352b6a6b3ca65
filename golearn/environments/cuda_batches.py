"""A batch of games on a graphics card, by the same rules as `GoBatch`, bit for bit.

    batch = CudaGoBatch(GoBatch(size=9, games=16384, seed=0))
    batch.step(batch.sample(rng))
    observation = torch.as_tensor(batch.observation)

What it shows are arrays on the card. They have `__cuda_array_interface__`, by which torch, CuPy and others take them without a
copy. This needs a card that CUDA knows, and `pip install -e ".[gpu]"`. With NUMBA_ENABLE_CUDASIM=1 numba plays a card, slowly.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import numba
import numba.cuda
import numpy as np
import numpy.typing as npt

from goban.kernels.environments.observations import planes_of

# isort: off
from goban.kernels.environments.steps import (
    ENDED, PLAYER, SET_UP, SHOWN_ANEW, STEPS, TURN, UNSEEN, WON, begin_game, draw_place, set_up_game, step_game, takes_action,
    turn_view,
)  # fmt: skip

# isort: on
from goban.kernels.numba_tools.bits import lowest, nth_bit_by_loop
from golearn.errors import ActionError, EnvironmentsError

if TYPE_CHECKING:
    from golearn.environments.batches import GoBatch

cuda: Any = numba.cuda
_numba: Any = numba

OnCard: TypeAlias = Any
"""An array on the card, as `numba.cuda.to_device` makes them."""

_IS_SIMULATED = bool(_numba.config.ENABLE_CUDASIM)

_BLOCK = 64
"""Threads of a block."""
_WARP = 32
"""Threads that go together. What is long of a game is written by so many, all else by one."""

# Unsigned, since a signed index is tested for being below 0.
_0, _1, _4, _7, _8, _15, _32 = (np.uint64(n) for n in (0, 1, 4, 7, 8, 15, 32))
# A factor by which the lowest four bits of a number come to lie in a byte each, and the mask of these.
_SPREAD, _LOW_BITS = np.uint64(0x00204081), np.uint64(0x01010101)


def _for_card(function: Callable[..., None]) -> Any:  # noqa: ANN401
    """Return a kernel of the card, compiled when it is first called."""
    return cuda.jit(function)


def _in_kernels(function: Callable[..., None]) -> Any:  # noqa: ANN401
    """Return a function for kernels of the card."""
    return cuda.jit(function, device=True)


@_in_kernels
def _write_together(words: OnCard, first: int, step: int, row: OnCard, start: int, eights: OnCard) -> None:
    """Write the lowest `step` bits of each word from `first` on as bytes into a row, by all threads of a warp.

    start: where the row begins in `eights`, which are the same bytes, taken eight at a time. step: 8 to 64.
    """
    lane, width, number = np.uint64(cuda.threadIdx.x % _WARP), np.uint64(step), np.uint64(len(row))
    begin, before = np.uint64(start), np.uint64(first)
    head = min((_0 - begin) & _7, number)
    tail = head + ((number - head) & ~_7)
    if lane < head:
        row[lane] = words[before] >> lane & _1
    last = tail + lane
    if last < number:
        row[last] = words[before + last // width] >> last % width & _1
    bit = head + _8 * lane
    w, r = before + bit // width, bit % width
    ahead, further = _8 * _32 // width, _8 * _32 % width
    place = begin + bit >> np.uint64(3)
    while bit < tail:
        eight, here = words[w] >> r, width - r
        if here < _8:
            eight = eight & (_1 << here) - _1 | words[w + _1] << here
        eights[place] = (eight & _15) * _SPREAD & _LOW_BITS | ((eight >> _4 & _15) * _SPREAD & _LOW_BITS) << _32
        bit += _8 * _32
        place += _32
        w += ahead
        r += further
        if r >= width:
            r -= width
            w += _1


@_for_card
def _take(actions: OnCard, chosen: OnCard, most: int, taken: OnCard, wrong: OnCard) -> None:
    """Copy the actions of chosen games, -1 for the others; note the first game whose action is not from 0 to `most`."""
    g = cuda.grid(1)
    if g < len(actions):
        action = actions[g]
        if action < 0 or action > most:
            cuda.atomic.min(wrong, 0, g)
        taken[g] = action if chosen[g] else -1


@_for_card
def _turn(actions: OnCard, mode: int, games: OnCard, shown: OnCard, table: OnCard) -> None:
    """Turn the views of the games that take an action, each by a warp."""
    thread = cuda.grid(1)
    g = thread // _WARP
    if g < len(actions) and actions[g] >= 0 and takes_action(g, mode, shown):
        turn_view(g, thread % _WARP, _WARP, games, table)


@_for_card
def _step(actions: OnCard, mode: int, changes: OnCard, games: OnCard, shown: OnCard, table: OnCard) -> None:
    g = cuda.grid(1)
    if g < len(actions):
        changes[g] = step_game(g, actions[g], mode, games, shown, table) if actions[g] >= 0 else 0


@_for_card
def _begin(chosen: OnCard, changes: OnCard, games: OnCard, shown: OnCard) -> None:
    g = cuda.grid(1)
    if g < len(chosen):
        changes[g] = begin_game(g, games, shown) if chosen[g] else 0


@_for_card
def _set_up(changes: OnCard, games: OnCard, table: OnCard) -> None:
    """Set up the games that begin, each by a warp."""
    thread = cuda.grid(1)
    g = thread // _WARP
    if g < len(changes) and changes[g] & SET_UP:
        set_up_game(g, changes[g], thread % _WARP, _WARP, games, table)


@_for_card
def _show(changes: OnCard, games: OnCard, shown: OnCard, table: OnCard, eights: OnCard) -> None:
    """Show the games that have changed, each by a warp."""
    g = cuda.grid(1) // _WARP
    if g < len(changes) and changes[g] & SHOWN_ANEW:
        observation, mask = shown[0], shown[1]
        _write_together(games[2][g], 0, table[7], observation[g], g * observation.shape[1], eights[0])
        _write_together(games[5][g], 1, 64, mask[g], g * mask.shape[1], eights[1])


@_for_card
def _draw(chances: OnCard, legal: OnCard, actions: OnCard) -> None:
    g = cuda.grid(1)
    if g < len(actions):
        w, left = draw_place(chances[g], legal[g])
        actions[g] = (w - 1) * 64 + lowest(nth_bit_by_loop(legal[g, w], left))


def _rows_of_eights(rows: npt.NDArray[np.uint8]) -> tuple[OnCard, OnCard]:
    """Copy rows of bytes to the card; return them there, and the same memory as numbers of eight bytes."""
    eights = np.zeros(-(-rows.size // 8), dtype=np.uint64)
    eights.view(np.uint8)[: rows.size] = rows.ravel()
    moved = cuda.to_device(eights)
    return moved.view(np.uint8)[: rows.size].reshape(rows.shape), moved


class _Recording:
    """What is started on a card again and again with the same arguments: recorded once, then started all together.

    A kernel with some thirty arrays takes 0.3 ms to be started from Python, as long as 10,000 games take for a step on a large
    card; a recording (a CUDA graph) takes a few millionths of a second.
    """

    def __init__(self, start: Callable[[OnCard], object]) -> None:
        """Record what `start` starts on the stream that it is called with. What it starts has been started before."""
        self._driver = driver = import_module("cuda.bindings.driver")
        stream = cuda.stream()
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        _check_card(driver.cuStreamBeginCapture(int(stream.handle), mode))
        try:
            start(stream)
        finally:
            graph = _check_card(driver.cuStreamEndCapture(int(stream.handle)))
        self._graph = _check_card(driver.cuGraphInstantiate(graph, 0))
        _check_card(driver.cuGraphDestroy(graph))
        weakref.finalize(self, driver.cuGraphExecDestroy, self._graph)

    def start(self) -> None:
        """Start it on the stream that everything else is started on."""
        _check_card(self._driver.cuGraphLaunch(self._graph, 0))


def _check_card(answer: tuple[Any, ...]) -> Any:  # noqa: ANN401
    """Return what the driver answers; raises EnvironmentsError for an error."""
    error, *results = answer
    if error:
        raise EnvironmentsError(f"the card's driver says {error.name}")
    return results[0] if results else None


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
        observation, mask, rewards, over = batch.shown
        pairs = [_rows_of_eights(rows) for rows in (observation, mask)]
        self._shown = (*(rows for rows, _ in pairs), cuda.to_device(rewards), cuda.to_device(over))
        self._eights = tuple(eights for _, eights in pairs)
        self._table = tuple(cuda.to_device(each) if isinstance(each, np.ndarray) else each for each in batch.table)
        self._everywhere = cuda.to_device(np.ones(kind.games, dtype=np.bool_))
        self._blocks, self._warps = -(-kind.games // _BLOCK), -(-kind.games * _WARP // _BLOCK)
        self._changes = cuda.device_array(kind.games, dtype=np.uint8)
        self._taken = cuda.device_array(kind.games, dtype=np.int64)
        self._recordings: dict[int, _Recording] = {}
        self._wrong = cuda.to_device(np.array([kind.games], dtype=np.int64))
        observation, mask, self.rewards, over = self._shown
        planes = planes_of(kind.history_length)
        self.observation: OnCard = observation.view(np.bool_).reshape(kind.games, kind.size, kind.size, planes)
        self.legal_action_mask: OnCard = mask.view(np.bool_)
        self.terminated: OnCard = over.view(np.bool_)
        facts = self._games[-1]
        self.current_player: OnCard = facts[PLAYER]
        self.colour: OnCard = facts[TURN]
        self.step_count: OnCard = facts[STEPS]
        self.winner: OnCard = facts[WON]
        self.ending: OnCard = facts[ENDED]

    def __len__(self) -> int:
        return len(self._batch)

    def step(self, actions: Any, mask: Any = None, *, show: bool = True) -> None:  # noqa: ANN401
        """Take one action in each game, or in those that `mask` marks, as `GoBatch.step` does.

        actions, mask: int64 and bool, (games,), on the card or not. Raises ActionError, and changes nothing, unless the actions
        are from 0 to size * size.
        """
        given = self._move_to_card("actions", actions, np.int64)
        chosen = self._everywhere if mask is None else self._move_to_card("mask", mask, np.bool_)
        most = self._batch.settings.actions - 1
        _take[self._blocks, _BLOCK](given, chosen, most, self._taken, self._wrong)
        game = int(self._wrong.copy_to_host()[0])
        if game < len(self):
            self._wrong.copy_to_device(np.array([len(self)]))
            raise ActionError(f"game {game}: expected an action from 0 to {most}, got {given.copy_to_host()[game]}")
        self._play(self._batch.mode if show else self._batch.mode + UNSEEN)

    def _play(self, mode: int) -> None:
        """Start the kernel for the actions that were taken, at first as it is, later as it was recorded."""
        if mode in self._recordings:
            self._recordings[mode].start()
            return
        self._start(mode, 0)
        if not _IS_SIMULATED:
            self._recordings[mode] = _Recording(lambda stream: self._start(mode, stream))

    def _start(self, mode: int, stream: OnCard) -> None:
        games, shown, table = self._games, self._shown, self._table
        _turn[self._warps, _BLOCK, stream](self._taken, mode, games, shown, table)
        _step[self._blocks, _BLOCK, stream](self._taken, mode, self._changes, games, shown, table)
        self._finish(stream)

    def _finish(self, stream: OnCard) -> None:
        """Start what is left to be done; see `finish_step`."""
        _set_up[self._warps, _BLOCK, stream](self._changes, self._games, self._table)
        _show[self._warps, _BLOCK, stream](self._changes, self._games, self._shown, self._table, self._eights)

    def reset(self, mask: Any = None) -> None:  # noqa: ANN401
        """Begin new games, all of them or those that `mask` marks, (games,) bool on the card or not. Raises ActionError."""
        marked = self._everywhere if mask is None else self._move_to_card("mask", mask, np.bool_)
        _begin[self._blocks, _BLOCK](marked, self._changes, self._games, self._shown)
        self._finish(0)

    def sample(self, chance: Any) -> OnCard:  # noqa: ANN401
        """Return a legal action for each game, (games,) int64 on the card, drawn uniformly.

        chance: a generator of numpy's, with which `GoBatch.sample` draws the same; or numbers from 0 to before 1, (games,)
        float64, on the card or not. Raises ActionError for arrays of another kind.
        """
        numbers = chance.random(len(self)) if isinstance(chance, np.random.Generator) else chance
        actions = cuda.device_array(len(self), dtype=np.int64)
        _draw[self._blocks, _BLOCK](self._move_to_card("chance", numbers, np.float64), self._games[5], actions)
        return actions

    def to_host(self) -> GoBatch:
        """Return a `GoBatch` that goes on from here."""
        batch = self._batch.copy()
        batch.take(each.copy_to_host() for each in (*self._games, *self._shown))
        return batch

    def _move_to_card(self, name: str, array: Any, kind: npt.DTypeLike) -> OnCard:  # noqa: ANN401
        """Return an array of an entry for each game as one on the card."""
        moved = array
        if not isinstance(array, type(self._everywhere)):
            lies_on_card = hasattr(array, "__cuda_array_interface__")
            moved = cuda.as_cuda_array(array) if lies_on_card else cuda.to_device(np.asarray(array))
        if moved.shape != (len(self),) or moved.dtype != kind:
            wanted = np.dtype(kind)
            raise ActionError(f"{name}: expected {len(self)} entries of {wanted}, got {moved.dtype} of shape {moved.shape}")
        return moved
