"""input.txt and output.txt, as the judge writes and reads them."""

import base64
import os

import pytest

from gojudge.inside.answer_files import MOST_BYTES, AnswerFileError, AnswerFiles, read_answer_file


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


def test_a_question_takes_the_place_of_the_last_one_and_of_its_answer(home, files):
    files.put("1\n00000")
    (home / "output.txt").write_text("2,3")
    assert read_answer_file(files.take()) == (2, 3)
    files.put("1\n10000")
    assert (home / "input.txt").read_text() == "1\n10000"
    assert files.take() == {"not": "was not written"}


@pytest.mark.parametrize("rest", [b"x" * 10**6, b"\xff\0" * 10**6, b"\n" * MOST_BYTES])
def test_what_follows_the_first_line_is_not_looked_at(home, files, rest):
    files.put("1")
    (home / "output.txt").write_bytes(b"2,3\n" + rest)
    assert read_answer_file(files.take()) == (2, 3)


def test_a_first_line_without_an_end_is_read_to_a_limit(home, files):
    files.put("1")
    (home / "output.txt").write_bytes(b" " * (MOST_BYTES - 3) + b"2,3\nmore")
    assert read_answer_file(files.take()) == (2, 3)
    (home / "output.txt").write_bytes(b" " * (MOST_BYTES - 2) + b"2,3\nmore")
    assert files.take() == {"not": f"has a first line of more than {MOST_BYTES} bytes"}


@pytest.fixture
def brought(home):
    """Files that were handed in."""
    for path in ("my_player3.py", "old/output.txt", "old/log.txt"):
        (home / path).parent.mkdir(exist_ok=True)
        (home / path).write_text("brought along")


def test_files_written_elsewhere_are_named_where_none_is_in_its_place(brought, home, files):
    files.put("1")
    (home / "old/output.txt").write_text("2,3")
    (home / "game_io").mkdir()
    (home / "game_io/output.txt").write_text("2,3")
    assert files.take() == {"not": "was not written; new files: game_io/output.txt, old/output.txt"}


def test_notes_of_an_earlier_move_are_no_new_files(brought, home, files):
    files.put("1")
    (home / "notes.txt").write_text("7")
    os.utime(home / "notes.txt", (2**31, 2**31))
    written = (home / "notes.txt").stat().st_ctime_ns
    while (home / "input.txt").stat().st_ctime_ns <= written:
        files.put("2")
    assert files.take() == {"not": "was not written"}


def test_of_many_new_files_some_are_named_and_none_of_a_helpers_cache(home, files):
    files.put("1")
    (home / "__pycache__").mkdir()
    (home / "__pycache__/helper.cpython-311.pyc").touch()
    for number in range(5):
        (home / f"out{number}\n.txt").touch()
    assert files.take() == {"not": "was not written; new files: out0\\n.txt, out1\\n.txt, out2\\n.txt and 2 more"}


def test_a_link_to_another_folder_and_deep_folders_are_not_looked_into(tmp_path, home, files):
    home = home / "home"
    home.mkdir()
    (tmp_path / "secret.txt").touch()
    files = AnswerFiles(str(home), -1)
    files.put("1")
    (home / "link").symlink_to(tmp_path)
    (home / "/".join("a" * 40)).mkdir(parents=True)
    (home / "/".join("a" * 40) / "deep.txt").touch()
    assert files.take() == {"not": "was not written"}
    files.close()


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
    (make_hole, f"has a first line of more than {MOST_BYTES} bytes"),
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
