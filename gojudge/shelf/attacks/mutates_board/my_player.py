"""Scribbles on the board it is given."""


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        point = first_legal(go, piece_type)
        go.board = [[piece_type] * 5 for _ in range(5)]
        go.previous_board.clear()
        go.died_pieces, go.n_move, go.max_move, go.komi, go.X_move = None, 99, 0, -99, None
        go.rules = go.grid = go.size = None
        return point
        return first_legal(go, piece_type)
