"""Answers with a point off the board."""


class MyPlayer:
    def get_input(self, go, piece_type):
        return -1, 5
