"""Files of the trainer: a training run, so that it can go on later exactly as if it had never stopped, and the table.

A table is the file of learned values that `my_player.py` reads: one zlib stream; inside, little-endian and without gaps:

    4 bytes            b"goQ1"
    uint32             last stage that has known states, 0 if there are none
    uint32             number n of known states
    n x uint64         their keys, rising: stage * 3**25 + least number of the board's images
    n x int16          their values
    23 x 177147 int8   weights of the patterns for stages 1 to 23, laid out as in `golearn/qlearning/patterns.py`, mirror
                       images written out, so that the player need not look for them
    23 x 1764 int8     weights of the stones in atari for the same stages, if there are any

Values and weights are sums before `squash`, in units of 1/64.
"""

from __future__ import annotations

import io
import json
import math
import struct
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from goban.common.excerpts import quoted
from goban.common.files import check_array, one_line, read_arrays, read_bounded, write_beside
from golearn.errors import BadCheckpointError
from golearn.qlearning.patterns import BOARDS, ENTRIES, Geometry, Weights
from golearn.qlearning.training import MINIMAX, OPPONENTS, RULES, STATE_BITS, Plan, Training

_MOST_BYTES = 2**30
_LARGEST = 1e300
_SHARES = 1e-300, _LARGEST


def save(training: Training, path: Path) -> None:
    """Write a checkpoint: numpy's .npz, with the plan and the learning curve as JSON inside."""
    notes = {
        "plan": asdict(training.plan), "played": training.played, "known": training.known, "curve": training.curve,
    }  # fmt: skip
    buffer = io.BytesIO()
    slots = np.flatnonzero(training.states.keys)
    np.savez(
        buffer, notes=np.array(json.dumps(notes)), weights=training.weights, slots=slots,
        league=np.array(training.league, dtype=training.weights.dtype).reshape(-1, *training.weights.shape),
        **{name: column[slots] for name, column in training.states._asdict().items()},
    )  # fmt: skip
    write_beside(path, buffer.getvalue())


def load(path: Path) -> Training:
    """Return the training run in a checkpoint; raises BadCheckpointError if it cannot be read as one."""
    try:
        return _training(read_arrays(read_bounded(path, _MOST_BYTES)))
    except Exception as error:  # whatever is damaged, it costs this file alone
        raise BadCheckpointError(f"{path}: cannot be read as a checkpoint: {one_line(error)}") from error


def games_in(path: Path) -> int:
    """Return the number of games that the run in a checkpoint has learned from; 0 if there is none that can be read."""
    try:
        return _whole("played", json.loads(str(read_arrays(read_bounded(path, _MOST_BYTES))["notes"]))["played"], 0)
    except Exception:
        return 0


def _training(file: dict[str, Any]) -> Training:
    notes = json.loads(str(file["notes"]))
    plan = _plan(notes["plan"])
    played = _whole("played", notes["played"], 0, plan.games)
    training = Training(plan, played, known=_whole("known", notes["known"], 0, 2**STATE_BITS), curve=_curve(notes["curve"]))
    shape, exact = training.weights.shape, training.weights.dtype
    check_array("weights", file["weights"], exact, shape)
    check_array("league", file["league"], exact, (len(file["league"]), *shape))
    training.weights[:] = file["weights"]
    training.league = list(file["league"])
    slots = file["slots"]
    check_array("slots", slots, np.int64, (training.known,))
    last = len(training.states.keys) - 1
    if len(slots) and not (slots[0] >= 0 and slots[-1] <= last and (np.diff(slots) > 0).all() and file["keys"].all()):
        raise ValueError(f"slots: expected rising numbers from 0 to {last}, and a state in each")
    for name, column in training.states._asdict().items():
        check_array(name, file[name], column.dtype, slots.shape)
        column[slots] = file[name]
    return training


def _plan(said: dict[str, Any]) -> Plan:
    """Return the plan in a file; raises ValueError or KeyError for one that the command line would not take."""
    # Before there was another rule, it was not said.
    opponents, rule = said["opponents"], said.get("rule", MINIMAX)
    if rule not in RULES:
        raise ValueError(f"rule: expected one of {', '.join(RULES)}, got {quoted(rule)}")
    if not opponents or not set(opponents) <= set(OPPONENTS):
        raise ValueError(f"opponents: expected some of {', '.join(OPPONENTS)}, got {quoted(', '.join(opponents))}")
    least = {"rate": 1e-6, "exploration": 0.0}
    courses = {}
    for name, lowest in least.items():
        first, last = (_number(name, value, lowest, 1) for value in said[name])
        courses[name] = first, last
    return Plan(
        rule=rule,
        games=_whole("games", said["games"], 1),
        seed=_whole("seed", said["seed"]),
        opponents={name: _number(name, share, *_SHARES) for name, share in opponents.items()},
        rate=courses["rate"],
        exploration=courses["exploration"],
        trace=_number("trace", said["trace"], 0, 1),
        states_from=_number("states_from", said["states_from"], 0, 1),
    )


def _curve(said: list[dict[str, Any]]) -> list[dict[str, float]]:
    if any(point.keys() != said[0].keys() or not point.keys() >= {"games", "error"} for point in said):
        raise ValueError("curve: expected the same figures at each point, games and error among them")
    return [{name: _number(name, value, -_LARGEST, _LARGEST) for name, value in point.items()} for point in said]


def _whole(name: str, value: object, least: float = -math.inf, most: float = math.inf) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name}: expected a whole number from {least:g} to {most:g}, got {quoted(value)}")
    return value


def _number(name: str, value: object, least: float, most: float) -> float:
    if not isinstance(value, (int, float)) or not least <= value <= most:
        raise ValueError(f"{name}: expected a number from {least:g} to {most:g}, got {quoted(value)}")
    return float(value)


# The file of learned values that `my_player.py` reads


MAGIC = b"goQ1"
UNIT = 64


def quantise(weights: Weights, geo: Geometry) -> npt.NDArray[np.int8]:
    """Return the weights as they are written: int8 of the same shape, mirror images filled in; row 0 is unused."""
    written = np.clip(np.rint(weights * UNIT), -127, 127).astype(np.int8)
    written[:, :ENTRIES] = written[:, geo.shared]
    return written


def table_bytes(weights: Weights, keys: npt.NDArray[np.uint64], values: npt.NDArray[np.float32], geo: Geometry) -> bytes:
    """Return the contents of a table file. `keys` rise; `values`, -1 to 1, are those of their states."""
    last_stage = int(keys[-1] // np.uint64(BOARDS)) if len(keys) else 0
    sums = values / np.sqrt(np.maximum(1 - np.square(values, dtype=np.float64), 1e-4))  # the inverse of `squash`
    values = np.clip(np.rint(sums * UNIT), -32767, 32767)
    data = struct.pack("<4sII", MAGIC, last_stage, len(keys)) + keys.astype("<u8").tobytes() + values.astype("<i2").tobytes()
    written = quantise(weights, geo)[1:]
    return zlib.compress(data + written[:, :ENTRIES].tobytes() + written[:, ENTRIES:].tobytes(), 6)
