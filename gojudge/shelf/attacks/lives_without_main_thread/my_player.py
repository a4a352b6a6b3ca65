"""A process whose first thread has ended lives on into the next game."""

import ctypes
import os
import threading
import time


def live():
    # It shows itself only where a new game has renewed the folder.
    while os.path.exists("/dev/shm"):
        if not os.path.exists("/dev/shm/old"):
            open("/dev/shm/alive", "w").close()
        time.sleep(0.005)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and os.uname().machine == "x86_64":
            time.sleep(0.1)
            if os.path.exists("/dev/shm/alive"):
                raise RuntimeError("BREACH: news of another game")
            open("/dev/shm/old", "w").close()
            if not os.fork():
                os.setsid()
                threading.Thread(target=live).start()
                ctypes.CDLL(None).syscall(60, 0)
        return first_legal(go, piece_type)
