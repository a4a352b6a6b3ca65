"""Players for tests: one that answers from a list, one that plays at random by its own knowledge of the rules."""

from __future__ import annotations

import copy
import random

from benchmarks.copying_go import CopyingGO


def legal_placements(go, piece_type):
    """The points `piece_type` may play on by the attributes of a GO, worked out without its methods."""
    twin = CopyingGO(len(go.board))
    twin.board, twin.previous_board, twin.died_pieces = go.board, go.previous_board, go.died_pieces
    points = [(i, j) for i in range(twin.size) for j in range(twin.size)]
    return [point for point in points if twin.valid_place_check(*point, piece_type, test_check=True)]


class Scripted:
    """Gives its answers one after the other, then the first legal point. A callable is called with go for the answer.

    Keeps the number of times it was asked.
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
    """Plays at random, the same points for the same seed whatever host it sits at; `seen` keeps all it was shown.

    passes: how often it passes; errors: how often it first gives an answer that may be illegal.
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
    """The attributes a player reads, in a form that stays as it is and can be compared."""
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
