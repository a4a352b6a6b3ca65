"""Leaves a message in the count of all sockets' cookies."""

import contextlib
import socket


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for option in (57, 71, 77):
            with socket.socket(socket.AF_UNIX) as one, contextlib.suppress(OSError):
                one.getsockopt(socket.SOL_SOCKET, option, 8)
                raise RuntimeError("BREACH: it reads a number that counts")
        return first_legal(go, piece_type)
