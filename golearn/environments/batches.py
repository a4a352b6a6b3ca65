"""Many games of Go at once: every step takes one action for each game.

    batch = GoBatch(size=9, games=1024, seed=0)
    while not batch.terminated.all():
        batch.step(batch.sample(rng))

The games are Pgx's `Go` (pgx 2.6.0) bit for bit, its deviations from its own documentation included: only the simple-ko point
is banned, who makes an earlier board again loses, an illegal action loses, and White wins ties. Other rule sets of
`goban.rulesets` play by their own rules. An action is size * i + j for a placement, size * size for a pass.

    save_batch(batch, "games.npz")          batch = load_batch("games.npz", threads=2)

A file holds what the batch was made for and the actions of every game. Reading plays them again, so nothing in a file can put a
batch into a state that play does not reach.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.common.arguments import check_kind
from goban.common.files import check_array, one_line, read_arrays, read_bounded, write_beside
from goban.kernels.environments.observations import planes_of, view_words
from goban.kernels.environments.steps import (
    ENDED,
    ENDINGS,
    NEXT_STEP,
    ORDER,
    PLAYER,
    SAME_STEP,
    STAYS,
    STEPS,
    TURN,
    UNSEEN,
    WON,
    Actions,
    begin_games,
    draw_actions,
    first_wrong,
    new_games,
    new_shown,
    start_streams,
    step_games,
    table_of,
)  # fmt: skip  # fmt: skip
from goban.kernels.numba_tools.bits import Words
from goban.rulesets import PRESETS, Ending, RuleSet
from goban.states import State, new_game
from golearn.environments.settings import AutoReset, Settings, settings_of, whole_setting
from golearn.errors import ActionError, BatchFileError, EnvironmentsError, SettingError

# isort: on

Flags: TypeAlias = npt.NDArray[np.bool_]
Numbers: TypeAlias = npt.NDArray[np.int32]

_MODES = {AutoReset.DISABLED: STAYS, AutoReset.NEXT_STEP: NEXT_STEP, AutoReset.SAME_STEP: SAME_STEP}
# What a batch makes for itself. Other attributes, which users have set, are copied with it.
_MADE = frozenset((
    "settings", "threads", "table", "arrays", "shown", "observation", "legal_action_mask", "rewards", "terminated", "truncated",
    "current_player", "colour", "step_count", "winner", "ending", "_plain", "mode", "_spans", "_pool", "_pool_of", "_is_busy",
))  # fmt: skip
# Threads that write next to each other wait for each other, so games are dealt out in blocks of this many.
_LOT = 16
# Also in a process that was forked meanwhile.
_SHARED = "another thread is in a step of this batch: let each thread have its own, by copy()"


class GoBatch:
    """A batch of games. The arrays below belong to the batch, and every step overwrites them; copy what you want to keep.

    observation (games, size, size, 2 * history_length + 1) bool: of the player to move; plane 2t their own stones t steps
    ago, 2t + 1 the other's, the last one true if they are White. legal_action_mask (games, size * size + 1) bool, all true
    when a game is over. rewards (games, 2) float32 by player: 1, -1 at the end, else 0; for a tie 0, 0. terminated,
    truncated (games,) bool; the latter is never true. current_player (games,) int32: 0 or 1, not the colour. colour: 0 if
    Black is to move, 1 if White. step_count: steps taken. winner: 0 nobody, 1 Black, 2 White. ending: why the game is over,
    an index of `ENDINGS`; 0 if it is not.

    settings: what it was made for. arrays, shown, table, mode: what kernels take, see `goban.kernels.environments.steps`.

    A batch may be copied, pickled and forked, even with threads: the copy continues in the same way, with its own threads. If
    Ctrl-C interrupts a step with threads, some games may have taken it and others not. It is for one thread of the caller's at
    a time: `step`, `reset` and `restore` raise EnvironmentsError while another thread is in one of them.
    """

    def __init__(
        self,
        size: int = 9,
        games: int = 1,
        *,
        rules: str | RuleSet = "tromp-taylor-pgx",
        komi: float | None = None,
        history_length: int = 8,
        max_terminal_steps: int | None = None,
        seed: int = 0,
        threads: int = 1,
        auto_reset: str = AutoReset.DISABLED,
    ) -> None:
        """Begin so many games.

        komi, max_terminal_steps: instead of the rules' own, which are 7.5 and 2 * size * size for Pgx's. seed: what decides
        which player has Black, game by game, whatever the number of games and threads. Raises SettingError.
        """
        chosen = settings_of(size, games, rules, komi, history_length, max_terminal_steps, seed, auto_reset)
        self._begin_with(chosen, threads)
        start_streams(np.uint64(chosen.seed % 2**64), self.arrays.streams)
        self.reset()

    @classmethod
    def bare(cls, settings: Settings, threads: int = 1) -> GoBatch:
        """Return a batch in which no game has begun, for callers that fill its arrays."""
        batch = cls.__new__(cls)
        batch._begin_with(settings, threads)
        return batch

    def _begin_with(self, settings: Settings, threads: int) -> None:
        """Make the arrays; no game has begun."""
        threads = whole_setting("threads", threads, 1, 2**31 - 1)
        self.settings, self.threads = settings, threads
        size, number, history = settings.size, settings.games, settings.history_length
        self.table = table_of(settings.rules, size, history)
        self.arrays = new_games(settings.rules, size, history, number, np.zeros(number, dtype=np.uint64))
        self._plain, self.mode = self.arrays.plain(), _MODES[settings.auto_reset]
        self.shown = new_shown(size, history, number)
        observation, mask, self.rewards, over = self.shown
        self.observation: Flags = observation.view(np.bool_).reshape(number, size, size, planes_of(history))
        self.legal_action_mask: Flags = mask.view(np.bool_)
        self.terminated: Flags = over.view(np.bool_)
        self.truncated: Flags = np.zeros(number, dtype=np.bool_)
        facts = self.arrays.facts
        self.current_player: Numbers = facts[PLAYER]
        self.colour: Numbers = facts[TURN]
        self.step_count: Numbers = facts[STEPS]
        self.winner: Numbers = facts[WON]
        self.ending: Numbers = facts[ENDED]
        share = max(_LOT, -(-number // threads // _LOT) * _LOT)
        self._spans = [(first, min(number, first + share)) for first in range(0, number, share)]
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0
        # A flag takes less time than a lock; no other thread runs between looking at it and setting it.
        self._is_busy = False

    def __len__(self) -> int:
        return self.settings.games

    def __repr__(self) -> str:
        kind = self.settings
        return f"<GoBatch of {kind.games} games, {kind.rules.name} {kind.size}x{kind.size}>"

    # Playing

    def step(self, actions: npt.ArrayLike, mask: npt.ArrayLike | None = None, *, show: bool = True) -> None:
        """Take one action in each game, or in those that `mask` (games,) marks; the others are left as they are.

        show: False does not update `observation` and `legal_action_mask` of games that go on, for callers that read them only
        after a later step. `auto_reset` decides what a finished game does with its action. An illegal action loses the game
        for its player, and is carried out as far as possible. Raises ActionError, and changes nothing, unless there is a
        whole number from 0 to size * size for each game.
        """
        chosen = self._check_actions(actions)
        if mask is not None:
            chosen = np.where(self._check_mask(mask), chosen, -1)
        mode = self.mode if show else self.mode + UNSEEN
        # `_alone`, written out: on small batches its call would be seen.
        if self._is_busy:
            raise EnvironmentsError(_SHARED)
        self._is_busy = True
        try:
            if len(self._spans) == 1:
                self._step_span(0, chosen, mode)
            else:
                self._step_spans(chosen, mode)
        finally:
            self._is_busy = False

    def _step_spans(self, actions: Actions, mode: int) -> None:
        step_games.prepare()
        pool = self._others()
        others = [pool.submit(self._step_span, number, actions, mode) for number in range(1, len(self._spans))]
        self._step_span(0, actions, mode)
        for other in others:
            other.result()

    def _others(self) -> ThreadPoolExecutor:
        """Return the threads beside the caller's; after a fork the child has none of its parent's."""
        if self._pool is None or self._pool_of != os.getpid():
            self._pool, self._pool_of = ThreadPoolExecutor(len(self._spans) - 1), os.getpid()
        return self._pool

    def _step_span(self, number: int, actions: Actions, mode: int) -> None:
        first, end = self._spans[number]
        step_games(first, end, actions, mode, self._plain, self.shown, self.table)

    def _check_actions(self, actions: npt.ArrayLike) -> Actions:
        games, number = self.legal_action_mask.shape
        try:
            checked = np.asarray(actions)
        except ValueError:
            raise ActionError(f"expected {games} actions, one for each game, got {actions!r}") from None
        if checked.shape != (games,):
            raise ActionError(f"expected {games} actions, one for each game, got shape {checked.shape}")
        if checked.dtype.kind not in "iu":
            raise ActionError(f"expected actions of an integer type, got {checked.dtype}")
        # Numbers too large for the type become negative.
        chosen = _as_kernels_take(checked, np.int64)
        game = first_wrong(chosen, number - 1)
        if game >= 0:
            raise ActionError(f"game {game}: expected an action from 0 to {number - 1}, got {checked[game]}")
        return chosen

    def reset(self, mask: npt.ArrayLike | None = None, player_order: npt.ArrayLike | None = None) -> None:
        """Start new games, all of them or those that `mask` (games,) marks.

        player_order: (games, 2), the player of each colour, [0, 1] or [1, 0]; random by default. Raises SettingError.
        """
        games = self.settings.games
        chosen = np.ones(games, dtype=np.bool_) if mask is None else self._check_mask(mask)
        order = None if player_order is None else np.asarray(player_order)
        if order is not None and not (order.shape == (games, 2) and np.isin(order, (0, 1)).all() and (order.sum(1) == 1).all()):
            raise SettingError(f"player_order: expected {games} rows [0, 1] or [1, 0], got {player_order!r}")
        with self._alone():
            begin_games(_as_kernels_take(chosen, np.bool_).view(np.uint8), self._plain, self.shown, self.table)
            if order is not None:
                self.arrays.facts[ORDER, chosen] = self.arrays.facts[PLAYER, chosen] = order[chosen, 0]

    def _check_mask(self, mask: npt.ArrayLike) -> Flags:
        marked = np.asarray(mask)
        if marked.shape != (self.settings.games,) or marked.dtype != np.bool_:
            raise SettingError(f"mask: expected {self.settings.games} booleans, got {marked.dtype} of shape {marked.shape}")
        return marked

    def sample(self, rng: np.random.Generator) -> Actions:
        """Return a legal action for each game, drawn uniformly. Raises SettingError for what is no generator of numpy's."""
        actions = np.empty(self.settings.games, dtype=np.int64)
        try:
            chances = rng.random(len(actions))
        except (AttributeError, TypeError):
            raise SettingError(f"rng: expected a generator, such as numpy.random.default_rng(1), got {rng!r}") from None
        draw_actions(chances, self.arrays.legal, actions)
        return actions

    # Looking

    @property
    def player_order(self) -> Numbers:
        """The player of each colour, (games, 2): [0, 1] where player 0 has Black, else [1, 0]. A fresh array."""
        order = self.arrays.facts[ORDER]
        return np.stack([order, 1 - order], axis=1)

    @property
    def final_observation(self) -> Flags:
        """Under `same_step`, the last observation of each row's previous game; all False before a first end. A fresh array."""
        kind = self.settings
        planes = planes_of(kind.history_length)
        words = self.arrays.finals.astype("<u8", copy=False)
        bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").reshape(*words.shape, 64)
        # The other bits of each word belong to no point.
        points = bits[:, :, : 64 // planes * planes].reshape(kind.games, -1)[:, : kind.size * kind.size * planes]
        return points.view(np.bool_).reshape(kind.games, kind.size, kind.size, planes)

    def why_over(self, game: int | np.integer[Any]) -> Ending | None:
        """Return the name of a game's `ending`; None while it goes on."""
        return ENDINGS[self.ending[game]]

    def actions_of(self, game: int) -> list[int]:
        """Return the actions of a game so far."""
        played: list[int] = self.arrays.log[game, : self.step_count[game]].tolist()
        return played

    def rows(self, game: int) -> State:
        """Return a game as a state of `goban`, for viewing; an illegal action at its end is left out."""
        state, size = new_game(self.settings.rules, self.settings.size), self.settings.size
        for action in self.actions_of(game):
            move = None if action == size * size else divmod(action, size)
            if state.why_illegal(move) is not None:
                break
            state = state.after(move)
        return state

    # Keeping

    def copy(self) -> GoBatch:
        """Return an independent batch that continues from here in the same way, like `copy.copy` and `copy.deepcopy`."""
        return copy(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return what cannot be made again. Shown arrays are views; copied one by one, they would no longer be."""
        others = {name: value for name, value in vars(self).items() if name not in _MADE}
        return {"settings": self.settings, "threads": self.threads, "arrays": (*self.arrays, *self.shown), "others": others}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._begin_with(state["settings"], state["threads"])
        self.take(state["arrays"])
        vars(self).update(state["others"])

    def restore(self, other: GoBatch) -> None:
        """Take over the games of another batch; raises SettingError if it was made for other games."""
        check_kind(other, GoBatch, "a batch of games (GoBatch)", SettingError)
        if other.settings != self.settings:
            raise SettingError(f"expected a batch made as this one, {self.settings}, got {other.settings}")
        self.take((*other.arrays, *other.shown))

    def take(self, arrays: Iterable[npt.NDArray[Any]]) -> None:
        """Take over what another batch made for the same games holds: its `arrays`, then what is `shown`."""
        pairs: Any = zip((*self.arrays, *self.shown), arrays, strict=True)
        with self._alone():
            for mine, theirs in pairs:
                mine[...] = theirs

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Within the block, refuse other threads; raises EnvironmentsError while another one is in such a block."""
        if self._is_busy:
            raise EnvironmentsError(_SHARED)
        self._is_busy = True
        try:
            yield
        finally:
            self._is_busy = False


def _as_kernels_take(array: npt.NDArray[Any], kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array as kernels take it: in one piece, and not read-only, as arrays of jax are."""
    taken = np.ascontiguousarray(array, dtype=kind)
    return taken if taken.flags.writeable else taken.copy()


# Chance for those who play in a batch: a stream of random words for every row


Rows: TypeAlias = npt.NDArray[np.intp]

_12, _25, _27 = (np.uint64(n) for n in (12, 25, 27))
_STAR = np.uint64(0x2545F4914F6CDD1D)


class Chances:
    """What a row draws depends on the seed and on how often it has drawn, on no other row.

    The streams are those of `goban.kernels.numba_tools.random_numbers`.
    """

    def __init__(self, seed: int) -> None:
        self._seed, self._streams = np.uint64(seed % 2**64), np.zeros(0, dtype=np.uint64)

    def words(self, rows: Rows) -> Words:
        """Return a random word for each of these rows, which are all different; the upper half is the better one."""
        number = int(rows.max(initial=-1)) + 1
        if number > len(self._streams):
            streams = np.zeros(number, dtype=np.uint64)
            start_streams(self._seed, streams)
            streams[: len(self._streams)] = self._streams
            self._streams = streams
        words = self._streams[rows]
        words ^= words >> _12
        words ^= words << _25
        words ^= words >> _27
        self._streams[rows] = words
        return words * _STAR


# Batches as files: NumPy's .npz, read without pickle


VERSION = 1
MOST_BYTES = 2**30

Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


def save_batch(batch: GoBatch, path: str | Path) -> None:
    """Write a batch to a file, whole or not at all; raises OSError, and BatchFileError for rules that are no preset's."""
    check_kind(batch, GoBatch, "a batch of games (GoBatch)", SettingError)
    kind, games = batch.settings, batch.arrays
    options = {
        "size": kind.size, "games": kind.games, "rules": kind.rules.name, "komi": kind.rules.fixed_komi,
        "history_length": kind.history_length, "max_terminal_steps": kind.rules.max_move(kind.size), "seed": kind.seed,
        "auto_reset": str(kind.auto_reset),
    }  # fmt: skip
    if kind.rules.name not in PRESETS or settings_of(**options) != kind:  # type: ignore[arg-type]
        raise BatchFileError(f"only rules of a preset can be saved, got {kind.rules}")
    file = BytesIO()
    np.savez_compressed(
        file, allow_pickle=False, version=np.array(VERSION), options=np.array(json.dumps(options)), steps=batch.step_count,
        actions=games.log[:, : batch.step_count.max()], order=batch.player_order, streams=games.streams, finals=games.finals,
        rewards=batch.rewards, terminated=batch.terminated, winner=batch.winner, ending=batch.ending,
    )  # fmt: skip
    write_beside(Path(path), file.getvalue())


def load_batch(path: str | Path, threads: int = 1) -> GoBatch:
    """Return the batch of a file; raises OSError, and BatchFileError for a file that is no saved batch."""
    content = read_bounded(path, MOST_BYTES)
    try:
        arrays = read_arrays(content)
        version = int(arrays["version"])
        options = json.loads(str(arrays["options"]))
    except Exception:  # a text may hold what is no character
        raise BatchFileError(f"{path}: no saved batch, or a damaged one") from None
    if version != VERSION:
        raise BatchFileError(f"{path}: expected a batch of version {VERSION}, got {version}")
    try:
        # Before room is made for so many games.
        _check(settings_of(**options), arrays)
        batch = GoBatch(**options, threads=threads)
        _replay(batch, arrays)
        _take_over(batch, arrays)
    except Exception as error:  # whatever is damaged, it costs this file alone
        raise BatchFileError(f"{path}: {one_line(error)}") from None
    return batch


def _check(kind: Settings, arrays: Arrays) -> None:
    """Raise BatchFileError unless the arrays are of the right kind and their numbers in range."""
    games, steps = kind.games, kind.rules.max_move(kind.size) or 0
    words = view_words(kind.size, kind.history_length)
    shapes = {
        "steps": ((games,), np.int32, 0, steps), "order": ((games, 2), np.int32, 0, 1),
        "actions": ((games, *arrays["actions"].shape[1:2]), np.int16, 0, kind.actions - 1),
        "streams": ((games,), np.uint64, 0, 2**64 - 1), "finals": ((games, words), np.uint64, 0, 2**64 - 1),
        "rewards": ((games, 2), np.float32, -1, 1), "terminated": ((games,), np.bool_, 0, 1),
        "winner": ((games,), np.int32, 0, 2), "ending": ((games,), np.int32, 0, len(ENDINGS) - 1),
    }  # fmt: skip
    for name, (shape, kind_of, low, high) in shapes.items():
        array = arrays[name]
        check_array(name, array, kind_of, shape)
        if array.size and not (array.min() >= low and array.max() <= high):
            raise BatchFileError(f"{name}: expected numbers from {low} to {high}")
    if arrays["steps"].max() > arrays["actions"].shape[1]:
        longest, most = arrays["steps"].max(), arrays["actions"].shape[1]
        raise BatchFileError(f"actions: expected {longest} for the longest game, got {most}")


def _replay(batch: GoBatch, arrays: Arrays) -> None:
    """Play the games of a file again; raises BatchFileError if one ends before its last action."""
    # Longest games first, so that those to be stepped are always the first rows.
    rows = np.argsort(-arrays["steps"], kind="stable")
    steps, actions = arrays["steps"][rows], arrays["actions"][rows].T.astype(np.int64)
    batch.reset(player_order=arrays["order"][rows])
    for step in range(steps.max()):
        number = int((steps > step).sum())
        if batch.terminated[:number].any():
            raise BatchFileError(f"game {rows[batch.terminated[:number].argmax()]} is over before its last action")
        chosen = np.ascontiguousarray(actions[step])
        step_games(0, number, chosen, STAYS, batch.arrays.plain(), batch.shown, batch.table)
    back = np.argsort(rows)
    facts = batch.arrays.facts
    facts[:] = facts[:, back]
    for array in (*batch.arrays.plain()[:-1], *batch.shown):
        array[:] = array[back]


def _take_over(batch: GoBatch, arrays: Arrays) -> None:
    """Take from a file what the actions do not show: chance, and what is left of the game before."""
    if batch.settings.auto_reset is AutoReset.SAME_STEP:
        batch.terminated[:] = arrays["terminated"]
        batch.arrays.facts[WON], batch.arrays.facts[ENDED] = arrays["winner"], arrays["ending"]
        batch.arrays.finals[:] = arrays["finals"]
    for name in ("terminated", "winner", "ending"):
        if not np.array_equal(getattr(batch, name), arrays[name]):
            raise BatchFileError(f"{name}: is not what the actions lead to")
    batch.rewards[:] = arrays["rewards"]
    # A stream of random numbers never stands at 0.
    batch.arrays.streams[:] = np.maximum(arrays["streams"], np.uint64(1))
