"""Submissions made to stop whoever reads them: each is taken in or refused in one line, and the next one is read as ever."""

import bz2
import io
import lzma
import struct
import sys
import tarfile
import zipfile
import zlib

import pytest

from gojudge.intake.submissions import take_in
from gojudge.sandbox import reading
from tests.support.deep_sources import PLAYABLE, player, with_calls, with_elifs, with_terms


def take_in_beside_a_good_one(folder, name, contents):
    """Take in a class of two; return why this one was refused, '' if it was not."""
    hw, copies = folder / "hw", folder / "copies"
    hw.mkdir()
    (hw / name).write_bytes(contents)
    (hw / "zoe.py").write_text(player())
    intake = take_in([hw], copies)
    assert "zoe" in [entrant.name for entrant in intake.entrants]
    assert sorted(copies.iterdir()) == sorted(entrant.folder for entrant in intake.entrants)
    reasons = [one.reason for one in intake.refused]
    assert len(reasons) + len(intake.entrants) == 2
    assert all(reason and reason.isprintable() for reason in reasons)
    return "".join(reasons)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYABLE)
def test_a_deep_or_large_source_is_taken_in(tmp_path, name):
    assert take_in_beside_a_good_one(tmp_path, "ann.py", PLAYABLE[name].encode()) == ""


DEEPER = {"elifs": with_elifs(5000), "terms": with_terms(50_000), "calls": with_calls(25_000)}


# From 3.12 on Python's own parser refuses the sums and the calls, and 3.12 the branches, too.
HERE = [name for name in DEEPER if sys.version_info < (3, 12) or (name == "elifs" and sys.version_info >= (3, 13))]


@pytest.mark.slow
@pytest.mark.parametrize("name", HERE)
def test_what_is_deeper_than_python_runs_is_read_all_the_same(tmp_path, name):
    """Whether it runs is for the game to say."""
    assert take_in_beside_a_good_one(tmp_path, "ann.py", DEEPER[name].encode()) == ""


TOO_DEEP = {
    "signs": "-" * 100_000 + "1",
    "attributes": "a" + ".b" * 100_000,
    "nots": "x = " + "not " * 10_000 + "1",
    "lambdas": "lambda: " * 10_000 + "1",
    "comparisons": "(a<" * 199 + "a" + ")" * 199,
}
NEVER_READ = {*TOO_DEEP} - ({"attributes"} if sys.version_info >= (3, 14) else set())


@pytest.mark.parametrize("name", TOO_DEEP)
def test_what_is_too_deep_is_refused_by_file(tmp_path, name):
    reason = take_in_beside_a_good_one(tmp_path, "ann.py", TOO_DEEP[name].encode())
    # Python 3.14 reads attributes of any depth.
    fault = "its source is nested too deeply to be read" if name in NEVER_READ else "expected a class MyPlayer, found no class"
    assert reason == f"ann.py: {fault}"


@pytest.mark.slow
def test_a_name_of_very_many_parts_takes_too_much_memory(tmp_path):
    """Python's parser makes a new text for every part."""
    reason = take_in_beside_a_good_one(tmp_path, "ann.py", b"import a" + b".a" * 100_000)
    assert reason == "ann.py: its source is nested too deeply to be read"


def test_parameters_of_any_depth_are_told_in_short(tmp_path):
    source = f"class MyPlayer:\n    def get_input(self, go: {'-' * 500}1, a, b, c={'1+' * 2000}1, *, d): pass\n"
    reason = take_in_beside_a_good_one(tmp_path, "ann.py", source.encode())
    assert reason.endswith("got get_input(self, go, a, b, c=..., *, d)")


# Archives


def header(name="a", type_=tarfile.REGTYPE, size=0):
    """The block of a tar that says what follows."""
    entry = tarfile.TarInfo(name)
    entry.type, entry.size = type_, size
    return entry.tobuf(tarfile.GNU_FORMAT)


def padded(data):
    return data + bytes(-len(data) % 512)


def pax(text, claimed=None):
    """A tar of one file with an extended header of this text."""
    data = text.encode()
    first = header("pax", tarfile.XHDTYPE, len(data) if claimed is None else claimed)
    return first + padded(data) + header("my_player.py") + bytes(1024)


def pax_of(key, value):
    """The same, with one well-formed record."""
    length = len(key) + len(value) + 3
    while length != len(f"{length} {key}={value}\n".encode()):
        length = len(f"{length} {key}={value}\n".encode())
    return pax(f"{length} {key}={value}\n")


def zip_of(count, size=0, compressed=0, extra=b""):
    """A zip of files that are all called 'a', and of which the table of contents tells what we say."""
    lengths = (0, compressed, size, 1, len(extra), 0, 0, 0, 0, 0)
    entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", 45, 45, 0, 0, 0, 0, *lengths) + b"a" + extra
    local = struct.pack("<4s5H3I2H", b"PK\3\4", 45, 0, 0, 0, 0, 0, 0, 0, 1, 0) + b"a"
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(entry) * count, len(local), 0)
    return local + entry * count + end


def zipped_zeros(size):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(size))
    return file.getvalue()


def xz_with_dictionary(code):
    """A small tar as xz, whose header asks for a dictionary of about 2 ** (code / 2 + 12) bytes."""
    data = bytearray(lzma.compress(pax("")))
    size = 4 * (data[12] + 1)
    block = data[12 : 8 + size]
    block[block.index(b"\x21\x01") + 2] = code
    data[12 : 12 + size] = block + struct.pack("<I", zlib.crc32(block))
    return bytes(data)


TOO_LARGE = "expected at most 128 MiB, unpacked, found more"
CUT_OFF = "the archive cannot be unpacked: EOFError: it is cut off"
LONG_NAME = header("././@LongLink", tarfile.GNUTYPE_LONGNAME, 2**20) + b"a" * 2**20 + header() + bytes(1024)
MUCH = 140 * 2**20
# What takes a while to make is made by the test that needs it.
ARCHIVES = {
    "digits": (pax("1" * 3000), None),
    "size of digits": (pax_of("size", "9" * 30), None),
    "size below zero": (pax_of("size", "-1000"), None),
    "sparse": (pax_of("GNU.sparse.size", "9" * 18), None),
    "sparse map": (pax_of("GNU.sparse.map", ",".join("1" * 9999)), None),
    "header of an exabyte": (pax("", claimed=2**60), "the archive cannot be unpacked"),
    "long name": (LONG_NAME, "expected file names of at most 200 bytes"),
    "entry of an exabyte": (header(size=2**60), "the archive cannot be unpacked"),
    "junk of an exabyte": (header("x.pyc", size=2**60), CUT_OFF),
    "zip64 of an exabyte": (zip_of(1, 2**32 - 1, 2**32 - 1, struct.pack("<2H2Q", 1, 16, 2**60, 2**60)), "the archive cannot"),
    "zip64 without a size": (zip_of(1, 2**32 - 1), None),
    "zip of 65535": (zip_of(65_535), "expected at most 2000 files and folders, found more"),
    "zip of a thousand to one": (lambda: zipped_zeros(MUCH), TOO_LARGE),
    "bzip2 of zeros": (lambda: bz2.compress(header(size=MUCH) + bytes(MUCH), 1), TOO_LARGE),
    "xz of zeros": (lambda: lzma.compress(header(size=MUCH) + bytes(MUCH), preset=0), TOO_LARGE),
    "xz with a dictionary of 2 GiB": (xz_with_dictionary(38), "cannot be read within 1024 MiB of memory"),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * callable(made)) for name, (made, _) in ARCHIVES.items()]
)
def test_an_archive_made_to_stop_us_stops_nobody(tmp_path, name):
    """Where no line is given, the version of Python decides what is wrong with it, if anything."""
    contents, line = ARCHIVES[name]
    reason = take_in_beside_a_good_one(tmp_path, "ann.tar", contents() if callable(contents) else contents)
    assert line is None or line in reason


@pytest.mark.slow
def test_a_header_of_a_million_digits_does_not_take_hours(tmp_path, monkeypatch):
    """Before Python 3.11.10 the time that tarfile takes grows with the square of their number."""
    monkeypatch.setattr(reading, "CPU_SECONDS", 2)
    packed = zlib.compress(pax("1" * 2**20), wbits=31)
    assert len(packed) < 3000
    reason = take_in_beside_a_good_one(tmp_path, "ann.tar", packed)
    assert reason in ("cannot be read within 2 s of CPU time", "the archive cannot be unpacked: ReadError: invalid header")


def test_a_tar_without_an_end_is_read(tmp_path):
    """Some programs write none."""
    source = player().encode()
    assert take_in_beside_a_good_one(tmp_path, "ann.tar", header("my_player.py", size=len(source)) + padded(source)) == ""
