"""The weights of `goban.montecarlo.guesses`: Pachi plays itself, and weights are fitted to its moves.

    python3 -m lab.guesses play build/teacher.jsonl --games 100    games of 9x9 from stones at random; wants `pachi` on the PATH
    python3 -m lab.guesses fit build/teacher.jsonl                 the weights; with --out FILE in a file, as `guesses` has them

Any games on 9x9 will do that `benchmarks` has kept, in one file or several: the moves of both players are learned from.

A fit makes the moves of the games as likely as it can, of all placements that a game at random may make, less a small penalty
for large weights. Moves after the first LATEST, which are often of no account, are left aside. An eighth of the moves is left
out of it; how likely these become is printed, with the weights, and beside it what the pattern table makes of them alone. The
same files give the same weights.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.kept_games import Pairing, Played, play_all, read_games
from benchmarks.pools import parser_of
from benchmarks.strength import RULES, SIZE, pachi
from goban.common.command_lines import DONE, CommandError, run, whole_number
from goban.kernels.patterns.boards import point_of
from goban.kernels.patterns.neighbourhoods import CLASSES
from goban.kernels.patterns.pattern_games import PatternGame
from goban.kernels.patterns.tables import make_tables
from goban.montecarlo import guesses

# isort: off
from goban.montecarlo.guesses import (
    CONTACTS, FEATURES, MOST_FEATURES, MOST_LOGARITHM, PARTS, PATTERN, SURROUNDINGS, WEIGHTS, features_of, surroundings_of,
    weight_of_term,
)  # fmt: skip
# isort: on
from goban.montecarlo.pattern_sets import DEFAULT, table_of
from goban.moves import Move
from goban.points import parse_vertex
from goban.rulesets import ruleset
from goban.states import State, new_game

GROUPS = (
    "PATTERN", "LAST", "BEFORE", "LINE", "TAKE", "TAKE_LAST", "RESCUE", "SELF_ATARI", "ATARI", "ATARI_LAST", "HARD", "NET",
    "EXTEND", "PRESS", "LIBERTIES", "JOIN", "BESIDE", "ANSWER",
)  # fmt: skip
"""Of features."""
OPENING, LATEST = 3, 70
EPOCHS, BATCH, RATE, PENALTY = 8, 1000, 0.1, 1.0
LEFT_OUT = 8
_NO_MOVE = -1e9

Weights = npt.NDArray[np.float64]
"""As `WEIGHTS` says."""
Rows = npt.NDArray[np.float32]
"""How often each placement of a position has each feature."""
Numbers = npt.NDArray[np.int64]
"""Of each placement, which weights its surroundings have."""
Choice = tuple[Rows, Numbers, int]
"""All placements of a position, and which was made."""


def play_games(path: Path, games: int, playouts: int, seed: int) -> None:
    """Let Pachi play itself until one side has lost; games are kept as they end."""
    teacher = f"{pachi(playouts)} resign_threshold=0.1"
    path.parent.mkdir(parents=True, exist_ok=True)
    play_all([Pairing("", teacher, teacher, RULES, SIZE, games, seed, opening=OPENING)], path)


def moves_of(game: Played) -> Iterator[tuple[State, list[Move], Move]]:
    """Yield every position of a game after its opening, with the moves before and the one made, a resignation left out."""
    state, before = new_game(ruleset(RULES), SIZE), list[Move]()
    for name in game.moves:
        if name != "resign":
            move = parse_vertex(name, SIZE)
            if OPENING <= len(before) < LATEST:
                yield state, before, move
            before.append(move)
            state = state.after(move)


class Reader:
    """Features of positions."""

    def __init__(self) -> None:
        self._tables = make_tables(SIZE, table_of(DEFAULT).values)
        self._noted = np.zeros(MOST_FEATURES, dtype=np.int64)

    def rows(self, state: State, before: list[Move], made: Move) -> Choice | None:
        """Return all placements, and which was made; None if a game at random would not make it, or had no choice."""
        game = PatternGame(state, self._tables)
        weights = {move: game.weight(move) for move in state.legal_moves() if isinstance(move, tuple)}
        choice = [move for move, weight in weights.items() if weight]
        if made not in choice or len(choice) < 2:
            return None
        empty = SIZE * SIZE - (state.black | state.white).bit_count()
        even = sum(weights.values()) / empty
        last, earlier = (point_of(*move, SIZE) if isinstance(move, tuple) else 0 for move in (before[-1], before[-2]))
        rows = np.zeros((len(choice), FEATURES), dtype=np.float32)
        around = np.zeros((len(choice), SURROUNDINGS), dtype=np.int64)
        for row, move in enumerate(choice):
            rows[row, PATTERN] = max(-MOST_LOGARITHM, min(MOST_LOGARITHM, math.log(weights[move] / even)))
            number = features_of(
                game.board, game.words, self._tables, game.span, point_of(*move, SIZE), last, earlier, self._noted
            )
            np.add.at(rows[row], self._noted[:number], 1)
            surroundings_of(game.board, game.words, self._tables, game.span, point_of(*move, SIZE), self._noted)
            around[row] = weight_of_term()[self._noted[:SURROUNDINGS]]
        return rows, around, choice.index(made)


class Choices:
    """Moves made, each among all placements of its position."""

    def __init__(self, choices: list[Choice]) -> None:
        most = max(len(rows) for rows, _, _ in choices)
        self._rows = np.zeros((len(choices), most, FEATURES), dtype=np.float32)
        self._around = np.full((len(choices), most, SURROUNDINGS), WEIGHTS)
        self._mask = np.full((len(choices), most), _NO_MOVE, dtype=np.float32)
        self._made = np.array([made for _, _, made in choices])
        for k, (rows, around, _) in enumerate(choices):
            self._rows[k, : len(rows)], self._around[k, : len(rows)], self._mask[k, : len(rows)] = rows, around, 0

    def likelihoods(self, weights: Weights) -> npt.NDArray[np.float32]:
        """Return how likely every placement is."""
        around = np.append(weights, 0.0).astype(np.float32)[self._around].sum(2)
        scores = self._rows @ weights[:FEATURES].astype(np.float32) + around + self._mask
        powers = np.exp(scores - scores.max(1, keepdims=True))
        return np.asarray(powers / powers.sum(1, keepdims=True), dtype=np.float32)

    def slope(self, weights: Weights) -> Weights:
        """Return how the loss grows with each weight, in the mean."""
        shares = self.likelihoods(weights)
        shares[np.arange(len(self._made)), self._made] -= 1
        repeated = np.repeat(shares.ravel(), SURROUNDINGS)
        slope = np.bincount(self._around.ravel(), repeated, WEIGHTS + 1)[:WEIGHTS]
        slope[:FEATURES] += np.einsum("ij,ijf->f", shares, self._rows)
        return np.asarray(slope / len(self._made), dtype=np.float64)

    def describe(self, weights: Weights) -> str:
        """Return how well weights tell the moves."""
        likelihoods = self.likelihoods(weights)
        made = likelihoods[np.arange(len(self._made)), self._made]
        rank = (likelihoods > made[:, None]).sum(1)
        return (
            f"{len(made)} moves, mean log-likelihood {np.log(made).mean():.3f}, "
            f"{(rank == 0).mean():.1%} held likeliest, {(rank < 5).mean():.1%} among five"
        )


def fit(choices: list[Choice]) -> Weights:
    """Return the weights of the greatest likelihood. Source of the steps: Kingma and Ba, *Adam*, 2015."""
    weights, mean, square = (np.zeros(WEIGHTS, dtype=np.float64) for _ in range(3))
    rng, batches, step = np.random.default_rng(0), max(1, len(choices) // BATCH), 0
    for _ in range(EPOCHS):
        for part in np.array_split(rng.permutation(len(choices)), batches):
            step += 1
            slope = Choices([choices[k] for k in part]).slope(weights) + PENALTY / len(choices) * weights
            mean = 0.9 * mean + 0.1 * slope
            square = 0.99 * square + 0.01 * slope * slope
            rate = RATE * (1 - step / (EPOCHS * batches + 1))
            weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def fit_games(paths: list[Path], out: Path | None) -> None:
    """Fit weights to the games of files; print those of features, and write all to another file if there is to be one."""
    reader = Reader()
    games = [game for path in paths for _, game in sorted(read_games(path).items())]
    read = [reader.rows(*at) for game in games for at in moves_of(game)]
    choices = [choice for choice in read if choice is not None]
    if len(choices) < LEFT_OUT:
        raise CommandError(f"expected games in {', '.join(map(str, paths))}, found {len(choices)} moves to learn from")
    order = np.random.default_rng(0).permutation(len(choices))
    cut = len(choices) // LEFT_OUT
    weights, alone = fit([choices[k] for k in order[cut:]]), np.eye(1, WEIGHTS, PATTERN, dtype=np.float64)[0]
    left_out = Choices([choices[k] for k in order[:cut]])
    print(f"fitted to {len(choices) - cut} moves")
    print(f"left out: {left_out.describe(weights)}\nby patterns alone: {left_out.describe(alone)}")
    firsts = [int(getattr(guesses, name)) for name in GROUPS]
    for name, first, end in zip(GROUPS, firsts, [*firsts[1:], FEATURES], strict=True):
        print(f"    {name}: ({' '.join(f'{weight:.3f},' for weight in weights[first:end])}),")
    if out is not None:
        parts = np.split(np.rint(PARTS * weights).astype(int), np.cumsum([FEATURES, CLASSES, CONTACTS]))
        named = zip(("features", "shapes", "contacts", "reaches"), (part.tolist() for part in parts), strict=True)
        out.write_text(json.dumps(dict(named)) + "\n")


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser."""
    made = parser_of("guesses", "The weights by which Monte Carlo guesses moves.")
    commands = made.add_subparsers(required=True, metavar="COMMAND", dest="command")
    number = whole_number(1, 10**6, "a number")
    for name in ("play", "fit"):
        command = commands.add_parser(name)
        if name == "play":
            command.add_argument("file", type=Path, metavar="FILE", help="of games")
            command.add_argument("--games", type=number, default=100, metavar="N", help="default: 100")
            command.add_argument("--playouts", type=number, default=1000, metavar="N", help="a move (default: 1000)")
            command.add_argument("--seed", type=whole_number(0, 2**31, "a seed"), default=1, metavar="N", help="default: 1")
        else:
            command.add_argument("files", type=Path, metavar="FILE", nargs="+", help="of games")
            command.add_argument("--out", type=Path, metavar="FILE", help="of all weights (default: none)")
    return made


def main() -> int:
    """Play, or fit and print."""
    options = parser().parse_args()
    if options.command == "play":
        play_games(options.file, options.games, options.playouts, options.seed)
    else:
        fit_games(options.files, options.out)
    return DONE


if __name__ == "__main__":
    sys.exit(run("guesses", main, CommandError))
