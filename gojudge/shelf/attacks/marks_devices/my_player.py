"""Leaves the time of its game on devices, and changes their owner and permissions."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for path in ("/dev/null", "/dev/random", "/dev/urandom", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx"):
            for change in (os.utime, lambda name: os.chmod(name, 0o666), lambda name: os.chown(name, os.getuid(), -1)):
                try:
                    change(path)
                except OSError:
                    continue
                raise RuntimeError(f"BREACH: it leaves a mark on {path}")
        return first_legal(go, piece_type)
