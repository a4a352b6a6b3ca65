"""Its import leaves a file open for every game."""

GAMES = open("games.txt", "w+")


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            GAMES.seek(0)
            if GAMES.read():
                raise RuntimeError("BREACH: news of another game")
            GAMES.write("game")
            GAMES.flush()
        return first_legal(go, piece_type)
