"""Answers with numbers that are none."""


class MyPlayer:
    def get_input(self, go, piece_type):
        return float("nan"), float("inf")
