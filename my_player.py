"""MyPlayer: a player that learns 5x5 Go by tabular Q-learning.

A *Q-value* says how good an action is in a state: 1 is a won game, -1 a lost one. All that matters about a placement is the
board right after it, the *afterstate*. So Q(state, placement) = V(afterstate), seen by the player who has just placed, and a
table of V is all that there is to learn (Sutton and Barto 2018, section 6.8).

There are more boards than anybody can meet. So a board is looked at in 18 ways: 17 *pieces* that overlap, lines two by two and
windows of 3x3, and the stones in atari. The table holds a weight for each look, and V is the sum of the 18 weights, squashed to
-1..1. What is learned on one board so serves all that look alike in a piece (Lucas 2008).

After a game, V of each of its boards is moved towards its *target*, which Q-learning takes from what comes next:

    against a rival    target = max over the placements of one's next turn of V(the board after it)
    against oneself    target = - max over the opponent's placements of V(the board after it)
    the last board     target = 1 if it won, else -1
    each of the 18 weights += rate * (target - V)

A rival is part of the world, whose answers are met as they come (Watkins and Dayan 1992). In self-play the opponent's best
counts, whatever was played (Littman 1994). Where the best was played, the target leans towards how the game went on (`TRACE`).

    python3 my_player.py learn --browser   learn from nothing, in a minute, into mine.bin, and watch it
    python3 -m golearn.qlearning           learn by the same rule, compiled: from a million games in minutes

Handed in with it: its table `my_player_table.bin`, learned by the rule against oneself; `my_player_table.py`, which packs
a table small; `my_player_search.py`, which looks ahead with it. Without that one, MyPlayer plays by its table alone.
"""

from __future__ import annotations

import sys
from importlib import import_module, util

if __name__ == "__main__" and util.find_spec("goban"):
    # By its name, since what a file imports is handed in. An old Python is refused, and Ctrl-C has no traceback of imports.
    import_module("goban.common.starting").begin()

if __name__ == "__main__" and not util.find_spec("golearn") and (sys.argv[1:] or not util.find_spec("my_player3")):
    sys.stderr.write("my_player.py: learning needs the whole project: run it in the project's folder\n")
    sys.exit(2)

import random
from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from go import GO, Player
from goban import Point, State
from goban.moves import read_answer
from my_player_table import Board, PackedTable, Reading, Weights, in_atari, weights_of, write_weights

try:
    import my_player_search
except ImportError:
    my_player_search = None  # type: ignore[assignment]

TABLE = Path(__file__).with_name("my_player_table.bin")
SIZE, LAST, TRACE = 5, 24, 0.8

# The points of one piece of each kind. Other sides are read from there, so that the pieces of a kind share their weights.
KINDS = (
    product((0, 1), range(5)),  # the line at a side, and the next one
    product((1, 2), range(5)),  # the second line, and the middle one
    product((0, 1, 2), (2, 1, 0)),  # the window in a corner
    product((0, 1, 2), (1, 2, 3)),  # the one in the middle of a side
    product((1, 2, 3), (1, 2, 3)),  # the one in the middle
)


def turn_points(points: list[Point]) -> list[list[Point]]:
    """Return what becomes of points when the board is turned and mirrored in its eight ways."""
    ways = [points]
    for _ in range(3):
        ways.append([(j, SIZE - 1 - i) for i, j in ways[-1]])
    return ways + [[(j, i) for i, j in way] for way in ways]


def pieces() -> list[tuple[int, list[Reading]]]:
    """Return the 17 pieces: the kind, and all ways to read it. A look and its mirror image weigh the same."""
    found: dict[tuple[int, frozenset[Point]], list[Reading]] = {}
    for kind, points in enumerate(KINDS):
        for way in turn_points(list(points)):
            found.setdefault((kind, frozenset(way)), []).append(itemgetter(*(SIZE * i + j for i, j in way)))
    return [(kind, readings) for (kind, _), readings in found.items()]


PIECES: list[tuple[int, list[Reading]]] = [*pieces(), (len(KINDS), [in_atari])]


class QTable:
    """What was learned. weights[stage][kind][look] is what a look of a piece weighs after `stage` placements."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def value(self, board: Board, stage: int) -> float:
        """Return V of a board after so many placements, -1 to 1, for the player who has made the last of them."""
        if stage == LAST or len(board) != SIZE * SIZE:
            # The game is over, and that was White; or nothing was learned about such boards.
            return 1.0 if board.count(1) - board.count(2) > -SIZE / 2 else -1.0
        total = 0.0
        for kind, readings in PIECES:
            total += self.weights[stage][kind][readings[0](board)]
        return total / sqrt(1 + total * total)

    def learn(self, board: Board, stage: int, target: float, rate: float) -> None:
        """Move V of a board towards a target."""
        step = rate * (target - self.value(board, stage))
        for kind, readings in PIECES:
            for look in {read(board) for read in readings}:
                self.weights[stage][kind][look] += step


class Choice(NamedTuple):
    """A placement that may be chosen: its Q-value, the point, the state after it, and the board to look that up."""

    value: float
    point: Point
    after: State
    board: Board


def choices(state: State, table: QTable) -> list[Choice]:
    """Return every placement of the player to move, with its Q-value."""
    found = []
    for point in state.grid.points_of(state.placements()):
        after = state.after(point)
        board = [stone and (1 if stone == state.to_move else 2) for row in after.rows() for stone in row]
        found.append(Choice(table.value(board, after.n_move), point, after, board))
    return found


def best(found: list[Choice]) -> Choice:
    """Return the placement with the highest Q-value."""
    return max(found, key=itemgetter(0))


class MyPlayer:
    """The player that is handed in. Reads its table when it is made; says so on stderr if it cannot, and plays without."""

    type = "my"

    def __init__(self, table: Path = TABLE) -> None:
        packed = PackedTable.read_or_say(table)
        self.table = QTable(weights_of(packed))
        self.search = my_player_search and my_player_search.SearchPlayer(packed.values if packed else None)

    def get_input(self, go: GO, piece_type: int) -> Point | str:
        """Return the point to play on; "PASS" only where the rules know passing."""
        if self.search:
            return self.search.get_input(go, piece_type)
        found = choices(go.position(piece_type), self.table)
        return best(found).point if found else "PASS"


def learn_a_game(table: QTable, rng: random.Random, rate: float, exploration: float, rival: Player | None, colour: int) -> None:
    """Play a game, against oneself or a rival of this colour, and learn from the boards that one has made."""
    go, played = GO(SIZE), []
    state = go.position(1)
    while not state.is_over:
        if rival and state.to_move == colour:
            GO.adopt_state(go, state)
            state = state.play(read_answer(rival.get_input(go, colour), SIZE))
            continue
        found = choices(state, table)
        chosen = rng.choice(found) if rng.random() < exploration else best(found)
        played.append((chosen, best(found)))
        state = chosen.after
    won = state.leader() != played[-1][0].after.to_move
    for (chosen, _), target in zip(played, targets(played, won, bool(rival)), strict=True):
        if chosen.after.n_move < LAST:
            table.learn(chosen.board, chosen.after.n_move, target, rate)


def targets(played: list[tuple[Choice, Choice]], won: bool, rival: bool = False) -> list[float]:
    """Return what boards should be worth. played: what was chosen, and what was best; won, with the last; rival: see above."""
    found, target, turn = [], 1.0 if won else -1.0, 1 if rival else -1
    for chosen, most in reversed(played):
        found.append(target)
        target = turn * (most.value if chosen.point != most.point else most.value + TRACE * (target - most.value))
    return found[::-1]


def learn(table: QTable, games: int, rivals: Sequence[Player | None], rng: random.Random) -> Iterator[int]:
    """Learn from so many games, against one rival after the other (None: oneself), and yield how many there were so far."""
    for game in range(games):
        left, rival = 1 - game / games, rivals[game // 2 % len(rivals)]
        learn_a_game(table, rng, 0.006 + 0.054 * left, 0.02 + 0.13 * left, rival, 1 + game % 2)
        yield game + 1


def main() -> None:
    """Learn, and show it; without arguments answer once, as a program of Little-Go does."""
    # Modules by name, since what a file imports is handed in.
    if len(sys.argv) == 1 and Path(__file__).with_name("my_player3.py").exists():
        sys.exit(import_module("my_player3").main())
    table = QTable(weights_of(None))
    sys.exit(import_module("golearn.watching").main(
        lambda *how: learn(table, *how), lambda state: choices(state, table), table.weights, PIECES, write_weights))


if __name__ == "__main__":
    main()
