"""Takes shared memory and queues that outlive it."""

import ctypes
import os


def call(number, *arguments):
    return ctypes.CDLL(None).syscall(number, *arguments)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if os.uname().machine == "x86_64":
            if call(29, 4711, 4096, 0o1666) >= 0:
                raise RuntimeError("BREACH: it has shared memory")
            if call(68, 4711, 0o1666) >= 0:
                raise RuntimeError("BREACH: it has a queue")
            if call(64, 4711, 1, 0o1666) >= 0:
                raise RuntimeError("BREACH: it has a semaphore")
        return first_legal(go, piece_type)
