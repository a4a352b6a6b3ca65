"""Locks files that other players have open too."""

import fcntl
import os
import sys


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for path in (sys.executable, os.__file__, "/dev/null"):
            try:
                with open(path, "rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue
            raise RuntimeError(f"BREACH: it locks {path}")
        return first_legal(go, piece_type)
