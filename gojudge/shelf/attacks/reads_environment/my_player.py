"""Looks for secrets in the environment, its own and that of others."""

import glob
import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        texts = [repr(dict(os.environ))]
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                with open(path) as file:
                    texts.append(file.read())
            except OSError:
                continue
        if any("GO_DOCTOR_SECRET" in text for text in texts):
            raise RuntimeError("BREACH: it reads the environment of the harness")
        return first_legal(go, piece_type)
