"""A training run in a file, so that it can go on later exactly as if it had never stopped."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from common.array_files import one_line, read_arrays
from common.files import read_bounded, write_beside
from learning.qlearning.errors import BadCheckpointError
from learning.qlearning.patterns import ENTRIES, STAGES
from learning.qlearning.training import Plan, Training

_MOST_BYTES = 2**30


def save(training: Training, path: Path) -> None:
    """Write a checkpoint: numpy's .npz, with the plan and the learning curve as JSON inside."""
    notes = {
        "plan": asdict(training.plan), "played": training.played, "known": training.known, "curve": training.curve,
    }  # fmt: skip
    buffer = io.BytesIO()
    slots = np.flatnonzero(training.states.keys)
    np.savez(
        buffer, notes=np.array(json.dumps(notes)), weights=training.weights, slots=slots,
        league=np.array(training.league, dtype=np.float32).reshape(-1, STAGES, ENTRIES),
        **{name: column[slots] for name, column in training.states._asdict().items()},
    )  # fmt: skip
    write_beside(path, buffer.getvalue())


def load(path: Path) -> Training:
    """Return the training run in a checkpoint; raises BadCheckpointError if it cannot be read as one."""
    try:
        file = read_arrays(read_bounded(path, _MOST_BYTES))
        notes = json.loads(str(file["notes"]))
        plan = notes["plan"]
        for name in ("rate", "exploration"):
            plan[name] = tuple(plan[name])
        training = Training(Plan(**plan), notes["played"], known=notes["known"], curve=notes["curve"])
        training.weights[:] = file["weights"]
        training.league = list(file["league"])
        for name, column in training.states._asdict().items():
            column[file["slots"]] = file[name]
    except Exception as error:  # whatever is damaged, it costs this file alone
        raise BadCheckpointError(f"{path}: cannot be read as a checkpoint: {one_line(error)}") from error
    return training
