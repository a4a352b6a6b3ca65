"""Watches who opens the interpreter, the host's files and devices."""

import ctypes


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        libc = ctypes.CDLL(None)
        for start in (lambda: libc.inotify_init(), lambda: libc.inotify_init1(0), lambda: libc.fanotify_init(0, 0)):
            if start() >= 0:
                raise RuntimeError("BREACH: it watches what others open")
        return first_legal(go, piece_type)
