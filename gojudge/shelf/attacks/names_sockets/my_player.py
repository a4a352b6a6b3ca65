"""Gives names to sockets that it was handed from outside."""

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
                end.bind(f"\0news{number}")
            except OSError:
                continue
            raise RuntimeError("BREACH: its socket has a name outside")
        return first_legal(go, piece_type)
