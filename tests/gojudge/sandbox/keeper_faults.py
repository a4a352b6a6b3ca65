"""After code of a submission may have run, no failure in its sandbox is ours, whatever fails: each call of the keeper in turn.

The keeper runs here in a fork of the test, with no sandbox around it, so that its calls can be made to fail or to hang. What is
loaded is a plain player; whoever could make such a call fail has its game forfeited, and plays the next one as ever.
`test_keeper_faults.py` runs these tests.
"""

import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.errors import HarnessFaultError
from gojudge.inside import images
from gojudge.inside.confinement import Confinement, adopt_orphans
from gojudge.inside.keeper import Keeper
from gojudge.inside.process_table import ProcessTable
from gojudge.inside.processes import OpenProcesses
from gojudge.inside.protocol import Channel
from gojudge.inside.workdirs import CopiedFolder
from gojudge.inside.zygote import Zygote
from gojudge.records import PlayerFaultError, Termination
from gojudge.sandbox.class_seat import ClassSeat
from gojudge.sandbox.handles import Sandbox
from tests.support.submissions import LIMITS, get_input, spec, submission

pytestmark = pytest.mark.skipif(os.uname().machine != "x86_64", reason="copies are made on x86_64 only")

# What the keeper calls from the moment on at which the submission is loaded: a name, and how often it is called in two games.
CALLS = {
    "images._ptrace": 78, "images._wait": 31, "images._registers": 19, "images._set_registers": 19, "images._peek": 7,
    "images.inode_of": 1, "os.pipe": 2, "os.pidfd_open": 3, "socket.socketpair": 3, "CopiedFolder.for_game": 2,
    "CopiedFolder.keep_import": 1, "OpenProcesses.begin": 2, "OpenProcesses.stop": 4, "OpenProcesses.go": 4,
    "OpenProcesses.kill": 2, "OpenProcesses.why_not_fork": 1, "OpenProcesses.starting": 4,
    "OpenProcesses.give_first": 2,
}  # fmt: skip
OWNERS = {"images": images, "os": os, "socket": socket, "CopiedFolder": CopiedFolder, "OpenProcesses": OpenProcesses}


def fails(*_, **__):
    raise OSError(12, "Cannot allocate memory")


def hangs(*_, **__):
    time.sleep(1000)


# Processes are forks of the test's, which may hold much by then.
ROOMY = replace(LIMITS, memory_mib=1 << 16)


class Forked:
    """A fork of ours, with what a sandbox asks of a subprocess."""

    stderr = None

    def __init__(self, pid):
        self.pid, self.returncode = pid, None

    def wait(self, seconds=None):
        deadline = time.monotonic() + (60 if seconds is None else seconds)
        while self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("keeper", seconds)
            else:
                time.sleep(0.001)
        return self.returncode

    def kill(self):
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)


class Launcher:
    """Launches keepers, in the first of which one call goes wrong. name, at: which call, counted from when the submission is
    loaded; how: what it does instead. calls: how often it was called."""

    def __init__(self, folder, top, name="", at=0, how=fails):
        self.folder, self.top = folder, top
        self.name, self.at, self.how = name, at, how
        self.launched = 0

    def __call__(self):
        self.launched += 1
        top = self.top / f"sandbox{self.launched}"
        (top / "space").mkdir(parents=True)
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if not pid:
            try:
                # Nor the ends of other keepers, which wait until they are closed.
                os.dup2(theirs.fileno(), 3)
                os.closerange(4, 256)
                self.keep(Channel(socket.socket(fileno=3)), top)
            finally:
                os._exit(0)
        theirs.close()
        sandbox = Sandbox(Forked(pid), ours, None, lambda: None)
        sandbox.begin({"home": str(top / "space/player"), "log_kib": 16})
        if self.launched == 1 and self.how is hangs:
            settle = sandbox.settle

            def impatient(**options):
                ours.settimeout(0.5)
                return settle(**options)

            sandbox.settle = impatient
        return sandbox

    def keep(self, channel, top):
        """Be the keeper."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        home = top / "space/player"
        channel.receive()
        processes = OpenProcesses(ROOMY.memory_mib << 20)
        folder = CopiedFolder(self.folder, top, home)
        confinement = Confinement(-1, b"", 0, 0, 8, 100)
        keeper = Keeper(channel, folder, processes, confinement, str(home), lambda end: self.load(end, home), images=True)
        if self.launched == 1 and self.name:
            images._PATIENCE = 0.3
            settle = keeper._settle

            def armed():
                keeper._settle = settle
                self.arm()
                return settle()

            keeper._settle = armed
        channel.send({"done": "begin"})
        keeper.run()

    def load(self, end, home):
        sys.path.insert(0, str(home))
        Zygote(Channel(end), str(home)).run()

    def arm(self):
        owner, name = self.name.split(".")
        original, calls = getattr(OWNERS[owner], name), itertools.count()
        setattr(OWNERS[owner], name, lambda *a, **k: (self.how if next(calls) == self.at else original)(*a, **k))


def endings(seat, games):
    """Play games of one move; return how each ends: "", "no copy" if the keeper did not make who played, or the fault."""
    found = []
    for _ in range(games):
        try:
            seat.begin(spec(), 1)
            assert seat.answer(new_game(COURSE, 5), "").answer == (0, 0)
            found.append("" if seat._copies else "no copy")
        except PlayerFaultError as error:
            found.append(error.fault)
        finally:
            seat.end()
    return found


@pytest.fixture(autouse=True)
def _end_orphans():
    """End what a keeper that was killed has left: there is no sandbox to end it, and who is stopped would stay for ever."""
    adopt_orphans()
    yield
    while orphans := ProcessTable().children_of(os.getpid()):
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


@pytest.fixture
def seat_with(tmp_path):
    """Open a seat whose first keeper has a call that goes wrong; close it after the test."""
    seats = []

    def open_(name="", at=0, how=fails):
        while seats:
            seats.pop().close()
        entrant = submission(tmp_path / "plain", get_input("return (0, 0)"))
        launcher = Launcher(entrant.folder, tmp_path / f"{name}{at}", name, at, how)
        seats.append(ClassSeat(entrant, COURSE, 5, ROOMY, "T3", launcher))
        return seats[-1], launcher

    yield open_
    for seat in seats:
        seat.close()


def test_without_a_fault_copies_play(seat_with):
    seat, launcher = seat_with()
    assert endings(seat, 3) == ["", "", ""]
    assert launcher.launched == 1


def is_the_player_s(ending):
    if isinstance(ending, str):
        return True
    return ending.termination in (Termination.START_UP_FAILURE, Termination.CRASH) and ending.detail


PLAYED = ("", "no copy")
"""Once an attempt to copy who was loaded has failed, all games of the seat are played by who is loaded anew."""


def plays_again(seat, found):
    """Tell whether the last of three games is played, or one after it: the last may be the one that is spoilt."""
    return found[2] in PLAYED or endings(seat, 1)[0] in PLAYED


def try_all(seat_with, name, places, how):
    reached = 0
    for at in places:
        seat, launcher = seat_with(name, at, how)
        found = endings(seat, 3)
        assert all(map(is_the_player_s, found)), (at, found)
        assert plays_again(seat, found), (at, found)
        reached += found != ["", "", ""] or launcher.launched > 1
    assert reached


@pytest.mark.parametrize("name", CALLS)
def test_a_call_of_the_keeper_that_fails_costs_the_player_at_most_its_game(seat_with, name):
    try_all(seat_with, name, range(0, CALLS[name], 6), fails)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in CALLS if CALLS[name] > 1])
def test_wherever_a_call_of_the_keeper_fails_it_costs_the_player_at_most_its_game(seat_with, name):
    try_all(seat_with, name, range(CALLS[name]), fails)


@pytest.mark.parametrize("name", CALLS)
def test_a_call_of_the_keeper_that_hangs_costs_the_player_at_most_its_game(seat_with, name):
    try_all(seat_with, name, {0, CALLS[name] // 2, CALLS[name] - 1}, hangs)


RESULTS = (0, 1, 5, -1, -11, 1 << 40)


@pytest.mark.parametrize("result", RESULTS)
def test_what_a_system_call_in_an_image_returns_is_not_believed(seat_with, result):
    """Each of the calls returns two of these."""
    believe_nothing(seat_with, result, range(1 + RESULTS.index(result) % 3, CALLS["images._registers"], 3))


@pytest.mark.long
@pytest.mark.parametrize("result", RESULTS)
def test_neither_is_another_result_of_any_of_them(seat_with, result):
    believe_nothing(seat_with, result, range(1, CALLS["images._registers"]))


def believe_nothing(seat_with, result, places):
    """Have a system call of an image return this, at each of these places in turn."""
    registers = images._registers

    def lie(pid):
        return {**registers(pid), "rax": result & (1 << 64) - 1}

    for at in places:
        seat, _ = seat_with("images._registers", at, lie)
        found = endings(seat, 3)
        assert all(map(is_the_player_s, found)), (at, found)
        assert plays_again(seat, found), (at, found)


def test_a_keeper_that_is_killed_is_our_loss(seat_with):
    seat, _ = seat_with("OpenProcesses.go", 1, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(HarnessFaultError):
        endings(seat, 3)
