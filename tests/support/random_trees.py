"""Games without sense to search in: random graphs of states with made-up evaluations. numpy alone, the same everywhere.

A state is (tree, node): each tree has a graph of its own, whose node 0 is the root. Arrays have a row for each tree.
"""

import numpy as np

NODES, ACTIONS = 40, 9
# Simulations, actions considered at most; TREES of each.
SEARCHES = [(1, 16), (2, 2), (4, 16), (8, 4), (16, 16), (24, 3), (32, 16), (50, 8)]
TREES = 25


class RandomTrees:
    """A game with the required members; players follow no order, some actions are illegal, some nodes are ends."""

    action_size, board_shape, num_planes = ACTIONS, (1, 1), 1

    def __init__(self, seed, trees=TREES):
        # RandomState's numbers never change with numpy's version.
        rng = np.random.RandomState(seed)
        shape = trees, NODES
        self.next = rng.randint(0, NODES, (*shape, ACTIONS))
        self.legal = rng.rand(*shape, ACTIONS) < 0.8
        self.legal[..., rng.randint(ACTIONS)] = True
        self.players = np.where(rng.rand(*shape) < 0.5, 1, -1)
        self.over = rng.rand(*shape) < 0.15
        self.over[:, 0] = False
        self.results = rng.randint(-1, 2, shape)
        self.logits = (2 * rng.randn(*shape, ACTIONS)).astype(np.float32)
        self.values = rng.uniform(-1, 1, shape).astype(np.float32)
        self.draws = rng.gumbel(size=(trees, ACTIONS)).astype(np.float32)

    def initial_state(self):
        return 0, 0

    def current_player(self, state):
        return int(self.players[state])

    def legal_moves(self, state):
        return [] if self.over[state] else np.flatnonzero(self.legal[state]).tolist()

    def apply_move(self, state, action):
        if action not in self.legal_moves(state):
            raise ValueError(f"illegal: {action}")
        return state[0], int(self.next[(*state, action)])

    def is_terminal(self, state):
        return bool(self.over[state])

    def winner(self, state):
        return int(self.results[state]) if self.over[state] else None

    def encode(self, state):
        return np.zeros((1, 1, 1), dtype=np.float32)

    def __str__(self, state):
        return str(state)

    def evaluate(self, states, rows):
        """What an evaluator says of rows of this game."""
        found = [states.rows[row] for row in rows.tolist()]
        return np.array([self.logits[state] for state in found]), np.array([self.values[state] for state in found])


def games():
    """Every search to be made: its number, simulations, actions considered, and the game."""
    for number, (simulations, considered) in enumerate(SEARCHES):
        yield number, simulations, considered, RandomTrees(number)
