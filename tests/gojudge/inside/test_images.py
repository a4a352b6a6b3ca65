"""Copies of a process that never runs again: each is like the first, whatever the copies before it have done."""

import contextlib
import ctypes
import mmap
import os
import resource
import signal
import socket
import time
from pathlib import Path

import pytest

from gojudge.inside import images
from gojudge.inside.images import CHANNEL, CRADLE, Image
from gojudge.inside.process_table import ProcessTable
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(os.uname().machine != "x86_64", reason="copies are made on x86_64 only")


@pytest.fixture(autouse=True)
def keeper():
    """The keeper waits for news of its children."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def count_messages(end):
    """What the imaged process does: it answers each message with how many it has read, and does as it is told."""
    read = 0
    while True:
        order, _, _, _ = end.recvmsg(1 << 16)
        read += 1
        if order == b"end":
            os._exit(7)
        if order == b"flags":
            for number in range(CHANNEL):
                os.set_blocking(number, False)
        end.send(b"%d" % read)


def peek_first(end):
    """It reads its first message without taking it, and looks whether it is still there."""
    end.recvmsg(1 << 16, 0, socket.MSG_PEEK)
    with contextlib.suppress(BlockingIOError):
        end.send(end.recv(100, socket.MSG_DONTWAIT))
    end.send(b"none is left")
    count_messages(end)


class Loader:
    """A process that has loaded something, and its ends that we hold."""

    def __init__(self, work):
        self.channel, theirs = socket.socketpair()
        self.cradle, other = socket.socketpair()
        self.other = os.fstat(other.fileno()).st_ino
        self.pid = os.fork()
        if not self.pid:
            for number, end in enumerate((theirs, other)):
                os.dup2(end.fileno(), CHANNEL + number + 100)
            os.closerange(CHANNEL, CHANNEL + 100)
            for number in range(2):
                os.dup2(CHANNEL + number + 100, CHANNEL + number)
            os.closerange(CRADLE + 1, 256)
            work(socket.socket(fileno=CHANNEL))
            os._exit(0)
        theirs.close()
        other.close()
        self.channel.settimeout(PATIENCE)

    def image(self, why_not=""):
        return Image(self.pid, self.cradle, self.other, lambda: why_not, lambda after: None, lambda pid: None)

    def close(self):
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        self.channel.close()
        self.cradle.close()


@pytest.fixture
def start():
    """Start loaders, and end them after the test."""
    loaders = []

    def start_(work=count_messages):
        loaders.append(Loader(work))
        return loaders[-1]

    yield start_
    for loader in loaders:
        loader.close()


@contextlib.contextmanager
def game(image):
    """A copy with new files; yields its id and our end of its socket."""
    ours, theirs = socket.socketpair()
    ours.settimeout(PATIENCE)
    nothing = os.open(os.devnull, os.O_RDONLY)
    with ours, theirs, open(os.devnull, "w") as output:
        pid = image.copy((nothing, output.fileno(), output.fileno(), theirs.fileno()))
        os.close(nothing)
        theirs.close()
        yield pid, ours
        ours.send(b"end")
        assert os.waitpid(pid, 0) == (pid, 7 << 8)


def asked(ours, order):
    ours.send(order)
    return ours.recv(100)


def test_every_copy_is_like_the_first(start):
    image = start().image()
    for _ in range(3):
        with game(image) as (_, ours):
            assert [asked(ours, b"hello"), asked(ours, b"hello")] == [b"1", b"2"]
        assert ProcessTable().state(image.pid) == b"t"
    image.close()


def test_a_copy_has_files_of_its_own_and_no_others(start):
    image = start().image()
    seen = []
    for _ in range(3):
        with game(image) as (pid, ours):
            names = sorted(os.listdir(f"/proc/{pid}/fd"), key=int)
            seen.append([(name, Path(f"/proc/{pid}/fdinfo/{name}").read_text().split()[:4]) for name in names])
            assert asked(ours, b"flags") == b"1"
    assert [name for name, _ in seen[0]] == ["0", "1", "2", "3"]
    assert seen[0] == seen[1] == seen[2]
    image.close()


def test_each_copy_begins_a_session(start):
    """The kernel may share the cores among sessions, and tells how much of them each has used."""
    loader = start()
    image = loader.image()
    assert os.getsid(image.pid) == image.pid
    with game(image) as (pid, _):
        assert os.getsid(pid) == os.getpgid(pid) == pid
    image.close()


def test_the_loading_process_is_gone_with_its_channel(start):
    loader = start()
    image = loader.image()
    with pytest.raises(ProcessLookupError):
        os.kill(loader.pid, 0)
    assert loader.channel.recv(100) == b""
    image.close()


def test_a_message_is_taken_even_by_a_process_that_meant_to_leave_it(start):
    image = start(peek_first).image()
    for order in (b"first", b"second"):
        with game(image) as (_, ours):
            assert asked(ours, order) == b"none is left"
    image.close()


def test_signals_that_stop_and_continue_all_processes_change_nothing(start):
    image = start().image()
    for _ in range(2):
        os.kill(image.pid, signal.SIGSTOP)
        os.kill(image.pid, signal.SIGCONT)
        os.kill(image.pid, signal.SIGUSR1)
        with game(image) as (_, ours):
            assert asked(ours, b"hello") == b"1"
        assert ProcessTable().state(image.pid) == b"t"
    image.close()


def test_an_image_that_was_killed_cannot_be_copied(start):
    image = start().image()
    os.kill(image.pid, signal.SIGKILL)
    os.waitid(os.P_PID, image.pid, os.WEXITED | os.WNOWAIT)
    with pytest.raises(BrokenPipeError), game(image):
        pass
    image.close()


def test_a_process_that_may_not_be_copied_runs_on(start):
    loader = start()
    with pytest.raises(OSError, match="the import left a file open"):
        loader.image("the import left a file open")
    assert asked(loader.channel, b"hello") == b"1"


def test_a_process_that_has_put_another_file_in_the_cradle_s_place_runs_on(start):
    def work(end):
        os.dup2(os.open(os.devnull, os.O_RDONLY), CRADLE)
        count_messages(end)

    loader = start(work)
    with pytest.raises(OSError, match="the import closed what was open"):
        loader.image()
    assert asked(loader.channel, b"hello") == b"1"


@pytest.mark.parametrize("how", [socket.SHUT_RD, socket.SHUT_RDWR])
def test_a_process_that_has_shut_the_cradle_runs_on(start, how):
    def work(end):
        cradle = socket.socket(fileno=CRADLE)
        cradle.shutdown(how)
        cradle.detach()
        count_messages(end)

    loader = start(work)
    with pytest.raises(BrokenPipeError):
        loader.image()
    assert asked(loader.channel, b"hello") == b"1"


def test_a_process_that_forbids_its_copies_files_runs_on(start):
    def work(end):
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
        count_messages(end)

    loader = start(work)
    with pytest.raises(OSError, match="it may open too few files"):
        loader.image()
    assert asked(loader.channel, b"hello") == b"1"


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Header(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_void_p), ("name_length", ctypes.c_uint), ("vector", ctypes.c_void_p), ("pieces", ctypes.c_size_t),
        ("control", ctypes.c_void_p), ("control_length", ctypes.c_size_t), ("flags", ctypes.c_int),
    ]  # fmt: skip


# recvmsg(3, the argument, 0), by a system call that a jump can replace; then the jump goes to what leaves out `close`.
WAITS = bytes.fromhex("4889fe bf03000000 31d2 b82f000000 0f05 c3 83f803 7404 0f05 ebf6 31c0 ebf2")
JUMP = bytes.fromhex("eb01")


def test_a_process_that_would_leave_out_system_calls_runs_on(start):
    """Its copies would keep the cradle, over which one game could send news to the next."""

    def work(end):
        memory = mmap.mmap(-1, 1 << 16, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
        memory[: len(WAITS)] = WAITS
        text = ctypes.create_string_buffer(1 << 16)
        header = Header(0, 0, ctypes.addressof(vector := Vector(ctypes.addressof(text), len(text))), 1, 0, 0, 0)
        wait = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
        for read in range(1, 3):
            wait(ctypes.addressof(header))
            end.send(b"%d" % read)
        assert vector

    def waits_at():
        return Path(f"/proc/{loader.pid}/syscall").read_text().split()

    loader = start(work)
    assert asked(loader.channel, b"hello") == b"1"
    wait_until(lambda: waits_at()[:2] == ["47", "0x3"])
    with open(f"/proc/{loader.pid}/mem", "r+b", buffering=0) as memory:
        memory.seek(int(waits_at()[-1], 16) - len(JUMP))
        memory.write(JUMP)
    with pytest.raises(OSError, match="it does not do as it should"):
        loader.image()
    assert asked(loader.channel, b"hello") == b"2"


def test_a_process_that_waits_with_a_small_buffer_runs_on(start):
    def work(end):
        end.recvmsg(100)
        end.send(b"1")

    loader = start(work)
    with pytest.raises(OSError, match="does not wait for a game"):
        loader.image()
    assert asked(loader.channel, b"hello") == b"1"


def test_a_process_that_does_not_wait_for_a_message_is_left_alone(start, monkeypatch):
    monkeypatch.setattr(images, "_PATIENCE", 0.1)
    loader = start(lambda end: (end.send(b"up"), time.sleep(1000)))
    assert loader.channel.recv(10) == b"up"
    with pytest.raises(OSError, match="does not wait for a game"):
        loader.image()


def test_a_process_that_cannot_be_copied_waits_on(start):
    def work(end):
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        os.setresuid(65534, 65534, 65534)
        count_messages(end)

    if os.geteuid():
        pytest.skip("the limit holds for a user with no other processes")
    loader = start(work)
    with pytest.raises(OSError, match="the import cannot be copied: Resource temporarily unavailable"):
        loader.image()
    assert [asked(loader.channel, b"hello"), asked(loader.channel, b"hello")] == [b"1", b"2"]
