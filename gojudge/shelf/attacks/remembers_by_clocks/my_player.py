"""Reads how long the processes have run that live from game to game."""

import contextlib
import os
import time


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for pid in {1, 2, 3, 4, os.getppid()} - {os.getpid()}:
            for kind in (0, 1, 2):
                with contextlib.suppress(OSError):
                    time.clock_gettime(~pid << 3 | kind)
                    raise RuntimeError(f"BREACH: it reads the clock of process {pid}")
        return first_legal(go, piece_type)
