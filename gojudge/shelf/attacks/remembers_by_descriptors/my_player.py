"""Puts its own pipe in the place of standard input before it is copied."""

import os

ENDS = os.pipe()
os.set_blocking(ENDS[0], False)
for end, number in ((ENDS[0], 0), (ENDS[1], 2)):
    os.dup2(end, number)
    os.close(end)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            try:
                heard = os.read(0, 100)
            except BlockingIOError:
                heard = b""
            if b"game" in heard:
                raise RuntimeError("BREACH: news of another game")
            os.write(2, b"game")
        return first_legal(go, piece_type)
