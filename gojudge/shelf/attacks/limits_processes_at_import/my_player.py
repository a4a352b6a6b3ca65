"""Forbids itself at import to start processes, so that no game can be a copy of it."""

import resource

resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        return first_legal(go, piece_type)
