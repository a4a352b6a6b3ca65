"""The weights of `goban.montecarlo.guesses`: Pachi plays itself, and weights are fitted to its moves.

    python3 -m lab.guesses play build/teacher.jsonl --games 100    games of 9x9 from stones at random; wants `pachi` on the PATH
    python3 -m lab.guesses fit build/teacher.jsonl                 the weights; with --out FILE in a file, as `guesses` has them

A fit makes the moves of the games as likely as it can, of all placements that a game at random may make, less a small penalty
for large weights. An eighth of the moves is left out of it; how likely these become is printed, with the weights, and beside it
what the pattern table makes of them alone. The same file gives the same weights.
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
from goban.grids import BLACK
from goban.kernels.patterns.boards import CODE, RECORD, point_of
from goban.kernels.patterns.neighbourhoods import CLASSES, class_of_code
from goban.kernels.patterns.pattern_games import PatternGame
from goban.kernels.patterns.tables import make_tables, swapped_codes
from goban.montecarlo import guesses
from goban.montecarlo.guesses import FEATURES, MOST_FEATURES, MOST_LOGARITHM, PARTS, PATTERN, features_of
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
OPENING = 3
STEPS, RATE, PENALTY = 200, 0.1, 1.0
LEFT_OUT = 8
_NO_MOVE = -1e9

Weights = npt.NDArray[np.float64]
"""Of features, then of shapes."""
Rows = npt.NDArray[np.float32]
"""How often each placement of a position has each feature."""
Shapes = npt.NDArray[np.uint16]
"""The class of each placement's shape."""
Choice = tuple[Rows, Shapes, int]
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
            if len(before) >= OPENING:
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
        for row, move in zip(rows, choice, strict=True):
            row[PATTERN] = max(-MOST_LOGARITHM, min(MOST_LOGARITHM, math.log(weights[move] / even)))
            number = features_of(
                game.board, game.words, self._tables, game.span, point_of(*move, SIZE), last, earlier, self._noted
            )
            np.add.at(row, self._noted[:number], 1)
        codes = np.array([game.board[RECORD * point_of(*move, SIZE) + CODE] for move in choice])
        shapes = class_of_code()[codes if state.to_move == BLACK else swapped_codes()[codes]]
        return rows, shapes, choice.index(made)


class Choices:
    """Moves made, each among all placements of its position."""

    def __init__(self, choices: list[Choice]) -> None:
        most = max(len(rows) for rows, _, _ in choices)
        self._rows = np.zeros((len(choices), most, FEATURES), dtype=np.float32)
        self._shapes = np.full((len(choices), most), CLASSES)
        self._mask = np.full((len(choices), most), _NO_MOVE, dtype=np.float32)
        self._made = np.array([made for _, _, made in choices])
        for k, (rows, shapes, _) in enumerate(choices):
            self._rows[k, : len(rows)], self._shapes[k, : len(rows)], self._mask[k, : len(rows)] = rows, shapes, 0

    def likelihoods(self, weights: Weights) -> npt.NDArray[np.float32]:
        """Return how likely every placement is."""
        by_shape = np.append(weights[FEATURES:], 0.0).astype(np.float32)
        scores = self._rows @ weights[:FEATURES].astype(np.float32) + by_shape[self._shapes] + self._mask
        powers = np.exp(scores - scores.max(1, keepdims=True))
        return np.asarray(powers / powers.sum(1, keepdims=True), dtype=np.float32)

    def slope(self, weights: Weights) -> Weights:
        """Return how the mean loss grows with each weight."""
        shares = self.likelihoods(weights)
        shares[np.arange(len(self._made)), self._made] -= 1
        features = np.einsum("ij,ijf->f", shares, self._rows)
        shapes = np.bincount(self._shapes.ravel(), shares.ravel(), CLASSES + 1)[:CLASSES]
        return np.asarray((np.concatenate([features, shapes]) + PENALTY * weights) / len(self._made), dtype=np.float64)

    def told(self, weights: Weights) -> str:
        """Return how well weights tell the moves."""
        likelihoods = self.likelihoods(weights)
        made = likelihoods[np.arange(len(self._made)), self._made]
        rank = (likelihoods > made[:, None]).sum(1)
        return (
            f"{len(made)} moves, mean log-likelihood {np.log(made).mean():.3f}, "
            f"{(rank == 0).mean():.1%} held likeliest, {(rank < 5).mean():.1%} among five"
        )


def fit(choices: Choices) -> Weights:
    """Return the weights of the greatest likelihood. Source of the steps: Kingma and Ba, *Adam*, 2015."""
    weights, mean, square = (np.zeros(FEATURES + CLASSES, dtype=np.float64) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = choices.slope(weights)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope * slope
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def fit_games(path: Path, out: Path | None) -> None:
    """Fit weights to the games of a file; print those of features, and write all to another file if there is to be one."""
    reader = Reader()
    read = [reader.rows(*at) for _, game in sorted(read_games(path).items()) for at in moves_of(game)]
    choices = [choice for choice in read if choice is not None]
    if len(choices) < LEFT_OUT:
        raise CommandError(f"expected games in {path}, found {len(choices)} moves to learn from")
    order = np.random.default_rng(0).permutation(len(choices))
    cut = len(choices) // LEFT_OUT
    left_out, kept_in = (Choices([choices[k] for k in part]) for part in (order[:cut], order[cut:]))
    weights, alone = fit(kept_in), np.eye(1, FEATURES + CLASSES, PATTERN, dtype=np.float64)[0]
    print(f"fitted to: {kept_in.told(weights)}\nleft out: {left_out.told(weights)}\nby patterns alone: {left_out.told(alone)}")
    firsts = [int(getattr(guesses, name)) for name in GROUPS]
    for name, first, end in zip(GROUPS, firsts, [*firsts[1:], FEATURES], strict=True):
        print(f"    {name}: ({' '.join(f'{weight:.3f},' for weight in weights[first:end])}),")
    if out is not None:
        features, shapes = np.split(np.rint(PARTS * weights).astype(int), [FEATURES])
        out.write_text(json.dumps({"features": features.tolist(), "shapes": shapes.tolist()}) + "\n")


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser."""
    made = parser_of("guesses", "The weights by which Monte Carlo guesses moves.")
    commands = made.add_subparsers(required=True, metavar="COMMAND", dest="command")
    number = whole_number(1, 10**6, "a number")
    for name in ("play", "fit"):
        command = commands.add_parser(name)
        command.add_argument("file", type=Path, metavar="FILE", help="of games")
        if name == "play":
            command.add_argument("--games", type=number, default=100, metavar="N", help="default: 100")
            command.add_argument("--playouts", type=number, default=1000, metavar="N", help="a move (default: 1000)")
            command.add_argument("--seed", type=whole_number(0, 2**31, "a seed"), default=1, metavar="N", help="default: 1")
        else:
            command.add_argument("--out", type=Path, metavar="FILE", help="of all weights (default: none)")
    return made


def main() -> int:
    """Play, or fit and print."""
    options = parser().parse_args()
    if options.command == "play":
        play_games(options.file, options.games, options.playouts, options.seed)
    else:
        fit_games(options.file, options.out)
    return DONE


if __name__ == "__main__":
    sys.exit(run("guesses", main, CommandError))
