"""Processes and their threads, as the kernel shows them.

How long tasks waited for a core, as the kernel counts it.
"""

import contextlib
import ctypes
import mmap
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gojudge.inside import process_table
from gojudge.inside.process_table import PageMarks, ProcessTable, RunDelays, are_counted, own_cpu, run_delay
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux's /proc")

NOBODY = 2**22 + 1


@contextlib.contextmanager
def child(ends=False):
    """A child that waits to be killed, or ends and is not waited for."""
    pid = os.fork()
    if not pid:
        if not ends:
            signal.pause()
        os._exit(0)
    if ends:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    try:
        yield pid
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


@pytest.fixture(params=["/proc", pytest.param("an open folder", marks=pytest.mark.slow)])
def table(request):
    if request.param == "/proc":
        yield ProcessTable()
    else:
        folder = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        yield ProcessTable(folder)
        os.close(folder)


def test_whoever_asks_runs(table):
    me = os.getpid()
    assert me in table.everybody()
    look = table.look_at([me])
    assert (look.pids, look.living, look.runnable) == ([me], [me], True)
    assert (me, threading.get_native_id()) in look.restless


def test_every_thread_is_looked_at(table):
    begun, done = threading.Event(), threading.Event()
    ids = []
    thread = threading.Thread(target=lambda: (ids.append(threading.get_native_id()), begun.set(), done.wait()))
    thread.start()
    begun.wait()
    tasks = table.look_at([os.getpid()]).tasks
    done.set()
    thread.join()
    assert {(os.getpid(), os.getpid()), (os.getpid(), ids[0])} <= tasks.keys()


def test_who_is_stopped_is_at_rest(table):
    with child() as pid:
        os.kill(pid, signal.SIGSTOP)
        os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOWAIT)
        look = table.look_at([pid])
        assert (look.living, look.tasks, look.restless, look.runnable) == ([pid], {(pid, pid): b"T"}, [], False)
        assert pid in table.children_of(os.getpid())
        assert table.held(pid) > 0


def test_a_zombie_is_there_and_does_not_live(table):
    with child(ends=True) as pid:
        look = table.look_at([pid])
        assert (look.pids, look.living, look.restless) == ([pid], [], [])
        assert own_cpu(pid) > 0


def test_who_is_gone_is_left_out(table):
    look = table.look_at([NOBODY])
    assert (look.pids, look.living, look.tasks, look.reaped, look.address_space) == ([], [], {}, 0, 0)
    assert (table.state(NOBODY), table.children_of(NOBODY), table.held(NOBODY), own_cpu(NOBODY)) == (b"X", [], 0, 0)


def test_cpu_of_children_that_were_waited_for_is_known(table):
    before = table.look_at([os.getpid()]).reaped
    pid = os.fork()
    if not pid:
        while own_cpu(os.getpid()) < 0.1:
            pass
        os._exit(0)
    os.waitpid(pid, 0)
    assert table.look_at([os.getpid()]).reaped > before


ROOT = Path(__file__).parents[3]
HEARD = """\
import os, signal
from gojudge.inside.process_table import await_child
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
if not os.fork():
    os._exit(0)
await_child(1e6)
"""


def test_the_end_of_a_child_is_heard():
    """In a process of one thread, as a keeper is: others would take the news away."""
    subprocess.run([sys.executable, "-c", HEARD], cwd=ROOT, timeout=PATIENCE, check=True)


needs_counts = pytest.mark.skipif(not are_counted(), reason="this kernel does not count run delays")


@pytest.fixture
def told(monkeypatch):
    """What the kernel tells of each task, in seconds, set by hand."""
    delays = {}
    monkeypatch.setattr(process_table, "run_delay", lambda task, table: int(delays.get(task, 0) * 1e9))
    return delays


def test_what_tasks_waited_adds_up_and_stays_when_they_end(told):
    delays = RunDelays()
    told |= {1: 2.0, 2: 1.0}
    assert delays.total([1, 2]) == 3.0
    told |= {1: 2.5, 3: 4.0}
    assert delays.total([1, 3]) == 7.5
    assert delays.total([]) == 7.5


def test_an_id_that_is_given_again_begins_anew(told):
    delays = RunDelays()
    told[1] = 5.0
    delays.total([1])
    told[1] = 2.0
    assert delays.total([1]) == 7.0
    delays.total([])
    assert delays.total([1]) == 9.0


PAGES = 40
"""More than two of the kernel's batches, and few: DAMON, where it runs, takes the marks of one in thousands at a time."""


@pytest.fixture(params=["its own", "closed to it"])
def memory(request):
    """Makes new memory, which a process may read or not; returns it, and where it begins."""
    libc, made = ctypes.CDLL(None), []

    def make():
        while made:  # beside it the kernel would make one piece of both
            made.pop().close()
        memory = mmap.mmap(-1, PAGES * mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        made.append(memory)
        memory.madvise(mmap.MADV_NOHUGEPAGE)  # of which the kernel marks none
        memory.write(b"x" * len(memory))
        byte = ctypes.c_char.from_buffer(memory)
        start = ctypes.addressof(byte)
        del byte
        if request.param != "its own":
            libc.mprotect(ctypes.c_void_p(start), len(memory), 0)
        return memory, start

    yield make
    for memory in made:
        memory.close()


def marked_pages(pid, start):
    """How many of the pages at an address the kernel shows as used, and whether all of them often."""
    text = Path(f"/proc/{pid}/smaps").read_text().partition(f"\n{start:x}-")[2]
    referenced = int(text.partition("Referenced:")[2].split(None, 1)[0]) * 1024 // mmap.PAGESIZE
    often = True
    with contextlib.suppress(FileNotFoundError):  # not every kernel tells
        often = " active=" not in Path(f"/proc/{pid}/numa_maps").read_text().partition(f"\n{start:x} ")[2].partition("\n")[0]
    return referenced, often


# A kernel that looks for memory which nobody uses (DAMON) marks and unmarks some pages at any time, and this process gives
# memory back while it is looked at. So what is to be seen must be seen once, of new memory each time.
has_pages = pytest.mark.skipif(not os.path.exists("/proc/self/pagemap"), reason="a kernel that tells of no pages")


@has_pages
@pytest.mark.parametrize("advice", [process_table._POPULATE_READ, -1], ids=["populated", "read, as before Linux 5.14"])
def test_own_memory_is_marked_fully_and_remains_shared_with_forks(table, memory, advice, monkeypatch):
    monkeypatch.setattr(process_table, "_POPULATE_READ", advice)

    def is_marked():
        _, start = memory()
        with child() as first:
            before = marked_pages(first, start)
            PageMarks(table).level_own()
            return before == (0, False) and marked_pages(first, start) == (PAGES, True)

    wait_until(is_marked)


@has_pages
def test_memory_that_a_process_has_alone_is_marked_fully(table, memory, monkeypatch):
    monkeypatch.setattr(process_table, "_MOST_AT_ONCE", 16)

    def is_marked():
        shared, start = memory()
        with child() as first:
            before = marked_pages(first, start)
            shared.close()
            PageMarks(table).level_alone(first)
            return before == (0, False) and marked_pages(first, start) == (PAGES, True)

    wait_until(is_marked)


def test_what_any_core_has_yet_to_take_in_is_taken_in_first(table, monkeypatch):
    """As `test_own_memory_is_marked_fully` would show on a core that then does nothing: the kernel does not mark such pages."""
    cores, events = os.sched_getaffinity(0), []
    set_cores = os.sched_setaffinity
    monkeypatch.setattr(os, "sched_setaffinity", lambda pid, wanted: (events.append(wanted), set_cores(pid, wanted)))
    monkeypatch.setattr(process_table, "_end_batch", lambda: events.append("ended"))
    with child() as first:
        PageMarks(table).level_alone(first)
    visited = events[: 2 * len(cores)]
    assert (set().union(*visited[::2]), set(visited[1::2])) == (cores, {"ended"})
    assert events[-1] == cores


@has_pages
def test_memory_that_a_process_shares_with_us_is_not_looked_up(table, memory):
    _, start = memory()
    with child() as first:
        PageMarks(table).level_alone(first)
        text = Path(f"/proc/{first}/smaps").read_text().partition(f"\n{start:x}-")[2]
    assert int(text.partition("Private_Dirty:")[2].split(None, 1)[0]) == 0


@has_pages
@pytest.mark.parametrize("memory", ["its own"], indirect=True)
def test_memory_that_was_shared_with_forks_can_be_parted(table, memory):
    """They would be told by how many it is shared, and so where we have written since."""
    shared, start = memory()
    if ctypes.CDLL(None).madvise(ctypes.c_void_p(start), ctypes.c_size_t(len(shared)), process_table._POPULATE_WRITE):
        pytest.skip("a kernel that cannot, as before Linux 5.14")

    def alone(pid):
        text = Path(f"/proc/{pid}/smaps").read_text().partition(f"\n{start:x}-")[2]
        return int(text.partition("Private_Dirty:")[2].split(None, 1)[0]) * 1024 // mmap.PAGESIZE

    with child() as first:
        before = alone(first)
        PageMarks(table).part()
        assert (before, alone(first)) == (0, PAGES)


@has_pages
def test_pages_that_guard_a_stack_are_not_looked_up(table):
    """They are part of its memory where the C library marks them so (MADV_GUARD_INSTALL), and nobody may read them."""
    memory = mmap.mmap(-1, 3 * mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.write(b"x" * len(memory))
    middle = ctypes.c_char.from_buffer(memory, mmap.PAGESIZE)
    if ctypes.CDLL(None).madvise(ctypes.byref(middle), ctypes.c_size_t(mmap.PAGESIZE), 102):
        pytest.skip("a kernel without guards, as before Linux 6.13")
    with child() as first:
        del middle
        memory.close()
        PageMarks(table).level_alone(first)


def test_who_is_gone_has_no_delay():
    assert run_delay(2**22 + 1) == 0


@needs_counts
def test_two_processes_on_one_core_wait_for_each_other():
    core = min(os.sched_getaffinity(0))
    spin = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    busy = [subprocess.Popen(["python3", "-c", spin]) for _ in range(2)]
    try:
        delays = RunDelays()
        while delays.total([process.pid for process in busy]) < 0.05:
            assert all(process.poll() is None for process in busy)
    finally:
        for process in busy:
            process.kill()
            process.wait()
