"""The smallest game: with the members of cweill/alphago's interface alone."""

import numpy as np


class TakeAway:
    """Seven matches; a player takes one or two; who takes the last one has won."""

    action_size = 2
    board_shape = (1, 7)
    num_planes = 3

    def initial_state(self):
        return 7, 1

    def current_player(self, state):
        return state[1]

    def legal_moves(self, state):
        return [action for action in range(2) if action < state[0]]

    def apply_move(self, state, action):
        if action not in self.legal_moves(state):
            raise ValueError(f"out of range: {action}")
        return state[0] - action - 1, -state[1]

    def is_terminal(self, state):
        return state[0] == 0

    def winner(self, state):
        return -state[1] if state[0] == 0 else None

    def encode(self, state):
        planes = np.zeros((3, 1, 7), dtype=np.float32)
        planes[2, 0, : state[0]] = 1
        return planes

    def __str__(self, state):
        return "|" * state[0]


class Endless(TakeAway):
    """Matches may also be added, so that nobody ever has to take the last one."""

    def legal_moves(self, state):
        return [0, 1]

    def apply_move(self, state, action):
        return state[0] + action, -state[1]
