import os

import pytest

from common.files import opened_beside, read_bounded, write_beside


def test_writing_leaves_nothing_else_behind(tmp_path):
    write_beside(tmp_path / "a.bin", b"old")
    write_beside(tmp_path / "a.bin", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == b"new"


def test_after_a_failure_the_old_file_is_there_and_nothing_else(tmp_path):
    write_beside(tmp_path / "a.bin", b"old")
    with pytest.raises(TypeError), opened_beside(tmp_path / "a.bin") as file:
        file.writelines([b"half of the ne", None])
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == b"old"


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
