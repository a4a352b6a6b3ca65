"""Transcripts: what is sent, and what comes back."""

import random
import threading

import pytest

from goban.gtp import opening_commands, read_listed_commands
from goban.rulesets import PRESETS
from goban.sgf import sgf_of, write_sgf
from players.gtp_engine import board_commands, seats
from tests.support.gtp import answers, engine_of
from tests.support.missing import needs, no_package
from tests.support.sgf_files import random_game


def conversation(text):
    """Lines of 'command -> answer', as two lists."""
    pairs = [line.partition(" -> ")[::2] for line in text.strip().splitlines()]
    return [sent.strip() for sent, _ in pairs], [came.strip() for _, came in pairs]


TRANSCRIPTS = {
    "the smallest there is": """
        protocol_version   -> 2
        name               -> random
        known_command play -> true
        known_command fly  -> false
        boardsize 9        -> ok
        clear_board        -> ok
        komi 7.5           -> ok
        play b E5          -> ok
        quit               -> ok
    """,
    "ids are repeated": """
        12 protocol_version -> 12 2
        0 boardsize 20      -> ?0 unacceptable size
        007 fly             -> ?007 unknown command
        99                  -> ?99 unknown command
    """,
    "komi stays over clear_board": """
        get_komi    -> 7.5
        komi -0.5   -> ok
        clear_board -> ok
        get_komi    -> -0.5
        boardsize 5 -> ok
        get_komi    -> -0.5
        komi 1e5    -> ? syntax error: expected a komi from -10000 to 10000, got '1e5'
    """,
    "boards": """
        boardsize 2  -> ok
        boardsize 19 -> ok
        play b T19   -> ok
        boardsize 1  -> ? unacceptable size
        boardsize 25 -> ? unacceptable size
        play w T19   -> ? illegal move: the point is occupied
        boardsize x  -> ? syntax error: expected a whole number from 0 to 2147483647, got 'x'
    """,
    "one colour twice, a pass, and on after two passes": """
        play b A1  -> ok
        play b A2  -> ok
        play w pass -> ok
        play b PASS -> ok
        play w B1  -> ok
        play w B2  -> ok
        play w A3  -> ok
        final_score -> W+88.5
        undo       -> ok
        final_score -> W+7.5
    """,
    "undo to the start": """
        play b A1 -> ok
        play w A2 -> ok
        undo      -> ok
        undo      -> ok
        undo      -> ? cannot undo
        undo      -> ? cannot undo
        play w A1 -> ok
    """,
    "illegal moves": """
        play b A2 -> ok
        play b B1 -> ok
        play w A1 -> ? illegal move: suicide, the stone would have no liberty
        play w A2 -> ? illegal move: the point is occupied
        play w K1 -> ? syntax error: vertex 'K1' is off the 9x9 board
        play w I1 -> ? syntax error: expected a vertex like 'B4' or 'pass', got 'I1'
        play x A1 -> ? syntax error: expected a colour, b or w, got 'x'
        play w    -> ? syntax error: expected a colour and a vertex, got 'w'
        play      -> ? syntax error: expected a colour and a vertex, got ''
    """,
    "a count": """
        boardsize 3 -> ok
        komi 0.5    -> ok
        final_score -> W+0.5
        play b B2   -> ok
        final_score -> B+8.5
        komi 9      -> ok
        final_score -> 0
        final_status_list dead  -> ok
        final_status_list seki  -> ok
        final_status_list alive -> B2
        all_legal w -> A3 B3 C3 A2 C2 A1 B1 C1
    """,
    "handicap": """
        fixed_handicap 3       -> C3 G7 C7
        fixed_handicap 3       -> ? board not empty
        all_legal x            -> ? syntax error: expected a colour, b or w, got 'x'
        undo                   -> ? cannot undo
        clear_board            -> ok
        fixed_handicap 10      -> ? invalid number of stones
        place_free_handicap 2  -> C3 G7
        clear_board            -> ok
        set_free_handicap A1 J9 e5 -> ok
        play w A1              -> ? illegal move: the point is occupied
        clear_board            -> ok
        set_free_handicap A1   -> ? bad vertex list
        set_free_handicap A1 a1 -> ? bad vertex list
        set_free_handicap A1 pass -> ? bad vertex list
        boardsize 5            -> ok
        fixed_handicap 2       -> ? invalid number of stones
        place_free_handicap 3  -> C3 C4 B3
    """,
    "clocks, levels and seeds": """
        time_settings 60 0 0          -> ok
        time_settings 0 30 5          -> ok
        time_settings -1 30 5         -> ? syntax error: expected a time of 0 or more, got '-1'
        time_settings 60              -> ? syntax error: expected main time, byo-yomi time and stones, got '60'
        time_left b 60 0              -> ok
        time_left w -1 0              -> ok
        kgs-time_settings none        -> ok
        kgs-time_settings absolute 60 -> ok
        kgs-time_settings byoyomi 60 10 3   -> ok
        kgs-time_settings canadian 60 300 25 -> ok
        kgs-time_settings fischer 60 2 -> ok
        kata-time_settings fischer-capped 60 2 -1 5 -> ok
        kata-time_settings canadian 60 -1 5 -> ? syntax error: expected a time of 0 or more, got '-1'
        kata-list_time_settings      -> none absolute byoyomi canadian fischer fischer-capped
        level 10                      -> ok
        level much                    -> ? syntax error: expected a whole number from 0 to 2147483647, got 'much'
        get_random_seed               -> 1
        set_random_seed 7             -> ok
        get_random_seed               -> 7
    """,
    "what is not there": """
        fly             -> ? unknown command
        lz-analyze b 10 -> ? unknown command
        gogui-interrupt -> ? unknown command
        PLAY b A1       -> ? unknown command
        loadsgf         -> ? syntax error: expected a file, and perhaps the number of a move, got ''
        loadsgf nowhere -> ? cannot load file: No such file or directory
        gomill-explain_last_move -> ok
    """,
}


@pytest.mark.parametrize("text", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_a_transcript(text):
    sent, expected = conversation(text)
    assert answers(engine_of("random"), "\n".join(sent)) == expected


HALVES = """
    . . X O .
    . O X O .
    . . X O O
    X X X O .
    . . X O .
"""


def halves(preset):
    """An engine with Black on the left, White on the right, and a white stone that cannot be saved."""
    engine = engine_of("random", preset, 5)
    for row, line in enumerate(HALVES.split("\n")[1:6]):
        for column, mark in enumerate(line.split()):
            if mark != ".":
                answers(engine, f"play {'b' if mark == 'X' else 'w'} {'ABCDE'[column]}{5 - row}")
    return engine


@needs(no_package("numba"))
@pytest.mark.parametrize("preset", ["aga", "tromp-taylor-strict", "alphago7"])
def test_stones_that_cannot_be_saved_are_dead_before_and_after_the_end(preset):
    engine = halves(preset)
    for _ in range(2):
        dead, alive, seki = answers(engine, "final_status_list dead\nfinal_status_list alive\nfinal_status_list seki")
        assert (dead, seki) == ("B4", "ok")
        assert {*alive.split()} == {"C5", "C4", "A2", "B2", "C3", "C2", "C1", "D5", "D4", "D3", "E3", "D2", "D1"}
        answers(engine, "play b pass\nplay w pass")


@pytest.mark.parametrize("preset", ["course", "littlego"])
def test_where_stones_are_counted_none_is_dead(preset):
    assert answers(halves(preset), "final_status_list dead") == ["ok"]


def test_a_status_that_is_none_is_refused_with_those_that_are():
    (answer,) = answers(engine_of(), "final_status_list gone")
    assert answer == "? syntax error: expected one of alive, dead, seki, black_territory, white_territory, got 'gone'"


def test_without_numba_no_stone_is_dead(monkeypatch):
    monkeypatch.setattr(board_commands, "find_spec", lambda name: None)
    assert answers(halves("aga"), "final_status_list dead") == ["ok"]


EVERYWHERE = {
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board", "komi", "play",
    "genmove", "undo", "showboard", "final_score", "final_status_list", "time_settings", "time_left", "kgs-time_settings",
    "kata-time_settings", "kata-list_time_settings", "harness-get_ready",
    "fixed_handicap", "place_free_handicap", "set_free_handicap", "loadsgf", "reg_genmove", "kgs-genmove_cleanup", "cputime",
    "gomill-cpu_time", "gomill-describe_engine", "gomill-explain_last_move", "get_komi", "all_legal", "set_random_seed",
    "get_random_seed", "level", "kgs-rules", "kata-set-rules", "kata-get-rules", "printsgf", "move_history", "last_move",
    "list_stones", "countlib", "is_legal", "gogui-setup", "gogui-setup_player", "gogui-analyze_commands", "stop", "clear_cache",
} | ({"ownership"} if not no_package("numba") else set())  # fmt: skip
ANALYSIS = {"analyze", "lz-analyze", "kata-analyze", "genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_command_that_is_known_is_listed(preset):
    (listed,) = answers(engine_of("random", preset, 5), "list_commands")
    solved = preset in ("course", "littlego") and not no_package("numba")
    assert listed.split("\n") == sorted(EVERYWHERE | ANALYSIS if solved else EVERYWHERE)


def test_blanks_and_comments_are_not_answered():
    engine = engine_of()
    assert ["".join(engine.answer(line)) for line in ("", "  ", "# name", "\t\r")] == [""] * 4


def test_the_board_is_shown_as_people_draw_it():
    engine = engine_of(size=3)
    assert answers(engine, "play b B2\nplay w A1\nshowboard")[2] == (
        "A B C\n 3 . . .  3\n 2 . X .  2\n 1(O). .  1\n   A B C"
    )
    assert "".join(engine.answer("5 showboard")).startswith("=5\n   A B C\n 3 ")


def test_an_engine_says_who_it_is():
    said = answers(engine_of("greedy"), "gomill-describe_engine\nversion\ncputime\ngomill-cpu_time")
    assert said[0].startswith("greedy ")
    assert "rules aga" in said[0]
    assert said[1]
    assert all(float(seconds) > 0 for seconds in said[2:])


# Moves


@pytest.mark.parametrize("preset", PRESETS)
def test_either_colour_moves_whenever_it_is_asked(preset):
    """Under every rule set, also twice in a row, until long after the end."""
    engine, rng = engine_of("random", preset, 4), random.Random(preset)
    for _ in range(60):
        before = engine.game.state
        (move,) = answers(engine, f"genmove {rng.choice('bwBW')}")
        assert move == "pass" or move[0] in "ABCD"
        assert engine.game.state.n_move == before.n_move + 1


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_of_an_engine_with_itself_ends_as_in_goban(preset):
    engine = engine_of("naive", preset, 5)
    while not engine.game.state.is_over:
        before = engine.game.state
        (move,) = answers(engine, f"genmove {'bw'[before.to_move - 1]}")
        assert before.why_illegal(engine.game.state.last_point) is None
        assert (engine.game.state.last_point is None) == (move == "pass")
    assert engine.game.state.outcome is not None


def test_where_nothing_is_left_to_play_a_move_is_a_pass():
    engine = engine_of("random", "course", 2)
    assert answers(engine, "play b A1\nplay w B2\nplay b A2\ngenmove w\ngenmove b\nreg_genmove w") == ["ok"] * 3 + ["pass"] * 3


def test_reg_genmove_plays_nothing():
    engine = engine_of("greedy", "course", 5)
    (move,) = answers(engine, "reg_genmove b")
    assert move != "pass"
    assert engine.game.state.n_move == 0


def test_the_same_seed_gives_the_same_moves():
    text = "genmove b\n" * 3 + "genmove w\n" * 3 + "genmove b\n" * 3
    assert answers(engine_of(seed=5), text) == answers(engine_of(seed=5), text) != answers(engine_of(seed=6), text)
    engine = engine_of(seed=6)
    answers(engine, text)
    assert answers(engine, f"set_random_seed 5\nclear_board\n{text}")[2:] == answers(engine_of(seed=5), text)


# Players of all kinds


@pytest.fixture
def player(tmp_path):
    """Write a player's method `get_input`; return the name of the player."""

    def write(body):
        path = tmp_path / "p.py"
        path.write_text(f"class MyPlayer:\n    def get_input(self, go, piece_type):\n        {body}\n")
        return str(path)

    return write


FAULTS = [
    ("1 / 0", "littlego", "ZeroDivisionError: division by zero"),
    ("import sys; sys.exit(3)", "aga", "it calls sys.exit()"),
    ("raise BaseException('a\\nb')", "aga", "BaseException: a\\nb"),
    ("return 9, 9", "aga", "invalid answer: expected a row and a column from 0 to 4, got (9, 9)"),
    ("return 'hm'", "course", "invalid answer: expected (row, column), got 'hm'"),
    ("return 2, 2", "aga", "illegal move C3: the point is occupied"),
    ("return 'PASS'", "course", "illegal move pass: these rules know no passing"),
]


@pytest.mark.parametrize(("body", "rules", "said"), FAULTS)
def test_a_fault_of_a_player_is_a_failure_of_one_line(player, body, rules, said):
    name = player(body)
    engine = engine_of(name, rules, 5)
    assert answers(engine, "play b C3\ngenmove w\nname") == ["ok", f"? {name}: {said}", name]
    assert engine.game.state.n_move == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_a_player_may_resign_under_all_rules(player, preset):
    engine = engine_of(player("return 'RESIGN'"), preset, 5)
    assert answers(engine, "genmove b\ngenmove w\nplay b A1\ngenmove b") == ["resign", "resign", "ok", "resign"]


def test_a_player_sees_the_position_and_cannot_change_it(player):
    seen = "go.board[0][0] = 2; go.adopt_state = None; return go.n_move, len(go.died_pieces)"
    engine = engine_of(player(seen), "littlego", 5)
    assert answers(engine, "genmove b\nplay w E5\ngenmove b\nshowboard")[:3] == ["A5", "ok", "A3"]
    assert engine.game.state.stone_at((0, 0)) == 1


# Clocks


def test_a_system_of_time_that_is_not_known_is_refused_with_those_that_are():
    (answer,) = answers(engine_of(), "kgs-time_settings hourglass 1")
    assert answer == (
        "? syntax error: expected one of none, absolute, byoyomi, canadian, fischer, fischer-capped, got 'hourglass'"
    )


# loadsgf


@pytest.mark.parametrize("preset", ["littlego", "tromp-taylor", "aga", "alphago7"])
@pytest.mark.parametrize("seed", range(5))
def test_a_game_of_a_file_is_taken_over(preset, seed, tmp_path):
    record = random_game({"tromp-taylor": "tromp-taylor-strict"}.get(preset, preset), 5, seed)
    (tmp_path / "a game.sgf").write_text(write_sgf(sgf_of(record, "a", "b")))
    engine = engine_of("random", preset, 9)
    moves = [move for move in record.moves if move is None or isinstance(move, tuple)]
    assert answers(engine, f"loadsgf {tmp_path}/a game.sgf") == [["white", "black"][len(moves) % 2 == 0]]
    assert engine.game.state.rows() == record.final.rows()
    for _ in moves:
        engine.game.undo()
    again = answers(engine, f"undo\nloadsgf {tmp_path}/a game.sgf 3\nundo\nundo\nundo")
    assert again == ["? cannot undo", "black", "ok", "ok", "? cannot undo"]


def test_handicap_and_komi_of_a_file_are_taken_over(tmp_path):
    path = tmp_path / "h.sgf"
    path.write_text("(;SZ[9]KM[0.5]HA[2]AB[cc][gg];W[ee];B[ed])")
    engine = engine_of()
    assert answers(engine, f"loadsgf {path}\nget_komi\nfinal_status_list alive\nundo\nundo\nundo") == [
        "white", "0.5", "C7\nE6\nE5\nG3", "ok", "ok", "? cannot undo"
    ]  # fmt: skip


BAD_FILES = [
    ("", "expected a complete game"),
    ("(;SZ[30])", "size out of range"),
    ("(;SZ[5];B[aa];W[aa])", "move 2 (A5): the point is occupied"),
    ("(;SZ[5];B[zz])", "node 1: B"),
]


@pytest.mark.parametrize(("text", "said"), BAD_FILES)
def test_a_file_that_cannot_be_loaded_changes_nothing(text, said, tmp_path):
    (tmp_path / "bad.sgf").write_text(text)
    engine = engine_of()
    answers(engine, "play b E5")
    before = engine.game.state
    (answer,) = answers(engine, f"loadsgf {tmp_path}/bad.sgf")
    assert answer.startswith("? cannot load file: ")
    assert said in answer
    assert engine.game.state is before


def test_while_something_is_compiled_what_needs_it_not_is_answered(monkeypatch):
    """Here until somebody lets it end, so a command that waited for it would never be answered."""
    compiled, told, when = threading.Event(), [], []
    monkeypatch.setattr(seats, "prepare_player", lambda *_: compiled.wait())
    monkeypatch.setattr(seats.Seats, "ask", lambda *_: when.append(compiled.is_set()))
    engine = engine_of("random", "aga", 5)
    asked = "boardsize 5\nclear_board\nkomi 6.5\nname\nversion\nlist_commands\nplay b C3\nundo\nshowboard\ntime_settings 60 0 0"
    assert not any(answer.startswith("?") for answer in answers(engine, asked))
    assert not engine.is_ready
    thread = threading.Thread(target=lambda: told.extend(answers(engine, "genmove b")))
    thread.start()
    compiled.set()
    thread.join()
    assert (told, when) == (["pass"], [True])
    assert engine.is_ready


def test_a_judge_asks_it_to_get_ready_before_the_first_move(monkeypatch):
    """So what is compiled, or loaded, is no time of that move."""
    compiled = threading.Event()
    monkeypatch.setattr(seats, "prepare_player", lambda *_: compiled.wait())
    engine = engine_of("random", "aga", 5)
    (known,) = answers(engine, "list_commands")
    assert opening_commands(5, 2.5, read_listed_commands(known), 1)[-1] == "harness-get_ready"
    answers(engine, "boardsize 5")
    assert not engine.is_ready
    compiled.set()
    assert answers(engine, "harness-get_ready") == ["ok"]
    assert engine.is_ready


def test_a_fault_in_what_is_compiled_is_raised_where_it_is_needed(monkeypatch):
    def fail(*_):
        raise ValueError("no compiler")

    monkeypatch.setattr(seats, "prepare_player", fail)
    engine = engine_of("random", "aga", 5)
    assert answers(engine, "clear_board\nname") == ["ok", "random"]
    with pytest.raises(ValueError, match="no compiler"):
        answers(engine, "genmove b")
