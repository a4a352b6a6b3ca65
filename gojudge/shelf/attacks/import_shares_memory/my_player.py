"""Its import shares memory with every game."""

import mmap

try:
    GAMES = mmap.mmap(-1, 4096)
except OSError:
    with open("games", "w+b") as file:
        file.truncate(4096)
        GAMES = mmap.mmap(file.fileno(), 4096)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            GAMES[0] += 1
            if GAMES[0] > 1:
                raise RuntimeError("BREACH: news of another game")
        return first_legal(go, piece_type)
