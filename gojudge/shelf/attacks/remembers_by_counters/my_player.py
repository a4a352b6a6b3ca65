"""Reads what counts over the whole machine."""

import contextlib
import os
import re

COUNT_NOTHING = ("cmdline", "cpuinfo", "filesystems", "mounts", "net", "self", "sys", "thread-self", "version")
FIGURES = ("stat", "meminfo", "uptime", "loadavg")
COUNTERS = ("fs/file-nr", "fs/inode-nr", "fs/inode-state", "fs/dentry-state", "fs/aio-nr", "kernel/pty/nr")


def read(name):
    with contextlib.suppress(OSError), open("/proc/" + name) as file:
        return file.read()
    return ""


def files_besides_processes():
    for name in os.listdir("/proc"):
        if not name.isdigit() and name not in (*COUNT_NOTHING, *FIGURES):
            yield name
            for folder, _, files in os.walk("/proc/" + name):
                yield from (os.path.relpath(os.path.join(folder, file), "/proc") for file in files)


def files_of_sockets():
    for folder, _, files in os.walk("/proc/self/net"):
        yield from (os.path.relpath(os.path.join(folder, file), "/proc") for file in files)


def what_figures_tell():
    for line in read("stat").splitlines():
        if re.search(" [1-9]", line) and not line.startswith("btime"):
            yield line
    memory = dict(re.findall("^(.*?): +([0-9]+)", read("meminfo"), re.M))
    if memory["MemFree"] != memory["MemTotal"] or memory["Cached"] != "0":
        yield "meminfo"
    if read("uptime").split()[1] != "0.00":
        yield "uptime"
    if os.getloadavg() != (0, 0, 0):
        yield "loadavg"


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        counters = [*files_besides_processes(), *files_of_sockets(), *("sys/" + name for name in COUNTERS)]
        for name in counters:
            with contextlib.suppress(OSError):
                os.chmod("/proc/" + name, 0o444)
            if read(name):
                raise RuntimeError(f"BREACH: it reads /proc/{name}")
        for told in what_figures_tell():
            raise RuntimeError(f"BREACH: it reads {told!r}")
        for name in (*counters, *FIGURES):
            with contextlib.suppress(OSError), open("/proc/" + name, "w"):
                raise RuntimeError(f"BREACH: it writes to /proc/{name}")
        return first_legal(go, piece_type)
