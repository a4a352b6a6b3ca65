"""Replaces fork and waitpid, and counts the games that end."""

import os

ENDED = []
waitpid, fork = os.waitpid, os.fork


def counting(*arguments):
    ended = waitpid(*arguments)
    ENDED.append(ended)
    return ended


os.waitpid = counting
os.fork = lambda: ENDED.append("a fork") or fork()


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and ENDED:
            raise RuntimeError("BREACH: news of another game")
        return first_legal(go, piece_type)
