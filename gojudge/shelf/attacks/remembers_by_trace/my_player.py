"""Counts games by tracing the process that forks them."""

import sys

GAMES = [0]


def trace(frame, event, argument):
    GAMES[0] += frame.f_code.co_name == "_game"


def install(frame):
    while frame is not None:
        frame.f_trace = trace
        frame = frame.f_back
    sys.setprofile(trace)


install(sys._getframe())


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and GAMES[0] > 1:
            raise RuntimeError("BREACH: news of another game")
        return first_legal(go, piece_type)
