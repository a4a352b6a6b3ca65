"""Looks for services of the machine to talk to."""

import socket


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        try:
            with open("/proc/net/unix") as file:
                names = [line.split()[7] for line in file if len(line.split()) > 7 and line.split()[7] != "Path"]
        except OSError:
            names = []
        for name in [*names, "/run/systemd/private", "/var/run/docker.sock", "/run/dbus/system_bus_socket"]:
            with socket.socket(socket.AF_UNIX) as line:
                try:
                    line.connect(name.replace("@", "\0", 1))
                except OSError:
                    continue
                raise RuntimeError(f"BREACH: it talks to {name}")
        return first_legal(go, piece_type)
