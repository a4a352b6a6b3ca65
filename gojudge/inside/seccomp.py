"""The system call filter under which submissions run: a classic BPF program, made here byte by byte.

It allows the calls of `gojudge.inside.system_calls`, some of them for some arguments only; whatever is not in that list is
refused. What would break other walls is not in it: reaching into other processes, mounting, new namespaces, the network,
kernel objects that outlive a game or that nobody counts, marks on files that two sandboxes share, advice on which pages of them
stay in memory, and timers that would wake a stopped process.

A refused call fails with an error; the process is not killed, so a library that merely tries can go on. Which error it is, says
`error_of`: one that programs expect. Calls that honest programs merely give advice by do nothing and report success.

The kernel asks the keeper about a refused call, which answers with the error and notes the name.
It only asks about calls that are refused anyway: no answer could allow one. If nobody listens any more, they fail with ENOSYS.
What libraries try as a matter of course is refused without asking. `sysinfo`, which tells of the whole machine, is answered by
the keeper.

Source: linux/seccomp.h, linux/filter.h, linux/bpf_common.h, man 2 seccomp.

`Refusals` answers those calls and notes their names, so that a transcript can say what was refused:

    filter      installed by the process that will load a submission, inherited by all that it starts
    listener    the descriptor on which the kernel asks; that process hands it to the keeper, and has it no more
    answer      an error, `error_of`; or, to `sysinfo`, figures that are the same at all times

A process waits while it asks. It is the player's time that goes by, so a flood of refused calls costs the player. A signal ends
the wait, so it can be stopped and killed; once its question has been received, only its end does, where the kernel can
(Linux 5.19). One question at a time is received and answered, between the keeper's orders. No call that is
refused is ever allowed by an answer, and nothing of the process that asks is looked at.

Source: man 2 seccomp_unotify, linux/seccomp.h; man 2 sysinfo, linux/sysinfo.h.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import select
import socket
import struct
import time
from functools import cache

from gojudge.inside.c_library import libc
from gojudge.inside.system_calls import ANSWERED, SIGNALLING, allowed, names_of, numbers_of

KEPT = 2
"""The id, within a sandbox, of the process that lives from game to game: of an image, or of what starts programs."""

HATCH = 256
"""The number of the file over which a process hands over its listener. From then on it may not have so many open."""

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_LOAD, _MASK, _EQUAL, _AT_LEAST, _MORE, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x25, 0x45, 0x06
_NR, _ARCH, _ARGUMENT = 0, 4, 16
_ALLOW, _ASK, _KILL = 0x7FFF0000, 0x7FC00000, 0x80000000


def _silently(code: int) -> int:
    return 0x00050000 | code


# What stands for the error of a call, and for asking the keeper where it listens.
_REFUSED = -1
_DONE, _NO_SUCH_CALL = _silently(0), _silently(errno.ENOSYS)

# Errors other than those of `error_of`'s rule: as on a kernel or a file system that lacks what is asked for.
_ERRORS = {
    "socket": errno.EACCES, "socketpair": errno.EAFNOSUPPORT, "getsockopt": errno.ENOPROTOOPT, "ioctl": errno.ENOTTY,
    "preadv2": errno.EOPNOTSUPP, "pwritev2": errno.EOPNOTSUPP, "statx": errno.ENOSYS,
    **dict.fromkeys(("prctl", "madvise", "clock_gettime", "clock_getres", "clock_nanosleep"), errno.EINVAL),
    # shutil.copy2 goes on without attributes if it gets this one.
    **dict.fromkeys(("setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr"), errno.EOPNOTSUPP),
}  # fmt: skip
_NEWER_THAN = 424

# CLONE_VM, FS, FILES, SIGHAND, VFORK, PARENT (for images), THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID, DETACHED,
# CHILD_SETTID, and a signal at the end. Not namespaces, descriptors of processes, what hides a process from who traces it.
_CLONE_FLAGS = 0x017DCF00 | 0xFF
_END_SIGNAL, _SIGCHLD = 0xFF, 17
_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16
# FIONREAD, FIONBIO, FIOCLEX, FIONCLEX; TCGETS, TIOCGWINSZ, TCGETS2, by which programs ask whether a file is a terminal; FICLONE
_FILE_COMMANDS = (0x541B, 0x5421, 0x5451, 0x5450, 0x5401, 0x5413, 0x802C542A, 0x40049409)
# Other questions for terminals and for network cards: there are none.
_KIND_OF_COMMAND, _OF_DEVICES = 0xFF00, (0x5400, 0x8900)
# PR_GET_PDEATHSIG, GET_DUMPABLE, SET_NAME, GET_NAME, GET_SECCOMP, CAPBSET_READ, SET_TIMERSLACK, GET_TIMERSLACK,
# SET_NO_NEW_PRIVS, GET_NO_NEW_PRIVS, GET_THP_DISABLE, SVE_GET_VL, SET_VMA. Not among them: signals in the future, filters of
# one's own, marks on other processes, adopting their orphans.
_PROCESS_CONTROLS = (2, 3, 15, 16, 21, 23, 29, 30, 38, 39, 42, 51, 0x53564D41)
_HUGE_PAGES_OFF = 41  # PR_SET_THP_DISABLE: they are, see `confinement.use_small_pages`
# SO_COOKIE, SO_NETNS_COOKIE, SO_PEERPIDFD: numbers that count over the whole machine
_SOCKET_NUMBERS = (57, 71, 77)
# MSG_OOB: bytes beside the stream, which the kernel keeps in ways of their own, often wrong ones.
_OUT_OF_BAND = 1
_UNIQUE_MOUNT = 0x4000  # STATX_MNT_ID_UNIQUE
# CLOCK_REALTIME to CLOCK_TAI. Other ids are negative: the last eight are those of one's own process, the bits tell those of
# threads, of which one only sees one's own. The rest are of other processes.
_CLOCKS, _CLOCKS_OF_THREADS, _OWN_CLOCKS = tuple(range(12)), 0x80000004, 0xFFFFFFF8
_EVERYBODY, _KEPT_GROUP = 0xFFFFFFFF, -KEPT & 0xFFFFFFFF
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS. Not among them: leases,
# notices, hints kept with a file, owners for signals, locks that can be asked for, the size of a pipe that games share.
_FILE_CONTROLS = (0, 1, 2, 3, 4, 1030, 1032, 1033, 1034)
# F_SETLK, F_SETLKW: sqlite3 locks its own files. No filter can tell them from /dev/null, which two sandboxes may share.
_PRETENDED_LOCKS = (6, 7)
# MADV_NORMAL, RANDOM, SEQUENTIAL, DONTNEED, DONTFORK, DOFORK, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP, WIPEONFORK, KEEPONFORK,
# POPULATE_READ, POPULATE_WRITE, GUARD_INSTALL, GUARD_REMOVE: what is done to one's own mapping.
_ADVICE = (0, 1, 2, 4, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 102, 103)
# MADV_FREE takes the marks back of pages that other games share. Allocators give memory back otherwise where it is missing.
_FREE = 8
# MADV_WILLNEED, MERGEABLE, UNMERGEABLE, COLD, PAGEOUT: which pages stay in memory, also those of files that others read.
_PRETENDED_ADVICE = (3, 12, 13, 20, 21)
_MS_SYNC = 4
_SHARED_ANONYMOUS = 0x21  # MAP_SHARED | MAP_ANONYMOUS

_Rule = tuple[int, int, int]
# Which argument is looked at; rules for its low word (test, value, verdict), of which the first that it meets decides; the
# verdict if it meets none. A rule that masks the word, for those after it, has no verdict.
_Rules = tuple[int, list[_Rule], int]


def _equal(values: tuple[int, ...], verdict: int = _ALLOW) -> list[_Rule]:
    return [(_EQUAL, value, verdict) for value in values]


# The keeper and the process that lives from game to game use CPU for each of them.
_CLOCK: _Rules = (
    0,
    [(_AT_LEAST, _OWN_CLOCKS, _ALLOW), *_equal(_CLOCKS), (_MASK, _CLOCKS_OF_THREADS, 0), *_equal((_CLOCKS_OF_THREADS,))],
    _REFUSED,
)

_BY_ARGUMENT: dict[str, _Rules] = {
    # numpy's library wants its memory near; not the pages moved that are there already.
    "mbind": (5, _equal((0,)), _REFUSED),
    "clone": (0, [(_ANY_BIT, ~_CLONE_FLAGS & 0xFFFFFFFF, _REFUSED), (_MASK, _END_SIGNAL, 0), *_equal((0, _SIGCHLD))], _REFUSED),
    # The Java machine and the C library try these.
    "socket": (
        0, [*_equal((_AF_UNIX,)), *_equal((_AF_INET, _AF_INET6, _AF_NETLINK), _silently(errno.EACCES))], _REFUSED
    ),
    "socketpair": (0, _equal((_AF_UNIX,)), _REFUSED),
    # Options stay with a socket, and the loading process's is there in every game. Within a sandbox they do nothing of use.
    "setsockopt": (0, [], _DONE),
    "getsockopt": (2, _equal(_SOCKET_NUMBERS, _REFUSED), _ALLOW),
    **dict.fromkeys(("sendto", "recvfrom"), (3, [(_ANY_BIT, _OUT_OF_BAND, _REFUSED)], _ALLOW)),
    "recvmsg": (2, [(_ANY_BIT, _OUT_OF_BAND, _REFUSED)], _ALLOW),
    # It may send open files. Sockets sent through each other are cleared away by a thread of the kernel's, charged to nobody.
    "sendmsg": (0, _equal((HATCH,)), _REFUSED),
    "ioctl": (
        1,
        [*_equal(_FILE_COMMANDS), (_MASK, _KIND_OF_COMMAND, 0), *_equal(_OF_DEVICES, _silently(errno.ENOTTY))],
        _REFUSED,
    ),
    "prctl": (0, [*_equal(_PROCESS_CONTROLS), *_equal((_HUGE_PAGES_OFF,), _DONE)], _REFUSED),
    "fcntl": (1, [*_equal(_FILE_CONTROLS), *_equal(_PRETENDED_LOCKS, _DONE)], _REFUSED),
    # Flags ask whether a page is in memory, or that it does not stay there.
    "preadv2": (5, _equal((0,)), _REFUSED),
    "pwritev2": (5, _equal((0,)), _REFUSED),
    "prlimit64": (0, _equal((0,)), _REFUSED),
    "sched_setaffinity": (0, _equal((0,)), _REFUSED),
    # It counts mounts, and C libraries do without the call.
    "statx": (3, [(_ANY_BIT, _UNIQUE_MOUNT, _REFUSED)], _ALLOW),
    "madvise": (
        2, [*_equal(_ADVICE), *_equal(_PRETENDED_ADVICE, _DONE), *_equal((_FREE,), _silently(errno.EINVAL))], _REFUSED
    ),
    "fadvise64": (0, [], _DONE),
    # What is its own lies in memory. Of other files that it may read, these would have the disk written back.
    **dict.fromkeys(("fsync", "fdatasync"), (0, [], _DONE)),
    "msync": (2, [(_ANY_BIT, _MS_SYNC, _DONE)], _ALLOW),
    **dict.fromkeys(("clock_gettime", "clock_getres", "clock_nanosleep"), _CLOCK),
    # clone3 hides its flags behind a pointer; C libraries fall back to clone when it is missing, asyncio to signals.
    **dict.fromkeys(("clone3", "pidfd_open"), (0, [], _NO_SUCH_CALL)),
}  # fmt: skip

# No signal reaches the process that lives from game to game. Whoever is sent one at once with it gets none either.
_SPARING_KEPT: dict[str, _Rules] = {
    **{name: (0, _equal((KEPT,), _DONE), _ALLOW) for name in SIGNALLING},
    "kill": (0, _equal((KEPT, _KEPT_GROUP, _EVERYBODY), _DONE), _ALLOW),
    "setpgid": (1, _equal((KEPT,), _REFUSED), _ALLOW),
}
_NO_SHARED_MEMORY: dict[str, _Rules] = {
    "mmap": (3, [(_MASK, _SHARED_ANONYMOUS, 0), *_equal((_SHARED_ANONYMOUS,), _REFUSED)], _ALLOW)
}


def error_of(number: int, machine: str) -> int:
    """Return the error with which a refused call fails.

    A call that is new in Linux 5.1 or later seems not to exist, as on an older kernel: programs are prepared for that. An older
    call is not permitted.
    """
    name = names_of(machine).get(number, "")
    return _ERRORS.get(name, errno.EPERM if 0 <= number < _NEWER_THAN else errno.ENOSYS)


def _instruction(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _on_argument(number: int, rules: _Rules, refusal: int) -> list[bytes]:
    """Return the instructions for one call. refusal: what to return where it is refused.

    Expects the call's number in the accumulator, and leaves it there for the instructions that follow.
    """
    argument, tests, otherwise = rules
    body = [_instruction(_LOAD, _ARGUMENT + 8 * argument)]
    for test, value, verdict in tests:
        if test == _MASK:
            body.append(_instruction(_MASK, value))
        else:
            body += [_instruction(test, value, 0, 1), _instruction(_RETURN, refusal if verdict == _REFUSED else verdict)]
    body.append(_instruction(_RETURN, refusal if otherwise == _REFUSED else otherwise))
    return [_instruction(_EQUAL, number, 0, len(body)), *body]


def _on_ranges(numbers: list[int]) -> list[bytes]:
    """Return the instructions that allow these calls. The kernel remembers what they say for each number."""
    program = []
    first = last = -1
    for number in [*sorted(numbers), 1 << 31]:
        if number == last + 1 and first >= 0:
            last = number
            continue
        if first >= 0:
            program += [_instruction(_AT_LEAST, first, 0, 2), _instruction(_MORE, last, 1, 0), _instruction(_RETURN, _ALLOW)]
        first = last = number
    return program


def filter_program(
    machine: str,
    signals: bool = True,
    counted: bool = True,
    kept: bool = True,
    asking: bool = False,
    answered: frozenset[str] = frozenset(),
) -> bytes:
    """Return the filter for a machine, named as in `os.uname().machine`.

    signals: whether players may send any. counted: whether a control group counts memory of every kind. kept: whether the
    process with the id KEPT lives from game to game. asking: whether the keeper is to be asked about what is refused; without,
    the kernel gives the errors. answered: allowed calls that the keeper is to make instead, if it is asked. Raises KeyError for
    an architecture whose call numbers are not known here.
    """
    numbers = numbers_of(machine)
    names = allowed(signals, counted) - (answered if asking else frozenset())
    by_argument = {
        **_BY_ARGUMENT,
        **({} if counted else _NO_SHARED_MEMORY),
        **({name: rules for name, rules in _SPARING_KEPT.items() if name in names} if kept else {}),
    }

    def refusal(number: int) -> int:
        return _ASK if asking else _silently(error_of(number, machine))

    program = [
        _instruction(_LOAD, _ARCH),
        _instruction(_EQUAL, _ARCHITECTURES[machine], 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NR),
    ]
    for name, rules in by_argument.items():
        if name in numbers:
            program += _on_argument(numbers[name], rules, refusal(numbers[name]))
    program += _on_ranges([numbers[name] for name in names - by_argument.keys() if name in numbers])
    if asking:
        return b"".join([*program, _instruction(_RETURN, _ASK)])
    for name in _ERRORS.keys() - by_argument.keys():
        if name in numbers:
            program += [_instruction(_EQUAL, numbers[name], 0, 1), _instruction(_RETURN, refusal(numbers[name]))]
    # The calls of x32 are among the newer ones.
    program += [_instruction(_AT_LEAST, _NEWER_THAN, 0, 1), _instruction(_RETURN, _NO_SUCH_CALL)]
    return b"".join([*program, _instruction(_RETURN, _silently(errno.EPERM))])


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


_SET_FILTER, _ACTION_IS_KNOWN, _NEW_LISTENER, _UNTIL_ANSWERED = 1, 2, 8, 32


@cache
def can_ask() -> bool:
    """Tell whether this kernel can ask another process about a call (Linux 5.0)."""
    try:
        return _seccomp(_ACTION_IS_KNOWN, 0, ctypes.byref(ctypes.c_uint32(_ASK))) == 0
    except (KeyError, AttributeError):
        return False


@cache
def can_answer() -> bool:
    """Tell whether a signal cannot interrupt a process while it waits for the answer to a question we have received (Linux
    5.19). Otherwise the process may have gone on, and may use the memory for something else when the answer is written there.
    """
    try:
        # Flags are looked at first. There is no filter at that address.
        return _seccomp(_SET_FILTER, _NEW_LISTENER | _UNTIL_ANSWERED, None) < 0 and ctypes.get_errno() == errno.EFAULT
    except (KeyError, AttributeError):
        return False


def install(program: bytes) -> int:
    """Put this process and everything it will start under a filter, for good. Needs no_new_privs. Raises OSError.

    Returns the descriptor on which the kernel asks about calls; -1 if it cannot ask, or nothing in the filter does.
    """
    holder = _Program(len(program) // 8, program)
    if struct.pack("=HBBI", _RETURN, 0, 0, _ASK) in program:
        waiting = _UNTIL_ANSWERED if can_answer() else 0
        listener = _seccomp(_SET_FILTER, _NEW_LISTENER | waiting, ctypes.byref(holder))
        if listener >= 0:
            return listener
    if libc().prctl(22, 2, ctypes.byref(holder), 0, 0):  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        raise OSError(ctypes.get_errno(), "the filter of system calls cannot be installed")
    return -1


def _seccomp(operation: int, flags: int, arguments: object) -> int:
    number = numbers_of(os.uname().machine)["seccomp"]
    result: int = libc().syscall(number, operation, flags, arguments)
    return result


# struct seccomp_notif: id, process, flags, and of struct seccomp_data number, architecture, instruction, arguments.
_QUESTION = struct.Struct("=QIIiIQ6Q")
# struct seccomp_notif_resp: id, value, error, flags.
_ANSWER = struct.Struct("=QqiI")
_RECEIVE, _SEND, _GO_ON = 0xC0502100, 0xC0182101, 1
# struct sysinfo: seconds since the machine was started, three loads, bytes of memory: all, free, shared, in buffers; of swap:
# all, free; processes, bytes of high memory: all, free; how many bytes are one.
_SYSINFO = struct.Struct("=q3Q6QHxxxxxx2QIxxxx")

MOST_NAMES = 20
"""So many names are noted at an import, and as many in a game."""

MOST_ASKED = 20_000
"""So many calls are answered at an import, and as many in a game: an answer takes the keeper's time."""


class Refusals:
    """What has been refused to one submission's processes. Owns the listener."""

    def __init__(self) -> None:
        self._machine = os.uname().machine
        self._hatch: socket.socket | None = None
        self._listener = -1
        self._at_import: set[str] = set()
        self._in_game: set[str] = set()
        self._asked = 0

    def expect(self) -> socket.socket:
        """Forget all; return the socket over which a new process will hand over its listener: see `hand_over`."""
        self.close()
        self._at_import, self._in_game = set(), set()
        self._asked = 0
        self._hatch, theirs = socket.socketpair()
        self._hatch.setblocking(False)
        return theirs

    def begin_game(self) -> None:
        """From now on, what is refused is refused to the game."""
        self._in_game = set()
        self._asked = 0

    def keep_import(self) -> None:
        """What has been refused so far was refused to the import, of which every game is told."""
        self._at_import |= self._in_game

    def names(self) -> list[str]:
        """Return the names of the calls that were refused at the import or in this game."""
        return sorted(self._at_import | self._in_game)

    @property
    def too_many(self) -> bool:
        """Whether more has been asked than is answered: who asks must end."""
        return self._asked > MOST_ASKED

    def fileno(self) -> int:
        """Return what to poll, -1 if nobody asks."""
        return self._listener if self._hatch is None else self._hatch.fileno()

    def attend(self, events: int) -> None:
        """Answer one question, or take over the listener. events: what a poll has said of it."""
        if self._hatch is None:
            if events & select.POLLIN:
                self._answer()
            else:  # all that could ask are gone
                self.close()
            return
        with contextlib.suppress(OSError):
            _, listeners, _, _ = socket.recv_fds(self._hatch, 1, 1)
            self._listener = listeners[0] if listeners else -1
        self._hatch.close()
        self._hatch = None

    def _answer(self) -> None:
        question = bytearray(_QUESTION.size)
        try:
            fcntl.ioctl(self._listener, _RECEIVE, question)
        except FileNotFoundError:  # whoever asked is gone
            return
        except OSError:
            self.close()
            return
        self._asked += 1
        asked = _QUESTION.unpack(question)
        number, error, flags = asked[3], error_of(asked[3], self._machine), 0
        name = names_of(self._machine).get(number, f"call {number}")
        if name in ANSWERED:
            error = _write(asked[1], asked[6], _figures())
            if error not in (0, errno.EFAULT):
                # We may not write there: on a machine where nobody traces, the kernel tells what it would tell anybody.
                error, flags = 0, _GO_ON
        elif len(self._in_game) < MOST_NAMES:
            self._in_game.add(name)
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._listener, _SEND, _ANSWER.pack(asked[0], 0, -error, flags))

    def close(self) -> None:
        """Listen no more."""
        if self._hatch is not None:
            self._hatch.close()
            self._hatch = None
        if self._listener >= 0:
            os.close(self._listener)
            self._listener = -1


def hand_over(listener: int) -> None:
    """In the process that has installed the filter: give the keeper the listener over HATCH, -1 if it has none; close both."""
    with socket.socket(fileno=HATCH) as hatch:
        if listener >= 0:
            socket.send_fds(hatch, [b"x"], [listener])
            os.close(listener)


def _figures() -> bytes:
    """Return what `sysinfo` tells of a machine that does nothing."""
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return _SYSINFO.pack(int(time.clock_gettime(time.CLOCK_BOOTTIME)), 0, 0, 0, whole, whole, 0, 0, 0, 0, 1, 0, 0, 1)


class _Piece(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def _write(process: int, address: int, data: bytes) -> int:
    """Write into the memory of a process, where it may write itself; return 0, or the error's number."""
    buffer = ctypes.create_string_buffer(data, len(data))
    ours, theirs = _Piece(ctypes.addressof(buffer), len(data)), _Piece(address, len(data))
    one, no_flags = ctypes.c_ulong(1), ctypes.c_ulong(0)
    done = libc().process_vm_writev(process, ctypes.byref(ours), one, ctypes.byref(theirs), one, no_flags)
    return 0 if done == len(data) else errno.EFAULT if done >= 0 else ctypes.get_errno()
