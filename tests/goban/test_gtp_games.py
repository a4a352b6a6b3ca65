"""What a controller sends, and how it takes what comes back."""

import pytest

from goban.errors import GtpError
from goban.game import judge_answer, play_game
from goban.gtp_games import (
    expect_id,
    filled_in,
    generated_move,
    last_move_command,
    opening_commands,
    refused_move,
    seed_for_engine,
)
from goban.moves import PASS, RESIGN
from goban.rulesets import AGA, COURSE, PRESETS, TROMP_TAYLOR, Ending
from goban.states import new_game


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
    assert filled_in("--x={size}/{komi}/{seed}/{level}", 5, 9, 2.5) == "--x=9/2.5/5/{level}"


def test_the_last_move_is_told():
    state = new_game(AGA, 9)
    assert last_move_command(state) == ""
    state = state.play((0, 0))
    assert last_move_command(state) == "play b A9"
    assert last_move_command(state.play(PASS)) == "play w pass"


@pytest.mark.parametrize(("text", "move"), [("C3", (2, 2)), ("c3", (2, 2)), ("PASS", PASS), ("Resign", RESIGN)])
def test_moves_are_read_in_any_case(text, move):
    assert generated_move(text, 5) == move


@pytest.mark.parametrize("text", ["", "I3", "C9", "C3 D4", "passed", "null"])
def test_what_is_no_vertex_is_refused(text):
    with pytest.raises(GtpError):
        generated_move(text, 5)


def test_a_refused_move_asks_for_the_ko_rule_and_a_refused_pass_does_not():
    said = refused_move("play b C3", "? illegal move", TROMP_TAYLOR)
    assert said.startswith("it refuses C3, which tromp-taylor-strict allows, with '? illegal move': is its ko rule another")
    assert "positional superko" in said
    assert refused_move("play b pass", "? no", AGA) == "it refuses pass, which aga allows, with '? no'"


@pytest.mark.parametrize(("answer", "said"), [("3", "id 3"), ("", "no id")])
def test_an_answer_to_another_command_is_noticed(answer, said):
    with pytest.raises(GtpError, match=f"answered command 4, 'genmove b', with {said}"):
        expect_id(answer, 4, "genmove b")


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.name)
def test_an_engine_may_resign_under_all_rules(rules):
    record = play_game(new_game(rules, 5), lambda state, complaint: RESIGN, lambda state, complaint: RESIGN)
    assert (record.outcome.ending, record.outcome.winner) == (Ending.RESIGNATION, 2)


def test_the_text_of_a_resignation_is_judged_by_the_rules_as_ever():
    assert judge_answer("RESIGN", new_game(COURSE, 5))[1].startswith("illegal move resign")
    assert judge_answer("RESIGN", new_game(AGA, 5))[1] == ""
