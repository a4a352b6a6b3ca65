"""SGF files as we write them and as other programs do, in any charset, one game or several in a file."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf as mill
from sgfmill.sgf import Sgf_game

from goban.diagrams import parse_diagram
from goban.errors import SgfError
from goban.moves import RESIGN
from goban.reviews import read_review
from goban.rulesets import PRESETS, Ending, ruleset
from goban.sgf import HEADER, SgfGame, SgfMove, sgf_of, write_sgf
from goban.solver.positions import start_of
from goban.solver.sgf_files import lines_of, main_lines, read_game, read_games
from tests.support.sgf_files import BLACK, HOSTILE, LETTERS, WHITE, games, mill_point, random_game
from tests.support.sgf_reading import bare, read

FEWER = settings(deadline=None, max_examples=60)


def played(text):
    """The moves of a game, read."""
    return [(move.colour, move.move) for move in read(text).moves]


def rows(drawing):
    return tuple(tuple(row) for row in parse_diagram(drawing))


# What is written here


@FEWER
@given(games())
def test_what_is_written_is_read_the_same(game):
    text = write_sgf(game)
    assert read(text) == read(text.replace("\n", "\r\n")) == bare(game)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_come_back(text):
    line = text.replace("\n", " ")
    game = SgfGame(5, black=line, white="bob", comment=text, moves=(SgfMove(BLACK, (0, 0), comment=text),))
    other = SgfGame(5, black="carol")
    data = (write_sgf(game) + write_sgf(other)).encode()
    assert [read_game(data, number) for number in (1, 2)] == [bare(game), other]


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_written_and_read_replays_to_the_same_end(name):
    for seed in range(4):
        record = random_game(name, 5, seed)
        again = read(write_sgf(sgf_of(record, "alice", "bob", seconds=[0.5, 0.12345])))
        assert (again.black, again.white, again.rules, again.result) == ("alice", "bob", name, record.outcome.result())
        last = start_of(again)
        for move in again.moves:
            last = last.play(move.move)
        last = last.play(RESIGN) if record.outcome.ending is Ending.RESIGNATION else last
        assert last == record.final
        assert last.outcome == record.outcome


# What other programs write


def test_a_point_is_column_then_row_from_the_top_left():
    assert played("(;SZ[5];B[ea];W[ae])") == [(BLACK, (0, 4)), (WHITE, (4, 0))]


def test_an_empty_value_and_tt_are_passes():
    assert played("(;SZ[19];B[];W[tt])") == [(BLACK, None), (WHITE, None)]
    assert played("(;SZ[5];B[];W[tt])") == [(BLACK, None), (WHITE, None)]


@pytest.mark.parametrize("empty", ["()", "( )", "()\n()"])
def test_a_variation_with_nothing_in_it_is_passed_over(empty):
    assert played(f"(;SZ[5];B[ea]{empty}(;W[ae])(;W[bb]))") == [(BLACK, (0, 4)), (WHITE, (4, 0))]
    assert played(f"(;SZ[5];B[ea](;W[ae]{empty})(;W[bb]))") == [(BLACK, (0, 4)), (WHITE, (4, 0))]
    assert played(f"(;SZ[5];B[ea]{empty})") == [(BLACK, (0, 4))]


def test_what_is_missing_is_empty_and_the_board_is_19():
    assert read("(;)") == SgfGame(19)


def test_the_main_line_is_the_first_branch_everywhere():
    text = "(;SZ[5];B[aa](;W[bb](;B[cc];W[dd])(;B[dc]))(;W[ab];B[ee]);B[ea])"
    assert played(text) == [(1, (0, 0)), (2, (1, 1)), (1, (2, 2)), (2, (3, 3))]


def test_text_around_games_is_skipped():
    assert played("\ufeffHello (all) [of you]!\n( \n;B[aa]) bye") == [(BLACK, (0, 0))]


def test_white_space_between_properties_is_skipped():
    assert played("(;SZ [5]\n [12] ;;  B\n[aa]; \t W[bb] )") == [(BLACK, (0, 0)), (WHITE, (1, 1))]


def test_only_capitals_count_in_old_identifiers():
    game = read("(;GaMe[1]SiZe[9]PlayerBlack[kim]AddBlack[aa];White[bb])")
    assert (game.size, game.black, game.setup[0][0], game.moves) == (9, "kim", BLACK, (SgfMove(WHITE, (1, 1)),))


def test_a_move_in_the_root_is_the_first_move():
    game = read("(;SZ[5]PB[kim]C[hello]B[aa];C[there];W[bb])")
    there = ((("C", ("there",)),),)
    assert (game.black, game.moves) == ("kim", (SgfMove(BLACK, (0, 0), after=there), SgfMove(WHITE, (1, 1))))


def test_nodes_before_the_first_move_belong_to_the_root():
    game = read("(;SZ[5]C[a];PB[kim]AB[aa][bb];C[b]AE[aa]AW[cc]PL[w]N[x];B[dd])")
    assert (game.black, game.to_move) == ("kim", WHITE)
    assert game.setup == rows(".....\n.X...\n..O..\n.....\n.....")


def test_two_moves_in_one_node_are_two_moves():
    assert played("(;SZ[5];B[aa]W[bb]C[both])") == [(BLACK, (0, 0)), (WHITE, (1, 1))]


RECTANGLES = ["AB[aa:cb]", "AB[aa][ba:ca][ab:cb]", "AB[aa:ca]AB[ab:cb][ab]", "AB[aa:cc]AE[ac:cc]"]


@pytest.mark.parametrize("value", RECTANGLES)
def test_rectangles_of_stones(value):
    assert read(f"(;SZ[4]{value})").setup == rows("XXX.\nXXX.\n....\n....")


def test_a_handicap_game():
    state = start_of(read("(;SZ[9]HA[2]KM[0]AB[cg][gc];W[ee];B[ec])"), ruleset("aga"), moves=3)
    assert (state.to_move, state.rows()[6][2], state.rows()[2][6]) == (WHITE, BLACK, BLACK)


TURNS = [("PL[W]", WHITE), ("PL[White]", WHITE), ("PL[b]", BLACK), ("PL[?]", None), ("", None)]


@pytest.mark.parametrize(("text", "to_move"), TURNS)
def test_who_begins(text, to_move):
    assert read(f"(;SZ[5]{text})").to_move == to_move


@pytest.mark.parametrize("value", ["5", " 5 ", "05", "5\n"])
def test_sizes_of_square_boards(value):
    assert read(f"(;SZ[{value}])").size == 5


def test_of_repeated_root_properties_the_first_counts():
    assert read("(;SZ[5]PB[a][b]PB[c])").black == "a"


@FEWER
@given(games(), st.sampled_from(["UTF-8", "Shift_JIS"]))
def test_what_sgfmill_writes_is_read(game, charset):
    theirs = mill.Sgf_game(size=game.size, encoding=charset)
    root = theirs.get_root()
    name = game.black.encode(charset, "ignore").decode(charset)
    root.set("PB", name)
    stones = {
        kind: {mill_point((i, j), game.size) for i, row in enumerate(game.setup or ()) for j, s in enumerate(row) if s == kind}
        for kind in LETTERS
    }
    root.set_setup_stones(stones[BLACK], stones[WHITE])
    for move in game.moves:
        theirs.extend_main_sequence().set_move(LETTERS[move.colour], mill_point(move.move, game.size))
    ours = read_game(theirs.serialise())
    moves = tuple(SgfMove(move.colour, move.move) for move in game.moves)
    assert (ours.size, ours.setup, ours.moves) == (game.size, game.setup, moves)
    if charset == "UTF-8":
        assert ours.black == name


def test_what_has_no_field_is_kept_as_it_stands():
    moves = ";W[cc]BL[9.5]LB[aa:1][bb:2]C[c\r\nd]SECONDS[1.5];C[no move];B[dd]"
    game = read(f"(;SZ[5]DT[2020-01-02]BR[5k]HA[2]C[a\\] b]AB[aa][bb]{moves})")
    assert dict(game.extra) == {"DT": ("2020-01-02",), "BR": ("5k",), "HA": ("2",)}
    assert game.comment == "a] b"
    extra, after = (("BL", ("9.5",)), ("LB", ("aa:1", "bb:2"))), ((("C", ("no move",)),),)
    assert game.moves[0] == SgfMove(WHITE, (2, 2), "c\nd", 1.5, extra, after=after)
    assert read(write_sgf(game)) == game


BARE = [
    ";C[one];C[two]LB[aa:1];B[aa];C[a\\]b]N[x];TR[bb];W[bb]PL[B]",
    ";N[one]TR[aa]LB[bb:x]C[first];AB[cc]N[two]CR[cc];MA[aa]C[third];B[aa];W[bb]",
    ";B[aa];C[why]AB[cc][dd];W[bb];C[end]AW[ee]AE[aa];N[over]",
    ";C[no move at all];N[second]",
    ";B[aa];PL[B]C[Black again];B[bb];AB[cc];C[set up before]AW[dd];W[ee]",
    ";B[];;C[between];;;W[];",
]
SET_UP = {"AB", "AW", "AE"}


@pytest.mark.parametrize("nodes", BARE)
def test_nodes_without_a_move_are_kept(nodes):
    """Each with what is its own, as sgfmill reads both files. Stones that are set up may be named otherwise."""

    def said(text):
        every = Sgf_game.from_string(text).get_main_sequence()
        nodes = ({name: node.get_raw_list(name) for name in node.properties() if name not in SET_UP} for node in every)
        return [*filter(None, nodes)]

    text = f"(;FF[4]GM[1]CA[UTF-8]SZ[5]C[root]{nodes})"
    game = read(text)
    assert said(write_sgf(game)) == said(text)
    assert read(write_sgf(game)) == game


@pytest.mark.parametrize(("nodes", "written"), [
    (";B[aa];AB[cc][dd];W[bb];AE[aa]AW[ee];B[ab]", ["AB[cc][dd]", "AW[ee]AE[aa]"]),
    ("AB[ab]AW[aa];B[ba];AW[bb];W[cc]", ["AB[ab]", "AW[aa]", "AW[bb]"]),
    (";B[aa];AB[aa];W[bb]", ["AB[aa]AE[" + "][".join(a + b for b in "abcde" for a in "abcde" if a + b != "aa") + "]"]),
])  # fmt: skip
def test_only_points_that_change_are_set_up_between_moves(nodes, written):
    """Other programs warn of the rest. A board that is set up without a change stays one that is set up."""
    game = read(f"(;SZ[5]{nodes})")
    text = write_sgf(game)
    assert read(text) == game
    assert "".join(re.findall(r"A[BWE](?:\[\w+\])+", text.replace("\n", ""))) == "".join(written)


def test_stones_set_up_after_the_last_move_are_kept():
    game = read("(;SZ[5];B[aa];AW[cc]AE[aa];C[done])")
    assert game.moves[0].after == ((("AW", ("cc",)), ("AE", ("aa",))), (("C", ("done",)),))
    assert read(write_sgf(game)) == game


@pytest.mark.parametrize("seconds", ["", "x", "-1", "inf", "nan"])
def test_what_is_no_time_is_left_out(seconds):
    assert read(f"(;SZ[5];B[cc]SECONDS[{seconds}])").moves[0].seconds is None


def test_what_could_not_be_written_again_is_left_out():
    game = read("(;SZ[5]X[a\\]];B[cc]GM[1]SZ[9]YY[1])")
    assert [name for name, _ in game.moves[0].extra] == ["YY"]
    assert read(write_sgf(game)) == game


def test_the_games_of_a_file_come_one_after_the_other():
    data = b"(;SZ[5]PB[ann];B[aa])(;SZ[5];B[zz])(;SZ[5]PB[bob])(;SZ[5]PB[cut"
    told = []
    assert [game.black for game in read_games(data, told.append)] == ["ann", "bob"]
    assert [str(error) for error in told] == ["node 1: B: expected one point like 'ab' on the 5x5 board, got 'zz'"]
    found = read_games(data)
    assert next(found).black == "ann"
    with pytest.raises(SgfError, match="'zz'"):
        next(found)
    assert [game.black for game in found] == ["bob"]


OTHERS = [
    "(;GM[2]SZ[8];B[aa])", "(;GM[1]SZ[9:7])", "(;GM[1]SZ[5];B[aa];W[b", "(;GM[1]SZ[5]C[a](;B[aa];W[bb])(;B[bb]",
    "(;SZ[5];B[cc)",
]  # fmt: skip
ROOTS = ["FF[4]GM[1]SZ[5]", "GM[1]FF[3]\nRU[Japanese]SZ[5]", " SZ[5]CA[UTF-8]\r\nFF[4]", f"{HEADER}5]"]


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("root", ROOTS)
def test_a_game_that_cannot_be_read_takes_none_with_it(other, root):
    game = f"(;{root}PB[ann];B[aa])\n"
    assert [one.black for one in read_games(game + other + "\n" + game, lambda error: None)] == ["ann", "ann"]


# Charsets


CHARSETS = [
    ("UTF-8", "utf-8", "表功é"),
    ("utf8", "utf-8", "表功é"),
    ("Shift_JIS", "shift_jis", "日本"),
    ("EUC-JP", "euc_jp", "表"),
    ("GB2312", "gb2312", "功"),
    ("Big5", "big5", "日本"),
    ("EUC-KR", "euc_kr", "바둑"),
    ("iso-8859-1", "latin-1", "é"),
    ("KOI8-R", "koi8-r", "Го"),
]


@pytest.mark.parametrize(("name", "codec", "text"), CHARSETS)
def test_bytes_are_read_in_their_charset(name, codec, text):
    assert read_game(f"(;CA[{name}]PB[{text}]C[x])".encode(codec)).black == text


def test_bytes_that_do_not_fit_the_charset_are_read_in_another():
    assert read_game("(;CA[UTF-8]PB[é])".encode("latin-1")).black == "é"


NO_CHARSETS = [
    "unicode_escape", "raw_unicode_escape", "idna", "punycode", "zip", "rot13", "hex", "undefined", "utf-16", "utf-7",
    "x" * 99_999,
]  # fmt: skip


@pytest.mark.parametrize("name", NO_CHARSETS)
def test_what_is_no_charset_of_text_is_refused_in_one_line(name):
    with pytest.raises(SgfError) as caught:
        read_game(f"(;CA[{name}]PB[\\\\u0041])".encode())
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["", "klingon", "../x", "\x00", "ANSI", "x-sjis"])
def test_a_charset_that_nobody_knows_is_not_needed_for_ascii(name):
    game = read_game(f"(;CA[{name}]PB[\\\\u0041])".encode())
    assert game.black == "\\u0041"
    assert len(game.mended) == 1
    assert "is no known charset" in game.mended[0]
    assert read_game(f"(;CA[{name}]PB[柯洁])".encode()).black == "柯洁"


def test_each_game_has_its_own_charset():
    one, two = "(;FF[4]CA[Shift_JIS]PB[日])".encode("shift_jis"), "(;FF[4]CA[UTF-8]PB[本])".encode()
    assert [read_game(one + b"\n" + two, number).black for number in (1, 2)] == ["日", "本"]


# Several games in a file

NAMES = ["日本", "bob", "carol"]
THREE = [SgfGame(5, black=name, moves=(SgfMove(BLACK, (k, k), comment="é]"),)) for k, name in enumerate(NAMES)]


def names_in(data):
    """Black's names in all complete games of a file."""
    number = sum(line is not None for line in main_lines(data))
    return [read_game(data, k).black for k in range(1, number + 1)]


def test_games_written_one_after_the_other_are_a_collection():
    assert names_in("".join(map(write_sgf, THREE)).encode()) == NAMES


def test_a_last_game_cut_off_anywhere_is_left_out():
    whole, last = "".join(map(write_sgf, THREE[:2])).encode(), write_sgf(THREE[2]).encode().rstrip()
    for length in range(len(last)):
        assert names_in(whole + last[:length]) == NAMES[:2]
    assert names_in(whole + last) == NAMES


def test_a_game_cut_off_anywhere_does_not_spoil_those_written_later():
    before, torn, after = (write_sgf(game).encode() for game in THREE)
    for length in range(len(torn.rstrip())):
        assert names_in(before + torn[:length] + after) == [NAMES[0], NAMES[2]]


def test_a_text_that_quotes_the_beginning_of_a_game_is_no_game():
    game = SgfGame(5, black="(;FF[4", comment=f"(;{HEADER}", extra=(("XX", ("(;FF[4",)), ("YY", ("1",))))
    assert read(write_sgf(game)) == bare(game)
    assert names_in(b"(;SZ[5]PB[kim]C[see (;FF[4];B[aa])") == ["kim"]


def test_a_bad_game_spoils_none_but_itself():
    data = b"(;SZ[5];B[aa])(;SZ[5];B[zz])"
    assert read_game(data, 1).moves[0].move == (0, 0)
    with pytest.raises(SgfError, match="'zz'"):
        read_game(data, 2)


def test_one_game_of_several():
    games = b"(;SZ[3];B[aa])(;SZ[3];B[bb])"
    assert read_game(games, 2).moves[0].move == (1, 1)
    first = read_game(games)
    assert (first.moves[0].move, first.mended) == ((0, 0), ("the file holds 2 games, this is the first",))
    with pytest.raises(SgfError, match="expected the number of a game, from 1 to 2, got 3"):
        read_game(games, 3)


# Komi

KOMI = [
    ("6.5", 6.5), (" 0 ", 0), ("-7.5", -7.5), ("+3.", 3),
    ("", None), ("6,5", 6.5), ("375", 7.5), ("nan", None), ("1e9", None), ("5" * 309, None), ("5" * 400, None),
    (str(10**308), 1e308), ("3.75", 7.5), ("2,75", 5.5), ("0.25", 0.25),
]  # fmt: skip


@pytest.mark.parametrize(("written", "komi"), KOMI)
def test_komi_is_read_where_it_is_a_number(written, komi):
    assert read(f"(;SZ[5]KM[{written}])").komi == komi
    assert read_review(f"(;SZ[5]KM[{written}])").komi == komi
    assert read("(;SZ[5])").komi is None


COLUMNS = "abcde"
MOVES = [*(f"[{i}{j}]" for i in COLUMNS for j in COLUMNS), "[]"]
NODES = st.tuples(st.sampled_from(MOVES), st.sampled_from(["", "C[(;)\\]\\\\]", " "]))
TREES = st.recursive(st.just([]), lambda trees: st.lists(st.tuples(NODES, trees), max_size=3), max_leaves=12)


def written(tree, ply=0):
    """A tree of moves as SGF; one that does not branch goes on without brackets."""
    parts = [f";{'BW'[ply % 2]}{move}{more}{written(rest, ply + 1)}" for (move, more), rest in tree]
    return parts[0] if len(parts) == 1 else "".join(f"({part})" for part in parts)


def leaves(node):
    """The lines below a node, as sgfmill has them."""
    for child in node:
        colour, point = child.get_move()
        own = (None if point is None else (4 - point[0], point[1]),) if colour else ()
        yield from ((*own, *line) for line in leaves(child))
    if not len(node):
        yield ()


@given(TREES)
def test_the_lines_are_those_that_sgfmill_reads(tree):
    text = f"x(;GM[1]SZ[5]C[(]{written(tree)})(;SZ[5];B[aa])".encode()
    root = Sgf_game.from_bytes(text[1 : text.rindex(b"(;")]).get_root()
    assert lines_of(text, 5, 1000) == list(leaves(root))


@pytest.mark.parametrize(("tree", "lines"), [
    ("(;SZ[3];B[aa](;W[bb])(;B[cc]))", [((0, 0), (1, 1)), ((0, 0),)]),
    ("(;SZ[3];B[aa](;W[bb])(;W[dd];B[ab]))", [((0, 0), (1, 1)), ((0, 0),)]),
    ("(;SZ[3];B[aa](;W[bb])(;AE[aa];W[cc](;B[ab])(;B[ac])))", [((0, 0), (1, 1)), ((0, 0),), ((0, 0),)]),
    ("(;SZ[3];B[aa](;W[bb])(;W[ba]W[ca])(;W[ac]))", [((0, 0), (1, 1)), ((0, 0),), ((0, 0), (2, 0))]),
    ("(;SZ[3];C[x\n](;B[aa])\n(\n;B[bb]\n)\n)", [((0, 0),), ((1, 1),)]),
    ("(;SZ[3];B[aa](;W[bb]", []),
])  # fmt: skip
def test_what_is_wrong_ends_its_own_line(tree, lines):
    found = lines_of(f"{tree}(;{HEADER}3];B[cc])".encode(), 3, 10)
    assert found == (lines or [((2, 2),)])


def test_no_more_lines_are_read_than_wanted():
    assert len(lines_of(b"(;SZ[3]" + b"(;B[aa])" * 100_000 + b")", 3, 5)) == 5


def test_ten_thousand_nested_variations_are_no_problem():
    deep = b"(;SZ[5]" + b"(;B[aa](;W[bb](;B[])" * 5000 + b")" * 10_001
    assert len(lines_of(deep, 5, 200)) == 200
