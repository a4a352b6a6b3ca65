"""Calls abort()."""

import os


class MyPlayer:
    def get_input(self, go, piece_type):
        os.abort()
