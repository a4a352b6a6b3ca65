"""Asks which pages of shared files others have read."""

import ctypes
import mmap
import os


def call(number, *arguments):
    return ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if os.uname().machine == "x86_64":
            with open(os.__file__, "rb") as file:
                view = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE)
                found = ctypes.create_string_buffer(len(view) // 4096 + 1)
                libc = ctypes.CDLL(None)
                libc.mmap.restype = ctypes.c_void_p
                start = libc.mmap(None, ctypes.c_size_t(4096), 1, 2, file.fileno(), ctypes.c_long(0))
                if call(27, ctypes.c_void_p(start), ctypes.c_size_t(4096), found) == 0:
                    raise RuntimeError("BREACH: it knows which pages are in memory")
                if call(451, file.fileno(), bytes(16), found, 0) == 0:
                    raise RuntimeError("BREACH: it counts the pages in memory")
                try:
                    os.preadv(file.fileno(), [bytearray(10)], 0, os.RWF_NOWAIT)
                except OSError:
                    pass
                else:
                    raise RuntimeError("BREACH: it reads only what is in memory")
        return first_legal(go, piece_type)
