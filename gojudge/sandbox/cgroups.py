"""Control groups: the kernel's own account of a whole tree of processes, its limits on it, and its share of the cores.

A group weighs as much as one ordinary process, however many it holds and whatever sessions they open, so that no submission
takes the cores from another.

Within it lies a smaller one for the cores alone, in which everything runs. It is made anew for each game: every process is told
how far the account of its group for a core has come (`se.vruntime` in /proc/self/sched), and so what earlier games have used.
The kernel may take 15 ms to move a process, so in version 1, where groups can be renamed, what lasts is moved during a game.

Version 1 has a hierarchy per resource, version 2 one for all. `Layout` says where groups are made, `Group` is the group of
one sandbox. Groups are named after the harness process that made them, so that the next harness finds and removes those
that a killed one has left behind.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gojudge.sandbox.leftovers import PREFIX, is_stale, owned_name

ROOT = Path("/sys/fs/cgroup")

_NEEDED = ("memory", "pids", "cpu", "cpuacct", "freezer")
_NEEDED_V2 = {"memory", "pids", "cpu"}
_BUSY_FOR = 2.0
# The name of the smaller group, the same in each game, since whoever is in it can read that; and of the next game's, meanwhile.
_TURN, _NEXT = "game", "next"
# The name of one that is empty and always frozen: without any, a kernel with version 1 rewrites its own code, and interrupts
# all cores for it, whenever the first group is frozen or the last one thawed.
_FROZEN = "frozen"
_PIDS_AT_ONCE = 1 << 14
# What it reads ends when the harness does.
_THAWS = 'read end; for state in "$1"-*/freezer.state; do echo THAWED > "$state"; done'


@dataclass(frozen=True)
class Layout:
    """Where groups are made: a folder per controller; in version 2 it is the same one for all."""

    version: int
    folders: dict[str, Path]


def find_layout(root: Path = ROOT, membership: str | None = None) -> Layout | None:
    """Return where this process may make groups with all the controllers needed, None if nowhere.

    membership: the text of /proc/self/cgroup, read if None. New groups lie below our own, so that limits on us hold for them.
    """
    if membership is None:
        try:
            membership = Path("/proc/self/cgroup").read_text()
        except OSError:
            return None
    own: dict[str, str] = {}
    for line in membership.splitlines():
        _, names, path = line.split(":", 2)
        own |= dict.fromkeys(names.split(","), path.lstrip("/"))
    folders = {name: _existing(root / name, own.get(name, "")) for name in _NEEDED}
    if all(os.access(folder, os.W_OK) for folder in folders.values()):
        return Layout(1, folders)
    folder = _existing(root, own.get("", ""))
    # In version 2, a group with processes may not also set limits for groups below it; only the root may.
    for place in (folder, folder.parent):
        if _controllers(place) and os.access(place, os.W_OK) and place.is_relative_to(root):
            return Layout(2, dict.fromkeys(_NEEDED, place))
    return None


def _existing(mount: Path, path: str) -> Path:
    """Return our own group's folder; the mount point if it is not shown there (inside a container)."""
    # Resolved, because two controllers may be mounted at one place under two names.
    return (mount / path if (mount / path).is_dir() else mount).resolve()


def _controllers(folder: Path) -> bool:
    """Enable the controllers needed for groups below a folder of version 2; tell whether they have them."""
    try:
        control = folder / "cgroup.subtree_control"
        if set((folder / "cgroup.controllers").read_text().split()) >= _NEEDED_V2:
            if not set(control.read_text().split()) >= _NEEDED_V2:
                control.write_text(" ".join(f"+{name}" for name in sorted(_NEEDED_V2)))
            return True
    except OSError:
        pass
    return False


class Group:
    """The group of one sandbox, made with its limits. Raises OSError if it cannot be made."""

    def __init__(self, layout: Layout, name: str, memory_mib: int, processes: int) -> None:
        self._v1 = layout.version == 1
        self._paths = {kind: folder / name for kind, folder in layout.folders.items()}
        self._turn, self._next = self._paths["cpu"] / _TURN, self._paths["cpu"] / _NEXT
        # What copies are made of, and who moves it to the next game's group.
        self._lasting: list[str] = []
        self._mover: threading.Thread | None = None
        threads = "tasks" if self._v1 else "cgroup.threads"
        # In version 2 the smaller group has threads that the other one does not list.
        self._tasks = [self._paths["freezer"] / threads, *([] if self._v1 else [self._turn / threads])]
        # Whether the kernel has a group for each game.
        self._renews = True
        with contextlib.ExitStack() as undone:
            for path in dict.fromkeys(self._paths.values()):
                path.mkdir()
                undone.callback(_remove, path, self._v1)
            self._limit(str(memory_mib << 20), str(processes))
            if self._v1:
                (self._paths["freezer"] / _FROZEN).mkdir()
                self._write("freezer", f"{_FROZEN}/freezer.state", "FROZEN")
            self._freezer = self._open("freezer", "freezer.state" if self._v1 else "cgroup.freeze", os.O_RDWR)
            undone.callback(os.close, self._freezer)
            self._usage = self._open("cpuacct", "cpuacct.usage" if self._v1 else "cpu.stat", os.O_RDONLY)
            undone.pop_all()

    def _limit(self, memory: str, processes: str) -> None:
        if self._v1:
            self._write("memory", "memory.limit_in_bytes", memory)
            with contextlib.suppress(OSError):  # only where swap is accounted for
                self._write("memory", "memory.memsw.limit_in_bytes", memory)
        else:
            self._write("memory", "memory.max", memory)
            with contextlib.suppress(OSError):
                self._write("memory", "memory.swap.max", "0")
        self._write("pids", "pids.max", processes)

    def _open(self, kind: str, name: str, flags: int) -> int:
        return os.open(self._paths[kind] / name, flags | os.O_CLOEXEC)

    def add(self, pid: int) -> None:
        """Move a process into the group, and with it all it will start. No other is in it."""
        for path in set(self._paths.values()):
            (path / "cgroup.procs").write_text(str(pid))
        if self._renews:
            self._await_mover()
            try:
                self._start_anew()
            except OSError:
                self._renews = False

    def renew(self) -> None:
        """Have all processes in the group start with an account for the cores in which nothing has been used.

        No other process may be started meanwhile. Raises OSError.
        """
        if not self._renews:
            return
        self._await_mover()
        if self._next.is_dir() and not _read_pids(self._turn):
            _remove(self._turn, self._v1)
            self._next.rename(self._turn)
        else:
            self._start_anew()
        if self._v1:
            self._lasting = _read_pids(self._turn)

    def _start_anew(self) -> None:
        group = self._paths["cpu"]
        for place in (self._turn, self._next):
            # In version 2 the group lists those in the smaller one, which lists none.
            self._move(_read_pids(place if self._v1 else group), group)
            _remove(place, self._v1)
        self._turn.mkdir()
        if not self._v1:
            # So processes may be in either, and only the cores are divided.
            (self._turn / "cgroup.type").write_text("threaded")
            (group / "cgroup.subtree_control").write_text("+cpu")
        self._move(_read_pids(group), self._turn)

    def prepare(self) -> None:
        """Begin to move what was there before the game to the group of the next one."""
        if self._renews and self._v1:
            mover = threading.Thread(target=self._move_on, args=(self._lasting,))
            with contextlib.suppress(RuntimeError):  # no more threads: the next game moves it
                mover.start()
                self._mover = mover

    def _move_on(self, pids: list[str]) -> None:
        with contextlib.suppress(OSError):  # the next game does it again
            self._next.mkdir()
            self._move(pids, self._next)

    def _await_mover(self) -> None:
        if self._mover is not None:
            self._mover.join()
            self._mover = None

    def _move(self, pids: list[str], target: Path) -> None:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                (target / "cgroup.procs").write_text(pid)

    def cpu(self) -> float:
        """Return the CPU seconds used by all processes that were ever in the group."""
        text = os.pread(self._usage, 4096, 0)
        return int(text) / 1e9 if self._v1 else int(text.split()[1]) / 1e6

    def tasks(self) -> list[int]:
        """Return the ids of the threads that live in the group."""
        # Opened anew each time: the kernel may give whoever keeps it open the same list again for a second.
        tasks: list[int] = []
        for path in self._tasks:
            with contextlib.suppress(FileNotFoundError), open(path, "rb", buffering=0) as file:
                tasks += map(int, b"".join(iter(lambda: file.read(_PIDS_AT_ONCE), b"")).split())
        return tasks

    def freeze(self, seconds: float) -> bool:
        """Stop everything in the group; tell whether the kernel has seen all of it stopped within that time.

        If not, something is deep in the kernel. The rest is stopped all the same, and so is that as soon as it comes back.
        """
        os.pwrite(self._freezer, b"FROZEN" if self._v1 else b"1", 0)
        deadline = time.monotonic() + seconds
        while not self._frozen():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.0001)
        return True

    def _frozen(self) -> bool:
        if self._v1:
            return os.pread(self._freezer, 16, 0).startswith(b"FROZEN")
        return "frozen 1" in (self._paths["freezer"] / "cgroup.events").read_text()

    def thaw(self) -> None:
        """Let everything run on."""
        os.pwrite(self._freezer, b"THAWED" if self._v1 else b"0", 0)

    def out_of_memory_kills(self) -> int:
        """Return how many processes the kernel has killed because the group had reached its limit."""
        name = "memory.oom_control" if self._v1 else "memory.events"
        for line in (self._paths["memory"] / name).read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
        return 0

    def close(self) -> None:
        """Kill what is left in the group and remove it."""
        self._await_mover()
        os.close(self._freezer)
        os.close(self._usage)
        for path in _freezer_first(self._paths):
            _remove(path, self._v1)

    def _write(self, kind: str, name: str, text: str) -> None:
        (self._paths[kind] / name).write_text(text)


def _freezer_first(paths: dict[str, Path]) -> list[Path]:
    """Return the different paths in the order of removal: what is frozen cannot die, and would keep the others busy."""
    return list(dict.fromkeys([paths["freezer"], *paths.values()]))


def _read_pids(path: Path) -> list[str]:
    """Return the ids of the processes in a group; none if there is no group."""
    try:
        return (path / "cgroup.procs").read_text().split()
    except FileNotFoundError:
        return []


def _remove(path: Path, v1: bool) -> None:
    """Kill what is left in a group, and remove it with the smaller ones within it."""
    deadline = time.monotonic() + _BUSY_FOR
    places = (path / _TURN, path / _NEXT, path / _FROZEN, path)
    while True:
        try:
            for place in places:
                with contextlib.suppress(FileNotFoundError):
                    place.rmdir()
            return
        except OSError:
            if time.monotonic() > deadline:
                return
        for place in places:
            with contextlib.suppress(OSError):
                for pid in (place / "cgroup.procs").read_text().split():
                    os.kill(int(pid), signal.SIGKILL)
        with contextlib.suppress(OSError):
            (path / ("freezer.state" if v1 else "cgroup.freeze")).write_text("THAWED" if v1 else "0")
        time.sleep(0.002)


def new_group(layout: Layout, memory_mib: int, processes: int) -> Group:
    """Return a new group; raises OSError."""
    if layout.version == 1:
        _thaw_when_gone(layout.folders["freezer"], os.getpid())
    return Group(layout, owned_name(PREFIX), memory_mib, processes)


@cache
def _thaw_when_gone(freezer: Path, harness: int) -> None:
    """Have a process wait for the end of this one, however it comes, and then thaw what this one has frozen.

    In version 1 what is frozen cannot even be killed: it would stay until the next harness sweeps.
    """
    ours = freezer / owned_name(PREFIX).rpartition("-")[0]
    waiting, living = os.pipe()
    try:
        os.posix_spawn("/bin/sh", ["sh", "-c", _THAWS, "sh", str(ours)], {}, file_actions=[
            (os.POSIX_SPAWN_DUP2, waiting, 0), (os.POSIX_SPAWN_CLOSE, 1), (os.POSIX_SPAWN_CLOSE, 2)], setsid=True)  # fmt: skip
    except BaseException:
        os.close(living)
        raise
    finally:
        os.close(waiting)


def sweep(layout: Layout) -> None:
    """Remove the groups of harness processes that are gone."""
    for folder in _freezer_first(layout.folders):
        for path in folder.glob(f"{PREFIX}-*"):
            if is_stale(path.name):
                _remove(path, layout.version == 1)
