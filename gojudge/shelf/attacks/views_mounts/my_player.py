"""Asks with new calls what is mounted, and for trees of its own."""

import ctypes
import errno

LIBC = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    return LIBC.syscall(number, *arguments)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for number in (428, 457, 458, 467, 469):
            if call(number, -100, b"/", 0, 0, 0, 0) >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
                raise RuntimeError(f"BREACH: call {number} is allowed")
        return first_legal(go, piece_type)
