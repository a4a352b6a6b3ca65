"""The system call filter under which submissions run: a classic BPF program, made here byte by byte.

It denies what a player of Go has no use for and what would break other walls: reaching into other processes, mounting, new
namespaces, the network, kernel objects that outlive a game, marks on files that two sandboxes share, memory that nobody
counts, and timers that would wake a stopped process. A denied call fails with an error; the process is not killed, so a
library that merely tries can go on. A few calls do nothing and report success, since honest code needs no more (`_PRETENDED`).
What is newer than the newest call reviewed here does not exist.

Source: linux/seccomp.h, linux/filter.h, linux/bpf_common.h; numbers of calls from asm/unistd_64.h and
asm-generic/unistd.h.
"""

from __future__ import annotations

import ctypes
import errno
import struct

# (x86_64, aarch64); -1 where an architecture has no such call.
DENIED = {
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "process_madvise": (440, 440), "pidfd_getfd": (438, 438), "perf_event_open": (298, 241),
    "setpriority": (141, 140), "ioprio_set": (251, 30), "migrate_pages": (256, 238), "move_pages": (279, 239),
    # the view of the file system
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "fanotify_init": (300, 262),
    "swapon": (167, 224), "swapoff": (168, 225), "quotactl": (179, 60), "quotactl_fd": (443, 443), "acct": (163, 89),
    "statmount": (457, 457), "listmount": (458, 458), "open_tree_attr": (467, 467),
    # the machine
    "reboot": (169, 142), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "iopl": (172, -1), "ioperm": (173, -1),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "sethostname": (170, 161), "setdomainname": (171, 162), "syslog": (103, 116), "bpf": (321, 280),
    "userfaultfd": (323, 282), "personality": (135, 92), "vhangup": (153, 58), "process_mrelease": (448, 448),
    "lsm_set_self_attr": (460, 460), "sync": (162, 81), "syncfs": (306, 267),
    # system calls by another route
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    # objects that outlive a process or are shared with others
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "shmget": (29, 194), "semget": (64, 190),
    "msgget": (68, 186), "mq_open": (240, 180), "flock": (73, 32), "io_setup": (206, 0), "bind": (49, 200),
    "file_setattr": (469, 469),
    # what others do with files that are shared: who opens them, which pages of them are in memory
    "inotify_init": (253, -1), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27), "mincore": (27, 232),
    "cachestat": (451, 451),
    # a filter of its own could keep a process where no signal stops it
    "seccomp": (317, 277),
    # a signal in the future: SIGCONT would wake a player that is stopped while its opponent thinks
    "timer_create": (222, 107),
    # a player that gives up its turns waits for ever on a busy machine, and is not charged for it
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    # descriptors of processes: their numbers count all processes of the machine, and they carry signals past `_KEPT`
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
}  # fmt: skip

NEWEST = 469
"""The newest system call that has been reviewed: file_setattr of Linux 6.17, on either architecture."""

# Memory that belongs to no process; besides these, shared memory without a file. Only needed where no control group counts.
UNCOUNTED = {"memfd_create": (319, 279), "memfd_secret": (447, 447), "vmsplice": (278, 75)}

# Only needed where no namespace hides other processes.
SIGNALS = {
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
}  # fmt: skip

CLONE, CLONE3, SOCKET, IOCTL, PRCTL, FCNTL, PRLIMIT, MMAP, PREADV2, SETSOCKOPT, GETSOCKOPT, STATX = (
    (56, 220), (435, 435), (41, 198), (16, 29), (157, 167), (72, 25), (302, 261), (9, 222), (327, 286), (54, 208), (55, 209),
    (332, 291),
)  # fmt: skip
SET_AFFINITY = (203, 122)
CLOCKS = {"clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115)}
SET_GROUP = (109, 154)

KEPT = 2
"""The id, within a sandbox, of the process that lives from game to game: of an image, or of what starts programs."""

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_NOT_FOR_CLONES = 0x7E021000  # CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET}, CLONE_PIDFD
_KIND_OF_IOCTL, _TERMINAL = 0xFF00, 0x5400  # FIONREAD, FIONBIO and the like are of this kind as well
_TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
# PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SCHED_CORE, PR_SET_PTRACER: signals in the future, filters as by
# `seccomp`, marks on other processes
_PROCESS_CONTROLS = (1, 4, 22, 62, 0x59616D61)
# SO_COOKIE, SO_NETNS_COOKIE, SO_PEERPIDFD: numbers that count over the whole machine
_SOCKET_NUMBERS = (57, 71, 77)
_UNIQUE_MOUNT = 0x4000  # STATX_MNT_ID_UNIQUE
# Ids of clocks are negative for those of processes, the bit tells those of threads, of which one only sees one's own. The last
# eight are one's own process.
_CLOCKS_OF_THREADS, _CLOCKS_OF_OTHERS, _OWN_CLOCKS = 4, 0x80000000, 0xFFFFFFF8
_EVERYBODY, _KEPT_GROUP = 0xFFFFFFFF, -KEPT & 0xFFFFFFFF
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS. Not among them: leases,
# notices, hints kept with a file, owners for signals, locks that can be asked for, the size of a pipe that games share.
_FILE_CONTROLS = (0, 1, 2, 3, 4, 1030, 1032, 1033, 1034)
# F_SETLK, F_SETLKW: sqlite3 locks its own files. No filter can tell them from /dev/null, which two sandboxes may share.
_PRETENDED = (6, 7)
_SHARED_ANONYMOUS = 0x21  # MAP_SHARED | MAP_ANONYMOUS
_AF_UNIX = 1

_LOAD, _MASK, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NR, _ARCH, _ARGUMENT = 0, 4, 16
_ALLOW, _KILL = 0x7FFF0000, 0x80000000


def _refuse(code: int) -> int:
    return 0x00050000 | code


_DENIED, _NO_SUCH_CALL, _DONE = _refuse(errno.EPERM), _refuse(errno.ENOSYS), _refuse(0)

# (call, argument, rules for its value, verdict if none applies); see `_on_argument`.
_BY_ARGUMENT = [
    (CLONE, 0, [(_ANY_BIT, _NOT_FOR_CLONES, _DENIED)], _ALLOW),
    (SOCKET, 0, [(_EQUAL, _AF_UNIX, _ALLOW)], _refuse(errno.EACCES)),
    # Options stay with a socket, and the loading process's is there in every game. Within a sandbox they do nothing of use.
    (SETSOCKOPT, 0, [], _DONE),
    (
        IOCTL, 1,
        [*((_EQUAL, value, _DENIED) for value in _TERMINAL_INPUT), (_MASK, _KIND_OF_IOCTL, 0), (_EQUAL, _TERMINAL, _ALLOW)],
        _refuse(errno.ENOTTY),
    ),
    (PRCTL, 0, [(_EQUAL, value, _DENIED) for value in _PROCESS_CONTROLS], _ALLOW),
    (
        FCNTL, 1,
        [*((_EQUAL, value, _ALLOW) for value in _FILE_CONTROLS), *((_EQUAL, value, _DONE) for value in _PRETENDED)],
        _DENIED,
    ),
    # A flag asks whether a page is in memory.
    (PREADV2, 5, [(_EQUAL, 0, _ALLOW)], _refuse(errno.EOPNOTSUPP)),
    *((call, 0, [(_EQUAL, 0, _ALLOW)], _DENIED) for call in (PRLIMIT, SET_AFFINITY)),
    (GETSOCKOPT, 2, [(_EQUAL, value, _refuse(errno.ENOPROTOOPT)) for value in _SOCKET_NUMBERS], _ALLOW),
    # It counts mounts, and C libraries do without the call.
    (STATX, 3, [(_ANY_BIT, _UNIQUE_MOUNT, _NO_SUCH_CALL)], _ALLOW),
    # The keeper and the process that lives from game to game use CPU for each of them.
    *(
        (call, 0,
         [(_AT_LEAST, _OWN_CLOCKS, _ALLOW), (_ANY_BIT, _CLOCKS_OF_THREADS, _ALLOW),
          (_AT_LEAST, _CLOCKS_OF_OTHERS, _refuse(errno.EINVAL))],
         _ALLOW)
        for call in CLOCKS.values()
    ),
]  # fmt: skip
# No signal reaches the process that lives from game to game. Whoever is sent one at once with it gets none either.
_KEPT = [
    (SIGNALS["kill"], 0, [(_EQUAL, value, _DONE) for value in (KEPT, _KEPT_GROUP, _EVERYBODY)], _ALLOW),
    *(
        (SIGNALS[name], 0, [(_EQUAL, KEPT, _DONE)], _ALLOW)
        for name in ("tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
    ),
    (SET_GROUP, 1, [(_EQUAL, KEPT, _DENIED)], _ALLOW),
]
_SHARED_MEMORY = (MMAP, 3, [(_MASK, _SHARED_ANONYMOUS, 0), (_EQUAL, _SHARED_ANONYMOUS, _DENIED)], _ALLOW)


def _instruction(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _on_argument(call: int, argument: int, rules: list[tuple[int, int, int]], otherwise: int) -> list[bytes]:
    """Return the instructions for one call: the first rule (test, value, verdict) that an argument's low word meets decides.

    A rule that masks the word, for those after it, has no verdict. Expects the call's number in the accumulator, and leaves it
    there for the instructions that follow.
    """
    body = [_instruction(_LOAD, _ARGUMENT + 8 * argument)]
    for test, value, verdict in rules:
        if test == _MASK:
            body.append(_instruction(_MASK, value))
        else:
            body += [_instruction(test, value, 0, 1), _instruction(_RETURN, verdict)]
    body.append(_instruction(_RETURN, otherwise))
    return [_instruction(_EQUAL, call, 0, len(body)), *body]


def filter_program(machine: str, signals: bool = True, counted: bool = True, kept: bool = True) -> bytes:
    """Return the filter for a machine, named as in `os.uname().machine`.

    signals: whether players may send any. counted: whether a control group counts memory of every kind. kept: whether the
    process with the id KEPT lives from game to game. Raises KeyError for an architecture whose call numbers are not known here.
    """
    column, architecture = _ARCHITECTURES[machine]
    program = [
        _instruction(_LOAD, _ARCH),
        _instruction(_EQUAL, architecture, 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NR),
        # The x32 calls are among the newer ones.
        _instruction(_AT_LEAST, NEWEST + 1, 0, 1),
        _instruction(_RETURN, _NO_SUCH_CALL),
        # clone3 hides its flags behind a pointer; C libraries fall back to clone when it is missing.
        _instruction(_EQUAL, CLONE3[column], 0, 1),
        _instruction(_RETURN, _NO_SUCH_CALL),
    ]
    calls = DENIED | ({} if signals else SIGNALS) | ({} if counted else UNCOUNTED)
    for numbers in calls.values():
        if numbers[column] >= 0:
            program += [_instruction(_EQUAL, numbers[column], 0, 1), _instruction(_RETURN, _DENIED)]
    by_argument = [*_BY_ARGUMENT, *([] if counted else [_SHARED_MEMORY]), *(_KEPT if kept and signals else [])]
    for call, argument, rules, otherwise in by_argument:
        program += _on_argument(call[column], argument, rules, otherwise)
    return b"".join([*program, _instruction(_RETURN, _ALLOW)])


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def install(program: bytes) -> None:
    """Put this process and everything it will start under a filter, for good. Raises OSError. Needs no_new_privs."""
    libc = ctypes.CDLL(None, use_errno=True)
    holder = _Program(len(program) // 8, program)
    if libc.prctl(22, 2, ctypes.byref(holder), 0, 0):  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        raise OSError(ctypes.get_errno(), "the filter of system calls cannot be installed")
