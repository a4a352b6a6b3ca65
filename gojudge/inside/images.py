"""A process kept as it was at one moment. It never runs again; each game is played by a copy of it.

A loading process that ran between games could remember them: whatever a submission has left in it (handlers of forks and of
signals, replaced functions, threads) would be called there. So once it waits for its first game, it is stopped by way of
ptrace, copied, and killed. The copy is the image. It and all that is copied from it run no instruction of their own for us, but
system calls that are put in their place: registers are set, one call is executed, and registers are set again.

Nothing of what a copy is given is searched for signs of earlier games; it is made anew. One copy is made on trial: where the
import forbids that, its process plays itself, and is loaded anew for each game. These calls are executed:

    in the loading process   clone
    in the image, once       setsid; close_range: of its descriptors only the cradle is left, a socket that we hold the other
                             end of
    in the image, per game   clone
    in the copy              recvmsg on the cradle: it brings the copy's descriptors 0 to 3, of which no other process knows;
                             setsid: where the kernel shares the cores among sessions, it would tell how much of them earlier
                             games of the same session have used; close: the cradle is gone

Then the copy waits for a game on its descriptor 3, where the loading process waited. What is left of the loading process is
its memory, which each copy gets a copy of, as long as none of it is shared: `Processes.why_not_fork` looks at that.

Runs in the keeper, which must be the parent. Every wait has a limit. Source: man 2 ptrace, linux/ptrace.h, asm/ptrace.h. Only
for x86_64: other machines keep their registers differently.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import struct
import time
from collections.abc import Callable

from gojudge.inside.c_library import libc
from gojudge.inside.process_table import await_child

_SEIZE, _INTERRUPT, _STEP, _CONTINUE, _DETACH, _PEEK, _POKE = 0x4206, 0x4207, 9, 7, 17, 2, 5
_GET_REGISTERS, _SET_REGISTERS, _GENERAL = 0x4204, 0x4205, 1
# PTRACE_O_TRACEFORK (the copy is stopped before it runs), PTRACE_O_EXITKILL
_OPTIONS = 2 | 1 << 20
_ALL_CHILDREN = 0x40000000  # __WALL

_NAMES = (
    "r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi", "rdi", "orig_rax", "rip",
    "cs", "eflags", "rsp", "ss", "fs_base", "gs_base", "ds", "es", "fs", "gs",
)  # fmt: skip
_ARGUMENTS = ("rdi", "rsi", "rdx", "r10", "r8")
_CLOSE, _RECVMSG, _CLONE, _SETSID, _CLOSE_RANGE, _PIDFD_GETFD = 3, 47, 56, 112, 436, 438
_CLONE_PARENT = 0x8000
_NO_CALL = (1 << 64) - 1
_AGAIN = range(-514, -511)  # -ERESTARTNOHAND, -ERESTARTNOINTR, -ERESTARTSYS
_INTERRUPTED = (1 << 64) - 512
_SYSCALL_BYTES = 2

CHANNEL, CRADLE = 3, 4
"""The descriptors of a process that is to become an image: what it waits on, and what copies receive theirs from."""

# A process that has said that it is loaded begins to wait at once, and a system call of these takes no time.
_PATIENCE = 5.0
_PAUSE = 0.0002

# The layout of a message with one byte and four descriptors: struct msghdr, struct iovec, the byte, struct cmsghdr and more.
_HEADER, _VECTOR, _CONTROL = struct.Struct("=QIxxxxQQQQIxxxx"), struct.Struct("=QQ"), 32
_FLAGS_AT = 48
# It is written into the buffer that the process receives its next message in, behind what any message takes.
_UNUSED_FROM, _UNUSED_TO = 8192, 16384
_TRY = socket.MSG_DONTWAIT

Registers = dict[str, int]


class Image:
    """A copy of a child of ours that has loaded a submission.

    loader: the child; it must be about to wait for a message, and is left to run on if it does not. It is killed once there is
    an image. cradle: our end of the socket of which it has the other one, with that inode. why_not: says of the child, once it
    is at rest, why it may not be copied, '' if it may. starting: called before each copy, with the id to follow. level: called
    with the image, so that no copy can leave marks on its memory; may raise OSError.

    Raises OSError, with words that say why there is no image.
    """

    def __init__(
        self,
        loader: int,
        cradle: socket.socket,
        other_end: int,
        why_not: Callable[[], str],
        starting: Callable[[int], None],
        level: Callable[[int], None],
    ) -> None:
        self.pid = 0
        self._starting = starting
        self._cradle = cradle
        self._waiting: Registers = {}
        if os.uname().machine != "x86_64":
            raise OSError(0, "the import can be copied on x86_64 only")
        _ptrace(_SEIZE, loader, _OPTIONS)
        try:
            self._waiting = _come_to_rest(loader)
            if inode_of(loader, CRADLE) != other_end:
                raise OSError(0, "the import closed what was open")
            if reason := why_not():
                raise OSError(0, reason)
            self._message = self._unused_memory(loader)
            self.pid = self._clone(loader, 1)
            self._prepare()
            self._prove()
            _end(loader)
            level(self.pid)
        except OSError:
            self.close()
            self._release(loader)
            raise

    def _prove(self) -> None:
        """Make a copy, and end it: what the import has done to the cradle, or to itself, may forbid that. Raises OSError."""
        nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        try:
            _end(self.copy((nothing, nothing, nothing, nothing)))
        finally:
            os.close(nothing)

    def _release(self, loader: int) -> None:
        """Let the loading process wait on. One that is not stopped would be traced for ever, and is killed."""
        try:
            if self._waiting:
                self._set(loader, _RECVMSG, CHANNEL, self._waiting["rsi"], self._waiting["rdx"])
            _ptrace(_DETACH, loader)
        except OSError:
            _end(loader)

    def _unused_memory(self, loader: int) -> int:
        """Return where in the memory of a process that waits for a message nobody looks before it has received one."""
        vector, pieces = (_peek(loader, self._waiting["rsi"] + offset) for offset in (16, 24))
        start, length = (_peek(loader, vector + offset) for offset in (0, 8))
        if not pieces or length < _UNUSED_TO:
            raise OSError(0, "the import does not wait for a game")
        return start + _UNUSED_FROM & ~7

    def _prepare(self) -> None:
        """Leave the image nothing but its memory and the cradle; put the message there with which copies receive theirs."""
        # The loading process's id, which its copies are to have, must not remain that of a session.
        self._call(self.pid, _SETSID)
        self._call(self.pid, _CLOSE_RANGE, 0, CHANNEL)
        self._call(self.pid, _CLOSE_RANGE, CRADLE + 1, 0xFFFFFFFF)
        vector = self._message + _HEADER.size
        byte = vector + _VECTOR.size
        text = _HEADER.pack(0, 0, vector, 1, byte + 8, _CONTROL, 0) + _VECTOR.pack(byte, 1)
        for place in range(0, len(text), 8):
            _ptrace(_POKE, self.pid, int.from_bytes(text[place : place + 8], "little"), self._message + place)

    def copy(self, descriptors: tuple[int, int, int, int]) -> int:
        """Make a copy with these descriptors, which waits for a game on the last; return its process id. Raises OSError.

        It is a child of ours.
        """
        self._cradle.sendmsg(
            [b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("=4i", *descriptors))], socket.MSG_DONTWAIT
        )
        made = self._clone(self.pid, self.pid)
        try:
            self._call(made, _RECVMSG, CRADLE, self._message, _TRY)
            if _peek(made, self._message + _FLAGS_AT) & 0xFFFFFFFF:
                raise OSError(0, "the import cannot be copied: it may open too few files")
            self._call(made, _SETSID)
            self._call(made, _CLOSE, CRADLE)
            self._set(made, _RECVMSG, CHANNEL, self._waiting["rsi"], 0)
            _ptrace(_DETACH, made)
        except OSError:
            _end(made)
            raise
        return made

    def _clone(self, pid: int, after: int) -> int:
        """Have a process copied; return the id of the copy, which is a child of ours and has not run."""
        self._starting(after)
        made = self._call(pid, _CLONE, _CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)
        if made in (0, pid):  # 0 would stand for any child of ours
            raise OSError(0, "the import cannot be copied: it lies about what it has started")
        _wait(made)
        return made

    def _set(self, pid: int, number: int, *arguments: int) -> None:
        """Have a process execute a system call when it runs on, from where the import waited."""
        at_call = self._waiting["rip"] - _SYSCALL_BYTES
        values = dict(zip(_ARGUMENTS, arguments, strict=False))
        _set_registers(pid, {**self._waiting, "rax": number, "orig_rax": _NO_CALL, "rip": at_call, **values})

    def _call(self, pid: int, number: int, *arguments: int) -> int:
        """Have a process execute a system call; return the result. Signals it is sent do not reach it. Raises OSError."""
        deadline = time.monotonic() + _PATIENCE
        places = self._waiting["rip"] - _SYSCALL_BYTES, self._waiting["rip"]
        self._set(pid, number, *arguments)
        while time.monotonic() < deadline:
            _ptrace(_STEP, pid)
            stopped, registers = _wait(pid), _registers(pid)
            called = stopped == signal.SIGTRAP and registers["rip"] == self._waiting["rip"]
            # The import may have put another instruction there, or have the kernel go on elsewhere (rseq): its own code could
            # leave calls out, make up results, and make others.
            if registers["rip"] not in places or (called and registers["orig_rax"] != number):
                raise OSError(0, "the import cannot be copied: it does not do as it should")
            # Other stops come before the call is executed, or in it.
            if not called:
                continue
            result = ctypes.c_long(registers["rax"]).value
            if result not in _AGAIN:
                if result < 0:
                    raise OSError(-result, f"the import cannot be copied: {os.strerror(-result)}")
                return result
            self._set(pid, number, *arguments)
        raise TimeoutError(0, "the import cannot be copied: it does not do as it should")

    def close(self) -> None:
        """End the image."""
        if self.pid:
            _end(self.pid)
            self.pid = 0


def _come_to_rest(pid: int) -> Registers:
    """Stop a process where it waits for a message on its channel; return its registers there."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        _ptrace(_INTERRUPT, pid)
        _wait(pid)
        registers = _registers(pid)
        if (registers["orig_rax"], registers["rax"], registers["rdi"]) == (_RECVMSG, _INTERRUPTED, CHANNEL):
            return registers
        if time.monotonic() > deadline:
            raise OSError(0, "the import does not wait for a game")
        _ptrace(_CONTINUE, pid)
        time.sleep(_PAUSE)


def inode_of(pid: int, number: int) -> int:
    """Return the inode of an open file of a process; raises OSError."""
    process = os.pidfd_open(pid)
    try:
        file = libc().syscall(_PIDFD_GETFD, process, ctypes.c_int(number), 0)
    finally:
        os.close(process)
    if file < 0:
        raise OSError(ctypes.get_errno(), "the import closed what was open")
    try:
        return os.fstat(file).st_ino
    finally:
        os.close(file)


def _end(pid: int) -> None:
    """Kill a child, and wait until it is gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        while True:
            _wait(pid)


def _wait(pid: int) -> int:
    """Wait until a process stops; return what stopped it: a signal, and above it an event.

    Raises ProcessLookupError if it has ended instead, TimeoutError if it does neither. SIGCHLD must be blocked.
    """
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        waited, status = os.waitpid(pid, _ALL_CHILDREN | os.WNOHANG)
        if not waited:
            await_child(_PAUSE)
        elif os.WIFSTOPPED(status):
            return status >> 8
        else:
            raise ProcessLookupError(0, "the import has ended")
    raise TimeoutError(0, "the import does not stop")


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


def _peek(pid: int, address: int) -> int:
    """Return the eight bytes at an address of a process."""
    word = ctypes.c_ulonglong()
    # By the system call: the C library's function cannot tell every word from a failure.
    if libc().syscall(101, ctypes.c_long(_PEEK), pid, ctypes.c_void_p(address), ctypes.byref(word)) < 0:
        raise OSError(ctypes.get_errno(), "the import does not wait for a game")
    return word.value


def _ptrace(request: int, pid: int, data: int = 0, address: int = 0) -> None:
    if libc().ptrace(ctypes.c_long(request), pid, ctypes.c_void_p(address), ctypes.c_void_p(data)) < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"the import cannot be stopped for good: {os.strerror(code)}")
