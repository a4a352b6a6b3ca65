"""Tables: what symbols, words and the order of lines come to, and what is warned of."""

import numpy as np
import pytest

from goban.kernels.patterns.neighbourhoods import CLASSES, all_codes, class_of_code
from goban.montecarlo.pattern_files import combinations_of, combinations_of_word, parse_patterns
from goban.montecarlo.pattern_tables import make_table, parse_neighbourhood
from goban.solver.errors import BadPatternError
from tests.support.plain_patterns import bits_that_matter

ANYWHERE = "%%%\n%*%\n%%%\n"
EYES = "oOo\nO*O\noO?\n:0\noOo\nO*O\n---\n:0\n|Oo\n|*O\n+--\n:0\n"
NO_EYES = "moves into eyes are not worth 0"


def table_of(text):
    return make_table(parse_patterns(text.encode(), "my.db"), "my.db")


def worth(text, drawing, combination=0):
    return table_of(text).value(parse_neighbourhood(drawing), combination)


# What a symbol lets stand beside the move, of empty, own, the opponent's, and the edge.
SYMBOLS = {".": ".", "O": "O", "X": "X", "o": ".O", "x": ".X", "?": ".OX", "%": ".OX-", "|": "-", "-": "-", "+": "-"}
BESIDE = {".": "XXX/X*X/O.O", "O": "XXX/X*X/OOO", "X": "XXX/X*X/OXO", "-": "XXX/X*X/---"}


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_a_symbol_stands_for(symbol):
    matched = [mark for mark, drawing in BESIDE.items() if worth(f"XXX\nX*X\n%{symbol}%\n:7\n", drawing) == 7]
    assert "".join(matched) == SYMBOLS[symbol]


def index(own=0, captures=0, near=False, own_unsafe=False, unsafe=False, suicide=False):
    return near | captures << 1 | own << 3 | unsafe << 5 | own_unsafe << 6 | suicide << 7


YES_OR_NO = [
    ("near", {"near": True}, True), ("far", {"near": True}, False),
    ("ounsafe", {"own_unsafe": True}, True), ("osafe", {"own_unsafe": True}, False),
    ("xunsafe", {"unsafe": True}, True), ("xsafe", {"unsafe": True}, False),
    ("xsuicide", {"suicide": True}, True), ("xnosuicide", {"suicide": True}, False),
]  # fmt: skip
COUNTS = {"0": {0}, "1": {1}, "2": {2}, "3": {3}, "1+": {1, 2, 3}, "2+": {2, 3}, "1-": {0, 1}, "2-": {0, 1, 2}}


@pytest.mark.parametrize(("word", "properties", "holds"), YES_OR_NO)
def test_a_word_holds_for_its_property_whatever_the_others_are(word, properties, holds):
    cells = combinations_of((word,))
    bit = index(**properties)
    assert all(cells[combination] == (bool(combination & bit) == holds) for combination in range(256))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(("letter", "shift"), [("o", 3), ("x", 1)])
def test_a_word_of_captures_holds_for_its_numbers(letter, shift, count):
    cells = combinations_of((f"{letter}cap{count}",))
    assert {combination >> shift & 3 for combination in np.flatnonzero(cells)} == COUNTS[count]
    assert cells.sum() == 64 * len(COUNTS[count])


def test_there_are_24_words():
    assert len(combinations_of_word()) == 24 == len(YES_OR_NO) + 2 * len(COUNTS)


def test_all_words_of_a_line_must_hold():
    text = f"{ANYWHERE}:9,near,ocap1+,osafe\n"
    assert worth(text, ".../.*./...", index(near=True, own=2)) == 9
    assert worth(text, ".../.*./...", index(near=True, own=2, own_unsafe=True)) == 1
    assert worth(text, ".../.*./...", index(own=2)) == 1


def test_a_drawing_stands_for_its_turned_and_mirrored_forms_and_no_other_colours():
    text = "XO.\n.*.\n...\n:7\n"
    turned = ["XO./.*./...", "..X/.*O/...", ".../.*./.OX", ".../O*./X..", ".OX/.*./...", ".../.*O/..X"]
    assert [worth(text, drawing) for drawing in turned] == [7] * 6
    assert [worth(text, drawing) for drawing in ("OX./.*./...", "X.O/.*./...", "XO./.*./---")] == [1, 1, 1]


def test_a_drawn_edge_matches_that_edge_only():
    assert worth("?X|\nO*|\n%%%\n:7\n", ".X|/O*|/..|") == 7
    assert worth("?X|\nO*|\n%%%\n:7\n", ".X|/O*|/--+") == 7
    assert worth("?X|\nO*|\n%%%\n:7\n", ".X./O*./...") == 1
    assert worth("???\n?*?\n???\n:7\n", ".../.*./---") == 1


def test_the_first_line_that_matches_counts_whatever_the_values_are():
    text = f"{ANYWHERE}:5,near\n:6,far,osafe\n...\n.*.\n...\n:7\n:8\n"
    assert worth(text, ".../.*./...", index(near=True)) == 5
    assert worth(text, ".../.*./...", index()) == 6
    assert worth(text, ".../.*./...", index(own_unsafe=True)) == 7
    assert worth(text, "X../.*./...", index(own_unsafe=True)) == 1


def test_what_no_line_matches_is_worth_one():
    table = table_of("")
    assert table.values.shape == (CLASSES, 256)
    assert (table.values == 1).all()


def test_large_values_are_kept():
    assert worth(f"{ANYWHERE}:4294967295\n", ".../.*./...") == 2**32 - 1


def test_a_table_knows_which_rule_has_set_a_value():
    table = table_of(f"{ANYWHERE}:5,near\n...\n.*.\n...\n:7\n")
    row = class_of_code()[parse_neighbourhood(".../.*./...")]
    assert (table.sources[row, 1], table.sources[row, 0]) == (0, 1)
    assert [table.rules[number].line for number in (0, 1)] == [4, 8]
    assert table.sources[class_of_code()[parse_neighbourhood("X../.*./...")], 0] == -1


# Tables of GNU Go 3.8 for the same files, by their digests; it takes no notice of what is warned of here.
DIGESTS = {
    "nothing": ("", "5ec3adad259e466031ba5adcd512c142a879d0118eb84a45509f82811a374b73"),
    "edges": (
        "?X|\nO*|\n%%%\n:2\n|X?\n|*?\n???\n:3\n---\n?*?\n???\n:4\n?.?\n?*?\n+-+\n:5\n?.|\n?*|\n--+\n:6\n%%%\n%*%\n%%%\n:7,near\n",
        "a66daebd02133d95c3e5a6f2218612da2205a9730c2698907cae5d9f744e64eb",
    ),
    "lines of values": (
        "XXX\n?*?\n???\n\n:5,near\n# comment\n\n:6,far,osafe\n:7\n:8\n",
        "37b9d85d8679bf2191ae2820d6159d401ce49c46a2d38bc03a7b70aaab3f89f7",
    ),
    "line breaks": (
        "oOo\r\nO*O\r\noO?\r\n\r\n:0\r\n\r\n?X%\r\n?*%\r\n%%%\r\n\r\n:10,ocap1,osafe\r\n:20,ocap2\r\n",
        "52ac535ab5dfc9f20ec256890d02eff2c85619999160c385b5104a9e921d8244",
    ),
    "words": (
        f"{EYES}%%%\n%*%\n%%%\n:40,ocap2+\n:20,ocap1,osafe\n:12,xcap1+\n:1,ounsafe\n:8,xunsafe\n:4\n",
        "230a7701c11837c17b033f2031ecf4782e132fc0ea64018a19851f323429730f",
    ),
}


@pytest.mark.parametrize("what", DIGESTS)
def test_tables_are_those_of_gnu_go(what):
    text, digest = DIGESTS[what]
    assert table_of(text).digest == digest


WARNINGS = [
    (EYES, []),
    ("", [f"{NO_EYES}, so playouts may run to their limit: OOO O*O OOO, OOO O*O ---, |OO |*O +--"]),
    (EYES[EYES.index("|") :], [f"{NO_EYES}, so playouts may run to their limit: OOO O*O OOO, OOO O*O ---"]),
    (f"{EYES.replace(':0', ':0,far')}", [NO_EYES]),
    (f"{EYES}{ANYWHERE}:10000000\n", []),
    (f"{EYES}{ANYWHERE}:10000001\n", ["line 16: 10000001 is more than 10000000: sums may overflow in GNU Go"]),
    (f"{EYES}?X|\nO*|\n???\n:2\n:3\n", ["line 13: this pattern never matches: no board has such an edge"]),
    (f"{EYES}{ANYWHERE}:2,near,far\n", ["line 16: ':2,near,far' never matches: its words exclude each other"]),
    (f"{EYES}{ANYWHERE}:2,ocap1+,ocap0\n", ["line 16: ':2,ocap1+,ocap0' never matches"]),
    (f"{EYES}{ANYWHERE}:2\n:3,near\n", ["line 17: ':3,near' sets nothing: lines above it set all that it matches"]),
    (f"{EYES}OOO\nO*O\nOOO\n:5\n", ["line 16: ':5' sets nothing: lines above it set all that it matches"]),
]


@pytest.mark.parametrize(("text", "expected"), WARNINGS)
def test_warned_of_is_what_is_hardly_meant(text, expected):
    found = table_of(text).warnings
    assert len(found) == len(expected)
    assert all(warning.startswith(start) for warning, start in zip(found, expected, strict=True))


def test_contradictory_words_match_nothing():
    assert (table_of(f"{ANYWHERE}:9,ocap1+,ocap0\n").values == 1).all()


BITS = [("", 0), (EYES, 0), (f"{ANYWHERE}:9,near\n", 1), (f"{ANYWHERE}:9,ocap2\n", 0b11000), (f"{ANYWHERE}:9,xcap2+\n", 0b100),
        (f"{ANYWHERE}:9,osafe,xsafe,xsuicide\n", 0b11100000), (f"{ANYWHERE}:1,near\n", 0)]  # fmt: skip


@pytest.mark.parametrize(("text", "bits"), BITS)
def test_the_bits_that_matter_are_those_that_change_a_value(text, bits):
    assert bits_that_matter(table_of(text)) == bits


def test_a_drawn_neighbourhood_is_a_code():
    assert parse_neighbourhood(".../X*./.O.") == 1 | 2 << 2
    assert parse_neighbourhood("|.X/|*./+--") in all_codes()


BAD_NEIGHBOURHOODS = [
    ("", "expected three rows with '/' between them, as 'XO./O*./...', got ''"),
    (".../.*.", "expected three rows"),
    (".../.*./..", "expected a row of 3 symbols, got '..'"),
    (".../.../...", "expected '*', the move, in the middle of the second row"),
    ("XO?/.*./...", r"expected one neighbourhood, drawn with . O X | - +, got '?' in 'XO?/.*./...'"),
    ("#../.*./...", "expected symbols of .* around the move, got '#'"),
    ("|../.*./...", "expected no edge, or that of a side or a corner, got '|../.*./...'"),
    ("---/.*./---", "expected no edge, or that of a side or a corner"),
]


@pytest.mark.parametrize(("text", "start"), BAD_NEIGHBOURHOODS)
def test_bad_drawings_are_refused(text, start):
    with pytest.raises(BadPatternError) as caught:
        parse_neighbourhood(text)
    head, _, tail = start.partition(".* ")
    assert str(caught.value).startswith(head)
    assert tail in str(caught.value)
