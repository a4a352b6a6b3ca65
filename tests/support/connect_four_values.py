"""Exact values of late positions of Connect Four, by alpha-beta over columns; and what of them somebody keeps.

    python3 -m tests.support.connect_four_values network.npz:simulations=32 rollouts:simulations=1000
"""

import random
import sys

import numpy as np

from golearn.alphazero.games import CompleteGame
from golearn.alphazero.small_games import ConnectFour
from golearn.alphazero.truth import share

GAME = CompleteGame(ConnectFour())
ROWS, COLUMNS = GAME.board_shape
MOST_EMPTY = 16
_MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)


class Values:
    """Remembers what it has proven: for each state bounds of its value, as the player to move sees it."""

    def __init__(self):
        self._bounds = {}

    def value(self, state, low=-1, high=1):
        """+1, 0 or -1 for the player to move, if it lies between low and high; else a bound on its side of them."""
        winner = GAME.winner(state)
        if winner is not None:
            return winner * GAME.current_player(state)
        least, most = self._bounds.get(state, (-1, 1))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        best, floor = -1, low
        legal = GAME.legal_moves(state)
        for column in (column for column in _MIDDLE_FIRST if column in legal):
            best = max(best, -self.value(GAME.apply_move(state, column), -high, -floor))
            floor = max(floor, best)
            if best >= high:
                break
        self._bounds[state] = (best if best > low else least), (best if best < high else most)
        return best

    def best_actions(self, state):
        values = {column: -self.value(GAME.apply_move(state, column)) for column in GAME.legal_moves(state)}
        return [column for column, value in values.items() if value == max(values.values())]


def late_positions(count, seed=1, most_empty=MOST_EMPTY):
    """Positions with 8 to `most_empty` empty cells, after moves by chance, in which some action is worse than others.

    Position -> best actions.
    """
    rng, found = random.Random(seed), {}
    while len(found) < count:
        state = GAME.initial_state()
        for _ in range(ROWS * COLUMNS - rng.randint(8, most_empty)):
            if not GAME.is_terminal(state):
                state = GAME.apply_move(state, rng.choice(GAME.legal_moves(state)))
        if GAME.is_terminal(state) or state in found:
            continue
        best = Values().best_actions(state)
        if len(best) < len(GAME.legal_moves(state)):
            found[state] = best
    return found


def kept(ask, positions):
    """The share of positions (state -> best actions) in which the value is kept."""
    actions = ask(list(positions)).actions.tolist()
    return share(np.array([action in best for action, best in zip(actions, positions.values(), strict=True)]))


def main():
    """Measure whom the command line names on 500 positions; without names say how it is called."""
    if not sys.argv[1:]:
        print(__doc__)
        return
    from golearn.contenders import find_player

    players = [(name, find_player(name, GAME, f"1 {name}")) for name in sys.argv[1:]]
    positions = late_positions(500)
    for name, player in players:
        print(name, kept(player, positions), flush=True)


if __name__ == "__main__":
    main()
