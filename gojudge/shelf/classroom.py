"""Submissions to try the tournament with: good ones, the reference players in disguise, and broken ones; twenty, or more of
the same.

They are made from files of this project: its own `my_player.py` with its table, and `players/`. `python3 -m tournament sample`
writes them.
"""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

from goban.common.excerpts import quoted, quoted_path
from goban.common.files import is_new_or_empty, make_folder
from gojudge.errors import JudgeError
from players.shipped_player import shipped_files

ROOT = Path(__file__).resolve().parents[2]

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

# What students print while they look for a mistake.
THINKS_ALOUD = """

class MyPlayer(MyPlayer):
    def get_input(self, go, piece_type):
        own, other = (sum(row.count(colour) for row in go.board) for colour in (piece_type, 3 - piece_type))
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        legal = [point for point in points if go.valid_place_check(*point, piece_type, test_check=True)]
        move = super().get_input(go, piece_type)
        print(f"stones: {own} of mine, {other} of theirs; {len(legal)} legal points")
        print(f"captured last: {go.died_pieces or 'nothing'}; I play {move}")
        return move
"""

# name: the students. Where none are named, a submission's name stands for its student.
TWENTY = 20
ROSTER = {"hana": "Hana Sato; Ilya Orlov", "lea": "Lea Blanc", "max": "Max Weber", "sam": "=SUM(A1:A9)"}

# When those were handed in who were late; the others had time until the end of 1 October 2026.
LATE = {"ivo": "2026-10-02 08:15:00", "jo": "2026-10-04 19:30:00"}

SMALL_CLASS = ("ann", "bob", "dana", "eli", "fay", "gil", "hana", "ivo", "kim", "max", "nia", "oli")
"""The submissions of the small event, by name: all of them can be taken in."""


def submissions() -> dict[str, dict[str, bytes]]:
    """Return the submissions: name of a folder or file -> {path in the folder: contents}, with the path '' for a file."""
    own = {name: path.read_bytes() for name, path in shipped_files().items()}
    return {
        "ann": own,
        "bob.py": {"": own["my_player_search.py"].replace(b"class SearchPlayer", b"class MyPlayer")},
        "cai.zip": {"": zip_files({f"homework/{name}": data for name, data in own.items()})},
        "dana": disguise("smart", "SmartPlayer"),
        "eli.tar.gz": {"": tar_files(disguise("aggressive", "AggressivePlayer"))},
        "fay.zip": {"": zip_files(disguise("greedy", "GreedyPlayer"))},
        "gil": disguise("random", "RandomPlayer"),
        "hana": disguise("alphabeta", "AlphaBetaPlayer"),
        "ivo.py": {"": CAPTURES.encode()},
        "jo.py": {"": FIRST.encode()},
        "kim.py": {"": MIDDLE.encode()},
        "lea.py": {"": FIRST.replace("MyPlayer", "Agent").encode()},
        "max.py": {"": CRASHES.encode()},
        "nia.py": {"": STUBBORN.encode()},
        "oli.py": {"": SLOW.encode()},
        "pia.py": {"": b"import tensorflow\n\n" + FIRST.encode()},
        "quinn.py": {"": FIRST.encode() + b"\nprint 'done'\n"},
        "rosa.zip": {"": zip_files({name: own[name] for name in own if name.endswith(".py")})[:-100]},
        "sam.py": {"": FIRST.replace("MyPlayer", "Player").replace("get_input", "get_move").encode()},
        "tom": {"my_player3.py": b"board = open('input.txt').read()\n"},
    }


def disguise(name: str, cls: str) -> dict[str, bytes]:
    """Return a reference player as a student might hand it in."""
    modules = {f"players/{path.name}": path.read_bytes() for path in sorted((ROOT / "players").glob("*.py"))}
    return {"my_player.py": f"from players.{name}_player import {cls} as MyPlayer\n".encode(), **modules}


def zip_files(files: dict[str, bytes]) -> bytes:
    """Return files as a zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def tar_files(files: dict[str, bytes]) -> bytes:
    """Return files as a compressed tar archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def make_class(folder: Path, number: int = TWENTY) -> int:
    """Make the folder of submissions, and the roster beside it (`roster_of`); return the number of submissions.

    number: more than twenty are the same again, called ann2, bob2 and so on. Files of an earlier class are overwritten. Raises
    JudgeError if the folder holds anything else, and OSError.
    """
    twenty = list(submissions().items())
    handed_in: dict[str, dict[str, bytes]] = {}
    lines = ["submission,name,students,class,email,submitted"]
    for place in range(number):
        again, one = divmod(place, TWENTY)
        file, files = twenty[one]
        stem = stem_of(file)
        name = f"{stem}{again + 1 if again else ''}"
        handed_in[f"{name}{file.removeprefix(stem)}"] = files
        students = ROSTER.get(name, "")
        submitted = LATE.get(stem, f"2026-10-01 {9 + place % 12:02}:{place * 7 % 60:02}:00")
        agent = "Agent" if stem == "lea" else ""
        lines.append(f"{name}{file.removeprefix(stem)},{name},{students},{agent},{name}@example.org,{submitted}")
    roster, text = roster_of(folder), "\n".join([*lines, ""])
    if is_new_or_empty(folder) and roster.exists() and roster.read_bytes() != text.encode():
        # Somebody's real class.
        raise JudgeError(f"expected no roster of another class, found {quoted_path(roster)}")
    write_submissions(folder, handed_in)
    roster.write_text(text)
    return len(handed_in)


def roster_of(folder: Path) -> Path:
    """Return where the roster of a class is."""
    return folder.with_name(f"{folder.name}.csv")


def stem_of(name: str) -> str:
    """Return the name of a submission without the endings of its file."""
    return name.partition(".")[0]


def make_small_class(folder: Path) -> None:
    """Make a folder of the twelve of SMALL_CLASS, one of which prints what it thinks. Raises as `make_class`."""
    chosen = {name: files for name, files in submissions().items() if stem_of(name) in SMALL_CLASS}
    chosen["hana"]["my_player.py"] += THINKS_ALOUD.encode()
    write_submissions(folder, chosen)


def write_submissions(folder: Path, handed_in: dict[str, dict[str, bytes]]) -> None:
    """Make a folder and write submissions into it, given as `submissions` returns them. Raises JudgeError, OSError."""
    # `..` may follow a folder that is made only then.
    there = folder.resolve()
    if there.exists() and not there.is_dir():
        raise JudgeError(f"expected a folder, or the name for a new one, got the file {quoted_path(folder)}")
    others = sorted({path.name for path in there.iterdir()} - handed_in.keys()) if there.exists() else []
    if others:
        # Real submissions must not be overwritten, nor mixed with these.
        contents = f"{quoted(others[0])} in {quoted_path(folder)}"
        raise JudgeError(f"expected a new folder, or one with sample submissions only, got {contents}")
    for name, files in handed_in.items():
        place = folder / name
        for path, data in files.items():
            target = place / path if path else place
            make_folder(target.parent)
            target.write_bytes(data)
