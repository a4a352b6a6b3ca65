"""A child prints without end while the player thinks."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and not os.fork():
            while True:
                os.write(1, b"x" * (1 << 16))
        return first_legal(go, piece_type)
