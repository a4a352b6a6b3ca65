"""What the network of plan `go5` can know of 5x5 under `course`: taught by exact values, not by games against itself.

    python3 -m lab.ceiling                        8,400 games, some 200,000 positions; needs torch
    python3 -m lab.ceiling --games 2000 --epochs 20

Where self-play ends below these figures, more games may help; where it has come up to them, a larger network. Positions are
those of whole games, drawn as those of `truth-set` are: half of the games by players, half by chance. The value taught is who
wins. The policy taught is any action that wins, all alike; where none does, none is taught. Margins and owners are not taught,
so best moves and regret are lower than they could be. After SLOW moves the actions of a position take a third of a second, so
those are solved in one game of EVERY_GAME only; who wins is solved in all.

Positions of the measuring set are left out, however they are turned. Solved games are kept in --out as they come: the same
command goes on where it was stopped. Rows are for parts of the games, to see whether more of them would teach more.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tabulate import tabulate

from benchmarks.pools import parser_of, progress_of, read_lines, work_off
from goban.common.command_lines import DONE, run, whole_number
from goban.solver.solver import Solver
from goban.states import State
from golearn.alphazero.answers import network_answers
from golearn.alphazero.commands.measuring import cell
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_positions import ACTIONS, MOST_MOVES, Drawing, from_players
from golearn.alphazero.plans import Plan, read_plan
from golearn.alphazero.rounds import Learner
from golearn.alphazero.runs import torch_learner
from golearn.alphazero.selfplay import Positions, Replay, join_parts, pack
from golearn.alphazero.truth import EVERY
from golearn.alphazero.weights import NumpyNetwork, Weights
from golearn.evaluation import known_positions, of_positions

RULES, GAME = "course", "go5"
SLOW, EVERY_GAME = (6, 7), 4
PARTS = (4, 2, 1)
"""One part in so many of the games."""
COLUMNS = ("winner", "value error", "kept wins", "best moves", "regret")
_MEMORY_MIB = 256

Solved = dict[str, Any]
"""A game. number; moves: its actions; wins: of each position, the actions that win, or None where unknown; won: if one does."""


@cache
def _solver() -> Solver:
    return Solver(_MEMORY_MIB)


def solve_game(number: int, seed: int) -> Solved:
    """Play a game and solve its positions, the last one first, whose values those before it need."""
    drawing, label = Drawing(RULES, seed), f"{seed} ceiling {number}"
    game = drawing.game
    _, actions = drawing.play(random.Random(label), range(MOST_MOVES, MOST_MOVES + 1), label, from_players(number))
    wins: list[list[int] | None] = []
    won: list[bool] = []
    for state in reversed(list(_positions(drawing, actions))):
        if state.n_move in SLOW and number % EVERY_GAME:
            wins.append(None)
            won.append(_solver().winner(state).winner == state.to_move)
            continue
        legal = game.legal_moves(state)
        wins.append([action for action in legal if _solver().winner(state.after(game.move_of(action))).winner == state.to_move])
        won.append(bool(wins[-1]))
    return {"number": number, "moves": actions, "wins": wins[::-1], "won": won[::-1]}


def _positions(drawing: Drawing, actions: Sequence[int]) -> Iterator[State]:
    """Yield the positions in which these actions are played."""
    state = drawing.game.initial_state()
    for action in actions:
        yield state
        state = drawing.game.apply_move(state, action)


def taught_positions(games: Sequence[Solved], seed: int) -> Positions:
    """Return what there is to learn from games."""
    drawing, held_out = Drawing(RULES, seed), _measuring_set()
    parts = []
    for one in games:
        states = list(_positions(drawing, one["moves"]))
        planes = np.stack([drawing.game.encode(state) for state in states])
        policies = np.zeros((len(states), ACTIONS), np.float16)
        for row, wins in zip(policies, one["wins"], strict=True):
            if wins:
                row[wins] = 1 / len(wins)
        count, flags = len(states), policies.max(axis=1) > 0
        values = np.where(one["won"], 1, -1).astype(np.float32)
        nothing, no, yes = np.zeros(count, np.float32), np.zeros(count, np.bool_), np.ones(count, np.bool_)
        owners = np.zeros((count, ACTIONS - 1), np.int8)
        found = Positions(*pack(planes), policies, flags, values, yes, nothing, owners, no)
        fresh = np.array([_turned_alike(one) not in held_out for one in planes])
        parts.append(Positions(*(array[fresh] for array in found)))
    return join_parts(parts)


@cache
def _measuring_set() -> frozenset[bytes]:
    known = known_positions(GAME)
    return frozenset(_turned_alike(known.game.encode(state)) for state in known.states())


def _turned_alike(planes: npt.NDArray[np.float32]) -> bytes:
    """Return what all symmetric positions share, from one's planes."""
    flat = planes.reshape(len(planes), -1)
    return min(flat[:, symmetry.points].tobytes() for symmetry in _symmetries())


@cache
def _symmetries() -> Any:  # noqa: ANN401
    return CompleteGame(Drawing(RULES, 0).game).symmetries()


def taught(plan: Plan, learner: Learner, positions: Positions, epochs: int) -> Weights:
    """Return the learner's network after it has seen each position so often, at a rate that falls along a cosine."""
    count = len(positions.values)
    replay, rng = Replay(plan.make_game(), count), np.random.default_rng((plan.seed, 3))
    replay.add(positions)
    steps = math.ceil(epochs * count / plan.batch)
    with progress_of(steps, "steps") as progress:
        for step in range(steps):
            learner.learn(replay.draw(rng, plan.batch), plan.rate * (1 + math.cos(math.pi * step / steps)) / 2)
            progress.update()
    return learner.weights()


def _row(name: str, count: int, weights: Weights) -> list[str]:
    known = known_positions(GAME)
    results = of_positions(known, network_answers(CompleteGame(known.game), NumpyNetwork(weights)))
    return [name, f"{count:,}", *(cell(metric, results[EVERY][metric]) for metric in COLUMNS)]


def main() -> int:
    """Solve, teach, measure and print."""
    options = parser().parse_args()
    learner_of, plan = torch_learner("cpu"), read_plan(GAME)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    there = {one["number"]: one for one in read_lines(options.out)}
    left = [(number, options.seed) for number in range(options.games) if number not in there]
    there |= {one["number"]: one for one in work_off(solve_game, left, options.out, "games", len(there))}
    rows = []
    for part in PARTS:
        positions = taught_positions([there[number] for number in range(options.games // part)], options.seed)
        weights = taught(plan, learner_of(plan), positions, options.epochs)
        rows.append(_row(f"{options.games // part:,}", len(positions.values), weights))
    print(tabulate(rows, ["games", "positions", *COLUMNS], disable_numparse=True))
    return DONE


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser."""
    made = parser_of("ceiling", "What the network of plan go5 can know, taught by exact values.")
    made.add_argument("--games", type=whole_number(4, 10**6, "a number"), default=8400, metavar="N", help="default: 8400")
    made.add_argument("--epochs", type=whole_number(1, 10**4, "a number"), default=12, metavar="N", help="default: 12")
    made.add_argument("--seed", type=whole_number(0, 2**31, "a seed"), default=1, metavar="N", help="of games (default: 1)")
    place = Path("build/ceiling.jsonl")
    made.add_argument("--out", type=Path, default=place, metavar="FILE", help="of solved games (default: %(default)s)")
    return made


if __name__ == "__main__":
    sys.exit(run("ceiling", main))
