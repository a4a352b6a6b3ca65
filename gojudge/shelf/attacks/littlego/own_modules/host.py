class GO:
    def __init__(self, n, n_move):
        self.size, self.n_move = n, n_move

    def first(self, board):
        for i in range(self.size):
            for j in range(self.size):
                near = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
                if not board[i][j] and any(0 <= a < 5 and 0 <= b < 5 and not board[a][b] for a, b in near):
                    return i, j
        return None
