"""Puts an object in the place of standard output that hangs when it is emptied."""

import sys


class Output:
    moves = 0

    def write(self, text):
        return len(text)

    def flush(self):
        while Output.moves > 1:
            pass


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        sys.stdout = Output()
        Output.moves += 1
        return first_legal(go, piece_type)
