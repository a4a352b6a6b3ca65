"""Opens the memory of the processes around it."""

import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for pid in (1, os.getppid()):
            for name in ("mem", "maps", "environ", "root", "cwd", "fd/0"):
                try:
                    with open(f"/proc/{pid}/{name}", "rb") as file:
                        text = file.read(1) if name != "mem" else b"all"
                except OSError:
                    continue
                if text:
                    raise RuntimeError(f"BREACH: it opens {name} of process {pid}")
        return first_legal(go, piece_type)
