"""Asks to be traced, so that a stop would not be one."""

import ctypes
import os


def call(number, *arguments):
    return ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if os.uname().machine == "x86_64":
            for number, arguments in ((101, (0, 0, 0, 0)), (101, (0x4206, os.getppid(), 0, 0)), (157, (0x59616D61, os.getppid()))):
                if call(number, *arguments) >= 0:
                    raise RuntimeError("BREACH: it is traced, or traces")
        return first_legal(go, piece_type)
