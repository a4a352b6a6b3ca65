"""Has all disks of the machine written back, over and over."""

import ctypes
import os


def call(number, *arguments):
    return ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for _ in range(1000):
            if os.uname().machine == "x86_64" and call(306, 1) >= 0:
                raise RuntimeError("BREACH: it keeps the disks busy")
        os.sync()
        return first_legal(go, piece_type)
