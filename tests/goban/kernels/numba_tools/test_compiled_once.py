"""Processes that need the same kernel at the same time: one compiles it, the others wait and load it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.missing import needs, no_package
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[4]

pytestmark = [
    pytest.mark.slow,
    needs(no_package("numba")),
    pytest.mark.skipif(not Path("/proc/locks").exists(), reason="needs /proc/locks"),
]

KERNELS = """
from goban.kernels.numba_tools.compile import njit


@njit
def both(number):
    return number + 1


@njit
def one(number):
    return both(number) + 10


@njit
def other(number):
    return both(number) + 100


@njit
def down(number):
    return 0 if number < 1 else down(number - 1)
"""

# Calls kernels by name, and says which it compiles; before it compiles the first of them it waits for a line.
CALLS = """
import sys
sys.path[:0] = sys.argv[1:3]
from numba.core import event
import some_kernels

class Listener(event.Listener):
    waits = True
    def on_start(self, happened):
        print("compiles", happened.data["dispatcher"].py_func.__name__, flush=True)
        if Listener.waits:
            Listener.waits = False
            sys.stdin.readline()
    def on_end(self, happened):
        pass

with event.install_listener("numba:compile", Listener()):
    print("has", *[getattr(some_kernels, name)(1) for name in sys.argv[3:]], flush=True)
"""


@pytest.fixture
def start(tmp_path):
    (tmp_path / "some_kernels.py").write_text(KERNELS)
    started = []

    def begin(*names):
        command = [sys.executable, "-c", CALLS, str(tmp_path), str(ROOT), *names]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def go_on(process):
    process.stdin.write("go on\n")
    process.stdin.flush()


def waits_for_lock(process):
    """Tell whether the kernel of the system keeps a process waiting for a lock; fail if it has begun to compile instead."""
    assert process.poll() is None
    waiting = [line.split() for line in Path("/proc/locks").read_text().splitlines() if "->" in line]
    return any(str(process.pid) in words for words in waiting)


def lines_of(process):
    return process.communicate(timeout=300)[0].splitlines()


def test_who_comes_second_waits_and_loads(start):
    first = start("one")
    assert first.stdout.readline() == "compiles one\n"
    second = start("one")
    wait_until(lambda: waits_for_lock(second))
    go_on(first)
    assert lines_of(first) == ["compiles both", "has 12"]
    assert lines_of(second) == ["has 12"]


def test_if_the_first_is_killed_the_next_compiles(start):
    first = start("one")
    assert first.stdout.readline() == "compiles one\n"
    second = start("one")
    wait_until(lambda: waits_for_lock(second))
    first.send_signal(signal.SIGKILL)
    assert second.stdout.readline() == "compiles one\n"
    go_on(second)
    assert lines_of(second) == ["compiles both", "has 12"]


def test_in_opposite_orders_nobody_waits_for_ever_and_each_is_compiled_once(start):
    first, second = start("one", "other"), start("other", "one")
    assert first.stdout.readline() == "compiles one\n"
    assert second.stdout.readline() == "compiles other\n"
    for process in (first, second):
        go_on(process)
    said = [lines_of(first), lines_of(second)]
    assert [lines[-1] for lines in said] == ["has 12 102", "has 102 12"]
    assert [line for lines in said for line in lines[:-1]] == ["compiles both"]


def test_a_kernel_that_calls_itself_is_compiled_within_its_own_compilation(start):
    process = start("down")
    assert process.stdout.readline() == "compiles down\n"
    go_on(process)
    assert lines_of(process)[-1] == "has 0"


@pytest.mark.skipif("fcntl" in sys.builtin_module_names, reason="nothing can stand in for a module that Python is built with")
def test_where_nothing_can_be_locked_kernels_are_compiled_as_ever(start, tmp_path):
    asked = tmp_path / "asked"
    refuses = f"def lockf(*_):\n    open({str(asked)!r}, 'a').close()\n    raise OSError(37, 'No locks available')\n"
    (tmp_path / "fcntl.py").write_text(f"LOCK_EX = LOCK_UN = 0\n{refuses}")
    process = start("one")
    assert process.stdout.readline() == "compiles one\n"
    go_on(process)
    assert lines_of(process) == ["compiles both", "has 12"]
    assert asked.exists()
