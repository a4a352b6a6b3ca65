"""Makes system calls by way of a ring."""

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
            if call(425, 4, ctypes.create_string_buffer(256)) >= 0:
                raise RuntimeError("BREACH: it has a ring")
        return first_legal(go, piece_type)
