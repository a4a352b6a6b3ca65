"""Asks for tools that look into the kernel."""

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
            if call(321, 0, ctypes.create_string_buffer(128), 128) >= 0:
                raise RuntimeError("BREACH: it loads programs into the kernel")
            if call(298, ctypes.create_string_buffer(b"\x01\0\0\0\x70", 128), 0, -1, -1, 0) >= 0:
                raise RuntimeError("BREACH: it counts events")
            if call(323, 0) >= 0:
                raise RuntimeError("BREACH: it handles page faults")
        return first_legal(go, piece_type)
