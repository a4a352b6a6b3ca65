"""Whatever a call of the keeper does costs the player at most its game.

In real sandboxes each kind of call is made to fail and to hang, by a hook in the keeper. `keeper_faults.py`, in processes of
its own, tries every single call of keepers that are forks of the test's process. It must hold nothing of other tests: files,
threads, shared memory.
"""

import contextlib
import json
import os
import select
import shutil
import socket
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.errors import HarnessFaultError
from gojudge.inside.keeper import Keeper
from gojudge.records import PlayerFaultError, Termination
from gojudge.sandbox import launching
from tests.gojudge.sandbox import keeper_faults
from tests.support.submissions import get_input, seat_for, spec, submission, tiers

ROOT = Path(__file__).parents[3]
FILE = "tests/gojudge/sandbox/keeper_faults.py"
EACH = 6
"""Cases for one process."""

MEANT = {
    "_ptrace 16902", "_ptrace 16903", "_ptrace 16900", "_ptrace 16901", "_ptrace 9", "_ptrace 17", "_ptrace 5", "_call 56",
    "_call 112", "_call 436", "_call 47", "_call 3", "_wait: waitpid", "_peek", "inode_of", "mount", "unmount", "kill: kill",
    "copy: sendmsg", "_new_streams: pipe", "starting: pwrite", "_prepare_game: pidfd_open",
}  # fmt: skip
"""Of the kinds of calls those that are made in every game, or at its beginning."""

# In the keeper: from the moment on at which the submission is loaded, count its calls of the system, and spoil one.
HOOK = '''
import json, os, signal, sys

_MODULES = ("posix", "_socket", "socket", "fcntl", "select", "_signal")
_NO_CALLS = ("fspath", "fsencode", "fsdecode", "WIFSTOPPED", "CMSG_LEN", "CMSG_SPACE", "fileno", "register", "detach")
# Calls that are made by way of ctypes, some with a number that tells what they do.
_BY_NAME = {"_ptrace": "request", "_call": "number", "_peek": "", "inode_of": "", "mount": "", "unmount": ""}

_how, _kind, _at = json.load(open("/host/fault.json"))
_calls = 0


def _name(frame, event, what):
    code = frame.f_code
    if event == "call" and code.co_name in _BY_NAME and "/inside/" in code.co_filename:
        number = frame.f_locals.get(_BY_NAME[code.co_name])
        return code.co_name if number is None else "%s %d" % (code.co_name, number)
    if event == "c_call" and what.__name__ not in _NO_CALLS:
        home = what.__self__
        if getattr(home, "__name__", type(home).__module__) in _MODULES:
            return code.co_name + ": " + what.__name__
    return ""


def _spoil(frame, event, what):
    global _calls
    name = _name(frame, event, what)
    if name and _how == "counts":
        os.write(2, name.encode() + b"\\n")
    elif name == _kind and name:
        _calls += 1
        if _calls == _at:
            sys.setprofile(None)
            os.write(2, _how.encode())
            while _how == "hangs":
                signal.pause()
            raise OSError(12, "Cannot allocate memory")


def hook(keeper):
    settle = keeper._settle

    def settle_and_spoil():
        sys.setprofile(_spoil)
        return settle()

    keeper._settle = settle_and_spoil
    os.register_at_fork(after_in_child=lambda: sys.setprofile(None))
'''


def all_cases():
    """The cases of each test in `keeper_faults`, as parameters; those of a test that takes minutes are marked."""
    for name, test in vars(keeper_faults).items():
        if name.startswith("test_"):
            marks = getattr(test, "pytestmark", [])
            values = [value for mark in marks if mark.name == "parametrize" for value in mark.args[1]]
            cases = [f"{name}[{value}]" for value in values] or [name]
            long = [pytest.mark.long] * any(mark.name == "long" for mark in marks)
            yield pytest.param(cases, marks=long, id=name)


@pytest.mark.slow
@pytest.mark.parametrize("cases", [*all_cases()])
def test_no_fault_of_the_keeper_is_void_or_hangs(cases):
    """Processes run beside each other: what takes time is to wait for calls that hang."""
    groups = [cases[first : first + EACH] for first in range(0, len(cases), EACH)]
    with ThreadPoolExecutor(len(groups)) as threads:
        for group, done in zip(groups, threads.map(run, groups), strict=True):
            assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
            assert f"{len(group)} passed" in done.stdout or "skipped" in done.stdout, done.stdout[-5000:]


def run(cases):
    pytest_of_its_own = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *(f"{FILE}::{case}" for case in cases)]
    return subprocess.run(pytest_of_its_own, cwd=ROOT, capture_output=True, text=True)


class HookedKeeper:
    """Launches the first sandbox of a seat with a keeper that has the hook in it, and hears what that says.

    how: "counts", "fails" or "hangs"; kind: which kind of call; at: which of these, counted from 1.
    """

    def __init__(self, folder, how, kind="", at=0):
        self.folder, self.fault = folder, [how, kind, at]
        self.launched = self.waits = 0
        self._heard = -1
        self._text = b""

    def host_folder(self, real=launching.host_folder):
        self.launched += 1
        if self.launched > 1:
            return real()
        if not self.folder.exists():
            shutil.copytree(real(), self.folder)
            (self.folder / "gojudge/inside/hook.py").write_text(HOOK)
            worker = self.folder / "gojudge/inside/worker.py"
            start, begin, rest = worker.read_text().partition("    channel.send(")
            worker.write_text(f"{start}    from gojudge.inside.hook import hook\n    hook(keeper)\n{begin}{rest}")
        (self.folder / "fault.json").write_text(json.dumps(self.fault))
        return self.folder

    def open(self, entrant, tier):
        seat = seat_for(entrant, tier)
        launch = seat._supervisor._launch

        def launch_first():
            seat._supervisor._launch = launch
            sandbox = launch()
            self._heard = os.dup(sandbox._process.stderr.fileno())
            sandbox._control.socket = Impatient(sandbox._control.socket, self)
            return sandbox

        seat._supervisor._launch = launch_first
        return seat

    def heard(self):
        """All that the hook has said so far."""
        while select.select([self._heard], [], [], 0)[0] and (piece := os.read(self._heard, 1 << 16)):
            self._text += piece
        return self._text.decode()

    def hears(self):
        return self._heard

    def close(self):
        if self._heard >= 0:
            os.close(self._heard)


class Impatient:
    """The harness's end of the keeper's socket, of which nothing is awaited any more once the keeper has said that it hangs."""

    def __init__(self, end, keeper):
        self._end, self._keeper = end, keeper

    def __getattr__(self, name):
        return getattr(self._end, name)

    def recv(self, *arguments):
        self._wait()
        return self._end.recv(*arguments)

    def recvmsg(self, *arguments):
        self._wait()
        return self._end.recvmsg(*arguments)

    def _wait(self):
        while not select.select([self._end], [], [], 0)[0]:
            if "hangs" in self._keeper.heard():
                self._keeper.waits += 1
                raise TimeoutError("timed out")
            select.select([self._end, self._keeper.hears()], [], [])


def endings(seat, games):
    """Play games of one move; return how each ends: "", "no copy" if the keeper did not make who played, the fault, "void"."""
    found = []
    for _ in range(games):
        try:
            try:
                seat.begin(spec(), 1)
                answer = seat.answer(new_game(COURSE, 5), "").answer
            finally:
                seat.end()
            assert answer in ((0, 0), (1, 1))
            found.append("" if seat._copies else "no copy")
        except PlayerFaultError as error:
            found.append(error.fault)
        except HarnessFaultError as error:
            found.append(f"void: {error}")
    return found


def is_the_player_s(ending):
    if isinstance(ending, str):
        return not ending.startswith("void")
    return ending.termination in (Termination.START_UP_FAILURE, Termination.CRASH) and bool(ending.detail)


@pytest.fixture
def play(tmp_path, tier, monkeypatch):
    """Play games with a hooked keeper; return how they end, that keeper, and what its hook has said."""
    # It leaves somebody to be killed.
    body = "if not os.fork():\n    signal.pause()\nreturn (0, 0)"
    entrant = submission(tmp_path / "plain", get_input(body, "import os, signal"))

    def play_(games, how, kind="", at=0):
        keeper = HookedKeeper(tmp_path / "host", how, kind, at)
        monkeypatch.setattr(launching, "host_folder", keeper.host_folder)
        with contextlib.closing(keeper), contextlib.closing(keeper.open(entrant, tier)) as seat:
            found = endings(seat, games)
            # How often a call is made can vary: the last of these games may be the one that is spoilt.
            if found[-1] not in keeper_faults.PLAYED:
                found += endings(seat, 1)
            return found, keeper, keeper.heard()

    return play_


@pytest.fixture
def other(tmp_path, tier):
    """The seat of another player, whose sandbox stays open."""
    with contextlib.closing(seat_for(submission(tmp_path / "other", get_input("return (1, 1)")), tier)) as seat:
        assert endings(seat, 1) == [""]
        yield seat


@keeper_faults.pytestmark
@pytest.mark.slow
@tiers("T3")
@pytest.mark.parametrize("how", ["fails", "hangs"])
def test_no_kind_of_call_of_the_keeper_makes_a_game_void(tier, how, play, other):
    check(how, play, other, both=False)


@keeper_faults.pytestmark
@pytest.mark.long
@tiers("T3", "T2")
@pytest.mark.parametrize("how", ["fails", "hangs"])
def test_neither_its_first_nor_its_last_call_does_so(tier, how, play, other):
    check(how, play, other)


def check(how, play, other, both=True):
    """Spoil a call of each kind. both: where calls fail, the first and the last that three games make; else one of the two, by
    turns, and the first as well where the last was not reached. What hangs is then only what every game calls."""
    found, _, said = play(3, "counts")
    assert found == ["", "", ""]
    problems, reached = [], set()
    for place, (kind, number) in enumerate(Counter(said.splitlines()).items()):
        if how == "hangs" and not both and kind not in MEANT:
            continue
        last_and_first = sorted({number, 1}, reverse=True) if how == "fails" and (both or place % 2) else [1]
        for at in last_and_first:
            if kind in reached and not both:
                break
            # The last of three games' calls may come two games later.
            found, keeper, said = play(2 if at == 1 else 5, how, kind, at)
            if how in said:
                reached.add(kind)
            fine = all(map(is_the_player_s, found)) and found[-1] in keeper_faults.PLAYED and endings(other, 1) == [""]
            # One sandbox may be given up; and who cannot be copied has one of its own for each game.
            if not fine or keeper.launched > 2 + found.count("no copy") or keeper.waits > 1:
                problems.append((kind, at, found, keeper.launched, keeper.waits, said))
    assert not problems
    # Some are made now and then only: to look again, say.
    assert reached >= MEANT


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux")
def test_the_end_of_a_copy_is_told_while_an_order_is_waited_for(monkeypatch):
    ours, theirs = socket.socketpair()
    keeper, told = object.__new__(Keeper), []
    keeper._refusals, keeper._channel = SimpleNamespace(fileno=lambda: -1), SimpleNamespace(socket=ours)
    copy = keeper._copy = os.pidfd_open(os.posix_spawn("/bin/false", ["false"], {}))

    def report(keeper, status):
        told.append(status)
        keeper._copy = -1
        theirs.send(b"an order")

    monkeypatch.setattr(Keeper, "_report", report)
    with ours, theirs, open(copy):
        keeper._await_order()
    assert told == [1 << 8]
