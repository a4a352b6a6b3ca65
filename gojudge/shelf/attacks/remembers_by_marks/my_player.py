"""Has the kernel mark memory that all games share, or take marks back, and looks for the marks of earlier games.

Of each kind of memory there are two pieces that are alike, but for what games do to the first.
"""

import contextlib
import ctypes
import mmap

LIBC = ctypes.CDLL(None)
LIBC.mmap.restype = ctypes.c_void_p
PRIVATE, LOCKED = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 0x2000
FREE, HUGE_PAGE, DONT_DUMP, POPULATE_READ = 8, 14, 16, 22
SMALL, LARGE = mmap.PAGESIZE, 2 << 20
FUTEX = 202


def two_pieces(size, flags=PRIVATE, advice=DONT_DUMP):
    """Return where two pieces of new memory begin; None where the kernel gives none of this kind."""
    start = LIBC.mmap(None, ctypes.c_size_t(6 * size), 3, flags, -1, ctypes.c_long(0))
    if start == ctypes.c_void_p(-1).value:
        return None
    places = [-(-start // size + number) * size for number in (-1, -3)]
    for place in places:
        # The kernel describes memory by stretches that are alike.
        for what in (advice, DONT_DUMP):
            LIBC.madvise(ctypes.c_void_p(place), ctypes.c_size_t(size), what)
    ctypes.memset(start, 1, 6 * size)
    return places


def closed(places):
    for place in places:
        LIBC.mprotect(ctypes.c_void_p(place), SMALL, 0)
    return places


def use(place):
    LIBC.mprotect(ctypes.c_void_p(place), SMALL, 3)
    LIBC.madvise(ctypes.c_void_p(place), SMALL, POPULATE_READ)


def give_back(place):
    LIBC.madvise(ctypes.c_void_p(place), SMALL, FREE)


def wait_there(place):
    LIBC.mprotect(ctypes.c_void_p(place), LARGE, 1)
    LIBC.syscall(FUTEX, ctypes.c_void_p(place), 0, 0, 0)


WAYS = {
    "used": (two_pieces(SMALL), use),
    "closed": (closed(two_pieces(SMALL)), use),
    "given back": (two_pieces(SMALL), give_back),
    "locked": (two_pieces(SMALL, PRIVATE | LOCKED), use),
    "huge": (two_pieces(LARGE, PRIVATE, HUGE_PAGE), wait_there),
}


def marks():
    """What the kernel tells of each piece: whether it has been used, and whether it is among those used most."""
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
    return {place: (found.get(place), often.get(place)) for place in {*found, *often}}


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def __init__(self):
        found = marks()
        seen = [name for name, (places, _) in WAYS.items() if places and found.get(places[0]) != found.get(places[1])]
        if seen:
            raise RuntimeError(f"BREACH: an earlier game has left a mark: {seen}")
        for places, mark in WAYS.values():
            for _ in range(3) if places else ():
                mark(places[0])

    def get_input(self, go, piece_type):
        return first_legal(go, piece_type)
