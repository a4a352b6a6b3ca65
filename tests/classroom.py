"""Twenty submissions to try the tournament with: good ones, the reference players in disguise, and broken ones.

    python3 -m tests.classroom hw2        makes the folder hw2 and the roster hw2.csv
"""

from __future__ import annotations

import io
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEAD = "class MyPlayer:\n    def get_input(self, go, piece_type):\n"
LEGAL = """
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        legal = [point for point in points if go.valid_place_check(*point, piece_type, test_check=True)]
"""
FIRST = f"{HEAD}{LEGAL}        return legal[0]\n"
MIDDLE = f"{HEAD}{LEGAL}        return min(legal, key=lambda p: abs(p[0] - go.size // 2) + abs(p[1] - go.size // 2))\n"
CAPTURES = f"""{HEAD}{LEGAL}
        def captured(point):
            test = go.copy_board()
            test.place_chess(*point, piece_type)
            return len(test.remove_died_pieces(3 - piece_type))

        return max(legal, key=captured)
"""
CRASHES = f"{HEAD}{LEGAL}        return legal[go.n_move // (go.n_move - 11)]\n"
STUBBORN = f"{HEAD}        return go.size // 2, go.size // 2\n"
SLOW = f"""import time

{HEAD}        if go.n_move == 1 and go.board[go.size // 2][go.size // 2]:
            time.sleep(60)
{LEGAL}        return legal[-1]
"""

# name: the students; who is not in it is called as his files are.
ROSTER = {"hana": "Hana Sato; Ilya Orlov", "lea": "Lea Blanc", "max": "Max Weber", "sam": "=SUM(A1:A9)"}


def submissions() -> dict[str, dict[str, bytes]]:
    """Return what is handed in: the name of a folder or file -> its files, or its contents under ''."""
    own = {"my_player.py": (ROOT / "my_player.py").read_bytes()}
    table = {"my_player_table.bin": (ROOT / "my_player_table.bin").read_bytes()}
    return {
        "ann": own | table,
        "bob.py": {"": own["my_player.py"]},
        "cai.zip": {"": zipped({f"homework/{name}": data for name, data in (own | table).items()})},
        "dana": disguised("smart", "SmartPlayer"),
        "eli.tar.gz": {"": tarred(disguised("aggressive", "AggressivePlayer"))},
        "fay.zip": {"": zipped(disguised("greedy", "GreedyPlayer"))},
        "gil": disguised("random", "RandomPlayer"),
        "hana": disguised("alphabeta", "AlphaBetaPlayer"),
        "ivo.py": {"": CAPTURES.encode()},
        "jo.py": {"": FIRST.encode()},
        "kim.py": {"": MIDDLE.encode()},
        "lea.py": {"": FIRST.replace("MyPlayer", "Agent").encode()},
        "max.py": {"": CRASHES.encode()},
        "nia.py": {"": STUBBORN.encode()},
        "oli.py": {"": SLOW.encode()},
        "pia.py": {"": b"import tensorflow\n\n" + FIRST.encode()},
        "quinn.py": {"": FIRST.encode() + b"\nprint 'done'\n"},
        "rosa.zip": {"": zipped(own)[:-100]},
        "sam.py": {"": FIRST.replace("MyPlayer", "Player").encode()},
        "tom": {"my_player3.py": b"board = open('input.txt').read()\n"},
    }


def disguised(name: str, cls: str) -> dict[str, bytes]:
    """Return a reference player as a student might hand it in."""
    modules = {f"players/{path.name}": path.read_bytes() for path in sorted((ROOT / "players").glob("*.py"))}
    return {"my_player.py": f"from players.{name}_player import {cls} as MyPlayer\n".encode(), **modules}


def zipped(files: dict[str, bytes]) -> bytes:
    """Return files as a zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    """Return files as a compressed tar archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def make(folder: Path) -> None:
    """Make the folder of submissions, and the roster beside it."""
    lines = ["submission,name,students,class"]
    for name, files in submissions().items():
        place = folder / name
        for path, data in files.items():
            target = place / path if path else place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        stem = name.split(".")[0]
        lines.append(f"{name},{stem},{ROSTER.get(stem, '')},{'Agent' if stem == 'lea' else ''}")
    folder.with_suffix(".csv").write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    make(Path(sys.argv[1]))
    print(f"20 submissions in {sys.argv[1]}, roster in {Path(sys.argv[1]).with_suffix('.csv')}")
