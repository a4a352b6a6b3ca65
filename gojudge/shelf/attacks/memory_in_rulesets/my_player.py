"""Makes rules of Landlock, memory that nobody counts."""

import ctypes


def call(number, *arguments):
    return ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        rights = ctypes.create_string_buffer(b"\4", 8)
        if any(call(444, rights, 8, 0) >= 0 for _ in range(60)):
            raise RuntimeError("BREACH: it makes rules of its own")
        if call(446, 0, 0) >= 0:
            raise RuntimeError("BREACH: it restricts itself")
        return first_legal(go, piece_type)
