"""Makes namespaces of its own."""

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
            if call(272, 0x10000000) >= 0:
                raise RuntimeError("BREACH: it makes a user namespace")
            if call(272, 0x20000) >= 0:
                raise RuntimeError("BREACH: it makes a mount namespace")
            if call(56, 0x10000011, None, None, None, None) >= 0:
                raise RuntimeError("BREACH: it clones into a namespace")
            if call(435, ctypes.create_string_buffer(b"\0\0\0\x10", 64), 64) >= 0:
                raise RuntimeError("BREACH: it clones by another door")
        return first_legal(go, piece_type)
