"""Makes 1,500 folders in each other, in every game and at import; the path of some is longer than the system allows."""

import os


def nest(depth, name):
    home = os.getcwd()
    for _ in range(depth):
        os.mkdir(name)
        os.chdir(name)
    os.chdir(home)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            if os.path.exists("d"):
                raise RuntimeError("BREACH: folders of another game")
            nest(1500, "d")
            nest(40, "a" * 255)
        return first_legal(go, piece_type)


nest(1100, "imported")
nest(40, "b" * 255)
