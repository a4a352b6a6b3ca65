"""SGF as the format has it (https://www.red-bean.com/sgf/), as other programs bend it, and as sgfmill reads and writes it."""

import codecs
import contextlib
import gc
import random
import re
import time
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sgfmill import sgf as mill

from goban.diagrams import parse_diagram
from goban.errors import SgfError
from goban.game import GameRecord, play_game
from goban.moves import PASS, RESIGN, move_name
from goban.outcomes import Ending, Outcome
from goban.rulesets import PRESETS, ruleset
from goban.sgf import SgfGame, SgfMove, sgf_of, states_of, write_sgf
from goban.sgf_reader import read_collection, read_sgf
from goban.sgf_tree import HEADER, escape, plain, plain_line, text_value
from goban.states import new_game, state_from_rows

BLACK, WHITE = 1, 2

# No deadline: the machine may be busy.
ANY = settings(deadline=None)
FEWER = settings(deadline=None, max_examples=60)


def moves_of(game):
    return [(move.colour, move.move) for move in game.moves]


def played(text):
    """The moves of a game, read."""
    return moves_of(read_sgf(text))


def rows(drawing):
    return tuple(tuple(row) for row in parse_diagram(drawing))


# What a game looks like


def test_a_game_as_it_is_written():
    game = SgfGame(
        size=5,
        komi=2.5,
        rules="course",
        black="alice",
        white="bob",
        result="B+2.5",
        comment="first of three",
        moves=(SgfMove(BLACK, (2, 1), seconds=0.25), SgfMove(WHITE, None, comment="why?"), SgfMove(BLACK, (0, 4))),
        extra=(("DT", ("2026-05-01",)),),
    )
    assert write_sgf(game) == (
        "(;FF[4]GM[1]CA[UTF-8]SZ[5]KM[2.5]RU[course]PB[alice]PW[bob]RE[B+2.5]C[first of three]DT[2026-05-01]\n"
        ";B[bc]SECONDS[0.25];W[]C[why?];B[ea])\n"
    )
    assert read_sgf(write_sgf(game)) == game


def test_a_point_is_column_then_row_from_the_top_left():
    assert played("(;SZ[5];B[ea];W[ae])") == [(BLACK, (0, 4)), (WHITE, (4, 0))]


def test_an_empty_value_and_tt_are_passes():
    assert played("(;SZ[19];B[];W[tt];B[ ])") == [(BLACK, None), (WHITE, None), (BLACK, None)]


def test_setup_and_player_to_move_are_written_and_read():
    game = SgfGame(3, setup=rows(".X.\nO.X\n..."), to_move=WHITE)
    assert "AB[ba][cb]AW[ab]PL[W]" in write_sgf(game)
    assert read_sgf(write_sgf(game)) == game


def test_long_games_are_broken_into_lines():
    text = write_sgf(SgfGame(19, moves=tuple(SgfMove(1 + k % 2, (k % 19, k // 19)) for k in range(300))))
    assert max(map(len, text.splitlines())) <= 81
    assert len(read_sgf(text).moves) == 300


def test_what_is_missing_is_empty_and_the_board_is_19():
    assert read_sgf("(;)") == SgfGame(19)


def test_extra_properties_are_read_as_text():
    game = read_sgf("(;GC[a\\]b\\\nc\nd]HA[2])")
    assert game.info("GC") == "a]bc\nd"
    assert game.info("HA") == "2"
    assert game.info("DT") == ""


def test_unknown_properties_are_kept_in_order_and_raw():
    game = read_sgf("(;XX[1][2]AP[a\\:b:1]\nDT[x];B[aa]ZZ[\\]]WL[17.5]AB[])")
    assert game.extra == (("XX", ("1", "2")), ("AP", ("a\\:b:1",)), ("DT", ("x",)))
    assert game.moves[0].extra == (("ZZ", ("\\]",)), ("WL", ("17.5",)))
    assert read_sgf(write_sgf(game)) == game


@pytest.mark.parametrize(
    ("raw", "number"),
    [("7.5", 7.5), ("0", 0.0), ("-3", -3.0), (" 6.5 ", 6.5), ("6,5", 6.5), ("+.5", 0.5), ("5.", 5.0)]
    + [(bad, None) for bad in ["", "x", ".", "-", "nan", "inf", "1e3", "1_0", "٣", "1.5.", "9" * 500, "\x00"]],
)
def test_komi_is_a_number_or_none(raw, number):
    assert read_sgf(f"(;KM[{raw}])").komi == number


@pytest.mark.parametrize(("raw", "seconds"), [("1.25", 1.25), ("0", 0.0), ("-1", None), ("soon", None)])
def test_seconds_used_are_a_private_property(raw, seconds):
    assert read_sgf(f"(;;B[aa]SECONDS[{raw}])").moves == (SgfMove(BLACK, (0, 0), seconds=seconds),)


def test_time_left_is_not_time_used():
    move = read_sgf("(;;B[aa]BL[1200.5]OB[3])").moves[0]
    assert move.seconds is None
    assert move.extra == (("BL", ("1200.5",)), ("OB", ("3",)))


# Text

RAW_TEXTS = [
    ("a\\]b", "a]b"),
    ("a\\\\", "a\\"),
    ("a\\\\\\]b", "a\\]b"),
    ("a\\:b:c", "a:b:c"),
    ("\\a", "a"),
    ("soft\\\nbreak", "softbreak"),
    ("soft\\\r\nbreak", "softbreak"),
    ("soft\\\n\rbreak", "softbreak"),
    ("soft\\\rbreak", "softbreak"),
    ("a\nb", "a\nb"),
    ("a\r\nb", "a\nb"),
    ("a\n\rb", "a\nb"),
    ("a\rb", "a\nb"),
    ("a\r\rb", "a\n\nb"),
    ("a\tb\vc\fd", "a b c d"),
    ("(;B[aa\\])", "(;B[aa])"),
    ("", ""),
]


@pytest.mark.parametrize(("raw", "text"), RAW_TEXTS)
def test_escapes_and_line_breaks_in_a_comment(raw, text):
    assert read_sgf(f"(;;B[aa]C[{raw}])").moves[0].comment == text


@pytest.mark.parametrize(("raw", "text"), RAW_TEXTS)
def test_a_name_has_spaces_for_line_breaks(raw, text):
    assert read_sgf(f"(;PB[{raw}])").black == text.replace("\n", " ")


HOSTILE = [
    "]", "\\", "\\]", "]\\", "a]b;W[aa", "\\\n", "(;FF[4]", "(;FF[4", f"\n(;{HEADER}5]", "<b>&", "\x1b[31mred", "\x00",
    "a:b", "日本", "🙂", "é", "\x85\u2028x", " a ", "\\\\", "]]]", "\ufeff",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_come_back(text):
    game = SgfGame(5, black=plain_line(text), white="bob", comment=text, moves=(SgfMove(BLACK, (0, 0), comment=text),))
    other = SgfGame(5, black="carol")
    assert read_sgf(write_sgf(game)) == game
    assert read_sgf(write_sgf(game).encode()) == game
    assert read_collection(write_sgf(game) + write_sgf(other)) == [game, other]


def test_lone_surrogates_are_replaced_so_that_the_file_can_be_stored():
    game = read_sgf(write_sgf(SgfGame(5, black="a\ud800", extra=(("XX", ("\udc80",)),))).encode())
    assert game.black == "a\ufffd"
    assert game.extra == (("XX", ("\ufffd",)),)
    assert read_sgf("(;PB[\ud800])").black == "\ufffd"


@ANY
@given(st.text())
def test_any_text_is_escaped_so_that_it_comes_back(text):
    assert text_value(escape(text)) == plain(text)
    assert plain(plain(text)) == plain(text)


# What other programs write


def test_the_main_line_is_the_first_branch_everywhere():
    text = "(;SZ[5];B[aa](;W[bb](;B[cc];W[dd])(;B[dc]))(;W[ab];B[ee]);B[ea])"
    assert played(text) == [(1, (0, 0)), (2, (1, 1)), (1, (2, 2)), (2, (3, 3))]


def test_text_around_games_is_skipped():
    assert played("\ufeffHello (all) [of you]!\n( \n;B[aa]) bye") == [(BLACK, (0, 0))]


def test_white_space_and_rubbish_between_properties_are_skipped():
    assert played("(;SZ [5]\n 12 ;; \x00 B\n[aa]; [stray] junk, W[bb] rubbish)") == [(BLACK, (0, 0)), (WHITE, (1, 1))]


def test_only_capitals_count_in_old_identifiers():
    game = read_sgf("(;GaMe[1]SiZe[9]PlayerBlack[kim]AddBlack[aa];White[bb])")
    assert (game.size, game.black, game.setup[0][0], moves_of(game)) == (9, "kim", BLACK, [(WHITE, (1, 1))])


def test_a_move_in_the_root_is_the_first_move():
    game = read_sgf("(;SZ[5]PB[kim]C[hello]B[aa];C[there];W[bb])")
    assert moves_of(game) == [(BLACK, (0, 0)), (WHITE, (1, 1))]
    assert (game.black, game.comment, game.moves[0].comment) == ("kim", "hello", "there")


def test_nodes_before_the_first_move_belong_to_the_root():
    game = read_sgf("(;SZ[5]C[a];PB[kim]AB[aa][bb];C[b]AE[aa]AW[cc]PL[w]N[x];B[dd])")
    assert (game.black, game.comment, game.to_move, game.extra) == ("kim", "a\nb", WHITE, (("N", ("x",)),))
    assert game.setup == rows(".....\n.X...\n..O..\n.....\n.....")


def test_comments_of_later_nodes_without_a_move_join_the_move_before():
    game = read_sgf("(;;B[aa]C[one];N[skipped]C[two];C[three];W[bb];C[four])")
    assert [move.comment for move in game.moves] == ["one\ntwo\nthree", "four"]


def test_two_moves_in_one_node_are_two_moves():
    game = read_sgf("(;SZ[5];B[aa]W[bb]C[both])")
    assert game.moves == (SgfMove(BLACK, (0, 0)), SgfMove(WHITE, (1, 1), comment="both"))


RECTANGLES = ["AB[aa:cb]", "AB[cb:aa]", "AB[aa][ba:ca][ab:cb]", "AB[aa:ca]AB[ab:cb][ab]", "AB[aa:cc]AE[ac:cc]"]


@pytest.mark.parametrize("value", RECTANGLES)
def test_rectangles_of_stones(value):
    assert read_sgf(f"(;SZ[4]{value})").setup == rows("XXX.\nXXX.\n....\n....")


def test_a_handicap_game():
    game = read_sgf("(;SZ[9]HA[2]KM[0]AB[cg][gc];W[ee];B[ec])")
    assert game.info("HA") == "2"
    states = states_of(game, ruleset("aga"))
    assert [state.to_move for state in states] == [WHITE, BLACK, WHITE]
    assert states[0].rows()[6][2] == BLACK
    assert states[-1].rows()[4][4] == WHITE


@pytest.mark.parametrize("value", ["5", " 5 ", "5:5", "05", "5\n"])
def test_sizes_of_square_boards(value):
    assert read_sgf(f"(;SZ[{value}])").size == 5


def test_of_repeated_root_properties_the_first_counts():
    game = read_sgf("(;SZ[5]PB[a][b]PB[c]KM[1]KM[2])")
    assert (game.black, game.komi) == ("a", 1.0)


# Bytes


CHARSETS = [
    ("UTF-8", "utf-8", "表功é"),
    ("utf8", "utf-8", "表功é"),
    ("Shift_JIS", "shift_jis", "表"),
    ("EUC-JP", "euc_jp", "表"),
    ("GB2312", "gb2312", "功"),
    ("Big5", "big5", "功"),
    ("EUC-KR", "euc_kr", "바둑"),
    (" iso-8859-1", "latin-1", "é"),
    ("KOI8-R", "koi8-r", "Го"),
]


@pytest.mark.parametrize(("name", "codec", "text"), CHARSETS)
def test_bytes_are_read_in_their_charset(name, codec, text):
    # The second byte of 表 in Shift_JIS, and of 功 in Big5, is a backslash: SGF is escaped after decoding.
    assert read_sgf(f"(;CA[{name}]PB[{text}]C[x])".encode(codec)).black == text


UNKNOWN_CHARSETS = ["", "klingon", "unicode_escape", "idna", "zip", "rot13", "hex", "undefined", "../x", "\x00", "x" * 99]


@pytest.mark.parametrize("name", UNKNOWN_CHARSETS)
def test_an_unknown_charset_is_utf_8_or_else_latin_1(name):
    assert read_sgf(f"(;CA[{name}]PB[é\\\\u0041])".encode()).black == "é\\u0041"
    assert read_sgf(f"(;CA[{name}]PB[é])".encode("latin-1")).black == "é"


def test_without_a_charset_bytes_are_utf_8_or_else_latin_1():
    assert read_sgf("(;PB[é])".encode()).black == "é"
    assert read_sgf("(;PB[é])".encode("latin-1")).black == "é"
    assert read_sgf("(;CA[UTF-8]PB[é])".encode("latin-1")).black == "é"


def test_a_byte_order_mark_is_obeyed():
    assert read_sgf(codecs.BOM_UTF8 + "(;CA[latin-1]PB[é])".encode()).black == "é"
    assert read_sgf("(;PB[é])".encode("utf-16")).black == "é"
    assert read_sgf("\ufeff(;PB[é])").black == "é"


def test_each_game_has_its_own_charset():
    one, two = "(;FF[4]CA[Shift_JIS]PB[日])".encode("shift_jis"), "(;FF[4]CA[UTF-8]PB[本])".encode()
    assert [game.black for game in read_collection(one + b"\n" + two)] == ["日", "本"]


# Collections

NAMES = ["日本", "bob", "carol"]
THREE = [SgfGame(5, black=name, moves=(SgfMove(BLACK, (k, k), comment="é]"),)) for k, name in enumerate(NAMES)]


def test_games_written_one_after_the_other_are_a_collection():
    text = "".join(map(write_sgf, THREE))
    assert read_collection(text) == read_collection(text.encode()) == THREE
    assert read_sgf(text) == THREE[0]
    assert len(mill.sgf_grammar.parse_sgf_collection(text.encode())) == 3


def test_a_last_game_cut_off_anywhere_is_left_out():
    whole, last = "".join(map(write_sgf, THREE[:2])).encode(), write_sgf(THREE[2]).encode().rstrip()
    for length in range(len(last)):
        assert read_collection(whole + last[:length]) == THREE[:2]
    assert read_collection(whole + last) == THREE


def test_a_game_cut_off_anywhere_does_not_spoil_those_written_later():
    before, torn, after = (write_sgf(game).encode() for game in THREE)
    for length in range(len(torn.rstrip())):
        assert read_collection(before + torn[:length] + after) == [THREE[0], THREE[2]]


def test_every_game_begins_with_the_header():
    assert write_sgf(SgfGame(5)).startswith(f"(;{HEADER}")


def test_a_text_that_quotes_the_beginning_of_a_game_is_no_game():
    game = SgfGame(5, black="(;FF[4", comment=f"(;{HEADER}", extra=(("XX", ("(;FF[4",)), ("YY", ("1",))))
    assert read_collection(write_sgf(game)) == [game]
    assert len(read_collection("(;SZ[5]C[see (;FF[4];B[aa])")) == 1


def test_a_file_without_a_complete_game_is_refused():
    with pytest.raises(SgfError, match="cut off"):
        read_sgf("(;B[aa]")
    with pytest.raises(SgfError, match="1 cut off"):
        read_collection("(;B[aa]")


def test_a_bad_game_in_a_collection_is_named():
    with pytest.raises(SgfError, match=r"game 2: node 1: B: .*'zz'"):
        read_collection("(;SZ[5];B[aa])(;SZ[5];B[zz])")


# Errors

REFUSED = [
    ("", "'(;'"),
    ("   ", "'   '"),
    ("no game", "'no game'"),
    ("(B[aa])", "'(;'"),
    ("(;", "cut off"),
    ("(;C[x", "cut off"),
    ("(;C[x\\])", "cut off"),
    ("(;SZ[1])", "SZ['1']"),
    ("(;SZ[20])", "SZ['20']"),
    ("(;SZ[0])", "SZ['0']"),
    ("(;SZ[-5])", "SZ['-5']"),
    ("(;SZ[19:13])", "SZ['19:13']"),
    ("(;SZ[5:])", "SZ['5:']"),
    ("(;SZ[big])", "SZ['big']"),
    ("(;SZ[])", "SZ['']"),
    ("(;SZ[" + "9" * 9999 + "])", "SZ['99"),
    ("(;GM[2])", "GM['2']"),
    ("(;GM[go])", "GM['go']"),
    ("(;SZ[5];B[aa];W[ff])", "node 2: W: expected a point like 'ab', got 'ff', which is off the 5x5 board"),
    ("(;SZ[5];B[a])", "node 1: B: expected a point like 'ab', got 'a'"),
    ("(;SZ[5];B[a1])", "got 'a1'"),
    ("(;SZ[5];B[AA])", "got 'AA'"),
    ("(;SZ[5];B[éé])", "got '\\xe9\\xe9'"),
    ("(;SZ[5];B[aa:bb])", "got 'aa:bb'"),
    ("(;SZ[5];B[aa][bb])", "node 1: expected one point in B, got 2"),
    ("(;SZ[5];B;W[aa])", "node 1: expected one point in B, got 0"),
    ("(;SZ[5]AB[ff])", "node 0: AB: "),
    ("(;SZ[5]AB[aa:ff])", "node 0: AB: "),
    ("(;SZ[5]AB[aa:])", "rectangle"),
    ("(;SZ[5]AB[tt])", "rectangle"),
    ("(;SZ[5]AB[aa:bb:cc])", "got 'bb:cc'"),
    ("(;SZ[5];B[aa];AW[bb])", "node 2: expected set-up stones before the first move only, got AW"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_is_refused_and_the_words_for_it(text, said):
    with pytest.raises(SgfError) as caught:
        read_sgf(text)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 200
    with pytest.raises(SgfError):
        read_sgf(text.encode())


QUOTING = (("GM", ("1",)), ("CA", ("UTF-8",)), ("SZ", ("5",)))
NOT_WRITTEN = [
    (SgfGame(1), "board size"),
    (SgfGame(20), "board size"),
    (SgfGame(5, komi=float("nan")), "komi"),
    (SgfGame(5, komi=float("inf")), "komi"),
    (SgfGame(5, moves=(SgfMove(3, (0, 0)),)), "move 1: expected colour"),
    (SgfGame(5, moves=(SgfMove(1, (0, 0)), SgfMove(2, (5, 0)))), "move 2: point (5, 0) is off"),
    (SgfGame(5, moves=(SgfMove(1, (0, -1)),)), "move 1: point (0, -1) is off"),
    (SgfGame(5, moves=(SgfMove(1, (0, 0), seconds=-1),)), "seconds"),
    (SgfGame(5, moves=(SgfMove(1, (0, 0), seconds=float("inf")),)), "seconds"),
    (SgfGame(5, moves=(SgfMove(1, (0, 0), extra=(("C", ("x",)),)),)), "move 1: expected other properties"),
    (SgfGame(5, setup=((0, 0), (0, 0))), "set-up"),
    (SgfGame(2, setup=((0, 0), (0, 3))), "set-up"),
    (SgfGame(5, to_move=0), "to move"),
    (SgfGame(5, extra=(("SZ", ("9",)),)), "SZ"),
    (SgfGame(5, extra=(("x", ("9",)),)), "capital"),
    (SgfGame(5, extra=(("", ("9",)),)), "capital"),
    (SgfGame(5, extra=(("É", ("9",)),)), "capital"),
    (SgfGame(5, extra=(("XX", ()),)), "XX"),
    (SgfGame(5, extra=(("XX", ("]",)),)), "escaped"),
    (SgfGame(5, extra=(("XX", ("\\",)),)), "escaped"),
    (SgfGame(5, moves=(SgfMove(1, None, "(;FF[4", None, QUOTING),)), "another"),
]


@pytest.mark.parametrize(("game", "said"), NOT_WRITTEN)
def test_a_game_nobody_could_read_is_not_written(game, said):
    with pytest.raises(SgfError) as caught:
        write_sgf(game)
    assert said in str(caught.value)


# Any input whatsoever

PIECES = [
    "(", ")", ";", "[", "]", "\\", "(;", "(;FF[4]", f"(;{HEADER}",
    "B[aa]", "W[bb]", "B", "W[]", "AB[aa:cc]", "AE", "SZ[5]", "SZ", "GM[1]",
    "PL[W]", "C[x]", "KM[6.5]", "tt", ":", "\n", "\r", "\x00", "\ufeff", " ", "é", "日", "\ud800", "CA[", "CA[big5]",
    "SECONDS[1]", "x",
]  # fmt: skip


def survives(text):
    """Reads the text; whatever could be read is written and read again the same."""
    for read in (lambda: [read_sgf(text)], lambda: read_collection(text)):
        try:
            games = read()
        except SgfError:
            continue
        for game in games:
            assert read_sgf(write_sgf(game)) == game
        assert read_collection("".join(map(write_sgf, games)).encode()) == games
        for game in games:
            for rules in (PRESETS["course"], PRESETS["aga"]):
                try:
                    assert len(states_of(game, rules)) == len(game.moves) + 1
                except SgfError:
                    continue


@ANY
@given(st.text() | st.binary() | st.lists(st.sampled_from(PIECES)).map("".join))
@example("(;" * 40)
def test_any_text_is_a_game_or_an_sgf_error(text):
    survives(text)


SEED = (
    "(;FF[4]GM[1]CA[UTF-8]SZ[5]KM[2.5]PB[日\\]]AB[aa:ab]PL[B]C[x\\\\]\n"
    ";B[cc]SECONDS[1];W[bd]C[é\n](;B[];W[tt])(;B[dd]))\n"
)


@ANY
@given(st.data(), st.booleans())
def test_any_damage_to_a_game_leaves_a_game_or_an_sgf_error(data, as_bytes):
    text = SEED * 2
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        stop = start + data.draw(st.integers(0, 6))
        text = text[:start] + data.draw(st.sampled_from(["", *PIECES]) | st.text(max_size=3)) + text[stop:]
    survives(text.encode("utf-8", "surrogatepass") if as_bytes else text)


# Round trips

LINES = st.text(max_size=12).map(plain_line)
TEXTS = (st.text(max_size=20) | st.lists(st.sampled_from(HOSTILE), max_size=3).map("".join)).map(plain)
IDENTIFIERS = st.from_regex(r"X[A-Z]{1,5}", fullmatch=True)
VALUES = st.lists(TEXTS.map(escape), min_size=1, max_size=3).map(tuple)
EXTRA = st.lists(st.tuples(IDENTIFIERS, VALUES), max_size=2).map(tuple)


@st.composite
def games(draw):
    size = draw(st.integers(2, 19))
    points = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    stones = draw(st.dictionaries(points, st.sampled_from([BLACK, WHITE]), max_size=6))
    seconds = st.none() | st.floats(0, allow_infinity=False)
    moves = st.builds(SgfMove, st.sampled_from([BLACK, WHITE]), st.none() | points, TEXTS, seconds, EXTRA)
    return SgfGame(
        size,
        draw(st.none() | st.floats(allow_nan=False, allow_infinity=False)),
        *(draw(LINES) for _ in range(4)),
        tuple(draw(st.lists(moves, max_size=6))),
        draw(TEXTS),
        tuple(tuple(stones.get((i, j), 0) for j in range(size)) for i in range(size)) if stones else None,
        draw(st.none() | st.sampled_from([BLACK, WHITE])),
        draw(EXTRA),
    )


@FEWER
@given(games())
def test_what_is_written_is_read_the_same(game):
    text = write_sgf(game)
    assert read_sgf(text) == read_sgf(text.encode()) == read_sgf(text.replace("\n", "\r\n")) == game
    assert write_sgf(read_sgf(text)) == text


@ANY
@given(st.text(), st.text())
def test_names_and_comments_come_back_as_the_format_can_hold_them(name, comment):
    game = read_sgf(write_sgf(SgfGame(5, black=name, comment=comment)).encode())
    one = re.sub("[\ud800-\udfff]", "\ufffd", re.sub("\r\n|\n\r|\r", "\n", comment))
    assert game.comment == re.sub("[\t\v\f]", " ", one)
    two = re.sub("[\ud800-\udfff]", "\ufffd", re.sub("\r\n|\n\r|\r|\n", "\n", name))
    assert game.black == re.sub("[\t\v\f\n]", " ", two)


# sgfmill, both ways


def mill_point(point, size):
    """sgfmill counts rows from the bottom."""
    return None if point is None else (size - 1 - point[0], point[1])


@FEWER
@given(games())
def test_sgfmill_reads_what_we_write(game):
    theirs = mill.Sgf_game.from_bytes(write_sgf(game).encode())
    root, nodes = theirs.get_root(), theirs.get_main_sequence()[1:]
    assert theirs.get_size() == game.size
    assert not theirs.get_root().has_property("KM") or root.get("KM") == game.komi
    for name, text in {"PB": game.black, "PW": game.white, "RU": game.rules, "RE": game.result, "C": game.comment}.items():
        assert (root.get(name) if root.has_property(name) else "") == text
    letters = {BLACK: "b", WHITE: "w"}
    assert [node.get_move() for node in nodes] == [(letters[c], mill_point(p, game.size)) for c, p in moves_of(game)]
    assert [node.get("C") if node.has_property("C") else "" for node in nodes] == [move.comment for move in game.moves]
    black, white, _ = root.get_setup_stones()
    for stone, found in ((BLACK, black), (WHITE, white)):
        ours = {(i, j) for i, row in enumerate(game.setup or ()) for j, kind in enumerate(row) if kind == stone}
        assert found == {mill_point(point, game.size) for point in ours}
    assert all(root.has_property(name) for name, _ in game.extra)


@FEWER
@given(games(), st.sampled_from(["UTF-8", "Shift_JIS"]))
def test_we_read_what_sgfmill_writes(game, charset):
    letters = {BLACK: "b", WHITE: "w"}
    theirs = mill.Sgf_game(size=game.size, encoding=charset)
    root = theirs.get_root()
    name = game.black.encode(charset, "ignore").decode(charset)
    root.set("PB", name)
    if game.komi is not None and (game.komi == 0 or abs(game.komi) > 1e-3):
        root.set("KM", game.komi)
    stones = {
        kind: {mill_point((i, j), game.size) for i, row in enumerate(game.setup or ()) for j, s in enumerate(row) if s == kind}
        for kind in letters
    }
    root.set_setup_stones(stones[BLACK], stones[WHITE])
    for move in game.moves:
        node = theirs.extend_main_sequence()
        node.set_move(letters[move.colour], mill_point(move.move, game.size))
        if move.comment and charset == "UTF-8":
            node.set("C", move.comment)
    ours = read_sgf(theirs.serialise())
    assert (ours.size, ours.setup, moves_of(ours)) == (game.size, game.setup, moves_of(game))
    assert ours.komi == (game.komi if root.has_property("KM") else None)
    if charset == "UTF-8":
        assert ours.black == name
        assert [move.comment for move in ours.moves] == [move.comment for move in game.moves]


# Depth and length


def test_ten_thousand_nested_variations_are_no_problem():
    deep = "(;SZ[5]" + "(;B[aa]" * 10_000 + ")" * 10_000 + ")"
    assert len(read_sgf(deep).moves) == 10_000
    assert len(read_sgf("(;SZ[5];B[aa]" + "(;W[bb])" * 10_000 + "(;C" * 10_000 + ")" * 10_001).moves) == 2


LONG = {
    "moves": ("(;", ";B[aa];W[bb]", ")"),
    "an open value": ("(;C[", "\\]", ""),
    "a closed value of backslashes": ("(;C[", "\\\\", "])"),
    "games that never close": ("(;", "(;C[", ""),
    "games cut off": ("", f"(;{HEADER}5]C[", ""),
    "variations": ("(;(;B[aa])", "(;W[bb](", ""),
    "comment nodes": ("(;;B[aa]", ";C[a]", ")"),
    "spaces": ("", "( ", ""),
    "letters": ("(;", "ab ", ")"),
    "values": ("(;ZZ", "[] ", ")"),
    "stones": ("(;", "AB[aa:ss]", ")"),
    "games": ("", "(;)", ""),
}


@pytest.mark.parametrize("kind", LONG)
def test_time_grows_no_faster_than_the_text(kind):
    head, middle, tail = LONG[kind]

    def seconds(length):
        text = head + middle * (length // len(middle)) + tail
        start = time.process_time()
        with contextlib.suppress(SgfError):
            read_collection(text)
        return time.process_time() - start

    gc.disable()  # its time depends on what other tests have left behind
    try:
        short = max(seconds(10_000) for _ in range(3))
        long = min(seconds(80_000) for _ in range(2))
    finally:
        gc.enable()
    # Were the time quadratic, the longer text would take 64 times as long.
    assert long < 24 * max(short, 0.002)


# Games played here


def random_game(name, size, seed):
    rng = random.Random(seed)

    def seat(state, complaint):
        moves = [move for move in state.legal_moves() if move is not RESIGN or rng.random() < 0.02]
        move = rng.choice(moves)
        return "PASS" if move is PASS else "RESIGN" if move is RESIGN else move

    return play_game(new_game(PRESETS[name], size), seat, seat)


def boards(states):
    return [state.rows() for state in states]


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_written_and_read_replays_to_the_same_end(name):
    for seed in range(4):
        record = random_game(name, 5, seed)
        game = sgf_of(record, "alice", "bob", seconds=[0.5, 0.12345])
        again = read_sgf(write_sgf(game).encode())
        assert again == game
        assert (again.rules, again.komi, again.result) == (name, PRESETS[name].komi(5), record.outcome.result())
        states = states_of(again, ruleset(again.rules))
        last = states[-1].play(RESIGN) if record.outcome.ending is Ending.RESIGNATION else states[-1]
        assert last == record.final
        assert last.outcome == record.outcome
        assert again.info("GC") == record.outcome.ending.value


def test_seconds_are_rounded_to_milliseconds_and_may_be_missing():
    record = random_game("course", 5, 1)
    game = sgf_of(record, "a", "b", seconds=[0.123456, None, 2])
    assert [move.seconds for move in game.moves[:4]] == [0.123, None, 2, None]
    assert len(sgf_of(record, "a", "b", seconds=[1.0] * 99).moves) == len(record.moves)


def test_a_resignation_shows_in_the_result_only():
    answers = iter([(0, 0), "RESIGN"])
    record = play_game(new_game(PRESETS["aga"], 5), lambda *_: next(answers), lambda *_: next(answers))
    game = sgf_of(record, "a", "b")
    assert (moves_of(game), game.result, game.info("GC")) == ([(BLACK, (0, 0))], "B+R", "resignation")


def test_a_forfeit_is_told_in_the_game_comment():
    def crash(*_):
        raise RuntimeError("\\[x] oh")

    record = play_game(new_game(PRESETS["littlego"], 5), crash, crash)
    game = read_sgf(write_sgf(sgf_of(record, "a", "b")))
    assert (game.result, game.moves) == ("W+F", ())
    assert game.info("GC") == f"crash: {plain(record.outcome.detail)}"
    assert "] oh" in game.info("GC")


def test_a_start_that_is_no_empty_board_is_set_up():
    start = state_from_rows(PRESETS["alphago7"], parse_diagram("X..\n.O.\n..X"), to_move=WHITE, n_move=3)
    record = GameRecord(start, (None, None), start.play(None).play(None), Outcome(WHITE, 1, 9.5, Ending.TWO_PASSES))
    game = sgf_of(record, "a", "b")
    assert (game.setup, game.to_move, moves_of(game)) == (rows("X..\n.O.\n..X"), WHITE, [(WHITE, None), (BLACK, None)])
    assert boards(states_of(game, PRESETS["alphago7"])) == [start.rows()] * 3


def test_more_about_a_game_goes_to_the_root():
    record = random_game("course", 5, 2)
    game = sgf_of(record, "a\nb", "]", comment="x\r\ny", info={"GN": "a-b-001", "DT": "2026-05-01", "EV": "cup]"})
    again = read_sgf(write_sgf(game))
    assert again == game
    assert (again.black, again.white, again.comment) == ("a b", "]", "x\ny")
    assert [again.info(name) for name in ("GN", "DT", "EV")] == ["a-b-001", "2026-05-01", "cup]"]


def test_the_same_game_gives_the_same_bytes():
    texts = {write_sgf(sgf_of(random_game("course", 7, 3), "a", "b")) for _ in range(3)}
    assert len(texts) == 1


# Replaying


def test_every_move_gives_a_state():
    states = states_of(read_sgf("(;SZ[5];B[aa];W[bb];B[])"), PRESETS["aga"])
    assert [state.n_move for state in states] == [0, 1, 2, 3]
    assert states[1].rows()[0][0] == BLACK


def test_white_may_begin_where_the_file_says_so():
    assert states_of(read_sgf("(;SZ[5]PL[W];W[aa])"), PRESETS["aga"])[0].to_move == WHITE
    assert states_of(read_sgf("(;SZ[5];W[aa])"), PRESETS["aga"])[0].to_move == WHITE
    assert states_of(read_sgf("(;SZ[5]PL[White])"), PRESETS["aga"])[0].to_move == WHITE
    assert states_of(read_sgf("(;SZ[5])"), PRESETS["aga"])[0].to_move == BLACK


BROKEN = [
    ("(;SZ[5];B[aa];W[aa])", "aga", "white may not play A5 as move 2: the point is occupied"),
    ("(;SZ[5];B[aa];W[])", "course", "white may not play pass as move 2: these rules know no passing"),
    ("(;SZ[5];B[];W[];B[aa])", "aga", "move 3: the game is over"),
    ("(;SZ[5]AB[ba][ab]PL[W];W[aa])", "aga", "move 1: suicide"),
    ("(;SZ[5]AB[ba][ab][bc][cb]AW[ca][db][cc];W[bb];B[cb])", "aga", "black may not play C4 as move 2: situational superko"),
    ("(;SZ[5]AB[ba][ab][bc]AW[ca][bb][db][cc];B[cb];W[bb])", "course", "white may not play B4 as move 2: ko"),
    ("(;SZ[5];B[aa];B[bb])", "aga", "expected white to move as move 2, got black B4"),
    ("(;SZ[5]PL[B];W[aa])", "aga", "expected black to move as move 1, got white A5"),
]


@pytest.mark.parametrize(("text", "name", "said"), BROKEN)
def test_a_move_against_the_rules_is_named(text, name, said):
    with pytest.raises(SgfError) as caught:
        states_of(read_sgf(text), PRESETS[name])
    assert said in str(caught.value)


FAULTY = [SgfGame(99), SgfGame(5, moves=(SgfMove(1, (9, 9)),)), SgfGame(5, setup=((0,),)), SgfGame(5, to_move=7)]


@pytest.mark.parametrize("game", FAULTY)
def test_a_game_made_by_hand_with_faults_cannot_be_replayed(game):
    with pytest.raises(SgfError):
        states_of(game, PRESETS["aga"])


def test_moves_have_the_names_people_use():
    game = replace(read_sgf("(;SZ[5];B[bb])"), result="B+R")
    assert move_name(game.moves[0].move, game.size) == "B4"
