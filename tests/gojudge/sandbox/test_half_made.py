"""Whatever call fails while something is made, nothing of it stays: no descriptor, process, thread, folder or control group."""

import gc
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from goban.board.processes import Program
from gojudge.errors import HarnessFaultError
from gojudge.inside import workdirs
from gojudge.records import PlayerFaultError
from gojudge.sandbox import cgroups, launching, tiers
from gojudge.sandbox.engine_seat import GtpChannel
from players.errors import BadPlayerError
from players.gtp_player import engine_player
from tests.support.submissions import get_input, seat_for, spec, submission
from tests.support.submissions import tiers as at_tiers
from tests.support.waiting import PATIENCE

# Every call by which the harness opens, makes or starts something, or changes what it has opened.
CALLS = [
    (os, "pipe"), (os, "open"), (os, "set_blocking"), (os, "chown"), (os, "fdopen"), (socket, "socketpair"),
    (socket.socket, "setsockopt"), (socket.socket, "settimeout"), (socket, "send_fds"), (socket, "recv_fds"),
    (subprocess, "Popen"), (tempfile, "TemporaryFile"), (Path, "mkdir"), (Path, "write_text"), (Path, "open"),
    (shutil, "copytree"), (shutil, "copyfile"), (launching, "copy_submission"), (cgroups.Group, "add"),
    (cgroups.Group, "out_of_memory_kills"), (threading.Thread, "start"), (workdirs, "copy_submission"),
]  # fmt: skip

COPY_FILE = shutil.copyfile


class Failing:
    """Calls of which one fails, the one of that number; the others do as ever. Of a hundred files that are copied one after the
    other into a folder, the first counts."""

    def __init__(self, at):
        self.at, self.number, self.last, self.failed = at, 0, None, False

    def call(self, real):
        def made(*arguments, **options):
            if threading.current_thread() is threading.main_thread():
                goes_on = real is self.last is COPY_FILE
                self.number, self.last = self.number + (not goes_on), real
                if self.number - 1 == self.at and not goes_on:
                    self.failed = True
                    # What threads raise that cannot be started, and everything else.
                    raise (RuntimeError if real.__name__ == "start" else OSError)(24, "Too many open files")
            return real(*arguments, **options)

        return made


def there(folder):
    """What this process has open, has started and has made."""
    gc.collect()
    layout = tiers._layout()
    groups = [path for top in set(layout.folders.values()) for path in top.glob(f"*-{os.getpid()}-*")] if layout else []
    children = [child for path in Path("/proc/self/task").glob("*/children") for child in path.read_text().split()]
    return (
        sorted(os.listdir("/proc/self/fd")), children, groups,
        # What is kept for the next time lies here where the user's own cache cannot be written.
        sorted(path for path in folder.iterdir() if not path.name.startswith("go-competition-harness")),
        [thread for thread in threading.enumerate() if not thread.daemon],
    )  # fmt: skip


def fail_everywhere(make, folder, monkeypatch, expected):
    """Make something again and again; each time another call fails, until none does. Nothing may stay after any of them."""
    make()
    before = there(folder)
    for at in range(500):
        failing = Failing(at)
        with monkeypatch.context() as patched:
            for owner, name in CALLS:
                patched.setattr(owner, name, failing.call(getattr(owner, name)))
            with suppress(expected):
                make()
        assert there(folder) == before, f"after the failure of call {at}"
        if not failing.failed:
            assert at, "no call was reached"
            return
    pytest.fail("it makes more calls each time")


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    folder.chmod(0o755)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_conversation_in_gtp(temporary, monkeypatch):
    fail_everywhere(lambda: GtpChannel().close(), temporary, monkeypatch, OSError)


# T1 is opened as T0 is: what differs is what the process that is started is told.
@pytest.mark.slow
@at_tiers("T3", "T2", "T0")
def test_a_seat_and_its_first_game(tier, temporary, tmp_path, monkeypatch):
    entrant = submission(tmp_path / "alice", get_input("return 0, 0"))

    def make():
        seat = seat_for(entrant, tier)
        try:
            seat.begin(spec(), 1)
        finally:
            try:
                seat.end()
            finally:
                seat.close()

    fail_everywhere(make, temporary, monkeypatch, (OSError, RuntimeError, HarnessFaultError, PlayerFaultError))


def test_a_program_of_the_board(temporary, monkeypatch):
    def make():
        others = threading.enumerate()
        try:
            program = Program("players.player_process", "random", "1")
            program.greeting()
            program.stop()
        finally:
            # What reads its answers closes the pipe, a little later than the program ends.
            for thread in threading.enumerate():
                if thread not in others:
                    thread.join(PATIENCE)

    fail_everywhere(make, temporary, monkeypatch, (OSError, RuntimeError))


def test_an_engine_that_does_not_speak_gtp(temporary):
    before = there(temporary)
    with pytest.raises(BadPlayerError):
        engine_player("gtp:sh -c 'yes | head -c 2000000; sleep 1000'", None)
    assert there(temporary) == before
