"""Leaves the program in the middle of a game."""

import sys


class MyPlayer:
    def get_input(self, go, piece_type):
        sys.exit(0)
