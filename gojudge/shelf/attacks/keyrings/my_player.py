"""Leaves a secret in a keyring of the kernel."""

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
            if call(248, b"user", b"news", b"x", 1, -4) >= 0:
                raise RuntimeError("BREACH: it keeps keys")
            if call(250, 0, -4, 1) >= 0:
                raise RuntimeError("BREACH: it reads keyrings")
        return first_legal(go, piece_type)
