"""input.txt and output.txt, as the judge writes and reads them."""

import base64
import os

import pytest

from tournament.inside.answer_files import MOST_BYTES, AnswerFileError, AnswerFiles, read_answer_file


@pytest.fixture
def home(tmp_path):
    return tmp_path


@pytest.fixture
def files(home):
    made = AnswerFiles(str(home), -1)
    yield made
    made.close()


def found(data):
    return {"bytes": base64.b64encode(data).decode()}


ANSWERS = [
    (b"2,3", (2, 3)), (b"2,3\n", (2, 3)), (b"2, 3", (2, 3)), (b" 2 , 3 \r\n", (2, 3)), (b"PASS", "PASS"), (b"PASS\r\n", "PASS"),
    (b"2,3\nsome notes", (2, 3)), (b"2,3,", (2, 3)), (b"PASS,0,0", "PASS"), (b"-1,-1", (-1, -1)), (b"02,3", (2, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("data", "answer"), ANSWERS)
def test_an_answer_is_read_as_the_course_reads_it(data, answer):
    assert read_answer_file(found(data)) == answer


UNREADABLE = [
    b"", b"\n2,3", b"pass", b"2", b"2;3", b"2.0,3", b"two,three", b"2,", b"(2,3)", b"2_0,3", b"1" * 50 + b",1",
    b"\xef\xbb\xbf2,3", "\u0662,\u0663".encode(), b"\x00", b"2,\x003", b"\xff\xfe2\x00,\x003\x00", b"\x1b[2J2,3",
]  # fmt: skip


@pytest.mark.parametrize("data", UNREADABLE)
def test_what_is_no_answer_is_quoted_in_plain_ascii(data):
    with pytest.raises(AnswerFileError) as caught:
        read_answer_file(found(data))
    assert "expected i,j or PASS" in str(caught.value)
    assert str(caught.value).isprintable()
    assert str(caught.value).isascii()


def test_a_question_takes_the_place_of_the_last_one_and_of_its_answer(home, files):
    files.put("1\n00000")
    (home / "output.txt").write_text("2,3")
    assert read_answer_file(files.take()) == (2, 3)
    files.put("1\n10000")
    assert (home / "input.txt").read_text() == "1\n10000"
    assert files.take() == {"not": "was not written"}


def make_fifo(path):
    os.mkfifo(path)


def make_link(path):
    path.symlink_to("/etc/passwd")


def make_folder(path):
    (path / "deeper").mkdir(parents=True)
    path.chmod(0)


def make_hole(path):
    with path.open("w") as file:
        file.truncate(1 << 40)


KINDS = [
    (make_fifo, "is a FIFO"), (make_link, "is a symbolic link"), (make_folder, "is a folder"),
    (make_hole, f"holds {1 << 40} bytes, at most {MOST_BYTES} are read"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "complaint"), KINDS)
def test_what_is_no_plain_small_file_is_named_and_gone_by_the_next_question(home, files, make, complaint):
    make(home / "output.txt")
    make(home / "input.txt")
    assert files.take() == {"not": complaint}
    files.put("2")
    assert (home / "input.txt").read_text() == "2"
    assert not os.path.lexists(home / "output.txt")


def test_a_folder_put_in_the_place_of_the_programs_own_is_not_followed(tmp_path):
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    files = AnswerFiles(str(home), -1)
    home.rename(tmp_path / "moved")
    home.symlink_to(other)
    files.put("1")
    files.close()
    assert (tmp_path / "moved/input.txt").read_text() == "1"
    assert not list(other.iterdir())
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        AnswerFiles(str(home), -1)
