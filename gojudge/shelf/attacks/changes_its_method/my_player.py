"""Has another get_input each time one looks, and none at its third move."""

MOVES = []


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def __getattribute__(self, name):
        if name != "get_input":
            return object.__getattribute__(self, name)
        return None if len(MOVES) == 2 else lambda go, piece_type: MOVES.append(go) or first_legal(go, piece_type)

    get_input = first_legal
