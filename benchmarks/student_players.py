"""Players as students write them, who ask the host about everything; they play on `GO` and on the deep-copying host alike."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from benchmarks.copying_go import CopyingGO
from go import GO

ROLLOUTS = 50

Host = GO | CopyingGO
Point = tuple[int, int]


def legal_points(go: Host, piece_type: int) -> list[Point]:
    """Return the points that `piece_type` may play on, having asked about every one."""
    points = [(i, j) for i in range(go.size) for j in range(go.size)]
    return [(i, j) for i, j in points if go.valid_place_check(i, j, piece_type, test_check=True)]


def play(go: Host, point: Point, piece_type: int) -> None:
    """Play a whole move on a copy of the host."""
    go.place_chess(*point, piece_type)
    go.died_pieces = go.remove_died_pieces(3 - piece_type)
    go.n_move += 1
    go.X_move = not go.X_move


class Asking:
    """Plays at random."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def get_input(self, go: Host, piece_type: int) -> Point:
        """Return a random legal point."""
        return self.rng.choice(legal_points(go, piece_type))


class Greedy(Asking):
    """The player of README: takes as many stones as it can."""

    def get_input(self, go: Host, piece_type: int) -> Point:
        """Return the point that takes most."""
        best, most = (0, 0), -1
        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, piece_type, test_check=True):
                    test = go.copy_board()
                    test.place_chess(i, j, piece_type)
                    captured = len(test.remove_died_pieces(3 - piece_type))
                    if captured > most:
                        best, most = (i, j), captured
        return best


class Minimax(Asking):
    """Looks two moves ahead, on copies, and counts stones."""

    def get_input(self, go: Host, piece_type: int) -> Point:
        """Return the point that leaves most after the opponent's best reply."""
        return max(self.children(go, piece_type), key=lambda child: self.worth(child[1], piece_type))[0]

    def worth(self, go: Host, piece_type: int) -> int:
        """Return the least lead that any reply leaves."""
        replies = self.children(go, 3 - piece_type)
        return min((reply.score(piece_type) - reply.score(3 - piece_type) for _, reply in replies), default=0)

    def children(self, go: Host, piece_type: int) -> Iterator[tuple[Point, Host]]:
        """Yield every legal point with the host after it."""
        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, piece_type, test_check=True):
                    test = go.copy_board()
                    play(test, (i, j), piece_type)
                    yield (i, j), test


class MonteCarlo(Asking):
    """Plays 50 random games from the position, to the end, and counts who wins after which point."""

    def get_input(self, go: Host, piece_type: int) -> Point:
        """Return the point after which most games were won."""
        legal = legal_points(go, piece_type)
        wins = Counter[Point]()
        for k in range(ROLLOUTS):
            point = legal[k % len(legal)]
            wins[point] += self.winner(go.copy_board(), point, piece_type) == piece_type
        return max(legal, key=lambda point: wins[point])

    def winner(self, go: Host, point: Point, piece_type: int) -> int:
        """Play to the end at random; return who wins."""
        play(go, point, piece_type)
        while not go.game_end(3 - piece_type):
            piece_type = 3 - piece_type
            legal = legal_points(go, piece_type)
            if not legal:
                break
            play(go, self.rng.choice(legal), piece_type)
        return go.judge_winner()
