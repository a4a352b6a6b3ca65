"""How fast the Q-learner learns: games per second on kernels, beside the same learning played through `GO`.

    python3 -m lab.training

In both, the learner plays against itself, looks one placement ahead by the values of the shipped table, and makes the same
share of random moves. After the game it moves the value of every afterstate towards its Q-learning target. On `GO` it is a
player with `get_input`, as a student writes it: it asks the host for legal points, tries each on a board of its own, looks
values up in `my_player_table`, and keeps corrections in a dict. That is less work than the kernels do, which
correct the weights of 17 patterns. The two take turns; figures are the median, with the lowest and the highest. One thread.
"""

from __future__ import annotations

import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from tabulate import tabulate

from benchmarks.host import spread
from go import GO
from goban.common.command_lines import DONE, run
from golearn.qlearning.training import ROUND, Plan, Training
from my_player import TABLE
from my_player_table import STAGES, PackedTable

ROUNDS = 5
GO_GAMES = 20
EXPLORATION, RATE = 0.1, 0.05
ONE = 30_000


class PlainLearner:
    """Q-learning over afterstates through the methods of `GO`. It learns corrections to the values of the shipped table."""

    type = "learner"

    def __init__(self, table: PackedTable, rng: random.Random) -> None:
        self.table = table
        self.rng = rng
        self.corrections: dict[tuple[int, int, int], float] = {}
        self.visited: list[tuple[int, int, int]] = []
        self.best: list[float] = []

    def get_input(self, go: GO, piece_type: int) -> tuple[int, int]:
        """Return the point of the highest value, or sometimes a random one; remember the afterstate."""
        choices = []
        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, piece_type, test_check=True):
                    test = go.copy_board()
                    test.place_chess(i, j, piece_type)
                    test.remove_died_pieces(3 - piece_type)
                    _, black, white = go.grid.masks(test.board)
                    own, other = (black, white) if piece_type == 1 else (white, black)
                    state = own, other, go.n_move + 1
                    choices.append((self.value(state), (i, j), state))
        best = max(choices)
        chosen = self.rng.choice(choices) if self.rng.random() < EXPLORATION else best
        self.best.append(best[0])
        self.visited.append(chosen[2])
        return chosen[1]

    def value(self, state: tuple[int, int, int]) -> float:
        """Return the value of an afterstate for the player who made it."""
        if state[2] == STAGES:
            own, other, _ = state
            return ONE if 2 * (own.bit_count() - other.bit_count()) > -5 else -ONE
        return self.table.value(*state) + self.corrections.get(state, 0.0)

    def learn(self) -> None:
        """Move the value of every afterstate of the game towards that of the best reply."""
        for state, following in zip(self.visited, [*self.best[1:], 0.0], strict=True):
            error = -following - self.value(state)
            self.corrections[state] = self.corrections.get(state, 0.0) + RATE * error
        self.visited, self.best = [], []


def games_on_go(seed: int) -> float:
    """Return the games per second of the plain learner."""
    learner, go = PlainLearner(PackedTable.read(TABLE), random.Random(seed)), GO(5)
    started = time.perf_counter()
    for _ in range(GO_GAMES):
        go.play(learner, learner)
        learner.learn()
    return GO_GAMES / (time.perf_counter() - started)


def games_on_kernels(seed: int) -> float:
    """Return the games per second of `golearn.qlearning.training`."""
    plan = Plan(3 * ROUND, seed, {"self": 1.0}, (RATE, RATE), (EXPLORATION, EXPLORATION), 0.8, 0.0)
    training = Training(plan)
    with ThreadPoolExecutor(1) as workers:
        training.step(workers)
        started = time.perf_counter()
        training.step(workers)
        training.step(workers)
    return 2 * ROUND / (time.perf_counter() - started)


def main() -> int:
    """Measure and print."""
    rates: dict[str, list[float]] = {"on GO": [], "golearn.qlearning": []}
    for k in range(ROUNDS):
        rates["on GO"].append(games_on_go(k))
        rates["golearn.qlearning"].append(games_on_kernels(k))
    plain = rates["on GO"]
    rows = [
        [name, *spread(values, 1), *spread([a / b for a, b in zip(values, plain, strict=True)], 0)]
        for name, values in rates.items()
    ]
    print(tabulate(rows, ["learner", "games/s", "lowest", "highest", "ratio", "lowest", "highest"], disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("training", main))
