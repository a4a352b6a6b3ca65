import errno
import io
import os
import shlex
import struct
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

from goban.common.files import (
    append_line,
    check_folder_writable,
    check_writable,
    is_new_or_empty,
    make_folder,
    one_line,
    open_beside,
    read_arrays,
    read_bounded,
    split_command,
    write_beside,
)


def test_writing_leaves_nothing_else_behind(tmp_path):
    write_beside(tmp_path / "a.bin", b"old")
    write_beside(tmp_path / "a.bin", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == b"new"


def test_after_a_failure_the_old_file_is_there_and_nothing_else(tmp_path):
    write_beside(tmp_path / "a.bin", b"old")
    with pytest.raises(TypeError), open_beside(tmp_path / "a.bin") as file:
        file.writelines([b"half of the ne", None])
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == b"old"


def test_where_there_is_no_room_the_file_is_named(tmp_path):
    with pytest.raises(OSError, match="No space") as caught, open_beside(tmp_path / "a.bin"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(tmp_path / "a.bin")


@pytest.mark.parametrize("name", ["none/a.bin", 255 * "a"])
def test_where_a_file_cannot_be_made_it_is_named_as_it_was_meant(tmp_path, name):
    with pytest.raises(OSError, match=r"No such file|too long") as caught:
        write_beside(tmp_path / name, b"new")
    assert (caught.value.filename, caught.value.filename2) == (str(tmp_path / name), None)


def test_a_line_is_appended_and_half_a_line_before_it_is_left_alone(tmp_path):
    path = tmp_path / "a.jsonl"
    append_line(path, b"one", 0o600)
    assert path.stat().st_mode & 0o777 == 0o600
    append_line(path, b"two")
    path.write_bytes(path.read_bytes() + b"hal")
    append_line(path, b"three")
    assert path.read_bytes() == b"one\ntwo\nhal\nthree\n"


def test_where_a_file_can_be_written_nothing_is_left_or_lost(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"old")
    for name in ("a.bin", "b.bin"):
        check_writable(tmp_path / name, ".bin")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.bin", b"old")]


@pytest.mark.parametrize("name", ["hw.ZIP", "my_player.py", "cup.db", "games.txt"])
@pytest.mark.parametrize("data", [None, b"", b"old"])
def test_a_name_of_another_kind_is_not_for_writing(tmp_path, name, data):
    """Whether or not something is there: what is written once may be written again. Other endings are of any kind."""
    for place in ("notes", "notes.of.mine", "a.sgf", "B.SGF"):
        (tmp_path / place).write_bytes(b"old")
        check_writable(tmp_path / place, ".sgf")
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(OSError, match=r"another kind: expected a name that ends in \.sgf") as caught:
        check_writable(tmp_path / name, ".sgf")
    assert caught.value.filename == str(tmp_path / name)


@pytest.mark.parametrize("call", [check_writable, check_folder_writable, lambda path: write_beside(path, b"")])
def test_a_dash_is_no_name(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="nothing is written to standard output"):
        call(Path("-"))
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(("name", "why"), [
    (".", "expected a file, or none yet"), ("pipe", "expected a file, or none yet"), ("file/a.bin", "Not a directory"),
    ("none/a.bin", "No such file or directory"), (300 * "a", "File name too long"),
])  # fmt: skip
def test_where_no_file_can_be_written_it_is_said_why(tmp_path, name, why):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=why) as caught:
        check_writable(tmp_path / name, ".bin")
    assert caught.value.filename == str(tmp_path / name)


@pytest.mark.parametrize(("name", "why"), [("file", "expected a folder, or none yet"), ("file/new", "expected a folder")])
def test_where_no_folder_can_be_made_it_is_said_why(tmp_path, name, why):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=why):
        check_folder_writable(tmp_path / name)


def test_where_a_folder_can_be_made_nothing_is_left(tmp_path):
    for name in (".", "new", "new/and/deep"):
        check_folder_writable(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_as_deep_as_the_system_allows_is_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    deep = Path(*1200 * ["d"])
    make_folder(deep)
    assert is_new_or_empty(deep)
    assert not is_new_or_empty(deep.parent)
    make_folder(deep)
    # pytest cannot: shutil.rmtree calls itself as well.
    for folder in (deep, *deep.parents[:-1]):
        folder.rmdir()


def test_two_dots_after_a_missing_folder_lead_back_to_what_is_there(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own/file").touch()
    for name, free in [("own", False), ("none/../own", False), ("own/file", False), ("none/../new", True), ("none", True)]:
        assert is_new_or_empty(tmp_path / name) is free


@pytest.mark.parametrize("check", [check_writable, check_folder_writable])
def test_a_full_disk_and_a_folder_of_others_are_noticed_and_nothing_is_left(tmp_path, check, monkeypatch):
    real = type(tmp_path).open
    for number in (errno.ENOSPC, errno.EACCES, errno.EDQUOT):
        monkeypatch.setattr(type(tmp_path), "open", lambda path, mode, number=number: Refusing(real(path, mode), number))
        with pytest.raises(OSError, match=os.strerror(number)):
            check(tmp_path / "a")
        assert list(tmp_path.iterdir()) == []


class Refusing:
    """An open file that cannot be written."""

    def __init__(self, file, number):
        self.file, self.number = file, number

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, _):
        raise OSError(self.number, os.strerror(self.number))


def test_a_device_or_a_pipe_is_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="expected a file, or none yet"):
        write_beside(tmp_path / "pipe", b"new")
    assert (tmp_path / "pipe").is_fifo()


def test_a_file_is_read_up_to_a_bound(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_bytes(b"12345")
    assert read_bounded(path, 5) == b"12345"
    with pytest.raises(OSError, match="expected at most 4 bytes, found more"):
        read_bounded(path, 4)


def test_a_device_without_end_is_not_read_to_its_end():
    with pytest.raises(OSError, match="expected at most 1000 bytes"):
        read_bounded("/dev/zero", 1000)


def test_a_pipe_is_read_and_one_that_nobody_writes_to_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    assert read_bounded(tmp_path / "fifo", 10) == b""
    ends = os.pipe()
    os.write(ends[1], b"12345")
    os.close(ends[1])
    assert read_bounded(f"/dev/fd/{ends[0]}", 10) == b"12345"
    os.close(ends[0])


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 5000, "."])
def test_a_name_that_no_file_has_is_an_error_of_the_system(name):
    with pytest.raises(OSError, match=r"no file can have this name|File name too long|Is a directory") as caught:
        read_bounded(name, 10)
    assert caught.value.filename == name


def saved(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def packed(member, kind=zipfile.ZIP_STORED, name="numbers.npy"):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as file:
        file.writestr(name, member)
    return buffer.getvalue()


def packed_twice(member, other_name):
    """A file of a few bytes more for each name, which would take the work of unpacking a member again."""
    buffer = io.BytesIO(packed(member))
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(buffer, "a") as file:
        file.writestr(other_name, member)
    return buffer.getvalue()


def header(text):
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def test_what_was_saved_is_read():
    found = read_arrays(saved(numbers=np.arange(3), word=np.array("go")))
    assert found.keys() == {"numbers", "word"}
    assert found["numbers"].tolist() == [0, 1, 2]
    assert str(found["word"]) == "go"


ARRAY = header(b"{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }\n") + b"abcd"
GOOD = packed(ARRAY, zipfile.ZIP_DEFLATED)
UNREADABLE = {
    "empty": b"",
    "no zip file": b"numbers",
    "a single array": ARRAY,
    "cut": GOOD[:-30],
    "damaged packing": GOOD.replace(GOOD[43:60], bytes(17)),
    "a method nobody knows": GOOD.replace(b"\x08\x00", b"\x63\x00"),
    "a bracket left open": packed(header(b"{'descr': '<i2', 'shape': ((2, }\n") + b"abcd"),
    "objects": packed(header(b"{'descr': '|O', 'fortran_order': False, 'shape': (2,), }\n") + b"abcd"),
    "more numbers than there are": packed(header(b"{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999,), }\n")),
    "a text": packed(b"no array", name="numbers"),
    "a name twice": packed_twice(ARRAY, "numbers.npy"),
    "a name twice, once with its ending": packed_twice(ARRAY, "numbers"),
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
def test_whatever_is_damaged_is_one_line(content):
    with pytest.raises(ValueError, match=r"^no file of arrays, or a damaged one") as caught:
        read_arrays(content)
    assert "\n" not in one_line(caught.value)


def test_arrays_that_would_fill_the_memory_are_refused_before_they_are_unpacked():
    with pytest.raises(ValueError, match="expected arrays of at most 100 bytes, got 1"):
        read_arrays(saved(numbers=np.zeros(200)), 100)


def test_arrays_may_take_two_gibibytes():
    """The file claims as many, and has fewer."""
    # The last is the table of contents; Python 3.11.2 has sizes at the member, too.
    before, _, behind = saved(numbers=np.zeros(2)).rpartition(struct.pack("<LL", 144, 144))
    assert before
    assert read_arrays(before + struct.pack("<LL", 144, 2**31) + behind)["numbers"].tolist() == [0, 0]
    with pytest.raises(ValueError, match="expected arrays of at most 2147483648 bytes, got 2147483649"):
        read_arrays(before + struct.pack("<LL", 144, 2**31 + 1) + behind)


@pytest.mark.parametrize(("line", "words", "there"), [
    ("gnugo --mode gtp", ["gnugo", "--mode", "gtp"], ["gnugo", "--mode", "gtp"]),
    (r"C:\Go\gnugo.exe --mode gtp", ["C:Gognugo.exe", "--mode", "gtp"], [r"C:\Go\gnugo.exe", "--mode", "gtp"]),
    (r'"C:\Program Files\gnugo.exe" a#b', [r"C:\Program Files\gnugo.exe", "a#b"], [r"C:\Program Files\gnugo.exe", "a#b"]),
    ("", [], []),
])  # fmt: skip
def test_a_command_line_is_split_as_its_system_writes_paths(line, words, there):
    assert (split_command(line, windows=False), split_command(line, windows=True)) == (words, there)
    assert split_command(line, windows=False) == shlex.split(line)
