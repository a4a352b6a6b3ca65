"""Looks for files the harness has left open."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for name in os.listdir("/proc/self/fd"):
            try:
                place = os.readlink(f"/proc/self/fd/{name}")
            except OSError:
                continue
            if not place.startswith(("socket:", "pipe:", "/dev/null", "/proc/")):
                raise RuntimeError(f"BREACH: it has {place}")
        return first_legal(go, piece_type)
