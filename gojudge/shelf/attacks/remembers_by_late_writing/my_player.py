"""Keeps a shared mapping that it may only read until it is copied."""

import ctypes
import mmap
import os

FILE = os.open("/tmp/shared", os.O_RDWR | os.O_CREAT, 0o600)
os.ftruncate(FILE, mmap.PAGESIZE)
LIBC = ctypes.CDLL(None)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
PAGE = LIBC.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, FILE, 0)
os.close(FILE)
os.unlink("/tmp/shared")


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            if LIBC.mprotect(ctypes.c_void_p(PAGE), mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_WRITE):
                raise RuntimeError("its memory cannot be written to")
            count = ctypes.c_int.from_address(PAGE)
            if count.value:
                raise RuntimeError("BREACH: news of another game")
            count.value += 1
        return first_legal(go, piece_type)
