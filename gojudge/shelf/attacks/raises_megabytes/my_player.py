"""Raises an exception of many megabytes."""


class MyPlayer:
    def get_input(self, go, piece_type):
        raise ValueError("x" * (1 << 24))
