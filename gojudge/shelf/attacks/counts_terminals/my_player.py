"""Opens terminals, of which the whole machine has a fixed number."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for opening in (os.openpty, lambda: os.open("/dev/tty", os.O_RDWR), lambda: os.open("/dev/pts/0", os.O_RDWR)):
            try:
                opening()
            except OSError:
                continue
            raise RuntimeError("BREACH: it has a terminal")
        return first_legal(go, piece_type)
