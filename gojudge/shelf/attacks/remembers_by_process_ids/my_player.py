"""Counts games by the ids that processes are given."""

import os

LOADER = os.getpid()


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and os.getpid() - LOADER not in (0, 1):
            raise RuntimeError("BREACH: news of another game")
        return first_legal(go, piece_type)
