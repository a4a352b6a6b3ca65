"""Folders and archives by strangers: what comes in is regular files under plain names, or one line of complaint."""

import io
import os
import stat
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gojudge.errors import BadSubmissionError
from gojudge.intake.archives import Bounds, is_archive, read_files

SMALL = Bounds(entries=20, mib=1, depth=3, path_length=60)


def zipped(path, files, **options):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def tarred(path, files, mode="w"):
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


def tar_with(path, **fields):
    entry = tarfile.TarInfo("thing")
    for field, value in fields.items():
        setattr(entry, field, value)
    with tarfile.open(path, "w") as archive:
        archive.addfile(entry)
    return path


def complaint(path, bounds=SMALL):
    with pytest.raises(BadSubmissionError) as caught:
        read_files(path, bounds)
    assert str(caught.value).isprintable()
    return str(caught.value)


FILES = {"my_player.py": b"pass\n", "data/table.bin": b"\0\1\2" * 100, "empty": b""}


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_is_unpacked_however_it_is_compressed_and_called(tmp_path, mode):
    assert read_files(tarred(tmp_path / "x", FILES, mode)) == FILES


WITHOUT = """
import sys
from pathlib import Path
sys.modules["lzma"] = sys.modules["bz2"] = None
from gojudge.intake.archives import BadSubmissionError, read_files
for name in ("hw.tar.gz", "hw.tar.xz"):
    try:
        print(read_files(Path(sys.argv[1], name)))
    except BadSubmissionError as error:
        print(error)
"""


def test_a_python_built_without_lzma_reads_all_but_what_lzma_packed(tmp_path):
    for packed in ("gz", "xz"):
        tarred(tmp_path / f"hw.tar.{packed}", {"my_player.py": b"x"}, f"w:{packed}")
    done = subprocess.run([sys.executable, "-c", WITHOUT, tmp_path], check=True, capture_output=True, text=True)
    reads, lacks = done.stdout.splitlines()
    assert (reads, lacks) == ("{'my_player.py': b'x'}", "cannot be read: this Python was built without lzma, which unpacks it")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_is_unpacked(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "x", "w", method) as archive:
        archive.mkdir("data")
        for name, data in FILES.items():
            archive.writestr(name, data)
    assert read_files(tmp_path / "x") == FILES


def test_a_folder_and_a_file_are_read_as_they_are(tmp_path):
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert read_files(tmp_path) == FILES
    assert read_files(tmp_path / "my_player.py") == {"my_player.py": b"pass\n"}


def test_archives_are_told_by_their_contents(tmp_path):
    assert is_archive(zipped(tmp_path / "a.py", FILES))
    assert is_archive(tarred(tmp_path / "b.py", FILES))
    assert is_archive(tarred(tmp_path / "c.py", FILES, "w:xz"))
    (tmp_path / "d.zip").write_text("print()")
    assert not is_archive(tmp_path / "d.zip")
    assert not is_archive(tmp_path / "missing")


def test_what_systems_leave_behind_is_left_out(tmp_path):
    junk = ["__MACOSX/._a", "a/__pycache__/my_player.cpython-311.pyc", ".DS_Store", "x.pyc", "._my_player.py", ".git/config"]
    assert read_files(zipped(tmp_path / "x", dict.fromkeys(junk, b"") | {"a/b.py": b""})) == {"a/b.py": b""}
    (tmp_path / "f/__pycache__").mkdir(parents=True)
    (tmp_path / "f/__pycache__/my_player.cpython-311.pyc").write_bytes(b"poison")
    (tmp_path / "f/my_player.py").write_bytes(b"")
    assert read_files(tmp_path / "f") == {"my_player.py": b""}


OUTSIDE = ["../evil.py", "/etc/passwd", "a/../../evil", "C:\\evil", "c:evil", "..\\evil", "\\evil", "a/..", "//host/share"]


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("make", [zipped, tarred])
def test_names_that_lead_outside_are_refused(tmp_path, name, make):
    path = make(tmp_path / "x", {"my_player.py": b"", name: b"evil"})
    assert "expected relative file names" in complaint(path) or "within the submission" in complaint(path)


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31mb", "a\u202eb", "a\x7f"])
def test_unprintable_names_are_refused(tmp_path, name):
    assert "expected printable file names" in complaint(zipped(tmp_path / "x", {name: b""}))


def test_windows_separators_are_folders(tmp_path):
    assert read_files(zipped(tmp_path / "x", {"data\\table.bin": b"1", "my_player.py": b""})).keys() == {
        "data/table.bin",
        "my_player.py",
    }


@pytest.mark.parametrize("names", [("a", "a"), ("a", "a/b"), ("a/b", "a"), ("a/b/c", "a/b"), ("./a", "a"), ("d/A", "d//A")])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_are_refused(tmp_path, names):
    with zipfile.ZipFile(tmp_path / "x", "w") as archive:
        for name in names:
            archive.writestr(name, b"")
    assert "expected a name of its own for each file" in complaint(tmp_path / "x")


ODD = [
    ("a", "A"), ("\u00e9", "e\u0301"), ("a/x", "A/y"), ("d/A", "d/a"), ("王伟/表.txt", "Иван.py"), ("😀", "👩\u200d💻"),
    ("a\u00a0b", "a\u3000b", " ", "!!!"),
]  # fmt: skip


@pytest.mark.parametrize("names", ODD)
@pytest.mark.parametrize("make", [zipped, tarred])
def test_odd_names_do_no_harm(tmp_path, names, make):
    files = dict.fromkeys(names, b"1")
    assert read_files(make(tmp_path / "x", files)) == files
    (tmp_path / "f").mkdir()
    for name in names:
        (tmp_path / "f" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "f" / name).write_bytes(b"1")
    assert read_files(tmp_path / "f") == files


RAW = [("表.txt".encode(), "表.txt"), ("表.txt".encode("gbk"), "▒φ.txt"), (b"a\x82.txt", "aé.txt")]


@pytest.mark.parametrize(("raw", "name"), RAW)
def test_a_zip_that_does_not_say_how_its_names_are_written(tmp_path, raw, name):
    placeholder = b"x" * len(raw)
    data = zipped(tmp_path / "x", {placeholder.decode(): b"1", "my_player.py": b""}).read_bytes()
    (tmp_path / "x").write_bytes(data.replace(placeholder, raw))
    assert read_files(tmp_path / "x") == {name: b"1", "my_player.py": b""}


def test_names_that_are_no_utf_8_are_shown_so(tmp_path):
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "caf\udce9.txt").write_bytes(b"1")
    assert read_files(tmp_path / "f") == read_files(tarred(tmp_path / "x", {"caf\udce9.txt": b"1"})) == {"caf\ufffd.txt": b"1"}


def test_long_and_deep_names_are_refused(tmp_path):
    assert "at most 60 bytes and 3 folders deep" in complaint(zipped(tmp_path / "x", {"n" * 61: b""}))
    assert "at most 60 bytes and 3 folders deep" in complaint(zipped(tmp_path / "y", {"a/b/c/d/e": b""}))
    assert read_files(zipped(tmp_path / "z", {"a/b/c/d": b""}), SMALL)


@pytest.mark.parametrize(
    ("type_", "what"),
    [
        (tarfile.SYMTYPE, "the link 'thing'"),
        (tarfile.LNKTYPE, "the link 'thing'"),
        (tarfile.FIFOTYPE, "the special file 'thing'"),
        (tarfile.CHRTYPE, "the special file 'thing'"),
        (tarfile.BLKTYPE, "the special file 'thing'"),
    ],
)
def test_only_regular_files_come_out_of_a_tar(tmp_path, type_, what):
    path = tar_with(tmp_path / "x", type=type_, linkname="/etc/passwd")
    assert complaint(path) == f"expected regular files, got {what}"


def test_only_regular_files_come_out_of_a_zip(tmp_path):
    for kind in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR):
        entry = zipfile.ZipInfo("thing")
        entry.create_system, entry.external_attr = 3, (kind | 0o777) << 16
        with zipfile.ZipFile(tmp_path / "x", "w") as archive:
            archive.writestr(entry, "/etc/passwd")
        assert "expected regular files" in complaint(tmp_path / "x")


def test_only_regular_files_come_out_of_a_folder(tmp_path):
    (tmp_path / "link/d").mkdir(parents=True)
    (tmp_path / "link/d/secret").symlink_to("/etc/passwd")
    assert complaint(tmp_path / "link") == "expected regular files, got the symbolic link 'd/secret'"
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe/my_player.py")
    assert complaint(tmp_path / "pipe") == "expected regular files, got 'my_player.py', which is not one"
    (tmp_path / "again").symlink_to(tmp_path / "link")
    assert complaint(tmp_path / "again") == "expected a regular file or folder, got a symbolic link"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_said_so(tmp_path):
    (tmp_path / "a").mkdir(0o000)
    assert "cannot be read: Permission denied" in complaint(tmp_path)


# Bombs


def test_a_zip_bomb_is_given_up_early(tmp_path):
    path = zipped(tmp_path / "x", {"bomb": bytes(50 * 2**20)})
    assert path.stat().st_size < 60_000
    assert complaint(path) == "expected at most 1 MiB, unpacked, found more"


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_bomb_is_given_up_early(tmp_path, mode):
    assert "expected at most 1 MiB" in complaint(tarred(tmp_path / "x", {"bomb": bytes(50 * 2**20)}, mode))


def test_many_small_files_count_together(tmp_path):
    path = zipped(tmp_path / "x", {f"{k}": bytes(100_000) for k in range(15)})
    assert complaint(path) == "expected at most 1 MiB, unpacked, found more"


@pytest.mark.parametrize("make", [zipped, tarred])
def test_too_many_files_are_refused(tmp_path, make):
    assert complaint(make(tmp_path / "x", {f"{k}": b"" for k in range(21)})) == (
        "expected at most 20 files and folders, found more at '20'"
    )


@pytest.mark.parametrize("make", [zipped, tarred])
def test_what_tools_leave_behind_does_not_count(tmp_path, make):
    tools = [f"{folder}/{k}" for folder in ("venv/lib", "__MACOSX", "node_modules", "hw/.git/objects") for k in range(21)]
    assert read_files(make(tmp_path / "x", {**dict.fromkeys(tools, b"x"), "hw/a.py": b"1"}), SMALL) == {"hw/a.py": b"1"}


def test_nor_does_an_environment_with_its_links(tmp_path):
    (tmp_path / "venv/bin").mkdir(parents=True)
    (tmp_path / "venv/bin/python").symlink_to("/usr/bin/python3")
    (tmp_path / "a.py").write_bytes(b"1")
    assert read_files(tmp_path, SMALL) == {"a.py": b"1"}
    packed = tmp_path.with_suffix(".tar")
    with tarfile.open(packed, "w") as archive:
        archive.add(tmp_path, "hw")
    assert read_files(packed, SMALL) == {"hw/a.py": b"1"}


def test_a_folder_with_too_many_files_is_refused(tmp_path):
    (tmp_path / "deep").mkdir()
    for k in range(11):
        (tmp_path / f"{k}").touch()
        (tmp_path / f"deep/{k}").touch()
    assert complaint(tmp_path) == "expected at most 20 files and folders, found more at 'deep/7'"


def test_a_hundred_thousand_files_are_refused(tmp_path):
    one = struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    directory = one * 100_000
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(directory), 0, 0)
    (tmp_path / "x").write_bytes(b"PK\3\4" + directory + end)
    assert complaint(tmp_path / "x", Bounds()) == "expected at most 2000 files and folders, found more"


def test_a_header_of_a_gigabyte_is_not_read(tmp_path):
    """A tar's own headers have a size too, and Python reads them at once."""
    entry = tarfile.TarInfo("x")
    entry.type, entry.size = tarfile.XHDTYPE, 2**30
    packer = zlib.compressobj(wbits=31)
    data = packer.compress(entry.tobuf(tarfile.USTAR_FORMAT)) + packer.compress(bytes(20 * 2**20)) + packer.flush()
    (tmp_path / "x").write_bytes(data)
    assert "expected at most 1 MiB" in complaint(tmp_path / "x")


def test_headers_without_end_are_given_up(tmp_path):
    entry = tarfile.TarInfo("././@LongLink")
    entry.type, entry.size = tarfile.GNUTYPE_LONGNAME, 1
    (tmp_path / "x").write_bytes((entry.tobuf(tarfile.USTAR_FORMAT) + b"a".ljust(512, b"\0")) * 2000)
    assert complaint(tmp_path / "x", Bounds())


def test_an_archive_in_an_archive_stays_a_file(tmp_path):
    inner = zipped(tmp_path / "inner", {"my_player.py": bytes(10 * 2**20)}).read_bytes()
    assert read_files(zipped(tmp_path / "x", {"inner.zip": inner}), SMALL) == {"inner.zip": inner}


# Damage


def encrypted(path):
    zipped(path, {"a": b"secret"})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\3\4") + 6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(data)
    return path


def test_an_encrypted_zip_is_refused(tmp_path):
    assert complaint(encrypted(tmp_path / "x")) == "expected an archive without a password, got an encrypted one"


def test_an_empty_archive_or_folder_is_refused(tmp_path):
    (tmp_path / "f").mkdir()
    assert complaint(tmp_path / "f") == "expected files, found none"
    assert complaint(zipped(tmp_path / "x", {})) == "expected files, found none"


def test_damaged_contents_are_noticed(tmp_path):
    path = zipped(tmp_path / "x", {"a": os.urandom(1000)})
    data = bytearray(path.read_bytes())
    data[200] ^= 255
    path.write_bytes(data)
    assert complaint(path).startswith("the archive cannot be unpacked: BadZipFile: Bad CRC-32")


def test_a_zip_whose_upload_broke_off_is_told_so(tmp_path):
    path = zipped(tmp_path / "x", {"a": b"1"})
    path.write_bytes(path.read_bytes()[:-30])
    assert complaint(path) == "the archive cannot be unpacked: its end is missing, as after an upload that broke off"


def test_a_zip_in_a_compression_that_python_does_not_know_is_told_so(tmp_path):
    path = zipped(tmp_path / "x", {"a": b"1"})
    data = path.read_bytes()
    # Deflate64, in the file's own header and in the table of contents.
    for mark, place in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        at = data.index(mark) + place
        data = data[:at] + b"\x09\0" + data[at + 2 :]
    path.write_bytes(data)
    wanted = "it is compressed in a way that is not supported, as Deflate64; make a plain zip"
    assert complaint(path) == f"the archive cannot be unpacked: {wanted}"


@given(st.data())
def test_a_truncated_or_altered_archive_is_read_or_refused(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("archives")
    make = data.draw(st.sampled_from(["zip", "w", "w:gz", "w:bz2", "w:xz"]))
    path = zipped(folder / "x", FILES) if make == "zip" else tarred(folder / "x", FILES, make)
    contents = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        contents = contents[: data.draw(st.integers(1, len(contents)))]
    for position in data.draw(st.lists(st.integers(0, len(contents) - 1), max_size=4)):
        contents[position] = data.draw(st.integers(0, 255))
    path.write_bytes(contents)
    with suppress(BadSubmissionError):
        assert all(not name.startswith("/") and ".." not in name.split("/") for name in read_files(path, SMALL))


TYPES = [bytes([sign]) for sign in b"01234567xgLKSVNM\0A"]
TEXTS = st.sampled_from(["9" * 30, "1" * 5000, "-1", "1e999", "nan", "", "0", "0,1,5,2", "1 2", "\xe9", "a/../b", "BINARY"])
KEYS = st.sampled_from([
    "GNU.sparse.size", "GNU.sparse.realsize", "GNU.sparse.map", "GNU.sparse.major", "GNU.sparse.minor", "GNU.sparse.name",
    "GNU.sparse.numblocks", "size", "path", "hdrcharset", "mtime", "uid", "linkpath",
])  # fmt: skip
SIZES = st.sampled_from([0, 1, 511, 513, 2**33, 2**62, -1, -513])


@st.composite
def tar_entries(draw):
    """A header with a right checksum, and what follows it; the rest of it may be wrong in any way."""
    records = draw(st.lists(st.tuples(KEYS, TEXTS), max_size=3))
    pairs = [(key.encode(), value.encode()) for key, value in records]
    text = b"".join(b"%d %s=%s\n" % (len(key) + len(value) + 5, key, value) for key, value in pairs)
    data = draw(st.sampled_from([text, b"", b"0123456789\n" * 40]))
    entry = tarfile.TarInfo(draw(st.sampled_from(["a", "././@LongLink", "d/", "x" * 90, "x.pyc", ""])))
    entry.type, entry.size = draw(st.sampled_from(TYPES)), draw(st.one_of(st.just(len(data)), SIZES))
    block = bytearray(entry.tobuf(tarfile.GNU_FORMAT)[-512:])
    if draw(st.booleans()):
        block[draw(st.integers(0, 147))] = draw(st.integers(0, 255))
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + data + bytes(-len(data) % 512)


@given(st.lists(tar_entries(), min_size=1, max_size=4), st.booleans())
def test_a_tar_with_any_headers_is_read_or_refused(tmp_path_factory, entries, packed):
    path = tmp_path_factory.mktemp("archives") / "x"
    contents = b"".join(entries) + bytes(1024)
    path.write_bytes(zlib.compress(contents, wbits=31) if packed else contents)
    with suppress(BadSubmissionError):
        assert all(not name.startswith("/") and ".." not in name.split("/") for name in read_files(path, SMALL))
