"""Prints without end instead of answering."""


class MyPlayer:
    def get_input(self, go, piece_type):
        while True:
            print("x" * (1 << 20))
