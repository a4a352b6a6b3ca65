"""Tries system calls that nobody has reviewed."""

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
        for number in (470, 471, 500, 511, 512, 547, 1000, 1 << 20, 1 << 29, 0x40000000, 0x40000000 + 101):
            if call(number, 0, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() != errno.ENOSYS:
                raise RuntimeError(f"BREACH: the kernel answers call {number}")
        return first_legal(go, piece_type)
