import pytest

from common.files import opened_beside, write_beside


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
