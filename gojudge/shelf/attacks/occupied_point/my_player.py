"""Answers with the same point all the time."""


class MyPlayer:
    def get_input(self, go, piece_type):
        return 0, 0
