"""Opens a pipe from a game to the process that forks it."""

import os

PIPE, HEARD = [], []


def before():
    PIPE[:] = os.pipe()


def after_in_parent():
    os.close(PIPE[1])
    HEARD.append(os.read(PIPE[0], 4))


os.register_at_fork(before=before, after_in_parent=after_in_parent)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            if HEARD:
                raise RuntimeError("BREACH: news of another game")
            if PIPE:
                os.write(PIPE[1], b"game")
        return first_legal(go, piece_type)
