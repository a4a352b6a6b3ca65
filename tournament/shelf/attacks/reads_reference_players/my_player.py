"""Looks for the code of the reference players."""

import os


def find(names):
    looked_at = 0
    for folder, _, files in os.walk("/"):
        looked_at += 1
        if folder.startswith(("/proc", "/sys")) or looked_at > 20000:
            continue
        for name in files:
            if name in names or not names and name.endswith((".sqlite", ".sqlite3", ".db")):
                yield os.path.join(folder, name)


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for path in find({"smart_player.py", "aggressive_player.py", "my_player_table.bin"}) if go.n_move < 2 else ():
            with open(path, "rb") as file:
                raise RuntimeError(f"BREACH: it reads {path}: {file.read(20)!r}")
        try:
            import players.smart_player
        except ImportError:
            pass
        else:
            raise RuntimeError(f"BREACH: it imports {players.smart_player}")
        return first_legal(go, piece_type)
