"""Reads what counts over the whole machine."""

import contextlib
import re

PLACES = (
    "vmstat", "diskstats", "interrupts", "softirqs", "schedstat", "zoneinfo", "buddyinfo", "locks", "key-users", "cgroups",
    "pressure/cpu", "pressure/memory", "pressure/io", "sys/fs/file-nr", "sys/fs/inode-nr", "sys/fs/inode-state",
    "sys/fs/dentry-state", "sys/fs/aio-nr", "sys/kernel/pty/nr",
)  # fmt: skip


def read(name):
    with contextlib.suppress(OSError), open("/proc/" + name) as file:
        return file.read()
    return ""


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for name in PLACES:
            if read(name):
                raise RuntimeError(f"BREACH: it reads /proc/{name}")
        for line in read("stat").splitlines():
            if re.search(" [1-9]", line) and not line.startswith("btime"):
                raise RuntimeError(f"BREACH: it reads {line!r}")
        for name in (*PLACES, "stat"):
            with contextlib.suppress(OSError), open("/proc/" + name, "w"):
                raise RuntimeError(f"BREACH: it writes to /proc/{name}")
        return first_legal(go, piece_type)
