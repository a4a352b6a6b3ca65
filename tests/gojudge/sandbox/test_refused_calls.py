"""System calls that a sandbox refuses: what the player sees of them, and what its transcript says."""

import contextlib
import ctypes
import errno
import mmap
import os
from operator import attrgetter

import pytest

from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.inside import seccomp, system_calls
from gojudge.inside.system_calls import names_of
from gojudge.records import PROGRAM, PlayerFaultError, Termination
from gojudge.sandbox import tiers as sandbox
from tests.support.missing import skip_if
from tests.support.submissions import get_input, shelf, spec, tiers
from tests.support.waiting import PATIENCE

CALL = """
    import ctypes

    def call(number, *arguments):
        libc = ctypes.CDLL(None, use_errno=True)
        return 0 if libc.syscall(number, *arguments) >= 0 else ctypes.get_errno()
"""
HONEST = [attack for attack in shelf() if attack.name in ("plain", "brings_helpers", "locks_with_sqlite")] + [
    attack for attack in shelf() if attack.kind == PROGRAM and attack.expected == (Termination.SCORE,)
]
# Of programs the short suite takes those that do most with the system.
FEW = ("java", "pickle_table", "threads", "trivial_numpy")

# Files, threads, processes, pipes, sockets, clocks and signals, as players use them.
USUAL = """
    import asyncio, contextlib, ctypes, mmap, multiprocessing.pool, os, select, shutil, signal, socket, sqlite3, subprocess
    import tempfile, threading, time

    def work():
        folder = tempfile.mkdtemp()
        with open(folder + "/a", "w") as file:
            file.write("x")
            file.flush()
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        shutil.copy2(folder + "/a", folder + "/b")
        shutil.copytree(folder, folder + "/c")
        with contextlib.closing(sqlite3.connect(folder + "/d")) as tables:
            tables.execute("create table t (a)")
            tables.commit()
        with open(folder + "/a", "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as view:
            view.madvise(mmap.MADV_WILLNEED)
        shutil.rmtree(folder)
        threads = [threading.Thread(target=time.sleep, args=(0,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with multiprocessing.pool.ThreadPool(2) as pool:
            pool.map(abs, [1, -1])
        assert subprocess.run("echo x | cat", shell=True, capture_output=True).stdout == b"x\\n"
        child = os.fork()
        if not child:
            os._exit(0)
        os.waitpid(child, 0)
        ours, theirs = socket.socketpair()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        ours.send(b"x")
        select.select([theirs], [], [])
        async def pause():
            await asyncio.sleep(0)
        asyncio.run(pause())
        signal.signal(signal.SIGUSR1, lambda *_: None)
        os.kill(os.getpid(), signal.SIGUSR1)
        time.clock_gettime(time.CLOCK_THREAD_CPUTIME_ID), time.process_time(), os.times(), os.getloadavg(), os.urandom(4)
        with contextlib.suppress(OSError):
            socket.socket(socket.AF_INET)
        with contextlib.suppress(ImportError):
            import numpy
            numpy.linalg.svd(numpy.random.rand(40, 40))
"""



def log_of(seat, rules=COURSE):
    """Play one move; return the answer, None if there was none, and the transcript."""
    answer = None
    seat.begin(spec(), 1)
    with contextlib.suppress(PlayerFaultError):
        answer = seat.answer(new_game(rules, 5), "").answer
    return answer, seat.end()


def refused_by_number():
    """The numbers of all calls that are not in the list, with some that do not exist.

    Without uretprobe and uprobe, which Linux 6.13 and later on x86_64 shows no filter; they end whoever makes them by himself.
    """
    machine = os.uname().machine
    names, program = names_of(machine), {*seccomp._BY_ARGUMENT, *seccomp._SPARING_KEPT}
    listed = system_calls.allowed(signals=True, counted=False) | program
    every = {*range(system_calls.NEWEST + 3), 999, 1 << 20} - {335, 336}
    return [number for number in sorted(every) if names.get(number, "") not in listed]


@tiers("T3", "T2", "T1")
def test_every_call_that_is_not_in_the_list_is_refused_with_its_error(open_seat, tier):
    # Where memory of every kind is counted, some of it is allowed.
    counted = {system_calls.numbers_of(os.uname().machine)["memfd_create"]} if tier == "T3" else set()
    numbers = [number for number in refused_by_number() if number not in counted]
    seat = open_seat(get_input(f"print('found', [call(number, 0, 0, 0, 0, 0, 0) for number in {numbers}])\nreturn 0, 0", CALL))
    answer, log = log_of(seat)
    assert answer == (0, 0), log
    found = next(line.removeprefix("found ") for line in log.splitlines() if line.startswith("found"))
    wanted = [seccomp.error_of(number, os.uname().machine) for number in numbers]
    assert found == str(wanted)


@tiers("T3", "T2", "T1")
def test_a_refused_call_is_named_once_in_its_game(open_seat):
    numbers = system_calls.numbers_of(os.uname().machine)
    body = f"""
        if colour == 1:
            for _ in range(3):
                assert call({numbers["keyctl"]}, 0) == 1 and call({numbers["bind"]}, 0) == 1
        print("hello")
        return 0, 0
    """
    seat = open_seat(get_input(body, CALL))
    for colour, log in ((1, "refused: bind, keyctl\n[move 1]\nhello\n"), (-1, "[move 1]\nhello\n"), (1, None)):
        seat.begin(spec(), colour)
        seat.answer(new_game(COURSE, 5), "")
        assert seat.end() == (log or "refused: bind, keyctl\n[move 1]\nhello\n")


@tiers("T3", "T2")
def test_what_an_import_was_refused_is_told_in_every_game(open_seat):
    number = system_calls.numbers_of(os.uname().machine)["keyctl"]
    seat = open_seat(get_input("return 0, 0", f"{CALL.rstrip()}\n    call({number}, 0)\n"))
    assert [log_of(seat) for _ in range(2)] == [((0, 0), "refused: keyctl\n")] * 2


@tiers("T3", "T2")
def test_arguments_that_are_not_in_the_list_are_refused(open_seat):
    numbers = system_calls.numbers_of(os.uname().machine)
    calls = {
        ("prctl", 22, 2, 0): 22, ("prctl", 1, 9): 22, ("fcntl", 1, 1024, 0): 1, ("clone", 0x10000011, 0): 1,
        ("madvise", 0, 4096, 25): 22, ("madvise", 0, 4096, 21): 0, ("fadvise64", 0, 0, 0, 4): 0, ("socket", 40, 1, 0): 13,
        ("prlimit64", 1, 7, 0, 0): 1, ("clock_gettime", ~1 << 3 | 2, 0): 22, ("preadv2", 0, 0, 0, 0, 0, 8): 95,
    }  # fmt: skip
    made = [(numbers[name], *arguments) for name, *arguments in calls]
    seat = open_seat(get_input(f"print('found', [call(*each) for each in {made}])\nreturn 0, 0", CALL))
    _, log = log_of(seat)
    assert f"found {list(calls.values())}" in log
    assert "refused: clock_gettime, clone, fcntl, madvise, prctl, preadv2, prlimit64, socket\n" in log


@tiers("T3", "T2")
def test_what_the_machine_does_is_not_told(open_seat):
    body = """
        space = ctypes.create_string_buffer(112)
        print("made", ctypes.CDLL(None).sysinfo(space), ctypes.CDLL(None).sysinfo(None))
        _, *loads, whole, free, shared, buffers, _, _, processes = struct.unpack_from("=q3Q6QH", space.raw)
        print("told", loads, free / whole, shared + buffers, processes, os.getloadavg())
        files = glob.glob("/proc/self/net/**", recursive=True)[1:]
        print("open", len(files) > 9, [file for file in files if os.access(file, os.R_OK)])
        return 0, 0
    """
    seat = open_seat(get_input(body, "import ctypes, glob, os, struct"))
    answer, log = log_of(seat)
    told = "made 0 -1\ntold [0, 0, 0] 1.0 0 1 (0.0, 0.0, 0.0)\nopen True []\n"
    assert (answer, log) == ((0, 0), f"[move 1]\n{told}")


@tiers("T3", "T2", "T1")
def test_few_signals_can_wait(open_seat):
    seat = open_seat(get_input("print(resource.getrlimit(resource.RLIMIT_SIGPENDING))\nreturn 0, 0", "import resource"))
    assert log_of(seat) == ((0, 0), "[move 1]\n(256, 256)\n")


@tiers("T3", "T2")
def test_a_call_that_a_signal_has_ended_is_answered_nowhere(open_seat):
    """The memory may be something else by then."""
    body = """
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)
        spaces = [ctypes.create_string_buffer(112) for _ in range(300)]
        made = [ctypes.CDLL(None).sysinfo(space) == 0 for space in spaces]
        signal.setitimer(signal.ITIMER_REAL, 0)
        ctypes.CDLL(None).sysinfo(ctypes.create_string_buffer(112))
        print("right", all(any(space.raw) == done for space, done in zip(spaces, made)))
        return 0, 0
    """
    seat = open_seat(get_input(body, "import ctypes, signal"), move_seconds=600.0)
    assert log_of(seat) == ((0, 0), "[move 1]\nright True\n")


def test_what_is_made_for_a_process_is_written_only_where_it_may_write_itself():
    space = ctypes.create_string_buffer(8)
    assert seccomp._write(os.getpid(), ctypes.addressof(space), b"told") == 0
    assert space.value == b"told"
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    closed = libc.mmap(None, ctypes.c_size_t(mmap.PAGESIZE), mmap.PROT_READ, flags, -1, ctypes.c_long(0))
    assert seccomp._write(os.getpid(), closed, b"told") == seccomp._write(os.getpid(), 8, b"told") == errno.EFAULT
    assert ctypes.string_at(closed, 4) == bytes(4)
    assert seccomp._write(2**22 + 1, ctypes.addressof(space), b"told") == errno.ESRCH


@tiers("T3", "T2")
def test_names_are_noted_up_to_a_number(open_seat):
    seat = open_seat(get_input("[call(10**6 + number) for number in range(500)]\nreturn 0, 0", CALL))
    _, log = log_of(seat)
    assert log.count("call ") == seccomp.MOST_NAMES


@pytest.mark.slow
@tiers("T3", "T2")
def test_refused_calls_without_end_are_the_end_of_the_player_and_of_nobody_else(open_seat):
    number = system_calls.numbers_of(os.uname().machine)["keyctl"]
    seat = open_seat(get_input(f"while colour == 1: call({number}, 0)\nreturn 0, 0", CALL), move_seconds=PATIENCE)
    seat.begin(spec(), 1)
    with pytest.raises(PlayerFaultError) as caught:
        seat.answer(new_game(COURSE, 5), "")
    assert caught.value.fault.termination is Termination.CRASH
    assert seat.end() == "refused: keyctl\n"
    seat.begin(spec(), -1)
    assert seat.answer(new_game(COURSE, 5), "").answer == (0, 0)
    assert seat.end() == ""


@tiers("T3", "T2")
def test_what_players_usually_do_is_not_refused(open_seat):
    seat = open_seat(get_input("work()\nreturn 0, 0", USUAL), files={"code__txt": ""}, memory_mib=1024)
    answer, log = log_of(seat)
    assert answer == (0, 0), log
    assert "refused" not in log


@tiers("T3", "T2")
def test_an_import_that_does_the_same_is_not_refused(open_seat):
    seat = open_seat(get_input("return 0, 0", USUAL.rstrip() + "\n\n    work()\n"), memory_mib=1024)
    answer, log = log_of(seat)
    assert (answer, "refused" in log) == ((0, 0), False), log


@tiers("T3")
@pytest.mark.parametrize("player", [
    pytest.param(one, id=one.name, marks=[pytest.mark.slow] * (one.kind == PROGRAM and not one.name.endswith(FEW)))
    for one in HONEST
])  # fmt: skip
def test_honest_players_are_refused_nothing(tier, player):
    check_nothing_is_refused(tier, player)


@tiers("T2")
@pytest.mark.parametrize(
    "player", [one for one in HONEST if one.kind != PROGRAM or one.name.endswith(FEW)], ids=attrgetter("name")
)
def test_nor_where_no_control_group_counts_their_memory(tier, player):
    check_nothing_is_refused(tier, player)


def check_nothing_is_refused(tier, player):
    skip_if(player.why_not_here)
    seat = sandbox.open_seat(player.entrant, player.rules, 5, player.limits, tier=tier)
    try:
        _, log = log_of(seat, player.rules)
    finally:
        seat.close()
    assert "refused: " not in log


def test_a_kernel_that_cannot_ask_gives_the_errors_itself(monkeypatch):
    monkeypatch.setattr(seccomp, "_seccomp", lambda *_: -1)
    seccomp.can_ask.cache_clear()
    try:
        assert not seccomp.can_ask()
    finally:
        seccomp.can_ask.cache_clear()
