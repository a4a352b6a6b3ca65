"""SGF as other programs write it is read, and what was mended is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf as mill

from goban.errors import SgfError
from goban.sgf import write_sgf
from goban.solver.sgf_files import read_game
from goban.solver.sgf_repair import as_utf8, mend_line
from tests.support.sgf_reading import bare, read

MENDED = [
    ("(\nTE[2018]\nKO[7.5]\n;B[pd]\n;W[dd])", [(3, 15), (3, 3)], ["begins without ';'", "KO[7.5] is read as a komi of 7.5"]),
    ("Saved on Monday (or so)\n(;SZ[9];B[ee])", [(4, 4)], []),
    ("(;SZ[9]KM[6.5]\n---\nPB[x];B[ee])", [(4, 4)], ["left out '---'"]),
    ("(;SZ[ 9 ];B[ e e ];W[c\nc])", [(4, 4), (2, 2)], []),
    ("(;SZ[9:9];B[EE];W[Cc])", [(4, 4), (2, 2)], []),
    ("(;GaMe[1]SiZe[9];Black[ee];White[cc])", [(4, 4), (2, 2)], []),
    ("(;sz[9];b[ee];w[cc])", [(4, 4), (2, 2)], []),
    ("(;SZ[9];B[ee]W[cc];B[gg])", [(4, 4), (2, 2), (6, 6)], []),
    ("(;SZ[9];B[ee][cc] [gg];W[cc])", [(4, 4), (2, 2)], ["left out '[cc]': a move is one point", "left out '[gg]'"]),
    ("(;SZ[9];B[ee]W[cc]B[gg];W[dd])", [(4, 4), (2, 2), (3, 3)], ["left out '[gg]': a move is one point"]),
    ("(;SZ[9]" + "X" * 65 + "[1];B[ee])", [(4, 4)], []),
    ("(;SZ[9]CA[ANSI]PB[x];B[ee])", [(4, 4)], ["CA[ansi] is no known charset, and is not needed"]),
    ("(;SZ[];B[pd];W[dd])", [(3, 15), (3, 3)], ["SZ[] is taken for SZ[19]"]),
    ("(;;; GM[1]SZ[9];;B[ee];W[cc];)", [(4, 4), (2, 2)], []),
    (" ;GM[1]SZ[9];B[ee];W[cc]\n", [(4, 4), (2, 2)], ["begins without '('"]),
    (";GM[1]SZ[9];B[ee];W[cc])", [(4, 4), (2, 2)], ["begins without '('"]),
    ("(;SZ[9];B[ee] C;W[cc])", [(4, 4), (2, 2)], ["left out 'C'"]),
    ("(;SZ[9];B[ee];W[cc]", [(4, 4), (2, 2)], ["the file is cut off"]),
    ("(;SZ[9];B[ee];W[cc];B[g", [(4, 4), (2, 2)], ["the file is cut off", "left out 'B'"]),
    ("(;SZ[9];B[ee](;W[cc];B[gg])(;W[gg]", [(4, 4), (2, 2), (6, 6)], ["the file is cut off"]),
    ("(;SZ[9]HA[4];W[ee])", [(4, 4)], ["HA[4] without handicap stones: none are set up"]),
    ("(;SZ[9]HA[2]AB[cc]AB[gg];W[ee])", [(4, 4)], []),
    ("(;SZ[19]KM[325];B[tt])", [None], ["KM[325] is read as a komi of 6.5"]),
    ("(;SZ[19]KM[3.75];B[tt])", [None], ["KM[3.75] is read as a komi of 7.5"]),
    ("(;SZ[9]KM[6目半];B[ee]一)", [(4, 4)], ["left out '一'", "KM[6目半] is no number, and is left out"]),
    ("(;SZ[9]KM[six];B[ee])", [(4, 4)], ["KM[six] is no number, and is left out"]),
    ("(;SZ[9]foo bar baz qux;B[ee])", [(4, 4)], ["left out 'foo', 'bar', 'baz' and 1 more"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "moves", "notes"), MENDED)
def test_what_programs_write_is_read_and_what_was_mended_is_told(text, moves, notes):
    game = read(text)
    assert [move.move for move in game.moves] == moves
    assert len(game.mended) == len(notes), game.mended
    assert all(note in line for note, line in zip(notes, game.mended, strict=True))


def test_stones_set_up_between_moves_make_the_board_before_the_next_one():
    game = read("(;SZ[3];B[bb];W[ab];AW[bc][cb]AE[];B[ba];AB[aa];AE[aa]AB[cc];W[ca])")
    assert [move.board for move in game.moves] == [
        None, None, ((0, 0, 0), (2, 1, 2), (0, 2, 0)), ((0, 1, 0), (2, 1, 2), (0, 2, 1))
    ]  # fmt: skip


def test_stones_set_up_in_one_value_with_commas_are_all_there():
    game = read("(;SZ[3]AB[aa, ba,ca]AW[ac];B[bb])")
    assert game.setup == ((1, 1, 1), (0, 0, 0), (2, 0, 0))


def test_stones_that_moves_have_taken_are_gone_when_others_are_set_up():
    game = read("(;SZ[3];B[aa];W[ba];B[cc];W[ab];AB[bb];B[ca])")
    assert game.moves[-1].board == ((0, 2, 0), (2, 1, 0), (0, 0, 1))
    assert read(write_sgf(game)) == bare(game)


KOREAN, CHINESE, JAPANESE, TAIWANESE = "(;PB[홍길동]PW[김철수]RE[백 불계승])", "(;PB[王伟]PW[李静]RE[黑中盘胜])", (
    "(;PB[羽根直樹]PW[井山裕太]EV[第３期名人戦])"
), "(;PB[周俊勳]PW[林海峰]RE[黑中盤勝])"
UNSAID = [
    (KOREAN, "euc_kr"), (CHINESE, "gb18030"), (JAPANESE, "shift_jis"), (TAIWANESE, "big5"), ("(;PB[José Müller])", "cp1252"),
    ("(;PB[王伟]PW[柯洁])", "gbk"), ("(;PB[김철수])", "euc_kr"), ("(;PB[ソ表])", "shift_jis"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "codec"), UNSAID)
def test_names_in_an_encoding_that_no_file_names_come_out_as_written(text, codec):
    assert read_game(text.encode(codec)).black == read(text).black


@pytest.mark.parametrize("text", [KOREAN, CHINESE, JAPANESE, TAIWANESE])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_is_told_by_its_mark_or_by_being_valid(text, codec):
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(codec, b"")
    assert read_game(mark + text.encode(codec)).black == read(text).black


def test_utf_8_counts_more_than_a_charset_that_is_named():
    assert read("(;CA[gb2312]PB[王伟])").black == "王伟"
    assert read("(;CA[iso-8859-1]PB[é])").black == "é"


def test_a_charset_that_is_named_counts_more_than_few_bytes_that_are_utf_8_by_chance():
    data = "(;CA[EUC-JP]PB[表])".encode("euc_jp")
    assert data.decode() != "(;CA[EUC-JP]PB[表])"
    assert read_game(data).black == "表"


def test_a_charset_that_is_named_counts_for_a_file_that_was_cut_off_but_not_where_brackets_would_vanish():
    assert read_game("(;CA[gb2312]PB[王伟];B[cc];W[g".encode("gb2312")).black == "王伟"
    data = "(;CA[Shift_JIS]PB[José])".encode("cp1252")
    assert data.decode("shift_jis").count("]") == 1
    assert read_game(data).black == "José"


@given(st.binary())
def test_any_bytes_become_utf_8_or_stay_as_they_are(data):
    text, is_utf8, notes = as_utf8(data)
    assert is_utf8 or text == data
    assert all("\n" not in note and len(note) < 200 for note in notes)


WRITTEN = st.sampled_from(["AB[aa]", "B[bb]", ";", "W[cc]", "C[a\\]b]", "GaMe[1]", "[dd]", " ", "x", "---", "KM[1]", "\\", "é"])


@given(st.lists(WRITTEN).map("".join))
def test_a_mended_game_is_one_that_sgfmill_reads_or_has_nothing_to_mend(text):
    line, _ = mend_line(f"(;{text})".encode())
    mill.Sgf_game.from_bytes(b"(;SZ[19]" + line[2:])
    assert mend_line(line) == (line, [])


def test_what_is_no_game_of_go_on_a_square_board_is_refused():
    for text, said in (("(;SZ[25];B[yy])", "got SZ[25]"), ("(;SZ[19:13])", "19:13"), ("(;GM[4]SZ[9])", "expected Go")):
        with pytest.raises(SgfError) as caught:
            read(text)
        assert said in str(caught.value)
