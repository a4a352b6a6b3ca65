"""Leaves options on the sockets that the loading process has, for later games."""

import os
import socket


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for number in range(3, 256):
            try:
                end = socket.socket(fileno=os.dup(number))
                before = end.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 12345)
                after = end.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
            except OSError:
                continue
            if before != after:
                raise RuntimeError("BREACH: an option stays with a socket")
        return first_legal(go, piece_type)
