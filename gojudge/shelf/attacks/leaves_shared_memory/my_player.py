"""Leaves news in /dev/shm for its next game."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and os.path.exists("/dev/shm/news"):
            raise RuntimeError("BREACH: news of another game")
        with open("/dev/shm/news", "w") as file:
            file.write("news")
        return first_legal(go, piece_type)
