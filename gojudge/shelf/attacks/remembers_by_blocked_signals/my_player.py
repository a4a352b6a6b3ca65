"""A game leaves signals that wait in the process it was forked from."""

import os
import signal

LOADER = os.getpid()

signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))


def waiting(pid):
    try:
        with open(f"/proc/{pid}/status") as status:
            bits = next(int(line.split()[1], 16) for line in status if line.startswith("ShdPnd"))
    except OSError:
        return set()
    return {number for number in range(1, 65) if bits >> (number - 1) & 1}


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            if signal.SIGRTMIN + 1 in waiting(LOADER):
                raise RuntimeError("BREACH: news of another game")
            if LOADER != os.getpid():
                os.kill(LOADER, signal.SIGRTMIN + 1)
        return first_legal(go, piece_type)
