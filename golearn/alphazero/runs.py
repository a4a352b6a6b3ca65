"""The folder of a run.

    plan.toml              everything the result depends on
    weights-000000.npz     and this, if the run goes on from another run's network
    curve.jsonl            a line for each round: see `golearn.alphazero.rounds`
    curve.csv, curve.svg   the same as a table and as a picture
    checkpoint-NNNNNN.npz  all that the run goes on from, after so many rounds; the newest two are kept
    weights-NNNNNN.npz     the network after so many rounds; about twenty from the whole run

Files are there whole or not at all. So a run may be killed at any moment: what goes on from its folder repeats the round that
was lost. One process at a time may work on a run.

    run = train(read_plan("tictactoe"), "ttt.run", tell=lambda run: print(run.played, run.curve[-1]["value"]))
    run = resume("ttt.run")
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from goban.common.arguments import check_functions, check_kind
from goban.common.files import is_new_or_empty, make_folder, one_line, open_beside, read_arrays, write_beside
from golearn.alphazero.game_checks import GameFault, check_game
from golearn.alphazero.games import find_game
from golearn.alphazero.plans import Plan, plan_text, read_plan
from golearn.alphazero.rounds import Arrays, Learner, Point, Run, about, first_weights, plan_architecture
from golearn.alphazero.truth import EVERY, SHARES, Metrics
from golearn.alphazero.weights import Weights, read_weights, write_weights
from golearn.errors import BadPlanError, BadRunError, BadWeightsError

Made = TypeVar("Made")

KEPT_CHECKPOINTS = 2
KEPT_WEIGHTS = 20
# With these a game may still be learned well.
_HARMLESS = {GameFault.LEGAL_LEFT_OUT, GameFault.UNHASHABLE, GameFault.PERSPECTIVE}
_PLAN, _CURVE, _FIRST = "plan.toml", "curve.jsonl", "weights-000000.npz"


def train(
    plan: Plan,
    folder: str | Path,
    *,
    network: str | Path | None = None,
    device: str = "auto",
    workers: int = 0,
    tell: Callable[[Run], object] = lambda run: None,
) -> Run:
    """Start a run in a new or empty folder, and play and learn until the plan's games are played.

    network: the file of a network to start from, instead of an untrained one. device: what computes: auto, cpu, cuda or
    cuda:1. workers: threads that play games, 0 for one per core; they do not affect the result. tell: called with the
    run after each round, once the folder holds the round; `run.curve[-1]` is the round's point.
    If Ctrl-C or an exception in `tell` stops it, the folder holds the earlier rounds: `resume` continues from them. Raises
    BadPlanError, BadRunError, BadWeightsError, BadDeviceError, OSError, and ImportError without torch.
    """
    check_kind(plan, Plan, "a plan of golearn.read_plan", BadPlanError)
    check_functions(BadRunError, tell=tell)
    learner_of = torch_learner(device)
    begin(Path(folder), plan, None if network is None else Path(network))
    run = resume_run(Path(folder), learner_of)
    finish_run(run, Path(folder), workers, tell)
    return run


def resume(
    folder: str | Path, *, device: str = "auto", workers: int = 0, tell: Callable[[Run], object] = lambda run: None
) -> Run:
    """Continue a run that was stopped or killed, to its end; see `train`. Also raises BadRunError and BadPlanError."""
    check_functions(BadRunError, tell=tell)
    run = resume_run(Path(folder), torch_learner(device))
    finish_run(run, Path(folder), workers, tell)
    return run


def torch_learner(device: str) -> Callable[[Plan], Learner]:
    """Return what makes a plan's learner; raises BadDeviceError, and ImportError without torch, whose text says everything."""
    from golearn.alphazero import networks, training

    networks.device_of(device)
    return lambda plan: training.Learner(plan, first_weights(plan), device)


def finish_run(
    run: Run,
    folder: Path,
    workers: int,
    tell: Callable[[Run], object],
    progress: Callable[[int], None] = lambda played: None,
) -> None:
    """Play and learn until all games are played, and save after each round; for the rest see `train`.

    progress: called with the number of games played, now and then.
    """
    stopped: list[bool] = []
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as executor:
        try:
            while run.played < run.plan.games:
                run.step(executor, progress, lambda: bool(stopped))
                save(run, folder)
                tell(run)
        finally:
            # Leaving `with` waits for the games at hand.
            stopped.append(True)


def begin(folder: Path, plan: Plan, network: Path | None = None) -> None:
    """Make the folder of a run; BadRunError if something is there, BadPlanError if a game of one's own has a fault.

    network: the file of one to go on from; OSError, and BadWeightsError if it has none, or one that is not as the plan's are.
    """
    if not is_new_or_empty(folder):
        found = "a run, with which resume goes on" if (folder / _PLAN).exists() else "something else"
        raise BadRunError(f"{folder}: expected a new or an empty folder, found {found}")
    first = network and _read_first(network, plan)
    _check_own_game(plan)
    make_folder(folder)
    if first:
        write_weights(folder / _FIRST, first)
    write_beside(folder / _PLAN, plan_text(plan).encode())


def _check_own_game(plan: Plan) -> None:
    """Play a game of one's own at random; raises BadPlanError for a fault from which nothing right could be learned."""
    if ":" not in plan.game:
        return
    harmless = _HARMLESS | ({GameFault.ENDLESS} if plan.max_plies else set())
    for finding in check_game(find_game(plan.game).game, games=2):
        if finding.fault not in harmless:
            raise BadPlanError(f"game: {plan.game} has a fault: {finding}")


def _read_first(path: Path, plan: Plan) -> Weights:
    """Return a file's network as the one that a run begins with."""
    found, wanted = read_weights(path), plan_architecture(plan)
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
    with open_beside(folder / f"checkpoint-{run.rounds:06}.npz") as file:
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


def resume_run(
    folder: Path, learner_of: Callable[[Plan], Learner], tell: Callable[[str], object] = lambda line: None
) -> Run:
    """Return a run as its newest checkpoint has it, or as the plan begins it; raises BadRunError, BadPlanError.

    tell: called with a line for each checkpoint that is damaged, if there is an older one to go on from.
    """
    plan = plan_of(folder)

    def run_of(arrays: Arrays, notes: dict[str, Any]) -> Run:
        run = Run(plan, learner_of(plan))
        run.restore(arrays, notes)
        return run

    run = _newest(folder, run_of, tell) or Run(plan, _beginner(folder, learner_of(plan)))
    for path in filter(Path.is_dir, _checkpoints(folder)):
        path.rename(f"{path}.damaged")  # no checkpoint can be written over it
    tidy(run, folder)
    return run


def _beginner(folder: Path, learner: Learner) -> Learner:
    """Return a learner as the run in this folder begins with it; raises BadWeightsError."""
    if (folder / _FIRST).exists():
        learner.restore(read_weights(folder / _FIRST), learner.moments())
    return learner


def newest_network(folder: str | Path, tell: Callable[[str], object] = lambda line: None) -> Weights:
    """Return the network in a run's newest checkpoint; raises BadRunError, BadPlanError. tell: see `resume_run`."""
    check_functions(BadRunError, tell=tell)
    folder = Path(folder)
    plan = plan_of(folder)

    def network_of(arrays: Arrays, notes: dict[str, Any]) -> Weights:
        named = {name.removeprefix("weights."): array for name, array in arrays.items() if name.startswith("weights.")}
        return Weights(plan_architecture(plan), named, about(plan, len(notes["curve"])))

    network = _newest(folder, network_of, tell)
    if network is None:
        raise BadRunError(f"{folder}: no round of this run is over yet")
    return network


def write_onnx(path: str | Path, weights: Weights) -> None:
    """Write a network to an ONNX file, for other programs. Raises OSError, BadWeightsError, and ImportError without onnx."""
    from golearn.alphazero import onnx_files

    check_kind(weights, Weights, "a network (golearn.Weights)", BadWeightsError)
    onnx_files.write_onnx(Path(path), weights)


def kept_networks(folder: str | Path) -> list[Weights]:
    """Return the networks kept from a run, the oldest first; raises BadWeightsError."""
    return [read_weights(path) for path in sorted(Path(folder).glob("weights-??????.npz"))]


def _newest(folder: Path, make: Callable[[Arrays, dict[str, Any]], Made], tell: Callable[[str], object]) -> Made | None:
    """Return what is made of the newest checkpoint, of the one before if that one is damaged; None if there is none."""
    damaged: list[str] = []
    for path in reversed(_checkpoints(folder)):
        try:
            arrays = read_arrays(path.read_bytes())
            made = make(arrays, json.loads(str(arrays.pop("notes"))))
        except BadRunError as error:
            raise BadRunError(f"{folder}: {error}") from None
        except Exception as error:  # whatever is damaged, the run goes on from the one before
            damaged.append(f"{path}: cannot be read as a checkpoint: {one_line(error)}")
        else:
            for line in damaged:
                tell(f"{line}; {path.name} takes its place")
            return made
    if damaged:
        raise BadRunError(damaged[0])
    return None


def _checkpoints(folder: Path) -> list[Path]:
    """Return the checkpoints in a folder, the newest last."""
    return sorted(folder.glob("checkpoint-??????.npz"))


# Curves as pictures: SVG, a small diagram for each figure, over the games played


FIGURES = {
    "policy": "policy loss", "value": "value loss", "margin": "margin loss", "owners": "owners loss",
    "plies": "moves of a game", "first": "points of who moves first", "rate": "rate of learning",
}  # fmt: skip
TRUTHS = {
    "winner": "the right winner", "kept wins": "kept wins", "best moves": "best moves", "regret": "regret, stones",
    "kept values": "kept values", "safe moves": "safe moves", "value error": "value error",
}  # fmt: skip
"""Metrics of `golearn.alphazero.truth`, and of small games."""
_WIDTH, _HEIGHT, _EDGE, _FOOT = 360, 150, 40, 24
_TALL = 230
"""The height of a diagram with several lines."""
_COLOURS = ("teal", "#d98c00", "#b0413e", "#6a51a3", "#7f7f7f")
_BOLD, _USUAL = 2.5, 1.5


@dataclass(frozen=True)
class Diagram:
    """One figure. lines: its values by the name of a line, the first drawn bold; across: the games of each value."""

    title: str
    across: Sequence[float]
    lines: Mapping[str, Sequence[float]]
    shares: bool = False


def picture(curve: Sequence[Point]) -> str:
    """Return a run's curve as SVG; figures that it does not have are left out."""
    games = [point["games"] for point in curve]
    return _draw([
        Diagram(title, games, {"": [point[name] for point in curve]})
        for name, title in FIGURES.items() if curve and name in curve[0]
    ])  # fmt: skip


def truth_picture(curve: Sequence[tuple[int, dict[str, Metrics]]]) -> str:
    """Return as SVG how near networks came to the exact values: after so many games, by part of the positions."""
    games, parts = [games for games, _ in curve], list(curve[0][1])
    diagrams = []
    for metric, title in TRUTHS.items():
        there = [part for part in parts if all(metric in results[part] for _, results in curve)]
        if EVERY in there:
            lines = {part: [results[part][metric].value for _, results in curve] for part in there}
            diagrams.append(Diagram(title, games, lines, metric in SHARES))
    return _draw(diagrams, legend=parts)


def _draw(diagrams: Sequence[Diagram], legend: Sequence[str] = ()) -> str:
    """Return diagrams two abreast; legend: names of lines, if there are several."""
    tall, foot = (_TALL, _FOOT) if len(legend) > 1 else (_HEIGHT, 0)
    shown = "".join(_diagram(diagram, k % 2 * _WIDTH, k // 2 * tall, tall, legend) for k, diagram in enumerate(diagrams))
    below = -(-len(diagrams) // 2) * tall
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * _WIDTH} {below + foot}" '
        'font-family="sans-serif" font-size="11">\n'
        f'<rect width="{2 * _WIDTH}" height="{below + foot}" fill="white"/>\n{shown}{_legend(legend, below)}</svg>\n'
    )


def _legend(names: Sequence[str], top: int) -> str:
    """Return a line of names in their colours; '' if one name needs none."""
    step = 2 * (_WIDTH - _EDGE) // max(1, len(names))
    return "".join(
        f'<text x="{_EDGE + k * step}" y="{top + 8}" fill="{_COLOURS[k % len(_COLOURS)]}" font-weight="bold">'
        f"{'all positions' if name == EVERY else f'after {name} moves'}</text>\n"
        for k, name in enumerate(names) if len(names) > 1
    )  # fmt: skip


def _diagram(diagram: Diagram, left: int, top: int, tall: int, legend: Sequence[str]) -> str:
    """Return one figure, drawn between its lowest and its highest value."""
    values = [value for line in diagram.lines.values() for value in line]
    low, high, last = min(values), max(values), diagram.across[-1]
    width, height = _WIDTH - 2 * _EDGE, tall - 2 * _EDGE
    x, y = left + _EDGE, top + _EDGE
    across = [x + width * games / last for games in diagram.across]
    lines = []
    for k, (name, line) in enumerate(diagram.lines.items()):
        down = [y + height * (high - value) / ((high - low) or 1) for value in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, down, strict=True))
        colour = _COLOURS[(legend.index(name) if legend else k) % len(_COLOURS)]
        thick = _BOLD if k == 0 and len(diagram.lines) > 1 else _USUAL
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{thick}"/>\n')
    ends = [f"{100 * end:.3g} %" if diagram.shares else f"{end:.3g}" for end in (high, low)]
    return (
        f'<text x="{x}" y="{y - 10}" font-weight="bold">{diagram.title}</text>\n'
        f'<path d="M{x},{y}V{y + height}H{x + width}" fill="none" stroke="gray"/>\n'
        f'<text x="{x - 4}" y="{y + 4}" text-anchor="end">{ends[0]}</text>\n'
        f'<text x="{x - 4}" y="{y + height + 4}" text-anchor="end">{ends[1]}</text>\n'
        f'<text x="{x + width}" y="{y + height + 14}" text-anchor="end">{last:,.0f} games</text>\n'
        f"{''.join(reversed(lines))}"
    )
