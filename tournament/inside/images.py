"""A process kept as it was at one moment. It never runs again; each game is played by a copy of it.

A loading process that ran between games could remember them: whatever a submission has left in it (handlers of forks and of
signals, replaced functions, threads) would be called there. So once it waits for its first game, it is stopped by way of
ptrace and stays so. A copy is made by a system call that is run in its place: registers are set, `clone` is executed, and
registers are set again in the copy, which then waits for a game where the image waited. No instruction of the image's own
is executed, and Python's handlers of forks do not run: the copy does not notice that it is one.

Runs in the keeper, which must be the parent. Source: man 2 ptrace, linux/ptrace.h, asm/ptrace.h. Only for x86_64: other
machines keep their registers differently.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import time
from functools import cache

from tournament.inside.process_table import ProcessTable

_SEIZE, _INTERRUPT, _SYSCALL, _CONTINUE, _DETACH = 0x4206, 0x4207, 24, 7, 17
_GET_REGISTERS, _SET_REGISTERS, _GENERAL = 0x4204, 0x4205, 1
# PTRACE_O_TRACESYSGOOD, PTRACE_O_TRACEFORK (the copy is stopped before it runs), PTRACE_O_EXITKILL
_OPTIONS = 1 | 2 | 1 << 20
_AT_SYSCALL = signal.SIGTRAP | 0x80
_ALL_CHILDREN = 0x40000000  # __WALL

_NAMES = (
    "r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi", "rdi", "orig_rax", "rip",
    "cs", "eflags", "rsp", "ss", "fs_base", "gs_base", "ds", "es", "fs", "gs",
)  # fmt: skip
_RECVMSG, _CLONE, _PIDFD_GETFD = 47, 56, 438
_CLONE_PARENT = 0x8000
_NO_CALL = (1 << 64) - 1
_INTERRUPTED = (1 << 64) - 512  # -ERESTARTSYS
_LENGTH_OF_SYSCALL = 2  # bytes of the instruction

# A process that has said that it is loaded begins to wait at once.
_PATIENCE = 2.0

# Signals that the keeper itself sends to all processes.
_OURS = 1 << (signal.SIGSTOP - 1) | 1 << (signal.SIGCONT - 1)

Registers = dict[str, int]


class Image:
    """The image of a child of ours. It must be about to wait for a message; it is left alone if it does not.

    channel: our end of what it waits on, to report on its copies. Raises OSError, with words that say what it did instead.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        if os.uname().machine != "x86_64":
            raise OSError(0, "the import can be copied on x86_64 only")
        _ptrace(_SEIZE, pid, _OPTIONS)
        try:
            self._waiting = self._come_to_rest()
            self.channel = _socket_of(pid, self._waiting["rdi"])
        except OSError:
            self.release()
            raise

    def _come_to_rest(self) -> Registers:
        """Stop it where it waits for a message; return its registers there."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            _ptrace(_INTERRUPT, self._pid)
            _wait(self._pid)
            found = _registers(self._pid)
            if found["orig_rax"] == _RECVMSG and found["rax"] == _INTERRUPTED:
                return found
            if time.monotonic() > deadline:
                raise OSError(0, "the import does not wait for a game")
            _ptrace(_CONTINUE, self._pid)
            time.sleep(0.0002)

    def copy(self) -> int:
        """Make a copy that waits for a game; return its process id. It is a child of ours. Raises OSError."""
        at_call = self._waiting["rip"] - _LENGTH_OF_SYSCALL
        clone = {"rax": _CLONE, "orig_rax": _NO_CALL, "rip": at_call, "rdi": _CLONE_PARENT | signal.SIGCHLD}
        _set_registers(self._pid, {**self._waiting, **clone, "rsi": 0, "rdx": 0, "r10": 0, "r8": 0})
        made = self._until_returned()
        _wait(made)
        _set_registers(made, {**self._waiting, "rax": _RECVMSG, "orig_rax": _NO_CALL, "rip": at_call})
        _ptrace(_DETACH, made)
        return made

    def _until_returned(self) -> int:
        """Let it run until it comes back from its system call; return the result. Signals it is sent do not reach it."""
        entered = False
        while True:
            _ptrace(_SYSCALL, self._pid)
            if _wait(self._pid) != _AT_SYSCALL:
                continue
            if entered:
                result = ctypes.c_long(_registers(self._pid)["rax"]).value
                if result < 0:
                    raise OSError(-result, "the import cannot be copied")
                return result
            entered = True

    def is_unchanged(self) -> bool:
        """Tell whether its next copy will be like its first: it lives, and no game has left it a signal."""
        lines = ProcessTable().read(f"{self._pid}/status").splitlines()
        values = dict(line.split(b":\t", 1) for line in lines if line.startswith((b"State", b"SigPnd", b"ShdPnd")))
        pending = int(values.get(b"SigPnd", b"0"), 16) | int(values.get(b"ShdPnd", b"0"), 16)
        return values.get(b"State", b"").startswith(b"t") and not pending & ~_OURS

    def release(self) -> None:
        """Let the process run on. Only for one that is stopped."""
        with contextlib.suppress(OSError):
            _ptrace(_DETACH, self._pid)


def _socket_of(pid: int, number: int) -> socket.socket:
    """Return another handle on an open socket of a process; raises OSError."""
    process = os.pidfd_open(pid)
    try:
        found = _libc().syscall(_PIDFD_GETFD, process, ctypes.c_int(number), 0)
    finally:
        os.close(process)
    if found < 0:
        raise OSError(ctypes.get_errno(), "the import does not wait for a game")
    return socket.socket(fileno=found)


def _wait(pid: int) -> int:
    """Wait until a process stops; return the signal that stopped it. Raises ProcessLookupError if it has ended instead."""
    status = os.waitpid(pid, _ALL_CHILDREN)[1]
    if not os.WIFSTOPPED(status):
        raise ProcessLookupError(0, "the import has ended")
    return os.WSTOPSIG(status)


class _Vector(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]


_Block = ctypes.c_ulonglong * len(_NAMES)


def _registers(pid: int) -> Registers:
    block = _Block()
    _exchange(_GET_REGISTERS, pid, block)
    return dict(zip(_NAMES, block, strict=True))


def _set_registers(pid: int, values: Registers) -> None:
    _exchange(_SET_REGISTERS, pid, _Block(*(values[name] for name in _NAMES)))


def _exchange(request: int, pid: int, block: ctypes.Array[ctypes.c_ulonglong]) -> None:
    vector = _Vector(ctypes.addressof(block), ctypes.sizeof(block))
    _ptrace(request, pid, ctypes.addressof(vector), _GENERAL)


def _ptrace(request: int, pid: int, data: int = 0, address: int = 0) -> None:
    if _libc().ptrace(ctypes.c_long(request), pid, ctypes.c_void_p(address), ctypes.c_void_p(data)) < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"the import cannot be stopped for good: {os.strerror(code)}")


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
