"""Leaves flags on the files that it was given."""

import fcntl
import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            if any(fcntl.fcntl(number, fcntl.F_GETFL) & os.O_NONBLOCK for number in range(3)):
                raise RuntimeError("BREACH: news of another game")
            for number in range(3):
                os.set_blocking(number, False)
        return first_legal(go, piece_type)
