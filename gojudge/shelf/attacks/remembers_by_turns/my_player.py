"""Reads how much of the cores earlier games have used: a new process gets its turn after what its group has had."""

import os
import re
import time

USED = 0.4


def had_before():
    """Seconds on this core that its group had had when this process came there."""
    try:
        with open("/proc/self/sched") as file:
            found = dict(re.findall(r"^(\S+) +: +(\S+)$", file.read(), re.M))
    except FileNotFoundError:  # not every kernel tells
        return 0
    # Whoever is nice has its time counted for more.
    had = float(found["se.vruntime"]) * float(found["se.load.weight"]) / 2**20
    return (had - float(found["se.sum_exec_runtime"])) / 1000


def has_own_group():
    """Whether a control group counts for this sandbox alone; without one, a core may count for the whole machine."""
    with open("/proc/self/cgroup") as file:
        return "/go-seat-" in file.read()


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def __init__(self):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        if has_own_group() and had_before() > USED / 2:
            raise RuntimeError("BREACH: it knows what an earlier game has used")
        end = time.process_time() + USED
        while time.process_time() < end:
            pass

    def get_input(self, go, piece_type):
        return first_legal(go, piece_type)
