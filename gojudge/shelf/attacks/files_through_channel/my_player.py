"""Sends open files to the harness, sockets through each other, and bytes beside the stream."""

import os
import socket


def channel():
    for number in range(3, 64):
        try:
            return socket.socket(fileno=os.dup(number))
        except OSError:
            continue
    raise SystemExit


def is_done(send, *what):
    try:
        send(*what)
    except PermissionError:
        return False
    return True


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        here, there = socket.socketpair()
        for way in (channel(), here):
            if is_done(socket.send_fds, way, [b" "], [here.fileno(), there.fileno()]):
                raise RuntimeError("BREACH: it sends open files")
            if is_done(way.send, b" ", socket.MSG_OOB):
                raise RuntimeError("BREACH: it sends what is kept beside the stream")
        return first_legal(go, piece_type)
