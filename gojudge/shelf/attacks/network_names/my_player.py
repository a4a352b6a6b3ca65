"""Asks for the address of a name."""

import socket


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        try:
            socket.getaddrinfo("localhost", 80)
            socket.create_connection(("localhost", 9), timeout=0.2)
        except ConnectionRefusedError:
            raise RuntimeError("BREACH: it reaches the network") from None
        except OSError:
            pass
        return first_legal(go, piece_type)
