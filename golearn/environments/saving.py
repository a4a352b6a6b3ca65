"""Batches as files: NumPy's .npz, read without pickle.

    save_batch(batch, "games.npz")          batch = load_batch("games.npz", threads=2)

A file holds what the batch was made for and the actions of every game. Reading plays them again, so nothing in a file can put
a batch into a state that play does not reach.
"""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from goban.common.files import check_array, one_line, read_arrays, read_bounded, write_beside
from goban.kernels.environments.batch_arrays import ENDED, WON
from goban.kernels.environments.observations import view_words
from goban.kernels.environments.steps import ENDINGS, STAYS, step_games
from goban.rulesets import PRESETS
from golearn.environments.batches import GoBatch
from golearn.environments.settings import AutoReset, Settings, settings_of
from golearn.errors import BatchFileError

VERSION = 1
MOST_BYTES = 2**30

Arrays = dict[str, npt.NDArray[Any]]


def save_batch(batch: GoBatch, path: str | Path) -> None:
    """Write a batch to a file, whole or not at all; raises OSError, and BatchFileError for rules that are no preset's."""
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
        found = read_arrays(content)
        version = int(found["version"])
        options = json.loads(str(found["options"]))
    except Exception:  # a text may hold what is no character
        raise BatchFileError(f"{path}: no saved batch, or a damaged one") from None
    if version != VERSION:
        raise BatchFileError(f"{path}: expected a batch of version {VERSION}, got {version}")
    try:
        # Before room is made for so many games.
        _check(settings_of(**options), found)
        batch = GoBatch(**options, threads=threads)
        _replay(batch, found)
        _take_over(batch, found)
    except Exception as error:  # whatever is damaged, it costs this file alone
        raise BatchFileError(f"{path}: {one_line(error)}") from None
    return batch


def _check(kind: Settings, found: Arrays) -> None:
    """Raise BatchFileError unless the arrays are of the right kind and their numbers in range."""
    games, steps = kind.games, kind.rules.max_move(kind.size) or 0
    words = view_words(kind.size, kind.history_length)
    shapes = {
        "steps": ((games,), np.int32, 0, steps), "order": ((games, 2), np.int32, 0, 1),
        "actions": ((games, *found["actions"].shape[1:2]), np.int16, 0, kind.actions - 1),
        "streams": ((games,), np.uint64, 0, 2**64 - 1), "finals": ((games, words), np.uint64, 0, 2**64 - 1),
        "rewards": ((games, 2), np.float32, -1, 1), "terminated": ((games,), np.bool_, 0, 1),
        "winner": ((games,), np.int32, 0, 2), "ending": ((games,), np.int32, 0, len(ENDINGS) - 1),
    }  # fmt: skip
    for name, (shape, kind_of, low, high) in shapes.items():
        array = found[name]
        check_array(name, array, kind_of, shape)
        if array.size and not (array.min() >= low and array.max() <= high):
            raise BatchFileError(f"{name}: expected numbers from {low} to {high}")
    if found["steps"].max() > found["actions"].shape[1]:
        raise BatchFileError(f"actions: expected {found['steps'].max()} for the longest game, got {found['actions'].shape[1]}")


def _replay(batch: GoBatch, found: Arrays) -> None:
    """Play the games of a file again; raises BatchFileError if one ends before its last action."""
    # Longest games first, so that those to be stepped are always the first rows.
    rows = np.argsort(-found["steps"], kind="stable")
    steps, actions = found["steps"][rows], found["actions"][rows].T.astype(np.int64)
    batch.reset(player_order=found["order"][rows])
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


def _take_over(batch: GoBatch, found: Arrays) -> None:
    """Take from a file what the actions do not show: chance, and what is left of the game before."""
    if batch.settings.auto_reset is AutoReset.SAME_STEP:
        batch.terminated[:] = found["terminated"]
        batch.arrays.facts[WON], batch.arrays.facts[ENDED] = found["winner"], found["ending"]
        batch.arrays.finals[:] = found["finals"]
    for name in ("terminated", "winner", "ending"):
        if not np.array_equal(getattr(batch, name), found[name]):
            raise BatchFileError(f"{name}: is not what the actions lead to")
    batch.rewards[:] = found["rewards"]
    # A stream of random numbers never stands at 0.
    batch.arrays.streams[:] = np.maximum(found["streams"], np.uint64(1))
