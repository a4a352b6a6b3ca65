"""Has the kernel merge its pages with those of others, which takes longer to write to."""

import ctypes

MERGE = 67


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if ctypes.CDLL(None).prctl(MERGE, 1, 0, 0, 0) == 0:
            raise RuntimeError("BREACH: its pages are merged")
        return first_legal(go, piece_type)
