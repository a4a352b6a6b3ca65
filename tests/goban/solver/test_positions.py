"""Position files: drawings, Little-Go's input.txt, starts of SGF games; and what is refused, in which words."""

import pytest

from goban.errors import GobanError, SgfError
from goban.rulesets import AGA, COURSE, LITTLEGO
from goban.solver.errors import BadPositionError, SearchError
from goban.solver.positions import last_part, read_position, rules_of, start_of
from goban.solver.reports import value_text
from goban.solver.sgf_files import read_game
from goban.states import new_game

# Black has just taken a ko on B3; White may not take back on C3.
KO = """
# comments and empty lines do not matter
rules: littlego
moves: 9
to_move: white

. X O . .
X . X O .
. X O . .
. . . . .
. . . . .

previous:
. X O . .
X O . O .
. X O . .
. . . . .
. . . . .
"""

INPUT = """2
01200
12020
01200
00000
00000
01200
10120
01200
00000
00000
"""


def test_a_drawing_is_read():
    state = read_position("moves: 3\n.X.\nO . x\n...\n")
    assert state.rules is COURSE
    assert (state.n_move, state.to_move) == (3, 2)
    assert state.rows() == [[0, 1, 0], [2, 0, 1], [0, 0, 0]]


def test_the_ko_is_known_from_the_previous_board():
    state = read_position(KO)
    assert (state.rules, state.n_move, state.to_move) == (LITTLEGO, 9, 2)
    assert str(state.why_illegal((1, 1))).startswith("ko")
    assert read_position(KO.split("previous:")[0]).why_illegal((1, 1)) is None


def test_input_txt_is_the_same_position():
    assert read_position(INPUT, moves=9) == read_position(KO)
    assert read_position(INPUT, COURSE, 9).rules is COURSE


def test_headers_may_stand_anywhere_and_be_written_as_people_do():
    below = "Board:\n.X\nO.\nPrevious:\n.X\n..\nMoves: 2\nTo move: Black\nRules: Course"
    above = "moves: 2\n.X\nO.\nprevious:\n.X\n.."
    assert read_position(below) == read_position(above)


def test_what_is_asked_for_counts_more_than_the_file():
    state = read_position(KO, COURSE, 11)
    assert (state.rules, state.n_move) == (COURSE, 11)


def test_an_empty_board_is_the_start():
    assert read_position("...\n...\n...\n") == new_game(COURSE, 3)
    assert read_position("1\n" + "000\n" * 6) == new_game(LITTLEGO, 3)


@pytest.mark.parametrize(("previous", "ends"), [("", False), ("previous:\n.X\n..", True), ("previous:\n..\n..", False)])
def test_only_a_pass_before_makes_a_pass_end_the_game(previous, ends):
    text = "rules: littlego\nmoves: 2\n.X\n..\n" if ends else "rules: littlego\nmoves: 1\n.X\n..\n"
    assert read_position(text + previous).play(None).is_over is ends


BAD = [
    ("", "got an empty file"),
    ("moves: 3\n", "a board drawn with '.', 'X' and 'O', got none"),
    ("moves: 3\n.X\n.Z\n", "board: expected '.', 'X' and 'O' in a drawn board, got 'Z'"),
    ("moves: 3\n.X\n.\n", "board: expected 2 points in every row"),
    (".X\n..\n", "^moves: expected the number of moves made before .* a drawing may say it"),
    ("moves: many\n.X\n..\n", "moves: expected a number of moves, got 'many'"),
    ("moves: 4\n.X\n..\n", "moves: expected 0 to 3 on a 2x2 board, got 4"),
    ("moves: 1\nto_move: black\n.X\n..\n", "expected white to move after 1 moves, got black"),
    ("moves: 1\nto_move: me\n.X\n..\n", "to_move: expected black or white, got 'me'"),
    ("moves: 2\n.X\nX.\n", "expected at most 1 black stones after 2 moves, got 2"),
    ("moves: 1\nmoves: 1\n.X\n..\n", "expected moves once, got it twice"),
    ("komi: 1\nmoves: 1\n.X\n..\n", "expected one of rules, .* before a colon, got 'komi'"),
    ("rules: chess\nmoves: 1\n.X\n..\n", "rules: expected one of course, .* got 'chess'"),
    ("board: .X\nmoves: 1\n", "board: expected the board from the next line on, got '.X'"),
    ("moves: 2\n.X\nO.\nprevious:\nX.\n..\n", "previous: expected a board that one move of white turns into this one"),
    ("moves: 2\n.X\nO.\nprevious:\n...\n...\n...\n", "previous: expected a board of 2 rows, got 3"),
    ("rules: course\nmoves: 2\n.X\n..\nprevious:\n.X\n..\n", "one move of white"),
    ("3\n00\n00\n00\n00\n", "input.txt: expected the colour, 1 or 2, in the first line, got '3'"),
    ("1\n", "input.txt: expected a colour and two boards, .* got 1 lines"),
    ("1\n00\n00\n00\n", "input.txt: expected a colour and two boards, .* got 4 lines"),
    ("1\n00\n00\n00\n03\n", "input.txt, line 5: expected 2 digits 0, 1, 2, got '03'"),
    ("1\n\n00\n00\n00\n00\n00\n", "input.txt, line 2: expected 3 digits 0, 1, 2, got ''"),
    ("# mine\n1\n00\n00\n00\n00\n", "input.txt: expected the colour, 1 or 2, in the first line, got '# mine'"),
    (INPUT, "the number of moves made before"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_bad_files_are_refused_in_one_line(text, words):
    with pytest.raises((GobanError, SearchError), match=words) as caught:
        read_position(text)
    assert "\n" not in str(caught.value)


def test_the_start_of_a_game():
    assert start_of(read_game(b"(;SZ[3];B[aa])")) == new_game(COURSE, 3)
    assert start_of(read_game(b"(;SZ[3]RU[LittleGo];B[aa])")).rules is LITTLEGO
    assert start_of(read_game(b"(;SZ[3]RU[Japanese])")).rules is AGA
    assert start_of(read_game(b"(;SZ[3]RU[littlego])"), COURSE).rules is COURSE


RULES_OF = [
    ("SZ[5]", "course", 2.5, []),
    ("SZ[5]KM[7.5]", "course", 2.5, ["komi 7.5 is left aside: under course it is 2.5"]),
    ("SZ[5];B[aa];W[]", "aga", 7.5, ["the file names no rules: read as aga"]),
    ("SZ[9]KM[0]", "aga", 0, ["the file names no rules: read as aga"]),
    ("SZ[9]RU[AGA]KM[0.5]", "aga", 0.5, []),
    ("SZ[19]RU[Tromp-Taylor]", "tromp-taylor-strict", 7.5, []),
    ("SZ[19]RU[tromp taylor pgx]", "tromp-taylor-pgx", 7.5, []),
    ("SZ[19]RU[Old Chinese]KM[375]", "aga", 7.5, ["rules 'Old Chinese' are read as aga: "]),
    ("SZ[19]RU[Japanese]KM[6,5]", "aga", 6.5, ["rules 'Japanese' are read as aga: area counted, "]),
    ("SZ[19]RU[NZ]", "tromp-taylor-suicide", 7.5, ["rules 'NZ' are read as tromp-taylor-suicide: repetitions forbidden"]),
    ("SZ[19]RU[GOE]KM[8]", "aga", 8, ["rules 'GOE' are read as aga: "]),
    ("SZ[19]RU[中国规则]KM[3.75]", "aga", 7.5, ["rules '中国规则' are read as aga: "]),
    ("SZ[19]RU[日本ルール]KM[6.5]", "aga", 6.5, ["rules '日本ルール' are read as aga: area counted, "]),
    ("SZ[19]RU[Korean rules]", "aga", 7.5, ["rules 'Korean rules' are read as aga: area counted, "]),
    ("SZ[9]RU[koPOSITIONALscoreAREAtaxNONEsui0whbN]", "tromp-taylor-strict", 7.5, []),
    ("SZ[9]RU[koSIMPLEscoreTERRITORYtaxSEKIsui0]", "alphago7", 7.5, ["alphago7: area counted"]),
    ("SZ[9]RU[My own]", "aga", 7.5, ["rules 'My own' are not known: read as aga"]),
]


@pytest.mark.parametrize(("root", "name", "komi", "notes"), RULES_OF)
def test_the_rules_that_a_file_names_are_those_that_come_nearest(root, name, komi, notes):
    game = read_game(f"(;{root})".encode())
    rules, said = rules_of(game)
    assert (rules.name, rules.komi(game.size)) == (name, komi)
    assert len(said) == len(notes)
    assert all(note in line for note, line in zip(notes, said, strict=True))


def test_a_game_with_stones_set_up_in_its_middle_begins_there():
    game = last_part(read_game(b"(;SZ[5]RU[aga];B[aa];W[bb];AE[aa]AB[cc]PL[B];B[dd];W[ee])"))
    assert game.mended == ("it begins with move 3, before which stones are set up",)
    assert (game.setup[1], game.setup[2], game.to_move) == ((0, 2, 0, 0, 0), (0, 0, 1, 0, 0), 1)
    assert [move.move for move in game.moves] == [(3, 3), (4, 4)]
    assert start_of(game).rows()[2][2] == 1


def test_a_game_with_stones_set_up_needs_the_number_of_moves():
    game = read_game(b"(;SZ[3]AB[aa]AW[ab];W[bb];B[cc])")
    state = start_of(game, moves=3)
    assert (state.n_move, state.to_move, state.rows()[0][0], state.rows()[1][0]) == (3, 2, 1, 2)
    with pytest.raises(BadPositionError, match=r"^moves: expected the number .* sets up stones"):
        start_of(game)
    with pytest.raises(BadPositionError, match="moves: expected 0 to 8 on a 3x3 board, got 9"):
        start_of(game, moves=9)
    with pytest.raises(BadPositionError, match=r"^moves: expected only for"):
        start_of(read_game(b"(;SZ[3])"), moves=3)


def test_two_moves_of_one_colour_are_refused():
    with pytest.raises(SgfError, match="expected white to move as move 2, got black"):
        start_of(read_game(b"(;SZ[3];B[aa];B[bb])"))


VALUES = [(1, 5, "B+2.5"), (2, 2, "W+0.5"), (2, -25, "W+27.5"), (1, None, "B+?"), (None, None, "unknown")]


@pytest.mark.parametrize(("winner", "margin", "text"), VALUES)
def test_values_are_written_as_results_are(winner, margin, text):
    assert value_text(winner, margin, 2.5) == text


def test_a_tie_is_written_as_such():
    assert value_text(0, 2, 2) == value_text(0, None, 2) == "tie"


@pytest.mark.parametrize("rules", ["NZ", "Tromp-Taylor", "AGA"])
def test_where_area_counts_a_handicap_is_the_start(rules):
    state = start_of(read_game(f"(;SZ[9]RU[{rules}]HA[2]AB[cc][gg];W[ee])".encode()))
    assert (state.n_move, state.to_move, len(state.grid.points_of(state.black))) == (0, 2, 2)
