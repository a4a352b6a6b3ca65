"""`python3 -m goban.montecarlo table`: what it prints, and bad input in one line."""

import itertools

import pytest

from goban.montecarlo.__main__ import main

FILE = """# captures
%X%
%*%
%%%
:30,ocap1,osafe
:40,ocap2+

XO.
.*.
...
:100,near
:100,far,near
"""


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "my.db"
    made.write_text(FILE)
    return str(made)


def printed(capsys, *arguments):
    assert main(["table", *arguments]) == 0
    return capsys.readouterr().out


def test_counts_digest_values_and_warnings_are_printed(path, capsys):
    lines = printed(capsys, path).splitlines()
    assert lines[0] == "2 patterns with 4 lines of values"
    assert lines[1].startswith("digest ")
    assert lines[2].startswith("values of 283,392 classes and combinations: 1 in ")
    assert lines[3] == "warning: line 12: ':100,far,near' never matches: its words exclude each other"
    assert lines[4].startswith("warning: moves into eyes are not worth 0")


def test_a_built_in_set_is_told_by_either_name(capsys):
    assert printed(capsys, "uniform") == printed(capsys, "mc_uniform")


def test_a_neighbourhood_is_explained_by_the_lines_that_decide(path, capsys):
    said = printed(capsys, path, "--at", "XO./.*./...").split("\n\n")[1]
    assert [line.split() for line in said.splitlines() if "---" not in line] == [
        ["value", "of", "256", "combinations", "set", "by", "below"],
        ["100", "128", ":100,near", "in", "line", "11", "XO.", ".*.", "...", "in", "line", "8"],
        ["1", "128", "no", "rule"],
    ]


def test_words_choose_among_the_combinations(path, capsys):
    said = printed(capsys, path, "--at", ".X./.*./...", "--if", "ocap1+,osafe").split("\n\n")[1]
    assert [line.split()[:3] for line in said.splitlines()[2:]] == [["30", "32", ":30,ocap1,osafe"], ["40", "64", ":40,ocap2+"]]


def test_many_values_are_counted_only(tmp_path, capsys):
    path = tmp_path / "many.db"
    drawings = itertools.product(".OX", repeat=4)
    rows = "".join(f"{a}{b}{c}\n{d}*.\n...\n:{number}\n" for number, (a, b, c, d) in enumerate(drawings))
    path.write_text(rows)
    assert "different values of 283,392" in printed(capsys, str(path))


BAD = [
    (["nowhere"], "expected a file of patterns or one of uniform, mogo_classic, montegnu_classic, learned, got 'nowhere'"),
    (["uniform", "--if", "near"], "--if: expected with --at only"),
    (["uniform", "--at", "XX"], "expected three rows"),
    (["uniform", "--at", ".../.*./...", "--if", "nearly"], "expected one of near, far, "),
    (["uniform", "--at", ".../.*./...", "--if", ""], "expected one of near, far, "),
    (["uniform", "--at", ".../.*./...", "--if", "near,far"], "expected words that may hold together, got 'near,far'"),
    ([], "the following arguments are required"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_bad_input_is_one_line(arguments, words, capsys):
    try:
        status = main(["table", *arguments])
    except SystemExit as end:
        status = end.code
    out, said = capsys.readouterr()
    assert (status, out, said.count("\n")) == (2, "", 1)
    assert said.startswith(f"montecarlo: {words}")


def test_a_bad_file_is_one_line(tmp_path, capsys):
    path = tmp_path / "bad.db"
    path.write_text("XO.\n.*.\n...\n:5,ocap3+\n")
    assert main(["table", str(path)]) == 2
    assert main(["table", str(tmp_path)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"montecarlo: {path}, line 4: expected one of near, ")
    assert second == f"montecarlo: {tmp_path}: Is a directory"
