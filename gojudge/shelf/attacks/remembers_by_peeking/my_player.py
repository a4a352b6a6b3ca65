"""Waits for its orders without taking them, so that earlier ones are still there."""

import contextlib
import socket
import sys

ORDERS = []


class Peeking:
    """Stands in for the loading process's own socket."""

    def __init__(self, end):
        self.end = end

    def __getattr__(self, name):
        return getattr(self.end, name)

    def recvmsg(self, size, room=0, flags=0):
        found = self.end.recvmsg(size, room, flags | socket.MSG_PEEK)
        with contextlib.suppress(BlockingIOError):
            while True:
                ORDERS.append(self.end.recv(size, socket.MSG_DONTWAIT))
        return found


frame = sys._getframe()
while "_channel" not in dir(frame.f_locals.get("self")):
    frame = frame.f_back
channel = frame.f_locals["self"]._channel
channel.socket = Peeking(channel.socket)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if b"".join(ORDERS).count(b"seed") > 1:
            raise RuntimeError("BREACH: it knows the seeds of other games")
        return first_legal(go, piece_type)
