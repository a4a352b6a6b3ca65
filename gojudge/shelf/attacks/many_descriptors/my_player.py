"""Opens files until it may open no more."""

import os


class MyPlayer:
    def get_input(self, go, piece_type):
        hoard = []
        while True:
            hoard.append(open(os.devnull))
