"""Copies of a process that never runs again: each is like the first, whatever the copies before it have done."""

import contextlib
import os
import signal
import socket
import time

import pytest

from tournament.inside.images import Image

pytestmark = pytest.mark.skipif(os.uname().machine != "x86_64", reason="copies are made on x86_64 only")


def count_messages(end):
    """What the imaged process does: it answers each message with how many it has read, and does as it is told."""
    read = 0
    signal.signal(signal.SIGUSR1, lambda *_: end.send(b"awake"))
    while True:
        order, _, _, _ = end.recvmsg(100)
        read += 1
        if order == b"signal the parent":
            os.kill(int(os.environ["IMAGED"]), signal.SIGUSR1)
        if order == b"end":
            os._exit(7)
        end.send(b"%d" % read)


@contextlib.contextmanager
def started(work):
    """Start a process; yield its id and our end of its socket."""
    ours, theirs = socket.socketpair()
    ours.settimeout(20)
    pid = os.fork()
    if not pid:
        os.environ["IMAGED"] = str(os.getpid())
        ours.close()
        work(theirs)
        os._exit(0)
    theirs.close()
    try:
        yield pid, ours
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        ours.close()


@pytest.fixture
def image():
    with started(count_messages) as (pid, ours):
        image = Image(pid)
        yield image, ours
        image.channel.close()


def asked(ours, order):
    ours.send(order)
    return ours.recv(100)


def test_every_copy_is_like_the_first(image):
    image, ours = image
    for _ in range(3):
        copy = image.copy()
        assert [asked(ours, b"hello"), asked(ours, b"hello")] == [b"1", b"2"]
        ours.send(b"end")
        assert os.waitpid(copy, 0) == (copy, 7 << 8)
        assert image.is_unchanged()


def test_a_signal_does_not_wake_an_image_but_is_noticed(image):
    image, ours = image
    copy = image.copy()
    assert asked(ours, b"signal the parent") == b"1"
    assert not image.is_unchanged()
    ours.send(b"end")
    os.waitpid(copy, 0)
    copy = image.copy()
    assert asked(ours, b"hello") == b"1"
    ours.send(b"end")
    os.waitpid(copy, 0)


def test_signals_that_stop_and_continue_all_processes_change_nothing():
    with started(count_messages) as (pid, ours):
        image = Image(pid)
        os.kill(pid, signal.SIGSTOP)
        os.kill(pid, signal.SIGCONT)
        assert image.is_unchanged()
        copy = image.copy()
        assert asked(ours, b"hello") == b"1"
        ours.send(b"end")
        assert os.waitpid(copy, 0) == (copy, 7 << 8)
        image.channel.close()


def test_an_image_that_was_killed_has_changed():
    with started(count_messages) as (pid, _):
        image = Image(pid)
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert not image.is_unchanged()
        image.channel.close()


def test_a_process_that_is_let_go_runs_on():
    with started(count_messages) as (pid, ours):
        image = Image(pid)
        image.release()
        image.channel.close()
        assert asked(ours, b"hello") == b"1"


def test_a_process_that_does_not_wait_for_a_message_is_left_alone(monkeypatch):
    monkeypatch.setattr("tournament.inside.images._PATIENCE", 0.1)
    with started(lambda end: (end.send(b"up"), time.sleep(1000))) as (pid, ours):
        assert ours.recv(10) == b"up"
        with pytest.raises(OSError, match="does not wait for a game"):
            Image(pid)
