"""What processes have used, and what of it while they were to be stopped."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from gojudge.inside import processes
from gojudge.inside.process_table import Look, ProcessTable
from gojudge.inside.processes import EnclosedProcesses, IdleCpu, OpenProcesses, ProcessAccount


def test_cpu_is_idle_between_a_stop_and_the_next_go():
    idle = IdleCpu()
    idle.begin(10.0)
    idle.go(11.0)
    idle.stop(12.0)
    assert idle.seconds == 0
    idle.go(12.5)
    idle.go(20.0)
    assert idle.seconds == 0.5
    idle.stop(30.0)
    idle.go(31.0)
    assert idle.seconds == 1.5


def test_a_game_begins_with_what_was_used_since_the_stop_before_it():
    idle = IdleCpu()
    idle.stop(1.0)
    idle.go(2.0)
    idle.stop(5.0)
    idle.begin(5.25)
    assert idle.seconds == 0.25
    idle.go(5.5)
    assert idle.seconds == 0.5


def test_what_dies_after_a_game_has_used_no_idle_time():
    idle = IdleCpu()
    idle.stop(1.0)
    idle.end()
    idle.begin(9.0)
    assert idle.seconds == 0


class Table(ProcessTable):
    """Shows 300 bytes of each process, of which 200 are its share."""

    def read(self, name):
        return b""

    def held(self, pid):
        return 300

    def share_of_memory(self, pid):
        return 200


@pytest.fixture
def clocks(monkeypatch):
    """The CPU clock of each process, in seconds, set by hand."""
    clocks = {}
    monkeypatch.setattr(processes, "own_cpu", lambda pid: clocks.get(pid, 0.0))
    return clocks


def look(*pids):
    return Look(list(pids), list(pids), {(pid, pid): b"T" for pid in pids}, 0.0, 100 * len(pids))


def used(account, *pids):
    # The account begins with what children of this process have used, so its figures may be off in their last place.
    told = account.usage(look(*pids))
    return told["cpu"], told["idle"]


def test_what_a_process_had_used_when_it_was_last_seen_stays_counted(clocks):
    account = ProcessAccount(Table(), 0, lambda: 0)
    clocks |= {2: 5.0}
    account.begin(look(2))
    clocks |= {2: 6.0, 3: 0.5}
    assert used(account, 2, 3) == pytest.approx((1.5, 0))
    del clocks[3]
    assert used(account, 2, 3) == used(account, 2) == pytest.approx((1.5, 0))


def test_children_that_were_waited_for_are_counted_though_nobody_saw_them(clocks):
    account = ProcessAccount(Table(), 0, lambda: 0)
    clocks |= {2: 5.0}
    account.begin(look(2))
    clocks |= {2: 6.0}
    assert account.usage(replace(look(2), reaped=2.5))["cpu"] == pytest.approx(3.5)


def test_a_game_does_not_pay_for_the_dead_of_the_game_before(clocks):
    account = ProcessAccount(Table(), 0, lambda: 0)
    clocks |= {2: 5.0, 3: 7.0}
    account.begin(look(2, 3))
    del clocks[3]
    account.begin(look(2))
    assert used(account, 2) == pytest.approx((0, 0))
    clocks |= {3: 1.0}  # the same id, given again
    assert used(account, 2, 3) == pytest.approx((1.0, 0))


def test_processes_that_run_on_when_they_are_stopped_use_idle_time(clocks):
    account = ProcessAccount(Table(), 0, lambda: 0)
    account.begin(look(2))
    clocks |= {2: 1.0}
    assert account.stop(look(2))["cpu"] == pytest.approx(1.0)
    clocks |= {2: 1.5, 3: 0.25}
    account.go([2, 3])
    assert used(account, 2, 3) == pytest.approx((1.75, 0.75))


def test_each_socket_may_hold_what_one_can(tmp_path):
    """Counted as the kernel's own file does; the other lines of it are of protocols that a sandbox does not have."""
    (tmp_path / "sockstat").write_text("sockets: used 7\nTCP: inuse 5 orphan 0 tw 0 alloc 9 mem 1\nUDP: inuse 2 mem 0\n" * 2)
    enclosed = EnclosedProcesses.__new__(EnclosedProcesses)
    enclosed._sockets, enclosed._socket_holds = os.open(tmp_path / "sockstat", os.O_RDONLY), 1000
    assert enclosed._memory_of_sockets() == 7000
    os.close(enclosed._sockets)


FILE, MORE, HEAP = "7f00-7f07 r--s 0 fe:00 8 /usr/lib/cache\n", "7f10-7f20 rw-p 0 0:0 0\n", "5000-5100 rw-p 0 0:0 0 [heap]\n"


def with_flags(line, flags):
    return f"{line}Size: 28 kB\nTHPeligible: 0\nVmFlags: {flags}\n"


PRIVATE = [with_flags(FILE, "rd mr ms"), with_flags(HEAP, "rd wr mr")]
MEMORIES = {
    "nothing is mapped as shared": ([HEAP, MORE], [], False),
    "only for reading, of a file": ([FILE, HEAP], PRIVATE, False),
    "a process that still runs has mapped more in between": ([FILE, HEAP], [*PRIVATE, with_flags(MORE, "rd wr")], False),
    "it may be written to once it asks for that": ([FILE, HEAP], [with_flags(FILE, "rd sh mw ms"), PRIVATE[1]], True),
    "a kernel that tells no flags": ([FILE, HEAP], [FILE, "Size: 28 kB\n", HEAP, "Size: 4 kB\n"], True),
    "the process has ended": ([], [], True),
    "it has ended in between": ([FILE, HEAP], [], True),
}


@pytest.mark.parametrize(("maps", "smaps", "shares"), MEMORIES.values(), ids=MEMORIES)
def test_memory_is_shared_if_its_flags_say_so_or_nothing_does(maps, smaps, shares):
    files = {"2/maps": "".join(maps).encode(), "2/smaps": "".join(smaps).encode()}
    enclosed = EnclosedProcesses.__new__(EnclosedProcesses)
    enclosed._table = Table()
    enclosed._table.read = files.__getitem__
    assert enclosed._shares_memory(2) is shares


MEMORY = [(807, 807), (806, 607), (607, 607), (606, 407), (10, 407)]


@pytest.mark.parametrize(("limit", "told"), MEMORY)
def test_memory_is_told_exactly_only_where_it_may_be_too_much(clocks, limit, told):
    """An address space of 100 bytes each, with tables no more than 400; and 7 bytes in sockets."""
    account = ProcessAccount(Table(), limit, lambda: 7)
    assert account.usage(look(2, 3))["memory"] == told


LEFT = [
    ("", ""), ("exec 4</dev/null;", "the import left a file open"), ("cd /usr;", "the import kept its folder"),
    ("trap '' TERM; exec 3>&-;", ""),
]  # fmt: skip


def why_not_fork_what_left(left):
    """Ask about a shell that has done something."""
    alone = object.__new__(OpenProcesses)
    alone._table, alone.others = ProcessTable(), lambda loader: []
    # It waits without another program, which would have its libraries open while it begins.
    command = ["sh", "-c", f"exec 3</dev/null; {left} echo ready; kill -STOP $$"]
    with subprocess.Popen(command, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as loader:
        ready, said = loader.stdout.readline(), alone.why_not_fork(loader.pid)
        loader.kill()
    assert ready == b"ready\n"
    return said


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize(("left", "why"), LEFT)
def test_forks_share_three_streams_and_a_channel_and_nothing_else(left, why):
    assert why_not_fork_what_left(left) == why


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("left", ["", "printf 'SigBlk: 0' >/proc/$$/comm;"])
def test_forks_block_no_signals_whatever_the_process_calls_itself(left):
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    try:
        assert why_not_fork_what_left(left) == "the import blocks signals"
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
