"""Mounts a file system."""

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
            if call(165, b"x", b"/tmp", b"tmpfs", 0, None) >= 0:
                raise RuntimeError("BREACH: it mounts")
            if call(166, b"/player", 2) >= 0:
                raise RuntimeError("BREACH: it unmounts")
            if call(430, b"tmpfs", 0) >= 0:
                raise RuntimeError("BREACH: it opens file systems")
            if call(155, b".", b".") >= 0:
                raise RuntimeError("BREACH: it moves its root")
        return first_legal(go, piece_type)
