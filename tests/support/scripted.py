"""Players for tests: one answers from a list, one plays at random without asking the host for legal moves."""

from __future__ import annotations

import copy
import random

from benchmarks.copying_go import CopyingGO


def legal_placements(go, piece_type):
    """The points `piece_type` may play on, computed from the attributes of a GO without its methods."""
    twin = CopyingGO(len(go.board))
    twin.board, twin.previous_board, twin.died_pieces = go.board, go.previous_board, go.died_pieces
    points = [(i, j) for i in range(twin.size) for j in range(twin.size)]
    return [point for point in points if twin.valid_place_check(*point, piece_type, test_check=True)]


class Scripted:
    """Gives its answers one after the other, then the first legal point. If an answer is callable, `answer(go)` is given.

    `asked` counts the calls of `get_input`.
    """

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = 0

    def get_input(self, go, piece_type):
        self.asked += 1
        if not self.answers:
            return legal_placements(go, piece_type)[0]
        answer = self.answers.pop(0)
        return answer(go) if callable(answer) else answer


class Chance:
    """Plays at random: the same points for the same seed, whatever the host. `seen` records all that it was shown.

    passes: the share of passes, 0..1. errors: the share of other answers that may be illegal, 0..1.
    """

    def __init__(self, seed, passes=0.0, errors=0.0):
        self.rng = random.Random(seed)
        self.passes, self.errors = passes, errors
        self.seen = []

    def get_input(self, go, piece_type):
        self.seen.append(attributes(go))
        if self.rng.random() < self.passes:
            return "PASS"
        if self.rng.random() < self.errors:
            return self.rng.choice([(0, 0), (go.size - 1, 0), (go.size, 0), None, "0,0", (1, 1, 1), (0.0, 1)])
        legal = legal_placements(go, piece_type)
        return self.rng.choice(legal) if legal else "PASS"


def attributes(go):
    """A copy of the attributes that a player reads, for comparison."""
    return {
        "board": copy.deepcopy(go.board),
        "previous_board": copy.deepcopy(go.previous_board),
        "died_pieces": sorted(go.died_pieces),
        "n_move": go.n_move,
        "X_move": go.X_move,
        "max_move": go.max_move,
        "komi": go.komi,
        "size": go.size,
        "verbose": go.verbose,
    }
