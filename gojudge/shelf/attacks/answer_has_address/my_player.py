"""Answers an object that has no text of its own."""


class Move:
    pass


class MyPlayer:
    def get_input(self, go, piece_type):
        return Move()
