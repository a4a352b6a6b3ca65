"""Reading in a process of its own: what comes back is what was read, or one line, whatever happens there."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gojudge.errors import BadSubmissionError
from gojudge.sandbox import reading
from gojudge.sandbox.reading import read_apart

ROOT = Path(__file__).parents[3]


def complaint(work):
    with pytest.raises(BadSubmissionError) as caught:
        read_apart(work)
    assert str(caught.value).isprintable()
    return str(caught.value)


def raising(error):
    def work():
        raise error

    return work


def test_what_was_read_comes_back():
    assert read_apart(lambda: {"pid": os.getpid()})["pid"] != os.getpid()
    assert read_apart(lambda: {"text": "\x1b\ud800\0" * 10_000}) == {"text": "\x1b\ud800\0" * 10_000}


def test_nothing_that_it_changes_is_changed_here():
    kept = []
    assert read_apart(lambda: {"number": len([kept.append(1), kept.append(2)])}) == {"number": 2}
    assert kept == []


def test_a_refusal_is_a_refusal_here_too():
    assert complaint(raising(BadSubmissionError("expected files, found none"))) == "expected files, found none"


def test_a_full_disk_is_no_fault_of_a_submission():
    with pytest.raises(OSError, match="No space left") as caught:
        read_apart(raising(OSError(28, "No space left on device", "copy")))
    assert (caught.value.errno, caught.value.filename) == (28, "copy")


def test_where_nothing_can_be_forked_it_is_told_as_it_is(monkeypatch):
    def fork():
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", fork)
    with pytest.raises(BlockingIOError):
        read_apart(dict)


def test_whatever_else_goes_wrong_costs_only_this_one():
    assert complaint(raising(AttributeError("no\nsuch"))) == "cannot be read: AttributeError: no\\nsuch"


def endless():
    while True:
        pass


def test_what_needs_too_much_time_is_ended(monkeypatch):
    monkeypatch.setattr(reading, "CPU_SECONDS", 1)
    assert complaint(endless) == "cannot be read within 1 s of CPU time"


def test_what_only_waits_is_ended_too(monkeypatch):
    monkeypatch.setattr(reading, "WALL_SECONDS", 1)
    assert complaint(lambda: time.sleep(10_000)) == "cannot be read within 1 s"


def test_what_needs_too_much_memory_is_refused(monkeypatch):
    monkeypatch.setattr(reading, "MEMORY_MIB", 64)
    assert complaint(lambda: {"size": len(bytes(2**30))}) == "cannot be read within 64 MiB of memory"
    assert read_apart(lambda: {"size": len(bytes(2**24))}) == {"size": 2**24}


def test_what_kills_the_reader_is_refused():
    assert complaint(lambda: os.kill(os.getpid(), signal.SIGKILL)) == "cannot be read: its process was ended by SIGKILL"
    assert complaint(lambda: os._exit(0)) == "cannot be read: its process ended with status 0"


def test_a_deep_tree_can_be_read():
    def work():
        depth = 0

        def down(left):
            nonlocal depth
            depth = max(depth, left)
            if left:
                down(left - 1)

        down(15_000)
        return {"depth": depth}

    assert read_apart(work) == {"depth": 15_000}


def test_no_reader_is_left_when_we_are_interrupted(monkeypatch, tmp_path):
    def work():
        (tmp_path / "new").write_text(str(os.getpid()))
        (tmp_path / "new").rename(tmp_path / "pid")
        time.sleep(10_000)

    def interrupted(pipe):
        while not (tmp_path / "pid").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(reading, "_heard", interrupted)
    with pytest.raises(KeyboardInterrupt):
        read_apart(work)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


# All processes of this program hold the pipe of its output, which ends when the last of them does.
_STOPPED = """
import os, signal, sys, time
from gojudge.sandbox import reading

def forked(fork=os.fork):
    child = fork()
    {after_fork}
    return child

def work():
    os.write(1, b"reads ")
    os.write(read, b"x")
    time.sleep(10_000)

def heard(pipe):
    os.read(seen, 1)
    {while_it_reads}

seen, read = os.pipe()
os.fork, reading._heard = forked, heard
try:
    reading.read_apart(work)
except KeyboardInterrupt:
    os.write(1, b"stopped ")
"""


@pytest.mark.parametrize(("after_fork", "while_it_reads", "said"), [
    ("os.kill(os.getpid(), signal.SIGINT) if child else None", "", {"stopped ", "reads stopped "}),
    ("os.kill(os.getpid(), signal.SIGINT) if not child else None", "raise KeyboardInterrupt", {"reads stopped "}),
    ("", "os.killpg(0, signal.SIGINT); time.sleep(10_000)", {"reads stopped "}),
    ("", "os.kill(os.getpid(), signal.SIGKILL)", {"reads "}),
], ids=["before its number is known", "before it is a reader", "the whole group", "killed"])  # fmt: skip
def test_no_reader_outlives_us_whenever_we_are_stopped(after_fork, while_it_reads, said):
    code = _STOPPED.format(after_fork=after_fork, while_it_reads=while_it_reads)
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=300, start_new_session=True
    )
    assert run.stdout in said


def test_without_fork_it_is_read_here(monkeypatch):
    """As on Windows: the same answers and refusals, and no limits."""
    monkeypatch.delattr(os, "fork")
    limit = sys.getrecursionlimit()
    assert read_apart(lambda: {"pid": os.getpid(), "calls": sys.getrecursionlimit()}) == {"pid": os.getpid(), "calls": 20_000}
    assert sys.getrecursionlimit() == limit
    assert complaint(raising(MemoryError())) == "cannot be read within 1024 MiB of memory"
    with pytest.raises(OSError, match="No space left"):
        read_apart(raising(OSError(28, "No space left on device")))
