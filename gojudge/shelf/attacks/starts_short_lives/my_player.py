"""Starts hundreds of children that end at once."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for _ in range(300):
            child = os.fork()
            if not child:
                os._exit(0)
            os.waitpid(child, 0)
        return first_legal(go, piece_type)
