"""What goes on from files of arrays: training runs, batches of games, and books that are being made."""

from __future__ import annotations

import ast
import io
import random
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

from goban.solver.book_entries import load_or_make
from goban.solver.errors import SearchError
from golearn.alphazero import runs
from golearn.alphazero.plans import read_plan
from golearn.alphazero.rounds import Run
from golearn.alphazero.runs import newest_network, resume_run, save
from golearn.alphazero.selfplay import SelfPlay
from golearn.environments.batches import GoBatch, load_batch, save_batch
from golearn.errors import EnvironmentsError, LearningError
from golearn.qlearning import checkpoints, training
from golearn.qlearning.patterns import geometry
from golearn.qlearning.training import MINIMAX, Plan, Training
from tests.fuzz.arrays import members_of, odd_members, zip_of
from tests.fuzz.mutations import Mutator
from tests.fuzz.readers import Reader
from tests.support.plain_learner import PlainLearner, tiny_plan

_WORDS = (b"\x93NUMPY", b"'descr'", b"'<f4'", b"'<i8'", b"(2,)", b'"plan"', b'"games"', b'"curve"')


def _packed(data: bytes) -> bytes:
    """Return a file of arrays as short as it can be: most of a fresh table is 0."""
    with np.load(io.BytesIO(data)) as file:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **file)
    return buffer.getvalue()


_geometry = cache(geometry)


@contextmanager
def _small() -> Iterator[None]:
    """Have runs of tables with a few patterns and states: of more, each would take as long to read as it takes to be zeroed."""
    sizes = {"STAGES": 2, "ENTRIES": 5, "STATE_BITS": 6}
    with ExitStack() as stack:
        stack.enter_context(patch.multiple(training, **sizes))
        small = partial(Training, geometry=_geometry())
        stack.enter_context(patch.multiple(checkpoints, STATE_BITS=6, Training=small))
        yield


@cache
def _checkpoints() -> list[bytes]:
    with _small():
        return _made_checkpoints()


def _made_checkpoints() -> list[bytes]:
    plan = Plan(MINIMAX, 40, 1, {"random": 1.0, "self": 2.0}, (0.1, 0.01), (0.2, 0.0), 0.5, 0.5)
    fresh, later = Training(plan), Training(plan, 20, curve=[{"games": 20.0, "error": 0.1, "random B": 0.5}])
    later.league.append(later.weights[:].copy())
    later.states.keys[[3, 40]], later.known = (5, 9), 2
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.npz"
        files = []
        for run in (fresh, later):
            checkpoints.save(run, path)
            files.append(_packed(path.read_bytes()))
    return files


def _read_checkpoint(data: bytes, folder: Path) -> str:
    path = folder / "table.npz"
    path.write_bytes(data)
    with _small():
        run = checkpoints.load(path)
    return f"{run.played} {run.known} {len(run.league)} {len(run.curve)}"


@cache
def _runs() -> list[bytes]:
    """A checkpoint of a run after its first round, which has learned nothing yet."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "plan.toml").write_text(tiny_plan(8))
        plan = read_plan(f"{folder}/plan.toml")
        run = Run(plan, PlainLearner(plan))
        games = SelfPlay(run.game, run.learner.evaluator(), plan).play(range(8), lambda: False)
        run.replay.add(games.positions)
        run.curve.append({"games": 8, "positions": run.replay.total, "value": 0.5})
        save(run, Path(folder))
        return [_packed((Path(folder) / "checkpoint-000001.npz").read_bytes())]


# A third of the time goes to what is the same in all inputs: the plan, and the headers of the arrays that are left whole.
_read_plan, _literal = cache(read_plan), lru_cache(512)(ast.literal_eval)


def _read_run(data: bytes, folder: Path) -> str:
    if not (folder / "plan.toml").exists():
        (folder / "plan.toml").write_text(tiny_plan(8))
    (folder / "checkpoint-000001.npz").write_bytes(data)
    with patch.object(runs, "read_plan", _read_plan), patch.object(ast, "literal_eval", _literal):
        run = resume_run(folder, PlainLearner)
        newest_network(folder)
    run.replay.batch(np.arange(len(run.replay.positions.values)), np.zeros(len(run.replay.positions.values), np.int64))
    return f"{run.rounds} {len(run.curve)}"


@cache
def _batches() -> list[bytes]:
    files = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.npz"
        for options in ({"auto_reset": "same_step"}, {"rules": "littlego"}):
            batch = GoBatch(size=2, games=2, seed=3, **options)
            for _ in range(3):
                batch.step(batch.legal_action_mask.argmax(axis=1))
            save_batch(batch, path)
            files.append(path.read_bytes())
    return files


def _read_batch(data: bytes, folder: Path) -> str:
    path = folder / "games.npz"
    path.write_bytes(data)
    batch = load_batch(path)
    return f"{batch.settings.size} {batch.settings.games} {batch.step_count.max()}"


@cache
def _parts() -> list[bytes]:
    buffer = io.BytesIO()
    np.savez(buffer, **{name: np.array([7, 8]) for name in ("keys", "values", "works")})
    return [buffer.getvalue()]


def _read_part(data: bytes, folder: Path) -> str:
    path = folder / "part.npz"
    path.write_bytes(data)
    return f"{min(len(load_or_make(path, lambda: ())[0]), 9)}"


def _member(array: np.ndarray[Any, Any]) -> bytes:
    """Return an array as it stands in a file of arrays."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array)
    return buffer.getvalue()


@cache
def _arrays_of(data: bytes) -> dict[str, np.ndarray[Any, Any]]:
    with np.load(io.BytesIO(data)) as file:
        return dict(file)


def _odd_notes(seeds: list[bytes], member: str, rng: random.Random) -> bytes:
    """Return a file of arrays that is whole, and whose text of JSON says something else."""
    seed = rng.choice(seeds)
    text = Mutator(rng, (b'"plan"', b'"curve"', b"NaN"), 4096).mutated(str(_arrays_of(seed)[member]).encode(), b"{}")
    odd = _member(np.array(text.decode(errors="replace")))
    return zip_of({**members_of(seed), f"{member}.npy": odd}, zipfile.ZIP_DEFLATED)


def _odd_arrays(seeds: list[bytes], rng: random.Random) -> bytes:
    """Return a file of arrays that is whole, with one of another kind, shape or name."""
    seed = rng.choice(seeds)
    members, arrays = dict(members_of(seed)), _arrays_of(seed)
    name = rng.choice(sorted(arrays))
    array = arrays[name]
    del members[f"{name}.npy"]
    kind = rng.choice(("i1", "i8", "u8", "f4", "f8", "?", "U3"))
    changed = rng.choice((
        lambda: array.astype(kind) if array.dtype.kind != "U" else array, lambda: array[..., None], lambda: array.ravel()[:1],
        lambda: np.zeros(rng.choice(((), (0,), (2,), (3, 4))), kind), lambda: array[..., :-1] if array.ndim else array,
        lambda: array[::-1] if array.ndim else array,
    ))  # fmt: skip
    if rng.random() < 0.9:
        members[f"{name}.npy" if rng.random() < 0.9 else f"{name}x.npy"] = _member(changed())
    return zip_of(members, zipfile.ZIP_DEFLATED)


def _makers(seeds: Callable[[], list[bytes]], notes: str = "") -> tuple[Callable[[random.Random], bytes], ...]:
    made = (lambda rng: odd_members(seeds(), rng), lambda rng: _odd_arrays(seeds(), rng))
    return (*made, lambda rng: _odd_notes(seeds(), notes, rng)) if notes else made


READERS = {
    "checkpoint": Reader(_checkpoints, _read_checkpoint, (LearningError,), _WORDS, _makers(_checkpoints, "notes")),
    "run": Reader(_runs, _read_run, (LearningError,), _WORDS, _makers(_runs, "notes")),
    "batch": Reader(_batches, _read_batch, (EnvironmentsError,), _WORDS, _makers(_batches, "options")),
    "book part": Reader(_parts, _read_part, (SearchError,), _WORDS, _makers(_parts)),
}  # fmt: skip
