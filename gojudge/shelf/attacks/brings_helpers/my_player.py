"""Brings modules of its own, as students do."""

import host
import read


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        assert read.level() == 3 and host.N == 5
        return first_legal(go, piece_type)
