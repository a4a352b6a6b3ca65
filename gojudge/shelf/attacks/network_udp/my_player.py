"""Sends a packet."""

import socket


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
                line.connect(("127.0.0.1", 9))
                line.send(b"hello")
        except ConnectionRefusedError:
            raise RuntimeError("BREACH: it reaches the network") from None
        except OSError:
            pass
        else:
            raise RuntimeError("BREACH: it reaches the network")
        return first_legal(go, piece_type)
