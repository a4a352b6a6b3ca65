"""Answers with a number of five thousand digits."""


class MyPlayer:
    def get_input(self, go, piece_type):
        return 10**5000, 0
