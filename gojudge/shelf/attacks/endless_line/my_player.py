"""Answers with a line of many megabytes."""

import os
import socket


def channel():
    for number in range(3, 64):
        try:
            return socket.socket(fileno=os.dup(number))
        except OSError:
            continue
    raise SystemExit


class MyPlayer:
    def get_input(self, go, piece_type):
        table = channel()
        while True:
            table.send(b"[" * (1 << 16))
