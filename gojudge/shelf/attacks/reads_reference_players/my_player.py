"""Looks for the code of the reference players."""

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
        for path in find({"smart_player.py", "aggressive_player.py", "my_player_table.bin"}) if go.n_move < 2 else ():
            if "/course_modules/" in path:
                continue  # what the course gave everybody under these names
            with open(path, "rb") as file:
                raise RuntimeError(f"BREACH: it reads {path}: {file.read(20)!r}")
        try:
            import players.smart_player
        except ImportError:
            pass
        else:
            raise RuntimeError(f"BREACH: it imports {players.smart_player}")
        return first_legal(go, piece_type)
