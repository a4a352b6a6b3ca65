"""Answers with lists in lists."""


class MyPlayer:
    def get_input(self, go, piece_type):
        return [[1], [2]]
