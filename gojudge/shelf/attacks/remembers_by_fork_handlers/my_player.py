"""Counts games in handlers that Python calls around a fork."""

import os

GAMES = [0]


def count():
    GAMES[0] += 1


os.register_at_fork(before=count, after_in_parent=count)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and GAMES[0] > 1:
            raise RuntimeError("BREACH: news of another game")
        return first_legal(go, piece_type)
