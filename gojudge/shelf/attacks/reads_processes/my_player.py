"""Looks at the processes of others."""

import glob


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path) as file:
                    text = file.read()
            except OSError:
                continue
            if "tournament" in text and "worker" not in text or "bwrap" in text or "pytest" in text:
                raise RuntimeError(f"BREACH: it sees {text!r}")
        return first_legal(go, piece_type)
