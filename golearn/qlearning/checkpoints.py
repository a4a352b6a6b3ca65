"""A training run in a file, so that it can go on later exactly as if it had never stopped."""

from __future__ import annotations

import io
import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from goban.common.excerpts import quoted
from goban.common.files import check_array, one_line, read_arrays, read_bounded, write_beside
from golearn.errors import BadCheckpointError
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
        rule, _whole("games", said["games"], 1), _whole("seed", said["seed"]),
        {name: _number(name, share, *_SHARES) for name, share in opponents.items()}, courses["rate"],
        courses["exploration"], _number("trace", said["trace"], 0, 1), _number("states_from", said["states_from"], 0, 1),
    )  # fmt: skip


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
