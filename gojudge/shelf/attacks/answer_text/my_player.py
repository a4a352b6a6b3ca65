"""Answers with the name of a point."""


class MyPlayer:
    def get_input(self, go, piece_type):
        return "C3"
