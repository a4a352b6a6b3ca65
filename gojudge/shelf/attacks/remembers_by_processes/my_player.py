"""Counts games by what /proc says of the process that forks them."""

import os

LOADER = os.getpid()


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            for pid in {1, LOADER, os.getppid()} - {os.getpid()}:
                if os.path.exists(f"/proc/{pid}/status"):
                    raise RuntimeError("BREACH: it sees what other processes have done")
        return first_legal(go, piece_type)
