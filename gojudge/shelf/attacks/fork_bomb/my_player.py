"""Forks until it is stopped."""

import os
import signal


class MyPlayer:
    def get_input(self, go, piece_type):
        while True:
            if not os.fork():
                signal.pause()
