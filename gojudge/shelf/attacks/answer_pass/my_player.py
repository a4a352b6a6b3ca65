"""Passes where there is no passing."""


class MyPlayer:
    def get_input(self, go, piece_type):
        return "PASS"
