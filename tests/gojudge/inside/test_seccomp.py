"""The system call filter, run here by a small interpreter of classic BPF."""

import contextlib
import errno
import os
import re
import resource
import socket
import struct
import sys
from pathlib import Path

import pytest

from gojudge.inside import confinement, seccomp, system_calls
from gojudge.inside.system_calls import names_of, numbers_of

ALLOW, KILL, ASK = 0x7FFF0000, 0x80000000, 0x7FC00000
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep")

def _words(text):
    return text.split()


# What would break another wall, whatever else changes.
NEVER = _words("""
    ptrace process_vm_readv process_vm_writev kcmp process_madvise pidfd_getfd pidfd_open pidfd_send_signal perf_event_open
    setpriority ioprio_set migrate_pages move_pages sched_setscheduler sched_setparam sched_setattr mount umount2 pivot_root
    chroot unshare setns open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr name_to_handle_at open_by_handle_at
    fanotify_init swapon swapoff quotactl acct statmount listmount open_tree_attr reboot kexec_load init_module finit_module
    delete_module settimeofday clock_settime adjtimex clock_adjtime sethostname syslog bpf userfaultfd personality vhangup
    process_mrelease sync syncfs sync_file_range readahead io_uring_setup io_uring_enter io_uring_register io_setup io_submit
    add_key request_key keyctl shmget shmat semget msgget mq_open flock bind listen accept4 setxattr fsetxattr file_setattr
    inotify_init1 inotify_add_watch mincore cachestat seccomp timer_create memfd_secret vmsplice tee splice
    sendmmsg recvmmsg landlock_create_ruleset landlock_add_rule landlock_restrict_self mlock mlockall pkey_alloc clone3
""")


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
            tests = {
                0x15: accumulator == value, 0x25: accumulator > value, 0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }  # fmt: skip
            place += yes if tests[code] else no


def refused(code):
    return 0x00050000 | code


DONE = refused(0)


@pytest.fixture(params=ARCHITECTURES)
def call(request):
    program = seccomp.filter_program(request.param)

    def run(name, *arguments):
        number = name if isinstance(name, int) else numbers_of(request.param)[name]
        return verdict(program, ARCHITECTURES[request.param], number, *arguments)

    return run


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_keeper_makes_a_call_only_where_it_can_be_asked(machine):
    for asking, said in ((True, ASK), (False, ALLOW)):
        program = seccomp.filter_program(machine, asking=asking, answered=system_calls.ANSWERED)
        assert verdict(program, ARCHITECTURES[machine], numbers_of(machine)["sysinfo"]) == said


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_a_call_is_allowed_by_the_list_or_for_its_arguments_or_refused(machine):
    program, listed = seccomp.filter_program(machine), system_calls.allowed(signals=True, counted=True)
    by_argument = {*seccomp._BY_ARGUMENT, *seccomp._SPARING_KEPT}
    for number in range(system_calls.NEWEST + 1):
        name = names_of(machine).get(number, "")
        if name in by_argument:
            continue
        wanted = ALLOW if name in listed else refused(seccomp.error_of(number, machine))
        assert verdict(program, ARCHITECTURES[machine], number) == wanted, name


@pytest.mark.parametrize("name", NEVER)
def test_what_would_break_a_wall_is_not_in_the_list(name):
    for machine, architecture in ARCHITECTURES.items():
        if name in numbers_of(machine):
            for tier in ({}, {"counted": False}, {"counted": False, "signals": False, "kept": False}):
                program = seccomp.filter_program(machine, **tier)
                assert verdict(program, architecture, numbers_of(machine)[name]) & 0xFFFF0000 == 0x00050000
                assert verdict(program, architecture, numbers_of(machine)[name]) != DONE


def test_older_calls_are_not_permitted_and_newer_ones_do_not_exist(call):
    assert call("keyctl") == call("unshare") == call("seccomp") == refused(errno.EPERM)
    assert call("io_uring_setup") == call("landlock_create_ruleset") == call("cachestat") == refused(errno.ENOSYS)
    assert call("fsetxattr") == refused(errno.EOPNOTSUPP)


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_keeper_is_asked_about_exactly_what_the_kernel_would_refuse(machine):
    """All that it may answer is an error, so whoever is asked about more could only take away."""
    asking, silent = (seccomp.filter_program(machine, asking=asking) for asking in (True, False))
    for number in (*range(system_calls.NEWEST + 10), 1 << 20, 0x40000000 + 101):
        for arguments in ([value] * 6 for value in (0, 1, 2, 3, 12, 22, 57, 0x1000, 0x5412, 0xFFFFFFFF)):
            found, plain = (verdict(each, ARCHITECTURES[machine], number, *arguments) for each in (asking, silent))
            assert found == plain or (found == ASK and plain == refused(seccomp.error_of(number, machine)))
        if number not in numbers_of(machine).values():
            assert found == ASK


def test_the_names_are_those_of_the_kernel_s_header():
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not header.exists():
        pytest.skip("no headers of the kernel (apt-get install linux-libc-dev)")
    for name, number in re.findall(r"#define __NR_(\w+) (\d+)", header.read_text()):
        if int(number) <= system_calls.NEWEST and int(number) not in (335, 336):
            assert names_of("x86_64")[int(number)] == name


def test_the_names_on_arm_are_those_of_the_generic_header():
    header = Path("/usr/include/asm-generic/unistd.h")
    if not header.exists():
        pytest.skip("no headers of the kernel (apt-get install linux-libc-dev)")
    for name, number in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", header.read_text()):
        if int(number) < 295 and name not in ("fstatat", "arch_specific_syscall", "sync_file_range2"):
            assert names_of("aarch64")[int(number)] == name


def test_every_call_of_the_list_exists_on_some_machine():
    known = {name for machine in ARCHITECTURES for name in numbers_of(machine)}
    assert system_calls.allowed(signals=True, counted=True) <= known
    assert seccomp._BY_ARGUMENT.keys() | seccomp._ERRORS.keys() <= known


def test_reading_and_writing_are_allowed(call):
    assert call("read") == call("write") == ALLOW


def test_processes_and_threads_may_be_made_but_no_namespaces(call):
    assert call("clone", 0x01200011) == ALLOW
    assert call("clone", 0x003D0F00) == ALLOW
    # As an image is copied, and as Python starts a program.
    assert call("clone", 0x8011) == call("clone", 0x4111) == ALLOW
    for flag in (0x1000, 0x2000, 0x20000, 0x800000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert call("clone", flag | 17) == refused(errno.EPERM)
    # The signal at its end is SIGCHLD, or none.
    assert call("clone", 18) == refused(errno.EPERM)
    assert call("clone3") == refused(errno.ENOSYS)


def test_sockets_are_for_talking_within_the_sandbox(call):
    assert call("socket", 1) == ALLOW
    for family in (2, 10, 16, 17, 38, 40):
        assert call("socket", family) == refused(errno.EACCES)
        assert call("socketpair", family) == refused(errno.EAFNOSUPPORT)
    assert call("socketpair", 1) == ALLOW


def test_nothing_is_sent_or_received_beside_the_stream(call):
    for name, flags_at in (("sendto", 3), ("recvfrom", 3), ("recvmsg", 2)):
        assert call(name, 0, 0, *[0] * (flags_at - 2), 0x40) == ALLOW
        assert call(name, 0, 0, *[0] * (flags_at - 2), 0x41) == refused(errno.EPERM)


def test_files_are_sent_only_by_who_may_have_more_open_than_a_submission(call):
    assert call("sendmsg", seccomp.HATCH) == ALLOW
    assert call("sendmsg", 3) == refused(errno.EPERM)


def test_a_process_may_limit_itself_only(call):
    for numbers in ("prlimit64", "sched_setaffinity"):
        assert call(numbers, 0) == ALLOW
        assert call(numbers, 1) == refused(errno.EPERM)


def test_signals_of_the_future_cannot_be_ordered(call):
    assert call("prctl", 1) == refused(errno.EINVAL)
    assert call("fcntl", 3, 10) == refused(errno.EPERM)
    assert call("prctl", 15) == call("fcntl", 3, 2) == ALLOW


def test_a_process_may_not_filter_its_calls(call):
    assert call("prctl", 22) == refused(errno.EINVAL)


@pytest.mark.parametrize("control", [1, 4, 8, 22, 26, 28, 33, 35, 36, 43, 47, 59, 62, 65, 0x59616D61, 1 << 20])
def test_controls_of_a_process_that_nobody_needs_are_refused(call, control):
    assert call("prctl", control) == refused(errno.EINVAL)


@pytest.mark.parametrize("clock", [0, 1, 2, 3, 4, 7, 11])
def test_clocks_of_the_machine_and_one_s_own_may_be_read(call, clock):
    for numbers in CLOCKS:
        assert call(numbers, clock) == ALLOW
        assert call(numbers, (~0 << 3 | clock & 7) & 0xFFFFFFFF) == ALLOW


def test_the_clock_of_another_process_may_not_be_read(call):
    for numbers in CLOCKS:
        for pid in (1, 2, 3, 1000, 1 << 22):
            for kind in (0, 1, 2, 3):
                assert call(numbers, (~pid << 3 | kind) & 0xFFFFFFFF) == refused(errno.EINVAL)
            # The kernel shows a process the clocks of its own threads only.
            assert call(numbers, (~pid << 3 | 6) & 0xFFFFFFFF) == ALLOW


def test_numbers_that_count_over_the_machine_are_not_told(call):
    assert call("statx", 3, 0, 0, 0xFFF) == ALLOW
    assert call("statx", 3, 0, 0, 0x4FFF) == refused(errno.ENOSYS)
    assert call("getsockopt", 3, 1, 3) == ALLOW
    for option in (57, 71, 77):
        assert call("getsockopt", 3, 1, option) == refused(errno.ENOPROTOOPT)


def test_no_signal_reaches_the_process_that_lives_from_game_to_game(call):
    group, everybody = -seccomp.KEPT & 0xFFFFFFFF, 0xFFFFFFFF
    for target in (seccomp.KEPT, group, everybody):
        assert call("kill", target, 9) == DONE
    for name in ("tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        assert call(name, seccomp.KEPT, seccomp.KEPT, 9) == DONE
        assert call(name, 3, 3, 9) == ALLOW
    assert call("kill", 0, 15) == call("kill", 3, 15) == ALLOW
    assert call("setpgid", 0, seccomp.KEPT) == refused(errno.EPERM)
    assert call("setpgid", 0, 0) == ALLOW


def test_locks_are_granted_without_being_taken_and_cannot_be_asked_for(call):
    """Two sandboxes may have the same /dev/null open, and sqlite3 wants to lock its own files."""
    assert call("fcntl", 3, 6) == call("fcntl", 3, 7) == DONE
    assert call("fcntl", 3, 5) == refused(errno.EPERM)


@pytest.mark.parametrize("control", [8, 10, 15, 36, 37, 38, 1024, 1026, 1031, 1036, 1038, 9999])
def test_nothing_is_kept_with_a_file_that_others_see(call, control):
    assert call("fcntl", 3, control) == refused(errno.EPERM)


def test_terminals_may_be_asked_and_no_file_system(call):
    for command in (0x5401, 0x5413, 0x541B, 0x5421, 0x5451):  # TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX
        assert call("ioctl", 1, command) == ALLOW
    # TIOCSTI, TIOCLINUX, TIOCSETD, TIOCGPTN, FIOASYNC, FIOSETOWN, SIOCGIFCONF, FS_IOC_ADD_ENCRYPTION_KEY, FS_IOC_SETFLAGS
    for command in (0x5412, 0x541C, 0x5423, 0x80045430, 0x5452, 0x8901, 0x8912, 0xC0506617, 0x40086602):
        assert call("ioctl", 1, command) == refused(errno.ENOTTY)


def test_a_socket_keeps_no_option(call):
    assert call("setsockopt", 3, 1, 8) == DONE


def test_nobody_learns_which_pages_are_in_memory(call):
    for name in ("preadv2", "pwritev2"):
        assert call(name, 3, 0, 1, 0, 0, 0) == ALLOW
        for flag in (8, 0x80):  # RWF_NOWAIT, RWF_DONTCACHE
            assert call(name, 3, 0, 1, 0, 0, flag) == refused(errno.EOPNOTSUPP)


def test_advice_on_what_stays_in_memory_is_taken_and_not_followed(call):
    """By it a player could write into the page cache what another one reads there."""
    for advice in range(8):
        assert call("fadvise64", 3, 0, 0, advice) == DONE
    for advice in (3, 12, 13, 20, 21):  # MADV_WILLNEED, MERGEABLE, UNMERGEABLE, COLD, PAGEOUT
        assert call("madvise", 0, 4096, advice) == DONE
    for advice in (9, 24, 25, 100, 101, 1000):  # MADV_REMOVE, DONTNEED_LOCKED, COLLAPSE, HWPOISON, SOFT_OFFLINE
        assert call("madvise", 0, 4096, advice) == refused(errno.EINVAL)
    for advice in (0, 4, 14):  # MADV_NORMAL, DONTNEED, HUGEPAGE
        assert call("madvise", 0, 4096, advice) == ALLOW


def test_no_mark_on_memory_is_taken_back(call):
    assert call("madvise", 0, 4096, 8) == refused(errno.EINVAL)  # MADV_FREE


def test_huge_pages_stay_off(call):
    assert call("prctl", 41, 0) == DONE


def test_memory_may_be_wanted_near_but_no_page_is_moved(call):
    assert call("mbind", 0, 4096, 1, 0, 0, 0) == ALLOW
    assert call("mbind", 0, 4096, 1, 0, 0, 2) == refused(errno.EPERM)


def test_calls_that_nobody_has_reviewed_do_not_exist(call):
    for number in (system_calls.NEWEST + 1, 512, 1 << 20):
        assert call(number) == refused(errno.ENOSYS)


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_memory_that_belongs_to_no_process_is_refused_where_nobody_counts_it(machine):
    architecture, numbers = ARCHITECTURES[machine], numbers_of(machine)
    for counted, memory in ((True, ALLOW), (False, refused(errno.EPERM))):
        program = seccomp.filter_program(machine, counted=counted)
        assert verdict(program, architecture, numbers["memfd_create"]) == memory
        for flags, expected in ((0x21, memory), (0x4021, memory), (0x22, ALLOW), (0x01, ALLOW), (0x02, ALLOW)):
            assert verdict(program, architecture, numbers["mmap"], 0, 4096, 3, flags) == expected


def test_calls_of_another_architecture_end_the_process():
    program = seccomp.filter_program("x86_64")
    assert verdict(program, 0x40000003, 1) == KILL
    assert verdict(program, 0xC000003E, 0x40000000 + 101) == refused(errno.ENOSYS)


def test_signals_are_refused_where_nothing_hides_other_processes():
    program = seccomp.filter_program("x86_64", signals=False)
    for name in system_calls.SIGNALLING:
        assert verdict(program, 0xC000003E, numbers_of("x86_64")[name]) == refused(errno.EPERM)


def test_an_unknown_machine_is_refused():
    with pytest.raises(KeyError):
        seccomp.filter_program("vax")


def confine_beside_one_who_sends_all_it_can():
    """As a user of whom other processes have sent files that nobody has received: hand over a listener; return our limit."""
    if not os.geteuid():
        confinement.become(65534)
    here, there = socket.socketpair()
    for _ in range(2):
        socket.send_fds(here, [b"x"], [here.fileno()] * 250)
    ours, hatch = socket.socketpair()
    program = seccomp.filter_program(os.uname().machine, asking=True)
    confined = confinement.Confinement(-1, program, memory_mib=0, processes=0, file_mib=1, cpu_seconds=10)
    # As on a system where few files may be open unless one asks for more.
    resource.setrlimit(resource.RLIMIT_NOFILE, (seccomp.HATCH, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    confinement.open_hatch(hatch.detach())
    seccomp.hand_over(confinement.give_up(confined))
    confinement.limit_open_files()
    with contextlib.closing(ours), contextlib.closing(there):
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


@pytest.mark.skipif(sys.platform != "linux" or not seccomp.can_ask(), reason="a kernel that cannot ask about calls")
def test_nothing_that_others_send_hinders_a_process_in_handing_over_what_its_calls_are_asked_by():
    """The kernel counts files on their way by user, for all sandboxes together where the harness is not root."""
    pid = os.fork()
    if not pid:
        with contextlib.suppress(BaseException):
            os._exit(int(confine_beside_one_who_sends_all_it_can() != 256))
        os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0
