"""Its import never returns: it answers the judge itself, and counts the games."""

import os
import socket
import sys

GAMES = [0]


class Counting:
    """Stands in for the loading process's own channel."""

    def __init__(self, channel):
        self.channel = channel

    def __getattr__(self, name):
        return getattr(self.channel, name)

    def receive_with_descriptor(self):
        while True:
            found = self.channel.receive_with_descriptor()
            GAMES[0] += 1
            child = os.fork()
            if not child:
                return {"game": {**found[0]["game"], "fork": False}}, found[1]
            socket.socket(fileno=found[1]).close()
            self.channel.send({"ended": os.waitpid(child, 0)[1]})


frame = sys._getframe()
while "_channel" not in dir(frame.f_locals.get("self")):
    frame = frame.f_back
frame.f_locals["self"]._channel = Counting(frame.f_locals["self"]._channel)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and GAMES[0] > 1:
            raise RuntimeError("BREACH: news of another game")
        return first_legal(go, piece_type)
