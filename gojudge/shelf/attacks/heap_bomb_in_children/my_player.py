"""Takes memory in many children, each of them modest."""

import os
import signal
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        while True:
            if not os.fork():
                hoard = bytearray(os.urandom(1 << 20)) * 48
                while hoard:
                    signal.pause()
            time.sleep(0.02)
