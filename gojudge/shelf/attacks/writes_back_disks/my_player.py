"""Has all disks of the machine written back, over and over, or the one that a library lies on."""

import contextlib
import ctypes
import os

SYNC = 4  # MS_SYNC
NOTHING = ctypes.c_void_p(0)


def call(number, *arguments):
    return ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)


def writes_back(write):
    """Say whether the kernel follows: of a pipe it would say that this cannot be done."""
    try:
        write(1)
    except OSError:
        return True
    return False


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for _ in range(1000):
            if os.uname().machine == "x86_64" and call(306, 1) >= 0:
                raise RuntimeError("BREACH: it keeps the disks busy")
        os.sync()
        library = os.open(os.__file__, os.O_RDONLY)
        for write in (os.fsync, os.fdatasync):
            with contextlib.suppress(OSError):
                write(library)
            if writes_back(write):
                raise RuntimeError("BREACH: it keeps a disk busy")
        os.close(library)
        # The kernel would say that nothing is there.
        if ctypes.CDLL(None).msync(NOTHING, ctypes.c_size_t(4096), SYNC):
            raise RuntimeError("BREACH: it keeps a disk busy by way of a map")
        return first_legal(go, piece_type)
