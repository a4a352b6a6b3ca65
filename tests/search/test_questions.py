"""Answers to a program that asks about positions and games."""

import json
import subprocess
import sys

import pytest

from search.questions import Questions
from tests.support.missing import needs, no_package


def position(*moves, rules="course", size=3):
    return {"rules": rules, "size": size, "moves": list(moves)}


def last(ask, stopped=lambda: False, **question):
    *_, answer = Questions(stopped).answers({"id": 7, "ask": ask, **question})
    assert (answer["id"], answer["done"] or stopped()) == (7, True)
    return answer


@needs(no_package("numba"))
def test_every_move_has_its_value_for_the_player_to_move():
    answer = last("values", position=position())
    assert answer["of"] == 9 == len(answer["moves"])
    rate, lead = answer["moves"]["B2"]
    # The other player sees the same from the other side.
    after = last("values", position=position("B2"))
    assert max(after["moves"].values()) == [1 - rate, -lead]


@needs(no_package("numba"))
def test_a_line_of_best_play_goes_to_the_end_and_keeps_the_value():
    line = last("line", position=position("B2"))
    values = [last("values", position=position("B2", *line["moves"][:k]))["moves"] for k in range(2)]
    assert line["exact"]
    assert values[0][line["moves"][0]] == max(values[0].values())
    assert values[1][line["moves"][1]] == max(values[1].values())


@needs(no_package("numba"))
def test_a_game_is_told_as_a_replay_reads_it():
    winners, margins, best, winning = last("game", position=position("A1", "B2", "C1"), seconds=20)["truth"]
    assert len(winners) == len(margins) == 4
    assert set(best) == {"1", "2", "3"}
    assert "B2" in best["1"].split()
    assert set(winning) <= set(best)


@needs(no_package("numba"))
def test_nobody_waits_for_an_answer_that_is_no_longer_wanted():
    answer = last("values", lambda: True, position=position(size=5))
    assert not answer["done"]


@needs(no_package("sgfmill"))
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;SZ[3]RU[aga];B[bb];W[])", ""),
        ("(;SZ[3];B[bb];W[bb])", "white may not play B2 as move 2: the point is occupied"),
        ("(;SZ[3];B[bb];B[aa])", "expected white to move as move 2, got black"),
        ("(;SZ[3]AB[bb];W[aa])", "expected a game from the empty board, with Black to begin"),
        ("hello", "expected a complete game, '(;' to ')', got b'hello'"),
    ],
)
def test_an_sgf_file_is_told_as_a_position(text, message):
    answer = last("sgf", text=text)
    assert answer["error"] == message
    if not message:
        assert answer["position"] == position("B2", "pass", rules="aga") | {"komi": 7.5}


@needs(no_package("sgfmill"))
def test_the_variations_of_an_sgf_file_are_told_as_far_as_they_may_be_played():
    tree = "(;SZ[3]RU[aga];B[bb](;W[ab](;B[ba])(;B[ba];W[ba];B[cc]))(;W[])(;W[zz])(;W[ac];W[ca])(;AB[aa]))"
    answer = last("sgf", text=tree)
    assert answer["position"] == position("B2", "A2", "B3", rules="aga") | {"komi": 7.5}
    start = ["B2", "A2", "B3"]
    assert answer["lines"] == [start, ["B2", "pass"], ["B2"], ["B2", "A1"], ["B2"]]


@needs(no_package("sgfmill"))
def test_of_very_many_variations_the_first_are_told():
    branches = "".join("(;B[aa];W[bb]C[) (;\\]])" for _ in range(1000))
    answer = last("sgf", text=f"(;SZ[3]{branches})")
    assert answer["lines"] == [["A3", "B2"]] * 199


def test_the_program_answers_line_by_line_until_its_input_ends():
    asked = [{"id": k, "ask": "sgf", "text": "?"} for k in (1, 2)]
    done = subprocess.run(
        [sys.executable, "-m", "search.questions"], input="\n".join(map(json.dumps, asked)), capture_output=True, text=True
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]
    assert (done.returncode, done.stderr) == (0, "")
