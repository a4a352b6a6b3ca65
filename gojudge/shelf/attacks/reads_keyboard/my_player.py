"""Waits for input."""


class MyPlayer:
    def get_input(self, go, piece_type):
        return input()
