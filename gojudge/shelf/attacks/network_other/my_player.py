"""Opens sockets of the families nobody thinks of."""

import socket


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for family in ("AF_INET6", "AF_VSOCK", "AF_PACKET", "AF_NETLINK", "AF_ALG"):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
                try:
                    socket.socket(getattr(socket, family), kind).close()
                except OSError:
                    continue
                raise RuntimeError(f"BREACH: it has a socket of {family}")
        return first_legal(go, piece_type)
