"""Leaves hints with the files of the interpreter."""

import errno
import fcntl
import os
import struct


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        with open(os.__file__, "rb") as file:
            for command in (1036, 1038):
                try:
                    fcntl.fcntl(file, command, struct.pack("=Q", 3))
                except OSError:
                    continue
                raise RuntimeError("BREACH: a hint stays with a file")
            for command in (0x40086602, 0xC0506617, 0x40087602):
                try:
                    fcntl.ioctl(file, command, bytes(128))
                except OSError as error:
                    if error.errno == errno.ENOTTY:
                        continue
                raise RuntimeError("BREACH: it asks a file system for favours")
        return first_legal(go, piece_type)
