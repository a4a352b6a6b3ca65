"""The system call filter under which submissions run: a classic BPF program, made here byte by byte.

It denies what a player of Go has no use for and what would break other walls: reaching into other processes, mounting, new
namespaces, the network, kernel objects that outlive a game, and timers that would wake a stopped process. A denied call
fails with an error; the process is not killed, so a library that merely tries can go on.

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
    "swapon": (167, 224), "swapoff": (168, 225), "quotactl": (179, 60), "acct": (163, 89),
    # the machine
    "reboot": (169, 142), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "iopl": (172, -1), "ioperm": (173, -1),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "sethostname": (170, 161), "setdomainname": (171, 162), "syslog": (103, 116), "bpf": (321, 280),
    "userfaultfd": (323, 282), "personality": (135, 92), "vhangup": (153, 58),
    # system calls by another route
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    # objects that outlive a process or are shared with others
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "shmget": (29, 194), "semget": (64, 190),
    "msgget": (68, 186), "mq_open": (240, 180), "flock": (73, 32),
    # a signal in the future: SIGCONT would wake a player that is stopped while its opponent thinks
    "timer_create": (222, 107),
}  # fmt: skip

# Only needed where no namespace hides other processes.
SIGNALS = {
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_send_signal": (424, 424),
}  # fmt: skip

CLONE, CLONE3, SOCKET, IOCTL, PRCTL, FCNTL, PRLIMIT = (
    (56, 220), (435, 435), (41, 198), (16, 29), (157, 167), (72, 25), (302, 261),
)  # fmt: skip
SCHEDULERS = {"sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
              "sched_setattr": (314, 274)}  # fmt: skip

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_NAMESPACES = 0x7E020000  # CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET}
_TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_FUTURE_SIGNALS = (1, 4, 0x59616D61)  # PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_PTRACER
# F_GETLK, F_SETOWN, F_SETSIG, F_SETOWN_EX, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE, F_NOTIFY
_FILE_CONTROLS = (5, 8, 10, 15, 36, 37, 38, 1024, 1026)
_AF_UNIX = 1

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NR, _ARCH, _ARGUMENT = 0, 4, 16
_ALLOW, _KILL = 0x7FFF0000, 0x80000000


def _refuse(code: int) -> int:
    return 0x00050000 | code


def _instruction(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _on_argument(call: int, argument: int, tests: list[tuple[int, int]], met: int, otherwise: int) -> list[bytes]:
    """Return the instructions for one call: the verdict is `met` if an argument's low word passes any (kind, value) test.

    Expects the call's number in the accumulator, and leaves it there for the instructions that follow.
    """
    body = [_instruction(_LOAD, _ARGUMENT + 8 * argument)]
    for number, (kind, value) in enumerate(tests):
        body.append(_instruction(kind, value, len(tests) - number, 0))
    body += [_instruction(_RETURN, otherwise), _instruction(_RETURN, met)]
    return [_instruction(_EQUAL, call, 0, len(body)), *body]


def filter_program(machine: str, signals: bool = True) -> bytes:
    """Return the filter for a machine, named as in `os.uname().machine`. signals: whether players may send any.

    Raises KeyError for an architecture whose call numbers are not known here.
    """
    column, architecture = _ARCHITECTURES[machine]
    denied, no_such_call = _refuse(errno.EPERM), _refuse(errno.ENOSYS)
    program = [
        _instruction(_LOAD, _ARCH),
        _instruction(_EQUAL, architecture, 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NR),
    ]
    if machine == "x86_64":  # the x32 calls
        program += [_instruction(_AT_LEAST, 0x40000000, 0, 1), _instruction(_RETURN, no_such_call)]
    calls = {**DENIED} if signals else {**DENIED, **SIGNALS}
    for numbers in calls.values():
        if numbers[column] >= 0:
            program += [_instruction(_EQUAL, numbers[column], 0, 1), _instruction(_RETURN, denied)]
    # clone3 hides its flags behind a pointer; C libraries fall back to clone when it is missing.
    program += [_instruction(_EQUAL, CLONE3[column], 0, 1), _instruction(_RETURN, no_such_call)]
    program += _on_argument(CLONE[column], 0, [(_ANY_BIT, _NAMESPACES)], denied, _ALLOW)
    program += _on_argument(SOCKET[column], 0, [(_EQUAL, _AF_UNIX)], _ALLOW, _refuse(errno.EACCES))
    program += _on_argument(IOCTL[column], 1, [(_EQUAL, value) for value in _TERMINAL_INPUT], denied, _ALLOW)
    program += _on_argument(PRCTL[column], 0, [(_EQUAL, value) for value in _FUTURE_SIGNALS], denied, _ALLOW)
    program += _on_argument(FCNTL[column], 1, [(_EQUAL, value) for value in _FILE_CONTROLS], denied, _ALLOW)
    for number in (PRLIMIT, *SCHEDULERS.values()):
        program += _on_argument(number[column], 0, [(_EQUAL, 0)], _ALLOW, denied)
    return b"".join([*program, _instruction(_RETURN, _ALLOW)])


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def install(program: bytes) -> None:
    """Put this process and everything it will start under a filter, for good. Raises OSError. Needs no_new_privs."""
    libc = ctypes.CDLL(None, use_errno=True)
    holder = _Program(len(program) // 8, program)
    if libc.prctl(22, 2, ctypes.byref(holder), 0, 0):  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        raise OSError(ctypes.get_errno(), "the filter of system calls cannot be installed")
