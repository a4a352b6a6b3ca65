"""Leaves a message in a queue of the kernel."""

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
            if call(240, b"news", 0o102, 0o666, None) >= 0:
                raise RuntimeError("BREACH: it has a queue")
        return first_legal(go, piece_type)
