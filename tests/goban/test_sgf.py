"""SGF as the format has it (https://www.red-bean.com/sgf/), written here and read by sgfmill."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill.sgf_grammar import text_value

from goban.diagrams import parse_diagram
from goban.errors import SgfError
from goban.game import GameRecord, play_answers
from goban.rulesets import PRESETS, Ending, Outcome
from goban.sgf import HEADER, SgfGame, SgfMove, escape, plain, plain_line, sgf_of, write_sgf
from goban.states import new_game, state_from_rows
from tests.support.sgf_files import BLACK, HOSTILE, LETTERS, WHITE, games, mill_games, mill_moves, mill_point, random_game, told

# No deadline: the machine may be busy.
ANY = settings(deadline=None)
FEWER = settings(deadline=None, max_examples=60)


def moves_of(game):
    return [(move.colour, move.move) for move in game.moves]


def rows(drawing):
    return tuple(tuple(row) for row in parse_diagram(drawing))


def by_mill(game):
    """A game written here, as sgfmill reads it."""
    (found,) = mill_games(write_sgf(game).encode())
    return found


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


def test_setup_and_player_to_move_are_written():
    game = SgfGame(3, setup=rows(".X.\nO.X\n..."), to_move=WHITE)
    assert "AB[ba][cb]AW[ab]PL[W]" in write_sgf(game)


def test_long_games_are_broken_into_lines():
    text = write_sgf(SgfGame(19, moves=tuple(SgfMove(1 + k % 2, (k % 19, k // 19)) for k in range(300))))
    assert max(map(len, text.splitlines())) <= 81
    assert len(mill_moves(mill_games(text.encode())[0])) == 300


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_come_back(text):
    game = SgfGame(5, black=plain_line(text), white="bob", comment=text, moves=(SgfMove(BLACK, (0, 0), comment=text),))
    other = SgfGame(5, black="carol")
    first, second = mill_games((write_sgf(game) + write_sgf(other)).encode())
    assert told(first, "PB", "PW", "C") == (game.black, "bob", plain(text))
    assert first.get_main_sequence()[1].get("C") == plain(text)
    assert told(second, "PB") == ("carol",)


def test_lone_surrogates_are_replaced_so_that_the_file_can_be_stored():
    game = by_mill(SgfGame(5, black="a\ud800", extra=(("XX", ("\udc80",)),)))
    assert told(game, "PB", "XX") == ("a\ufffd", "\ufffd")


@ANY
@given(st.text())
def test_any_text_is_escaped_so_that_it_comes_back(text):
    assert text_value(escape(text).encode()).decode() == plain(text)
    assert plain(plain(text)) == plain(text)


# Collections


def test_games_written_one_after_the_other_are_a_collection():
    names = ["日本", "bob", "carol"]
    data = "".join(write_sgf(SgfGame(5, black=name)) for name in names).encode()
    assert [told(game, "PB")[0] for game in mill_games(data)] == names


def test_every_game_begins_with_the_header():
    assert write_sgf(SgfGame(5)).startswith(f"(;{HEADER}")


def test_a_text_that_quotes_the_beginning_of_a_game_is_no_game():
    game = SgfGame(5, black="(;FF[4", comment=f"(;{HEADER}", extra=(("XX", ("(;FF[4",)), ("YY", ("1",))))
    assert told(by_mill(game), "PB", "C", "XX", "YY") == ("(;FF[4", f"(;{HEADER}", "(;FF[4", "1")


# Errors

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
    (SgfGame(5, moves=(SgfMove(1, (0, 0), after=((("W", ("bb",)),),)),)), "after move 1: expected other properties, got W"),
    (SgfGame(5, moves=(SgfMove(1, (0, 0), after=((("AB", ("bb",)),),)), SgfMove(2, (0, 1)))), "a node after move 1: expected"),
    (SgfGame(5, extra={"DT": "2026"}), "the root: expected properties like ('DT', ('2026-05-01',)), got \"'DT'\""),
    (SgfGame(5, extra=(("DT", "2026"),)), "the root: expected properties like"),
    (SgfGame(5, extra=(("DT", (2026,)),)), "the root: expected properties like"),
    (SgfGame(5, after=(("C", ("x",)),)), "a node after the root: expected properties like"),
    (SgfGame(5, after=((("AB", ("bb",)),),)), "a node after the root: expected other properties, got AB"),
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


# Round trips


@ANY
@given(st.text(), st.text())
def test_names_and_comments_come_back_as_the_format_can_hold_them(name, comment):
    root = by_mill(SgfGame(5, black=name, comment=comment)).get_root()
    one = re.sub("[\ud800-\udfff]", "\ufffd", re.sub("\r\n|\n\r|\r", "\n", comment))
    assert (root.get("C") if comment else "") == re.sub("[\t\v\f]", " ", one)
    two = re.sub("[\ud800-\udfff]", "\ufffd", re.sub("\r\n|\n\r|\r|\n", "\n", name))
    assert (root.get("PB") if name else "") == re.sub("[\t\v\f\n]", " ", two)


@FEWER
@given(games())
def test_sgfmill_reads_what_we_write(game):
    theirs = by_mill(game)
    root, nodes = theirs.get_root(), theirs.get_main_sequence()[1:]
    assert theirs.get_size() == game.size
    assert not theirs.get_root().has_property("KM") or root.get("KM") == game.komi
    for name, text in {"PB": game.black, "PW": game.white, "RU": game.rules, "RE": game.result, "C": game.comment}.items():
        assert (root.get(name) if root.has_property(name) else "") == text
    assert [node.get_move() for node in nodes] == [(LETTERS[c], mill_point(p, game.size)) for c, p in moves_of(game)]
    assert [node.get("C") if node.has_property("C") else "" for node in nodes] == [move.comment for move in game.moves]
    times = [float(node.get("SECONDS")) if node.has_property("SECONDS") else None for node in nodes]
    assert times == [move.seconds for move in game.moves]
    black, white, _ = root.get_setup_stones()
    for stone, found in ((BLACK, black), (WHITE, white)):
        ours = {(i, j) for i, row in enumerate(game.setup or ()) for j, kind in enumerate(row) if kind == stone}
        assert found == {mill_point(point, game.size) for point in ours}
    for node, extra in zip([root, *nodes], [game.extra, *(move.extra for move in game.moves)], strict=True):
        for name in {name for name, _ in extra}:
            ours = [value.encode() for other, values in extra if other == name for value in values]
            assert node.get_raw_list(name) == ours


# Games played here


def test_seconds_are_rounded_to_milliseconds_and_may_be_missing():
    record = random_game("course", 5, 1)
    game = sgf_of(record, "a", "b", seconds=[0.123456, None, 2])
    assert [move.seconds for move in game.moves[:4]] == [0.123, None, 2, None]
    assert len(sgf_of(record, "a", "b", seconds=[1.0] * 99).moves) == len(record.moves)


def test_a_resignation_shows_in_the_result_only():
    answers = iter([(0, 0), "RESIGN"])
    record = play_answers(new_game(PRESETS["aga"], 5), lambda *_: next(answers), lambda *_: next(answers))
    game = sgf_of(record, "a", "b")
    assert (moves_of(game), game.result, game.extra) == ([(BLACK, (0, 0))], "B+R", (("GC", ("resignation",)),))


def test_a_forfeit_is_told_in_the_game_comment():
    def crash(*_):
        raise RuntimeError("\\[x] oh")

    record = play_answers(new_game(PRESETS["littlego"], 5), crash, crash)
    game = by_mill(sgf_of(record, "a", "b"))
    assert mill_moves(game) == []
    assert told(game, "RE", "GC") == ("W+F", f"crash: {plain(record.outcome.detail)}")
    assert "] oh" in told(game, "GC")[0]


def test_a_start_that_is_no_empty_board_is_set_up():
    start = state_from_rows(PRESETS["alphago7"], parse_diagram("X..\n.O.\n..X"), to_move=WHITE, n_move=3)
    record = GameRecord(start, (None, None), start.play(None).play(None), Outcome(WHITE, 1, 9.5, Ending.TWO_PASSES))
    game = sgf_of(record, "a", "b")
    assert (game.setup, game.to_move, moves_of(game)) == (rows("X..\n.O.\n..X"), WHITE, [(WHITE, None), (BLACK, None)])


def test_more_about_a_game_goes_to_the_root():
    record = random_game("course", 5, 2)
    game = sgf_of(record, "a\nb", "]", comment="x\r\ny", info={"GN": "a-b-001", "DT": "2026-05-01", "EV": "cup]"})
    assert told(by_mill(game), "PB", "PW", "C", "GN", "DT", "EV") == ("a b", "]", "x\ny", "a-b-001", "2026-05-01", "cup]")


def test_the_same_game_gives_the_same_bytes():
    texts = {write_sgf(sgf_of(random_game("course", 7, 3), "a", "b")) for _ in range(3)}
    assert len(texts) == 1
