"""A game sends a signal to the process it was forked from."""

import contextlib
import os
import signal

SIGNALS = []
LOADER = os.getpid()

signal.signal(signal.SIGUSR1, lambda number, frame: SIGNALS.append(number))


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            if SIGNALS:
                raise RuntimeError("BREACH: news of another game")
            for parent in {LOADER, os.getppid()} - {os.getpid()}:
                with contextlib.suppress(PermissionError):
                    os.kill(parent, signal.SIGUSR1)
        return first_legal(go, piece_type)
