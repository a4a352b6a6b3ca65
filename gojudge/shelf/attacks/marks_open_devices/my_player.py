"""Leaves a mark on /dev/null through a file it has open."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        null = os.open("/dev/null", os.O_RDWR)
        try:
            for change in (os.utime, lambda file: os.fchmod(file, 0o600), lambda file: os.setxattr(file, "user.mark", b"x")):
                try:
                    change(null)
                except OSError:
                    continue
                raise RuntimeError("BREACH: it leaves a mark on /dev/null")
        finally:
            os.close(null)
        return first_legal(go, piece_type)
