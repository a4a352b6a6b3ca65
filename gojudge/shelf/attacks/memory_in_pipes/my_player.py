"""Makes pipes long and leaves them full."""

import fcntl
import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        pipes = []
        for _ in range(100):
            pipes.append(os.pipe())
            try:
                fcntl.fcntl(pipes[-1][1], 1031, 1 << 20)
            except OSError:
                continue
            raise RuntimeError("BREACH: it sets the length of a pipe")
        for pair in pipes:
            for end in pair:
                os.close(end)
        return first_legal(go, piece_type)
