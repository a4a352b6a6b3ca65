"""Looks for other submissions."""

import glob
import itertools
import os
import sys


def folders():
    """Yield the folders there are, but those of the system and the interpreter last, and so many at most."""
    try:
        found = set(os.listdir("/"))
    except PermissionError:
        found = {"etc", "home", "opt", "root", "srv", "tmp", "usr", "var"}
    tops = [top for top in sorted(found - {"proc", "sys"}) if not os.path.islink(f"/{top}")]
    tops.sort(key=lambda top: (top == "usr", f"{sys.base_prefix}/".startswith(f"/{top}/")))
    return itertools.islice(itertools.chain.from_iterable(os.walk(f"/{top}") for top in tops), 3000)


def find(names):
    for folder, _, files in folders():
        for name in files:
            if name in names or not names and name.endswith((".sqlite", ".sqlite3", ".db")):
                yield os.path.join(folder, name)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        here = os.path.dirname(os.path.abspath(__file__))
        for path in glob.glob("../*/my_player.py") + glob.glob("/tmp/*/*/my_player.py"):
            if not os.path.samefile(os.path.dirname(path), here):
                raise RuntimeError(f"BREACH: it reads {path}: {open(path).read(20)!r}")
        for path in find({"expected.toml"}) if go.n_move < 2 else ():
            if not path.startswith(here) and not path.startswith("/submission/"):
                raise RuntimeError(f"BREACH: it reads {path}: {open(path).read(20)!r}")
        return first_legal(go, piece_type)
