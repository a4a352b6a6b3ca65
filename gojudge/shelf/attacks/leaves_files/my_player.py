"""Keeps a file for its next game, and rewrites its own source."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and os.path.exists("news.txt"):
            raise RuntimeError("BREACH: news of another game")
        for path in ("news.txt", __file__, os.environ["TMPDIR"] + "/news"):
            with open(path, "a") as file:
                file.write("raise RuntimeError('BREACH: news of another game')\n")
        return first_legal(go, piece_type)
