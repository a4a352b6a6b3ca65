"""Thinks in several children at once, for longer than its CPU allows."""

import os
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        for _ in range(4):
            if not os.fork():
                while True:
                    pass
        time.sleep(1000)
