"""Ends its process in the middle of a game."""

import os


class MyPlayer:
    def get_input(self, go, piece_type):
        os._exit(0)
