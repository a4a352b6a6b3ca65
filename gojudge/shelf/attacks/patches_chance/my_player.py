"""Decides what chance will bring."""

import random


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        random.seed = lambda *rest: None
        random.random = lambda: 0.0
        random.choice = lambda items: items[0]
        random.Random = None
        return first_legal(go, piece_type)
