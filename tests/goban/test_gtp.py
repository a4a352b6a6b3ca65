"""GTP as text: what counts as a command, and what an answer looks like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.errors import GtpError
from goban.game import judge_answer, play_answers
from goban.grids import BLACK, WHITE
from goban.gtp import (
    LONGEST_ANSWER,
    LONGEST_LINE,
    MOST_JUNK_BYTES,
    MOST_JUNK_LINES,
    Answer,
    Answers,
    Command,
    colour_of,
    expect_id,
    explain_refused_move,
    failure,
    fill_in,
    last_move_command,
    opening_commands,
    read_command,
    read_generated_move,
    real_number_of,
    seed_for_engine,
    success,
    vertex_of,
    whole_number_of,
)
from goban.moves import PASS, RESIGN
from goban.rulesets import AGA, COURSE, PRESETS, TROMP_TAYLOR, Ending
from goban.states import new_game

COMMANDS = [
    ("name", Command("", "name")),
    ("12 play b C3", Command("12", "play", ("b", "C3"))),
    ("007 name", Command("007", "name")),
    ("play B  Q16\r", Command("", "play", ("B", "Q16"))),
    ("\tplay\tw\tA1", Command("", "play", ("w", "A1"))),
    ("play b c3 # play w c4", Command("", "play", ("b", "c3"))),
    ("pl\x00ay\x07 b \x7fC3\x1b", Command("", "play", ("b", "C3"))),
    ("\ufeffboardsize 5", Command("", "boardsize", ("5",))),
    ("name#no blank before it", Command("", "name")),
    ("12", Command("12", "")),
    ("12name", Command("", "12name")),
    ("² name", Command("", "²", ("name",))),
]


@pytest.mark.parametrize(("line", "command"), COMMANDS)
def test_a_line_is_a_command(line, command):
    assert read_command(line) == command


@pytest.mark.parametrize("line", ["", "  ", "\t\r", "# quit", "   # 12 quit", "\x00\x01"])
def test_blanks_and_comments_are_no_command(line):
    assert read_command(line) is None


ANSWERS = [
    (success(""), "=\n\n"),
    (success("3", "C3"), "=3 C3\n\n"),
    (success("", "a\nb"), "= a\nb\n\n"),
    (success("4", "\na\n\n \nb\n"), "=4\na\nb\n\n"),
    (failure("", "illegal move"), "? illegal move\n\n"),
    (failure("5", "two\nlines\x1b"), "?5 two lines\\x1b\n\n"),
]


@pytest.mark.parametrize(("answer", "text"), ANSWERS)
def test_an_answer_ends_with_its_only_empty_line(answer, text):
    assert answer == text


@given(st.text(), st.text())
def test_no_result_and_no_reason_can_break_an_answer(result, reason):
    for answer in (success("1", result), failure("1", reason)):
        assert answer.endswith("\n\n")
        assert "\n\n" not in answer[:-1]


def test_colours_in_any_case():
    assert [colour_of(word) for word in ("b", "B", "Black", "w", "WHITE")] == [BLACK, BLACK, BLACK, WHITE, WHITE]


def test_vertices_in_any_case_and_passes():
    assert [vertex_of(word, 9) for word in ("a9", "J1", "PASS", "Pass")] == [(0, 0), (8, 8), None, None]


def test_numbers():
    assert whole_number_of("361") == 361
    assert [real_number_of(word) for word in ("6.5", "-7", "1e1", "+.5", "-0")] == [6.5, -7, 10, 0.5, 0]
    assert str(real_number_of("-0")) == "0.0"


UNREADABLE = [
    *((colour_of, word) for word in ("", "c", "bl", "1", "b,", "W" * 300)),
    *((lambda word: vertex_of(word, 9), word) for word in ("I5", "A10", "K1", "resign", "", "5A", "A-1", "A²")),
    *((whole_number_of, word) for word in ("-1", "1.0", "", "1_0", "²", "9" * 400, "2147483648", "0x10")),
    *((real_number_of, word) for word in ("nan", "inf", "-inf", "1e999", "", "1_0", "٣", "seven")),
]


@pytest.mark.parametrize(("read", "word"), UNREADABLE)
def test_what_cannot_be_read_is_a_syntax_error_of_one_short_line(read, word):
    with pytest.raises(GtpError, match=r"^syntax error: .*(expected|off the)") as caught:
        read(word)
    assert len(str(caught.value)) < 200


@given(st.text(max_size=80))
def test_any_line_is_a_command_or_nothing(line):
    command = read_command(line)
    assert command is None or not any(set(word) & set(" #\t\r") for word in (command.id, command.name, *command.words))


def test_an_endless_line_is_cut():
    assert len(read_command("a" * 10**7).name) == LONGEST_LINE + 1


def taken(*pieces):
    """Feed pieces; return all answers."""
    answers, found = Answers(), []
    for piece in pieces:
        answers.feed(piece)
        while (answer := answers.take()) is not None:
            found.append(answer)
    return found


GOOD = [
    (b"=12 C3\n\n", Answer("12", True, "C3")),
    (b"= C3\n\n", Answer("", True, "C3")),
    (b"=7\n\n", Answer("7", True, "")),
    (b"?7 illegal move\n\n", Answer("7", False, "illegal move")),
    (b"=1 name\nversion\nquit\n\n", Answer("1", True, "name\nversion\nquit")),
    (b"=1\nname\n\n", Answer("1", True, "name")),
    (b"=1\t C3\r\n\r\n", Answer("1", True, "C3")),
    (b"\0=1 C\x003\n \n", Answer("1", True, "C3")),
    (b"\xef\xbb\xbf=1 C3\n\n", Answer("1", True, "C3")),
    (b"=23  0.0\n\n", Answer("23", True, "0.0")),
    (b"=1 caf\xe9\n\n", Answer("1", True, "caf\\xe9")),
    (b"Welcome\n\nto it\n=1 C3\n\n", Answer("1", True, "C3")),
]


@pytest.mark.parametrize(("data", "answer"), GOOD)
def test_an_answer_is_read_however_it_comes_in_pieces(data, answer):
    assert taken(data) == [answer]
    assert taken(*(data[k : k + 1] for k in range(len(data)))) == [answer]


def test_several_answers_come_one_after_the_other():
    assert [answer.id for answer in taken(b"=1 a\n\n\n?2 b\n\nnews\n=3\n\n=4")] == ["1", "2", "3"]


def test_what_is_not_ended_by_an_empty_line_is_known():
    answers = Answers()
    answers.feed(b"=1 C3\n")
    assert answers.take() is None
    assert answers.unfinished == "=1 C3"


TOO_MUCH = [b"news\n" * (MOST_JUNK_LINES + 1), b"x" * (MOST_JUNK_BYTES + 1), b"y\n" + b"x" * MOST_JUNK_BYTES]


@pytest.mark.parametrize("data", TOO_MUCH)
def test_too_much_before_an_answer_is_an_error_that_quotes_its_beginning(data):
    with pytest.raises(GtpError, match=r"and no answer, which begins with = or \?; it began with '(news|xxx|y)"):
        taken(data)


def test_as_much_as_is_allowed_is_skipped_before_every_answer():
    assert len(taken(*[b"news\n" * MOST_JUNK_LINES + b"=1\n\n"] * 3)) == 3


@pytest.mark.parametrize("more", [b"A" * 10_000_000, b"A\n" * 1_000_000])
def test_of_an_endless_answer_the_beginning_is_kept(more):
    pieces = [b"=1 ", *(more[k : k + 65536] for k in range(0, len(more), 65536)), b"\n\n=2 C3\n\n"]
    long, short = taken(*pieces)
    assert long.id == "1"
    assert len(long.text) <= 2 * LONGEST_ANSWER
    assert short == Answer("2", True, "C3")


def test_only_what_an_engine_knows_is_sent():
    always = ["boardsize 9", "clear_board", "komi 7.5"]
    assert opening_commands(9, 7.5, (), 1, 5.0) == always
    known = ("time_settings", "set_random_seed")
    assert opening_commands(9, 7.5, known, 2**40 + 7, 5.5) == [*always, "time_settings 0 5 1", "set_random_seed 7"]
    assert opening_commands(9, 7.5, known, 1) == [*always, "set_random_seed 1"]
    # 0 seconds would mean that there is none.
    assert "time_settings 0 1 1" in opening_commands(9, 7.5, known, 1, 0.3)


def test_seeds_fit_into_31_bits():
    assert seed_for_engine(2**128 - 1) == 2**31 - 1


def test_words_are_filled_in_and_other_braces_stay():
    assert fill_in("--x={size}/{komi}/{seed}/{level}", 5, 9, 2.5) == "--x=9/2.5/5/{level}"


def test_the_last_move_is_told():
    state = new_game(AGA, 9)
    assert last_move_command(state) == ""
    state = state.play((0, 0))
    assert last_move_command(state) == "play b A9"
    assert last_move_command(state.play(PASS)) == "play w pass"


@pytest.mark.parametrize(("text", "move"), [("C3", (2, 2)), ("c3", (2, 2)), ("PASS", PASS), ("Resign", RESIGN)])
def test_moves_are_read_in_any_case(text, move):
    assert read_generated_move(text, 5) == move


@pytest.mark.parametrize("text", ["", "I3", "C9", "C3 D4", "passed", "null"])
def test_what_is_no_vertex_is_refused(text):
    with pytest.raises(GtpError):
        read_generated_move(text, 5)


def test_a_refused_move_asks_for_the_ko_rule_and_a_refused_pass_does_not():
    said = explain_refused_move("play b C3", "? illegal move", TROMP_TAYLOR)
    assert said.startswith("it refuses C3, which tromp-taylor-strict allows, with '? illegal move': is its ko rule another")
    assert "positional superko" in said
    assert explain_refused_move("play b pass", "? no", AGA) == "it refuses pass, which aga allows, with '? no'"


@pytest.mark.parametrize(("answer", "said"), [("3", "id 3"), ("", "no id")])
def test_an_answer_to_another_command_is_noticed(answer, said):
    with pytest.raises(GtpError, match=f"answered command 4, 'genmove b', with {said}"):
        expect_id(answer, 4, "genmove b")


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.name)
def test_an_engine_may_resign_under_all_rules(rules):
    record = play_answers(new_game(rules, 5), lambda state, complaint: RESIGN, lambda state, complaint: RESIGN)
    assert (record.outcome.ending, record.outcome.winner) == (Ending.RESIGNATION, 2)


def test_the_text_of_a_resignation_is_judged_by_the_rules_as_ever():
    assert judge_answer("RESIGN", new_game(COURSE, 5))[1].startswith("illegal move resign")
    assert judge_answer("RESIGN", new_game(AGA, 5))[1] == ""
