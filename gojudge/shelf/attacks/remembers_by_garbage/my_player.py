"""Counts games whenever the garbage of the loading process is collected."""

import gc
import sys

COLLECTED = [0]
LOADED = []


def count(phase, found):
    if LOADED and sys._getframe(1).f_code.co_name in ("_game", "receive_with_descriptor", "run"):
        COLLECTED[0] += 1


gc.set_threshold(1)
gc.callbacks.append(count)
LOADED.append(True)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and COLLECTED[0] > 1:
            raise RuntimeError("BREACH: news of another game")
        return first_legal(go, piece_type)
