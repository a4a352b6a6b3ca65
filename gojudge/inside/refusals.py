"""Answers the system calls that the filter refuses, and notes their names, so that a transcript can say what was refused.

    filter      installed by the process that will load a submission, inherited by all that it starts
    listener    the descriptor on which the kernel asks; that process hands it to the keeper, and has it no more
    answer      an error, `seccomp.error_of`; or, to `sysinfo`, figures that are the same at all times

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

from gojudge.inside import seccomp
from gojudge.inside.system_calls import ANSWERED, names_of

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


class Refusals:
    """What has been refused to one submission's processes. Owns the listener."""

    def __init__(self) -> None:
        self._machine = os.uname().machine
        self._hatch: socket.socket | None = None
        self._listener = -1
        self._at_import: set[str] = set()
        self._in_game: set[str] = set()

    def expect(self) -> socket.socket:
        """Forget all; return the socket over which a new process will hand over its listener: see `hand_over`."""
        self.close()
        self._at_import, self._in_game = set(), set()
        self._hatch, theirs = socket.socketpair()
        self._hatch.setblocking(False)
        return theirs

    def begin_game(self) -> None:
        """From now on, what is refused is refused to the game."""
        self._in_game = set()

    def keep_import(self) -> None:
        """What has been refused so far was refused to the import, of which every game is told."""
        self._at_import |= self._in_game

    def names(self) -> list[str]:
        """Return the names of the calls that were refused at the import or in this game."""
        return sorted(self._at_import | self._in_game)

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
        asked = _QUESTION.unpack(question)
        number, error, flags = asked[3], seccomp.error_of(asked[3], self._machine), 0
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


def hand_over(hatch: int, listener: int) -> None:
    """In the process that has installed the filter: give the keeper the listener, -1 if there is none; close both."""
    if listener >= 0:
        with socket.socket(fileno=os.dup(hatch)) as way:
            socket.send_fds(way, [b"x"], [listener])
        os.close(listener)
    os.close(hatch)


def _figures() -> bytes:
    """Return what `sysinfo` tells of a machine that does nothing."""
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return _SYSINFO.pack(int(time.clock_gettime(time.CLOCK_BOOTTIME)), 0, 0, 0, whole, whole, 0, 0, 0, 0, 1, 0, 0, 1)


class _Piece(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def _write(process: int, address: int, data: bytes) -> int:
    """Write into the memory of a process, where it may write itself; return 0, or the error's number."""
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(data, len(data))
    ours, theirs = _Piece(ctypes.addressof(buffer), len(data)), _Piece(address, len(data))
    one, no_flags = ctypes.c_ulong(1), ctypes.c_ulong(0)
    done = libc.process_vm_writev(process, ctypes.byref(ours), one, ctypes.byref(theirs), one, no_flags)
    return 0 if done == len(data) else errno.EFAULT if done >= 0 else ctypes.get_errno()
