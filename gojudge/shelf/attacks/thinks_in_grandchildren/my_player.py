"""A chain of short lives: each child thinks a little, has a child and ends."""

import mmap
import os
import time
from contextlib import suppress


def shared_numbers(count):
    with open(f"/dev/shm/thoughts{os.getpid()}", "w+b") as file:
        file.truncate(16 * count)
        return memoryview(mmap.mmap(file.fileno(), 16 * count)).cast("d")


NUMBERS, RAN = [], []


def step(place):
    now = time.monotonic()
    if NUMBERS[0][place]:
        NUMBERS[0][place + 1] = max(NUMBERS[0][place + 1], now - NUMBERS[0][place])
    NUMBERS[0][place] = now


def think(place):
    while True:
        step(place)


def must_have_paused():
    # Who ran before the answer, and was stopped while its opponent had the move has paused that long.
    asked = time.monotonic()
    for place in RAN:
        while NUMBERS[0][place] < asked < time.monotonic() < asked + 0.1:
            time.sleep(0.001)
        if NUMBERS[0][place] > asked and NUMBERS[0][place + 1] < 0.04:
            raise RuntimeError("it thinks while its opponent has the move")


def answered():
    RAN[:] = [place for place in range(0, len(NUMBERS[0]), 2) if NUMBERS[0][place]]
    for place in RAN:
        NUMBERS[0][place + 1] = 0.0


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def __init__(self):
        self.asked = False
        NUMBERS[:] = [shared_numbers(1)]
        if not os.fork():
            while True:
                ends = time.process_time() + 0.005
                while time.process_time() < ends:
                    step(0)
                # On a busy machine so many may have ended, and not be gone yet, that there can be no other.
                with suppress(BlockingIOError):
                    if os.fork():
                        os._exit(0)

    def get_input(self, go, piece_type):
        if self.asked:
            must_have_paused()
        self.asked = True
        point = first_legal(go, piece_type)
        answered()
        return point
