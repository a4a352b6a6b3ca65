"""The folder of a run.

    plan.toml              everything the result depends on
    weights-000000.npz     and this, if the run goes on from another run's network
    curve.jsonl            a line for each round: see `learning.alphazero.rounds`
    curve.csv, curve.svg   the same as a table and as a picture
    checkpoint-NNNNNN.npz  all that the run goes on from, after so many rounds; the newest two are kept
    weights-NNNNNN.npz     the network after so many rounds; about twenty from the whole run

Files are there whole or not at all. So a run may be killed at any moment: what goes on from its folder repeats the round that
was lost. One process at a time may work on a run.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from common.array_files import one_line, read_arrays
from common.files import opened_beside, write_beside
from learning.alphazero.curve_pictures import picture
from learning.alphazero.errors import BadRunError, BadWeightsError
from learning.alphazero.learners import Arrays, Learner, about, planned
from learning.alphazero.plans import Plan, plan_text, read_plan
from learning.alphazero.rounds import Point, Run
from learning.alphazero.weights import Weights, read_weights, write_weights

Made = TypeVar("Made")

KEPT_CHECKPOINTS = 2
KEPT_WEIGHTS = 20
_PLAN, _CURVE, _FIRST = "plan.toml", "curve.jsonl", "weights-000000.npz"



def begin(folder: Path, plan: Plan, network: Path | None = None) -> None:
    """Make the folder of a run; BadRunError if something is there.

    network: the file of one to go on from; OSError, and BadWeightsError if it has none, or one that is not as the plan's are.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        found = "a run, with which resume goes on" if (folder / _PLAN).exists() else "something else"
        raise BadRunError(f"{folder}: expected a new or an empty folder, found {found}")
    first = network and _read_first(network, plan)
    folder.mkdir(parents=True, exist_ok=True)
    if first:
        write_weights(folder / _FIRST, first)
    write_beside(folder / _PLAN, plan_text(plan).encode())


def _read_first(path: Path, plan: Plan) -> Weights:
    """Return a file's network as the one that a run begins with."""
    found, wanted = read_weights(path), planned(plan)
    if found.architecture != wanted:
        raise BadWeightsError(f"{path}: expected a network of {wanted}, got one of {found.architecture}")
    return replace(found, about={**about(plan, 0), "before": found.about})


def plan_of(folder: Path) -> Plan:
    """Return the plan of a run; raises BadRunError, BadPlanError."""
    if not (folder / _PLAN).is_file():
        raise BadRunError(f"{folder}: expected the folder of a run, with a {_PLAN}")
    return read_plan(str(folder / _PLAN))


def save(run: Run, folder: Path) -> None:
    """Write what a round has changed, and remove what is no longer wanted."""
    with opened_beside(folder / f"checkpoint-{run.rounds:06}.npz") as file:
        arrays: dict[str, Any] = {"notes": np.array(json.dumps(run.notes())), **run.arrays()}
        np.savez(file, **arrays)
    everies = [rounds * KEPT_WEIGHTS // run.plan.rounds for rounds in (run.rounds - 1, run.rounds)]
    if everies[0] < everies[1]:
        write_weights(folder / f"weights-{run.rounds:06}.npz", run.network())
    tidy(run, folder)


def tidy(run: Run, folder: Path) -> None:
    """Write the curve anew, and remove old checkpoints and what killed processes have left."""
    write_beside(folder / _CURVE, "".join(f"{json.dumps(point)}\n" for point in run.curve).encode())
    write_beside(folder / "curve.csv", _table(run.curve).encode())
    write_beside(folder / "curve.svg", picture(run.curve).encode())
    for path in (*_checkpoints(folder)[:-KEPT_CHECKPOINTS], *folder.glob("*.part")):
        path.unlink(missing_ok=True)


def _table(curve: list[Point]) -> str:
    """Return a curve as CSV, a line for each round."""
    names = list(dict.fromkeys(name for point in curve for name in point))
    file = StringIO()
    writer = csv.DictWriter(file, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(curve)
    return file.getvalue()


def resumed(folder: Path, learner_of: Callable[[Plan], Learner]) -> Run:
    """Return a run as its newest checkpoint has it, or as the plan begins it; raises BadRunError, BadPlanError."""
    plan = plan_of(folder)

    def run_of(arrays: Arrays, notes: dict[str, Any]) -> Run:
        run = Run(plan, learner_of(plan))
        run.restore(arrays, notes)
        return run

    run = _newest(folder, run_of) or Run(plan, _beginner(folder, learner_of(plan)))
    tidy(run, folder)
    return run


def _beginner(folder: Path, learner: Learner) -> Learner:
    """Return a learner as the run in this folder begins with it; raises BadWeightsError."""
    if (folder / _FIRST).exists():
        learner.restore(read_weights(folder / _FIRST), learner.moments())
    return learner


def newest_network(folder: Path) -> Weights:
    """Return the network of a run as it is in its newest checkpoint; raises BadRunError, BadPlanError."""
    plan = plan_of(folder)

    def network_of(arrays: Arrays, notes: dict[str, Any]) -> Weights:
        named = {name.removeprefix("weights."): array for name, array in arrays.items() if name.startswith("weights.")}
        return Weights(planned(plan), named, about(plan, len(notes["curve"])))

    network = _newest(folder, network_of)
    if network is None:
        raise BadRunError(f"{folder}: no round of this run is over yet")
    return network


def kept_networks(folder: Path) -> list[Weights]:
    """Return the networks that are kept of a run, the oldest first; raises BadWeightsError."""
    return [read_weights(path) for path in sorted(folder.glob("weights-??????.npz"))]


def _newest(folder: Path, make: Callable[[Arrays, dict[str, Any]], Made]) -> Made | None:
    """Return what is made of the newest checkpoint, of the one before if that one is damaged; None if there is none."""
    damaged = None
    for path in reversed(_checkpoints(folder)):
        try:
            arrays = read_arrays(path.read_bytes())
            return make(arrays, json.loads(str(arrays.pop("notes"))))
        except BadRunError as error:
            raise BadRunError(f"{folder}: {error}") from None
        except Exception as error:  # whatever is damaged, the run goes on from the one before
            damaged = damaged or BadRunError(f"{path}: cannot be read as a checkpoint: {one_line(error)}")
    if damaged:
        raise damaged
    return None


def _checkpoints(folder: Path) -> list[Path]:
    """Return the checkpoints in a folder, the newest last."""
    return sorted(folder.glob("checkpoint-??????.npz"))
