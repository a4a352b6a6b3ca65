"""Pattern files: what is read from them, and what is refused with the file and the line."""

import pytest

from goban.montecarlo.pattern_files import MOST_BYTES, MOST_VALUE, Pattern, parse_patterns, read_pattern_file
from goban.solver.errors import BadPatternError

SHAPE = "XO.\n.*.\n?.?\n"


def parse(text):
    return parse_patterns(text.encode("latin-1"), "my.db")


def test_a_line_of_values_belongs_to_the_rows_above_it():
    first, second = parse(f"{SHAPE}:100,near,osafe\n\nX.?\nO*?\n---\n:5\n")
    assert (first.pattern, first.value, first.words, first.line) == (
        Pattern(("XO.", ".*.", "?.?"), 1), 100, ("near", "osafe"), 4
    )  # fmt: skip
    assert (second.pattern, second.value, second.words, second.line) == (Pattern(("X.?", "O*?", "---"), 6), 5, (), 9)
    assert (str(first), str(second)) == (":100,near,osafe", ":5")


def test_several_lines_of_values_share_their_rows():
    rules = parse(f"# mine\n{SHAPE}\n:5,near\n# between\n\n:6,far,osafe\n:7\n")
    assert [(rule.value, rule.line) for rule in rules] == [(5, 6), (6, 9), (7, 10)]
    assert {rule.pattern for rule in rules} == {Pattern(("XO.", ".*.", "?.?"), 2)}


TOLERATED = {
    "lines that end as on Windows": f"{SHAPE}\n:5,near\n".replace("\n", "\r\n"),
    "white space at the end of lines": "XO. \n.*.\t\n?.?  \n \t \n:5,near \n",
    "no line break at the end": f"{SHAPE}:5,near",
    "any bytes in comments": f"# Andr\xe9 \x00 \x85 \x0c |\n{SHAPE}# \xff\n:5,near",
    "comments behind what counts": "XO. # hane\n.*.#\n?.?\n:5,near # far",
    "blanks around what counts": f"{SHAPE}: 5 , near",
    "zeros before a number": f"{SHAPE}:0005,near",
}


@pytest.mark.parametrize("what", TOLERATED)
def test_tolerated_are(what):
    (rule,) = parse(TOLERATED[what])
    assert (rule.pattern.rows, str(rule)) == (("XO.", ".*.", "?.?"), ":5,near")


def test_an_empty_file_has_no_rules():
    assert parse("") == parse("# nothing\n\n") == ()


def test_a_line_of_values_may_be_as_long_as_gnu_go_reads_it():
    line = ":5,near".ljust(78) + "#"
    assert len(parse(f"{SHAPE}{line}")) == 1
    with pytest.raises(BadPatternError, match="line 4: expected at most 79 characters in a line of values, got 80"):
        parse(f"{SHAPE}{line}#")


@pytest.mark.parametrize("value", [0, MOST_VALUE])
def test_values_may_be_as_large_as_32_bits_hold(value):
    assert parse(f"{SHAPE}:{value}")[0].value == value


NUMBER = r"expected a whole number from 0 to 4294967295 behind the colon, got "
BAD = [
    ("XO\n", 1, r"expected a row of 3 symbols, got 'XO'"),
    ("XO.\n.*..\n", 2, r"expected a row of 3 symbols, got '\.\*\.\.'"),
    ("XO.\n.*.\nX #?\n", 3, r"expected a row of 3 symbols, got 'X'"),
    ("XY.\n", 1, r"expected symbols of \. O X o x \? % \| - \+ around the move, got 'Y' in 'XY\.'"),
    ("XO.\n.*.\n?*?\n", 3, r"around the move, got '\*' in '\?\*\?'"),
    ("*O.\n", 1, r"around the move, got '\*' in '\*O\.'"),
    ("XO.\n...\n", 2, r"expected '\*', the move, in the middle of the second row, got '\.\.\.'"),
    (f"{SHAPE}XXX\n:5\n", 4, r"expected values such as ':10,near' below the pattern of line 1, got a fourth row 'XXX'"),
    (":5\n", 1, r"expected three rows above values, got 0"),
    ("XO.\n.*.\n:5\n", 3, r"expected three rows above values, got 2"),
    (f"{SHAPE}:5\nXO.\n:6\n", 6, r"expected three rows above values, got 1"),
    (f"{SHAPE}\n", 5, r"expected three rows and values below them, in the pattern of line 1, got the end of the file"),
    (f"{SHAPE}:5\n.O.", 5, r"in the pattern of line 5, got the end of the file"),
    (f"{SHAPE}some words\n", 4, r"expected a row, values such as ':10,near', a comment or nothing, got 'some words'"),
    (f" {SHAPE}", 1, r"a comment or nothing, got ' XO\.'"),
    (f"{SHAPE} :5\n", 4, r"a comment or nothing, got ' :5'"),
    (f"{SHAPE}\x85:5\n", 4, r"got '\\x85:5'"),
    (f"{SHAPE}:\n", 4, f"{NUMBER}''"),
    (f"{SHAPE}:near\n", 4, f"{NUMBER}'near'"),
    (f"{SHAPE}:-1\n", 4, f"{NUMBER}'-1'"),
    (f"{SHAPE}:+1\n", 4, rf"{NUMBER}'\+1'"),
    (f"{SHAPE}:1_0\n", 4, f"{NUMBER}'1_0'"),
    (f"{SHAPE}:0x10\n", 4, f"{NUMBER}'0x10'"),
    (f"{SHAPE}:3.7\n", 4, rf"{NUMBER}'3\.7'"),
    (f"{SHAPE}:\xb2\n", 4, rf"{NUMBER}"),
    (f"{SHAPE}:{MOST_VALUE + 1}\n", 4, f"{NUMBER}'4294967296'"),
    (f"{SHAPE}:5 near\n", 4, f"{NUMBER}'5 near'"),
    (f"{SHAPE}:5,linear\n", 4, r"expected one of near, far, .*, xsuicide, .*, ocap0, .*, xcap2-, got 'linear'"),
    (f"{SHAPE}:5,ocap3+\n", 4, r"got 'ocap3\+'"),
    (f"{SHAPE}:5,Near\n", 4, r"got 'Near'"),
    (f"{SHAPE}:5,osuicide\n", 4, r"got 'osuicide'"),
    (f"{SHAPE}:5,near,\n", 4, r"got ''"),
    (f"{SHAPE}:5,\n", 4, r"got ''"),
    (f"{SHAPE}:5,near,,osafe\n", 4, r"got ''"),
]


@pytest.mark.parametrize(("text", "line", "words"), BAD)
def test_faults_are_told_with_the_file_and_the_line(text, line, words):
    with pytest.raises(BadPatternError, match=f"^my.db, line {line}: expected .*{words.removeprefix('expected ')}"):
        parse(text)


def test_a_file_is_read(tmp_path):
    path = tmp_path / "my.db"
    path.write_text(f"{SHAPE}:5\n")
    assert read_pattern_file(path)[0].value == 5
    path.write_text(f"{SHAPE}:5x\n")
    with pytest.raises(BadPatternError, match=r"my\.db, line 4: "):
        read_pattern_file(path)


def test_files_that_no_pattern_needs_are_not_read_to_their_end(tmp_path):
    path = tmp_path / "long.db"
    path.write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(OSError, match="expected at most 65536 bytes"):
        read_pattern_file(path)
