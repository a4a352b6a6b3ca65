"""Answers with fractions."""


class MyPlayer:
    def get_input(self, go, piece_type):
        return 1.0, 2.0
