"""Goes on thinking in a thread while its opponent has the move."""

import threading
import time


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def __init__(self):
        self.spent = 0.0
        self.left = 0.0
        threading.Thread(target=self.think, daemon=True).start()

    def think(self):
        while True:
            pass

    def get_input(self, go, piece_type):
        if self.left:
            self.spent += time.process_time() - self.left
        if self.spent > 0.25:
            raise RuntimeError("BREACH: it thinks while its opponent has the move")
        point = first_legal(go, piece_type)
        self.left = time.process_time()
        return point
