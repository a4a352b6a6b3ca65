"""What students hand in: archives and sources; and what course systems hand out of a class."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import shutil
import struct
import tarfile
import warnings
import zipfile
import zlib
from contextlib import suppress
from functools import partial
from pathlib import Path

from gojudge.errors import BadSubmissionError
from gojudge.intake.archives import Bounds, is_archive, read_files
from gojudge.intake.dependencies import companions
from gojudge.intake.exports import METADATA, export_in, unpack_export
from gojudge.intake.player_files import find_player
from gojudge.intake.repositories import read_commit_time
from tests.fuzz.mutations import BYTES, NUMBERS, Mutator
from tests.fuzz.readers import Reader

_ROOT = Path(__file__).parents[2]
_FILES = {"my_player.py": b"pass\n", "data/table.bin": b"\0\1\2" * 50, "empty": b""}
_NAMES = (
    "my_player.py", "a/b", "../x", "/etc/passwd", "a//b", "./x", "C:x", "a\\..\\b", "A", "a", "\u00e9", "e\u0301", "x" * 99,
    "x" * 300,
    "d/" * 20 + "x", "__pycache__/x.pyc", ".git/x", "", ".", "..", "a\nb", "\x1b[2J", "\udc80", "con", "a/", "日本/x",
)  # fmt: skip
_RUBY = b"""---
submission_1:
  :submitters:
  - :name: Ann Lee
    :sid: '1'
    :email: a@x.org
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-10-01 20:00:00.000000000 Z
  :score: 1.0
  :results:
    tests: &1
    - output: |
        x
  :history:
  - :id: 7
    :results: *1
submission_22:
  :submitters: []
"""
_TYPES = b"0127345\0xgKLSVXDMN"
# Stronger compression would only take longer, with a dictionary of megabytes.
_COMPRESSORS = (partial(gzip.compress, mtime=0), bz2.compress, partial(lzma.compress, preset=0), bytes)
_SOURCES = (
    b"""from go import GO
import helper, numpy as np

class MyPlayer:
    def get_input(self, go, piece_type):
        return 'PASS'
""",
    b"""# -*- coding: latin-1 -*-
from players import *
try:
    from a.b import Agent as MyPlayer
except ImportError:
    MyPlayer = None
""",
    b"""with open('input.txt') as f:
    f'{f!r:>{10}}'
open('data/table.json')
""",
    b"""x = {
    1: lambda *a, k=(yield), **b: [i async for i in a if not b],
}
if x:
\tpass
elif x: pass
match x:
    case [1, *_]:
        MyPlayer = 1
""",
)


# Archives


def _zip(files: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", how) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, how)
    return buffer.getvalue()


def _tar(files: dict[str, bytes], kind: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=kind) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def _archives() -> list[bytes]:
    zips = [_zip(_FILES, how) for how in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)]
    long = {"ü" * 60 + "/my_player.py": b"x"}
    tars = [_tar(long), _tar(long, tarfile.GNU_FORMAT), _tar(_FILES, tarfile.USTAR_FORMAT)]
    return [*zips, *tars, *(compress(tars[0]) for compress in _COMPRESSORS), b"class MyPlayer: pass\n"]


def _odd_zip(rng: random.Random) -> bytes:
    """Return a zip whose table of contents says odd things; it can be read up to there."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for _ in range(rng.randrange(1, 5)):
            entry = zipfile.ZipInfo("x")
            entry.filename = rng.choice(_NAMES)
            entry.compress_type = rng.choices((0, 8, 12, 14), (20, 10, 10, 1))[0]
            entry.external_attr = rng.choice((0, 0o100644 << 16, 0o120777 << 16, 0o40755 << 16, 0o10644 << 16, 0x10,
                rng.getrandbits(32)))
            entry.extra = rng.choice((b"", b"", struct.pack("<HHQ", 1, 8, 2**40), rng.randbytes(rng.randrange(9))))
            with suppress(UnicodeEncodeError, ValueError), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                archive.writestr(entry, rng.randbytes(rng.randrange(40)))
    return _mutated(rng, buffer.getvalue()) if rng.random() < 0.5 else buffer.getvalue()


def _odd_tar(rng: random.Random) -> bytes:
    """Return a tar with odd headers whose checksums are right, perhaps compressed."""
    blocks = []
    for _ in range(rng.randrange(1, 5)):
        body = rng.choice((b"", rng.randbytes(30), _pax_records(rng)))
        entry = tarfile.TarInfo(rng.choice(_NAMES[:20]))
        entry.size = len(body)
        header = bytearray(entry.tobuf(tarfile.GNU_FORMAT, errors="surrogateescape")[-512:])
        header[156] = rng.choice(_TYPES)
        if rng.random() < 0.3:
            place = rng.choice((100, 124, 136, 257, 345, 483))
            new = rng.choice((*NUMBERS, b"\x80" + rng.randbytes(7), b"\xff" * 8, b"77777777777"))[:11]
            header[place : place + len(new)] = new
        header[148:156] = b"        "
        header[148:156] = b"%06o\0 " % sum(header)
        blocks.append(bytes(header) + body + b"\0" * (-len(body) % 512))
    data = b"".join(blocks) + b"\0" * rng.choice((0, 512, 1024))
    return rng.choice(_COMPRESSORS)(_mutated(rng, data) if rng.random() < 0.2 else data)


def _pax_records(rng: random.Random) -> bytes:
    keys = (b"path", b"linkpath", b"size", b"mtime", b"uid", b"GNU.sparse.major", b"GNU.sparse.minor", b"GNU.sparse.size",
        b"GNU.sparse.map",
            b"GNU.sparse.realsize", b"GNU.sparse.name", b"GNU.sparse.numblocks", b"hdrcharset", b"comment")  # fmt: skip
    records = b""
    for _ in range(rng.randrange(1, 5)):
        record = b" " + rng.choice(keys) + b"=" + rng.choice((*NUMBERS, *BYTES, b"0,5,9,2", b"BINARY", b"x"))[:400] + b"\n"
        length = len(record) + 2 if len(record) < 98 else len(record) + 3
        records += str(length + rng.choice((0, 0, 0, 0, 1, -1, 10**6))).encode() + record
    return records


def _mutated(rng: random.Random, data: bytes) -> bytes:
    return Mutator(rng).mutated(data, data)


def _read_archive(data: bytes, folder: Path) -> str:
    path = folder / "handed-in"
    path.write_bytes(data)
    known = is_archive(path)
    try:
        files = read_files(path, Bounds(entries=50, mib=4))
    except MemoryError as error:
        # An LZMA header may ask for 4 GiB. Whoever takes submissions in reads them in a child that says the same.
        raise BadSubmissionError("cannot be read within so much memory") from error
    assert sum(map(len, files.values())) <= 4 * 2**20
    return f"{known} {min(len(files), 5)} {max(name.count('/') for name in files)}"


# What course systems hand out


def _read_export(data: bytes, folder: Path) -> str:
    for name in ("submission_1", "submission_22"):
        (folder / name).mkdir(exist_ok=True)
    (folder / METADATA).write_bytes(data)
    export = export_in(folder)
    assert export is not None
    assert {one.source.name for one in export.submissions} >= {"submission_1"} or len(export.told) > 1
    fields = [sorted(dict(one.fields)) for one in export.submissions]
    return f"{min(len(fields), 5)} {fields[:2]} {len(export.told)}"


def _read_class_zip(data: bytes, folder: Path) -> str:
    path = folder / "hw2.zip"
    path.write_bytes(data)
    shutil.rmtree(folder / "export", ignore_errors=True)
    export = unpack_export(path, lambda: folder)
    return "none" if export is None else f"{export.system} {min(len(export.submissions), 5)}"


_NAMED = {
    "a_LATE_1_2_my_player.py": b"pass\n", "b_3_4_my_player-1.py": b"", "c_5_text.html": b"x",
    "hw_eve_attempt_2026-10-01-08-00-00_x.py": b"", "hw_eve_attempt_2026-10-01-08-00-00.txt": b"Name: Eve (eve)\n",
    "Ann Lee_1_assignsubmission_file_/x.py": b"", "submission_1/my_player.py": b"", METADATA: b"submission_1:\n",
    "1_a@x.org_my_player.py": b"", "a@x.org_2_hw2.py": b"", "HW/a@x.org_1_q/go_1_2_77_x.py": b"",
    "a+hw2+2026-10-01 20:00:00.1 UTC+x/x.py": b"", "hw/Lee, Ann(ann)/timestamp.txt": b"2026-10-01T20:00:00.123Z",
    "ann/hw2/timestamp.txt": b"2026-10-01 20:00:00.123456 UTC",
}  # fmt: skip


def _class_zips() -> list[bytes]:
    return [_zip({name: data}) for name, data in _NAMED.items()] + [_zip(_NAMED)]


# The commit of a repository: what is given is the pack in which it lies


def _packed() -> bytes:
    text = b"tree 0\nauthor A <a> 1 +0000\ncommitter A <a> 1790000000 -0730\n\nhw2\n"
    delta = zlib.compress(b"\x05\x05\x90\x05")
    kinds = [(1, zlib.compress(text)), (6, b"\x00" + delta), (7, b"a" * 20 + delta)]
    return b"".join(bytes([kind << 4 | 5]) + data for kind, data in kinds)


def _read_pack(data: bytes, folder: Path) -> str:
    repository = folder / "hw2-ann"
    (repository / ".git/objects/pack").mkdir(parents=True, exist_ok=True)
    (repository / ".git/HEAD").write_text("61" * 20)
    (repository / ".git/objects/pack/pack-1.pack").write_bytes(data)
    numbers = [0] * 0x61 + [1] * (256 - 0x61)
    index = b"\xfftOc\0\0\0\2" + struct.pack(">256I", *numbers) + b"a" * 20 + struct.pack(">2I", 0, 0)
    (repository / ".git/objects/pack/pack-1.idx").write_bytes(index)
    return str(read_commit_time(repository / ".git"))


# Sources


def _read_source(data: bytes, folder: Path) -> str:
    path = folder / "my_player.py"
    path.write_bytes(data)
    for name in ("helper.py", "table.json"):
        (folder / name).write_bytes(b"import my_player\n")
    brought = companions(path)
    found = find_player({"my_player.py": data, **brought})
    return f"{found.kind} {sorted(brought)}"


_PYTHON = (
    b"class MyPlayer:", b"def get_input(self, go, piece_type):", b"import ", b"from x import *", b"helper", b"'table.json'",
    b"lambda: ",
    b"coding: utf-7", b"# coding: idna", b"# coding: zlib", b"coding=utf-16", b"elif x: pass\n", b" + 1", b"not ", b"(", b"[",
    b"{", b"-",
    b"f'{", b"\\N{DIGIT ONE}", b"async ", b"await ", b"\t", b"    ", b"\x0c", b"\\\n", b"'''", b"print 1\n", b"1if 1else 1",
    b"0777", b"*,", b"/,",
)  # fmt: skip

READERS = {
    "archive": Reader(
        _archives, _read_archive, (BadSubmissionError,), (b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06",
            b"PK\x06\x07", b"ustar"),
        (_odd_zip, _odd_tar),
    ),
    "export": Reader(
        lambda: [_RUBY, b"submission_1:\n  :created_at: 2026-10-01 20:00:00 Z\n"], _read_export, (),
        (b"!ruby/object:X", b"!binary", b"&1", b"*1", b"<<: ", b": ", b"- ", b"  ", b"\t", b"|", b"%", b"---", b"!!python/x"),
    ),
    "class zip": Reader(
        _class_zips, _read_class_zip, (BadSubmissionError,), (b"PK\x01\x02", b"PK\x03\x04", b"../", b"/", b".git/", b"\0"),
    ),
    "pack": Reader(lambda: [_packed()], _read_pack, (Exception,), (b"committer ", b"+9999", b"x\x9c", b"a" * 20)),
    "source": Reader(
        lambda: [*_SOURCES, b"MyPlayer = 1\n" + (_ROOT / "players/tactics.py").read_bytes()],
        _read_source, (BadSubmissionError,), _PYTHON,
    ),
}  # fmt: skip
