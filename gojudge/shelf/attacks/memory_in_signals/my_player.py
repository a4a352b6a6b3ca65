"""Sends itself signals without end, of which the kernel keeps each, and takes none."""

import ctypes
import os
import signal


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMAX})
        send = ctypes.CDLL(None).sigqueue
        if not any(send(os.getpid(), signal.SIGRTMAX, None) for _ in range(1000)):
            raise RuntimeError("BREACH: it fills memory with signals")
        return first_legal(go, piece_type)
