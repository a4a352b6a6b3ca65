"""Kills the process it was forked from."""

import os
import signal
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)
