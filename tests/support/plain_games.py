"""Tic-tac-toe, Connect Four and Othello the straightforward way: boards as dicts, written from the rules alone.

A game has `board` ({(row, column): +1, -1 or 0}), `player`, `legal()`, `play(action)`, `over()` and `winner()`; actions are
numbered as those of the games under test.
"""

from itertools import product


def lines(rows, columns, length):
    """Every straight line of so many points."""
    for (i, j), (down, right) in product(product(range(rows), range(columns)), [(0, 1), (1, 0), (1, 1), (1, -1)]):
        line = [(i + k * down, j + k * right) for k in range(length)]
        if 0 <= line[-1][0] < rows and 0 <= line[-1][1] < columns:
            yield line


class PlainLines:
    """Whoever fills a line has won; a full board is a draw."""

    rows = columns = length = 3

    def __init__(self):
        self.board = dict.fromkeys(product(range(self.rows), range(self.columns)), 0)
        self.player = 1

    def winner(self):
        for line in lines(self.rows, self.columns, self.length):
            if abs(sum(self.board[point] for point in line)) == self.length:
                return self.board[line[0]]
        return None if 0 in self.board.values() else 0

    def over(self):
        return self.winner() is not None

    def place(self, action):
        return divmod(action, self.columns)

    def legal(self):
        points = list(self.board)
        return [] if self.over() else [action for action, point in enumerate(points) if not self.board[point]]

    def play(self, action):
        self.board[self.place(action)] = self.player
        self.player = -self.player


class PlainConnectFour(PlainLines):
    """Six rows, seven columns, four in a line."""

    rows, columns, length = 6, 7, 4

    def place(self, action):
        return max(point for point, disc in self.board.items() if point[1] == action and not disc)

    def legal(self):
        return [] if self.over() else [column for column in range(7) if not self.board[0, column]]


class PlainOthello:
    """Othello; the last action is a pass."""

    def __init__(self, size):
        self.size, self.player = size, 1
        self.board = dict.fromkeys(product(range(size), range(size)), 0)
        high, low = size // 2 - 1, size // 2
        self.board[high, low] = self.board[low, high] = 1
        self.board[high, high] = self.board[low, low] = -1

    def turned(self, point, player):
        found = []
        for down, right in product((-1, 0, 1), (-1, 0, 1)):
            line, (i, j) = [], (point[0] + down, point[1] + right)
            while self.board.get((i, j)) == -player and (down or right):
                line.append((i, j))
                i, j = i + down, j + right
            if self.board.get((i, j)) == player:
                found += line
        return found

    def placements(self, player):
        return [p for p, disc in self.board.items() if not disc and self.turned(p, player)]

    def over(self):
        return not (self.placements(1) or self.placements(-1))

    def legal(self):
        if self.over():
            return []
        return [self.size * i + j for i, j in self.placements(self.player)] or [self.size**2]

    def play(self, action):
        if action < self.size**2:
            point = divmod(action, self.size)
            for other in self.turned(point, self.player):
                self.board[other] = self.player
            self.board[point] = self.player
        self.player = -self.player

    def winner(self):
        margin = sum(self.board.values())
        return (margin > 0) - (margin < 0) if self.over() else None
