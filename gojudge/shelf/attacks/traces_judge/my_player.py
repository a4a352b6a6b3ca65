"""Traces the processes around it."""

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
            if call(101, 16, os.getppid(), 0, 0) >= 0:
                raise RuntimeError("BREACH: it traces")
            if call(101, 0x4206, 1, 0, 0) >= 0:
                raise RuntimeError("BREACH: it traces")
            if call(310, os.getppid(), None, 0, None, 0, 0) >= 0:
                raise RuntimeError("BREACH: it reads memory")
        return first_legal(go, piece_type)
