"""Kills the process it was forked from."""

import contextlib
import os
import signal
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        with contextlib.suppress(PermissionError):
            os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)
