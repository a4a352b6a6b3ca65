"""The system call filter, run here by a small interpreter of classic BPF."""

import errno
import struct

import pytest

from tournament.inside import seccomp

ALLOW, KILL = 0x7FFF0000, 0x80000000
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def verdict(program, architecture, number, *arguments):
    """What the kernel would return for a call."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    accumulator, place = 0, 0
    while True:
        code, yes, no, value = struct.unpack_from("=HBBI", program, 8 * place)
        place += 1
        if code == 0x20:
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif code == 0x54:
            accumulator &= value
        elif code == 0x06:
            return value
        else:
            met = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[code]
            place += yes if met else no


def refused(code):
    return 0x00050000 | code


DONE = refused(0)


@pytest.fixture(params=ARCHITECTURES)
def call(request):
    column, architecture = ARCHITECTURES[request.param]
    program = seccomp.filter_program(request.param)

    def run(numbers, *arguments):
        return verdict(program, architecture, numbers[column], *arguments)

    return run


@pytest.mark.parametrize("name", seccomp.DENIED)
def test_denied_calls_fail(call, name):
    if -1 not in seccomp.DENIED[name]:
        assert call(seccomp.DENIED[name]) == refused(errno.EPERM)


def test_reading_and_writing_are_allowed(call):
    assert call((0, 63)) == call((1, 64)) == ALLOW


def test_processes_and_threads_may_be_made_but_no_namespaces(call):
    assert call(seccomp.CLONE, 0x01200011) == ALLOW
    assert call(seccomp.CLONE, 0x003D0F00) == ALLOW
    for flag in (0x1000, 0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert call(seccomp.CLONE, flag | 17) == refused(errno.EPERM)
    assert call(seccomp.CLONE3) == refused(errno.ENOSYS)


def test_sockets_are_for_talking_within_the_sandbox(call):
    assert call(seccomp.SOCKET, 1) == ALLOW
    for family in (2, 10, 16, 17, 38, 40):
        assert call(seccomp.SOCKET, family) == refused(errno.EACCES)


def test_a_process_may_limit_itself_only(call):
    for numbers in (seccomp.PRLIMIT, seccomp.SET_AFFINITY):
        assert call(numbers, 0) == ALLOW
        assert call(numbers, 1) == refused(errno.EPERM)


def test_signals_of_the_future_cannot_be_ordered(call):
    assert call(seccomp.PRCTL, 1) == call(seccomp.FCNTL, 3, 10) == refused(errno.EPERM)
    assert call(seccomp.PRCTL, 15) == call(seccomp.FCNTL, 3, 2) == ALLOW


def test_a_process_may_not_filter_its_calls(call):
    assert call(seccomp.PRCTL, 22) == refused(errno.EPERM)


@pytest.mark.parametrize("clock", [0, 1, 2, 3, 4, 7, 11])
def test_clocks_of_the_machine_and_one_s_own_may_be_read(call, clock):
    for numbers in seccomp.CLOCKS.values():
        assert call(numbers, clock) == ALLOW
        assert call(numbers, (~0 << 3 | clock & 7) & 0xFFFFFFFF) == ALLOW


def test_the_clock_of_another_process_may_not_be_read(call):
    for numbers in seccomp.CLOCKS.values():
        for pid in (1, 2, 3, 1000, 1 << 22):
            for kind in (0, 1, 2, 3):
                assert call(numbers, (~pid << 3 | kind) & 0xFFFFFFFF) == refused(errno.EINVAL)
            # The kernel shows a process the clocks of its own threads only.
            assert call(numbers, (~pid << 3 | 6) & 0xFFFFFFFF) == ALLOW


def test_numbers_that_count_over_the_machine_are_not_told(call):
    assert call(seccomp.STATX, 3, 0, 0, 0xFFF) == ALLOW
    assert call(seccomp.STATX, 3, 0, 0, 0x4FFF) == refused(errno.ENOSYS)
    assert call(seccomp.GETSOCKOPT, 3, 1, 3) == ALLOW
    for option in (57, 71, 77):
        assert call(seccomp.GETSOCKOPT, 3, 1, option) == refused(errno.ENOPROTOOPT)


def test_no_signal_reaches_the_process_that_lives_from_game_to_game(call):
    group, everybody = -seccomp.KEPT & 0xFFFFFFFF, 0xFFFFFFFF
    for target in (seccomp.KEPT, group, everybody):
        assert call(seccomp.SIGNALS["kill"], target, 9) == DONE
    for name in ("tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        assert call(seccomp.SIGNALS[name], seccomp.KEPT, seccomp.KEPT, 9) == DONE
        assert call(seccomp.SIGNALS[name], 3, 3, 9) == ALLOW
    assert call(seccomp.SIGNALS["kill"], 0, 15) == call(seccomp.SIGNALS["kill"], 3, 15) == ALLOW
    assert call(seccomp.SET_GROUP, 0, seccomp.KEPT) == refused(errno.EPERM)
    assert call(seccomp.SET_GROUP, 0, 0) == ALLOW


def test_locks_are_granted_without_being_taken_and_cannot_be_asked_for(call):
    """Two sandboxes may have the same /dev/null open, and sqlite3 wants to lock its own files."""
    assert call(seccomp.FCNTL, 3, 6) == call(seccomp.FCNTL, 3, 7) == DONE
    assert call(seccomp.FCNTL, 3, 5) == refused(errno.EPERM)


@pytest.mark.parametrize("control", [8, 10, 15, 36, 37, 38, 1024, 1026, 1031, 1036, 1038, 9999])
def test_nothing_is_kept_with_a_file_that_others_see(call, control):
    assert call(seccomp.FCNTL, 3, control) == refused(errno.EPERM)


def test_terminals_may_be_asked_and_no_file_system(call):
    for command in (0x5401, 0x5413, 0x541B, 0x5421, 0x80045430):  # TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, TIOCGPTN
        assert call(seccomp.IOCTL, 1, command) == ALLOW
    assert call(seccomp.IOCTL, 1, 0x5412) == refused(errno.EPERM)
    # FIOSETOWN, SIOCGIFCONF, FS_IOC_ADD_ENCRYPTION_KEY, FS_IOC_SETFLAGS
    for command in (0x8901, 0x8912, 0xC0506617, 0x40086602):
        assert call(seccomp.IOCTL, 1, command) == refused(errno.ENOTTY)


def test_a_socket_keeps_no_option(call):
    assert call(seccomp.SETSOCKOPT, 3, 1, 8) == DONE


def test_nobody_learns_which_pages_are_in_memory(call):
    assert call(seccomp.PREADV2, 3, 0, 1, 0, 0, 0) == ALLOW
    assert call(seccomp.PREADV2, 3, 0, 1, 0, 0, 8) == refused(errno.EOPNOTSUPP)


def test_calls_that_nobody_has_reviewed_do_not_exist(call):
    assert call((seccomp.NEWEST, seccomp.NEWEST)) == refused(errno.EPERM)
    for number in (seccomp.NEWEST + 1, 512, 1 << 20):
        assert call((number, number)) == refused(errno.ENOSYS)


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_memory_that_belongs_to_no_process_is_refused_where_nobody_counts_it(machine):
    column, architecture = ARCHITECTURES[machine]
    for counted, memory in ((True, ALLOW), (False, refused(errno.EPERM))):
        program = seccomp.filter_program(machine, counted=counted)
        for numbers in seccomp.UNCOUNTED.values():
            assert verdict(program, architecture, numbers[column]) == memory
        for flags, expected in ((0x21, memory), (0x4021, memory), (0x22, ALLOW), (0x01, ALLOW), (0x02, ALLOW)):
            assert verdict(program, architecture, seccomp.MMAP[column], 0, 4096, 3, flags) == expected


def test_calls_of_another_architecture_end_the_process():
    program = seccomp.filter_program("x86_64")
    assert verdict(program, 0x40000003, 1) == KILL
    assert verdict(program, 0xC000003E, 0x40000000 + 101) == refused(errno.ENOSYS)


def test_signals_are_refused_where_nothing_hides_other_processes():
    program = seccomp.filter_program("x86_64", signals=False)
    for numbers in seccomp.SIGNALS.values():
        assert verdict(program, 0xC000003E, numbers[0]) == refused(errno.EPERM)


def test_an_unknown_machine_is_refused():
    with pytest.raises(KeyError):
        seccomp.filter_program("vax")
