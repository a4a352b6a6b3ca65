"""Answers to a program that asks about positions and games."""

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE
from types import SimpleNamespace

import pytest

from goban.solver.questions import Questions
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
    values = [last("values", position=position("B2", *line["line"][:k]))["moves"] for k in range(2)]
    assert line["exact"]
    assert values[0][line["line"][0]] == max(values[0].values())
    assert values[1][line["line"][1]] == max(values[1].values())


@needs(no_package("numba"))
@pytest.mark.parametrize(("rules", "winner", "is_told"), [("area", 1, True), ("area", None, False), ("course", None, True)])
def test_of_an_area_game_whose_winner_takes_long_no_line_is_told(rules, winner, is_told, monkeypatch):
    """The solver is a stand-in, which knows a line of one move."""
    known = {"winner": SimpleNamespace(winner=winner), "line": SimpleNamespace(line=((0, 0),))}
    solver = SimpleNamespace(**{name: lambda *_, answer=answer, **__: answer for name, answer in known.items()})
    monkeypatch.setattr("goban.solver.analysis.ExactAnalyst", lambda memory: SimpleNamespace(solver_until=lambda *_: solver))
    answer = last("line", position=position(rules=rules))
    assert (answer["line"], answer["exact"]) == (["A3"] * is_told, is_told)
    assert answer["error"] == ("" if is_told else "Unknown: this takes longer than 5 s.")


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


@needs(no_package("numba"))
def test_of_a_position_that_was_set_up_the_same_is_known():
    """One that moves lead to as well, so that both must be worth the same."""
    rows = [[0, 0, 0], [0, 1, 0], [2, 0, 0]]
    start = {"rows": rows, "to_move": 1, "n_move": 2}
    values = last("values", position=position() | {"start": start})["moves"]
    assert values == last("values", position=position("B2", "A1"))["moves"]


@needs(no_package("numba"))
def test_a_move_that_throws_the_game_away_is_told_with_the_line_that_punishes_it():
    thrown = last("judge", position=position("A2", "B1", "A3"), stones=0, seconds=60)
    assert (thrown["turn"], thrown["better"], thrown["exact"]) == ("win to loss", ["C2"], True)
    after = last("values", position=position("A2", "B1", "A3"))["moves"]
    assert after[thrown["line"][0]] == max(after.values())
    kept = last("judge", position=position("A2", "B1", "C2"), stones=0, seconds=60)
    assert (kept["turn"], kept["line"]) == ("", [])


@needs(no_package("numba"))
@pytest.mark.parametrize(("stones", "told"), [(0, False), (1, True), (4, True), (5, False)])
def test_a_move_that_costs_so_many_stones_is_told(stones, told):
    """White wins whatever Black does; after A1 by 4 stones more."""
    answer = last("judge", position=position("A1"), stones=stones, seconds=60)
    assert (bool(answer["line"]), answer["turn"], answer["cost"]) == (told, "", 4 if stones else None)


def sgf(text):
    return last("sgf", data=base64.b64encode(text if isinstance(text, bytes) else text.encode()).decode())


@pytest.mark.parametrize(
    ("text", "rules", "komi"),
    [
        ("(;SZ[3]RU[aga];B[bb];W[])", "aga", 7.5),
        ("(;SZ[3];B[bb];B[bb])", "course", 1.5),
        ("(;SZ[9]KM[0.5]AB[bb];W[aa])", "aga", 0.5),
        ("(;SZ[5]RU[littlego]KM[2.5])", "littlego", 2.5),
        ("(;SZ[19]RU[Chinese]KM[375])", "aga", 7.5),
        ("(;SZ[19]RU[aga]KO[5.5])", "aga", 5.5),
    ],
)
def test_of_an_sgf_file_it_is_told_by_which_rules_it_is_read(text, rules, komi):
    answer = sgf(text)
    assert (answer["text"], answer["rules"], answer["komi"]) == (text, rules, komi)


def test_a_komi_that_is_not_as_the_file_says_is_told():
    assert sgf("(;SZ[19]RU[aga]KM[375])")["notes"] == ["KM[375] is read as a komi of 7.5"]
    assert sgf("(;SZ[19]RU[aga]KM[6,5])")["notes"] == ["KM[6,5] is read as a komi of 6.5"]
    assert sgf("(;SZ[19]RU[aga]KM[many])")["notes"] == ["KM[many] is no number, and is left out"]


def test_a_file_in_another_encoding_is_told_in_ours():
    answer = sgf("(;SZ[9]PB[\u9ed1\u767d\u80dc\u8d1f\u4e2d\u76d8]C[\u76ee\u534a\u5b50\u6bb5])".encode("gb18030"))
    assert "PB[\u9ed1\u767d\u80dc\u8d1f\u4e2d\u76d8]" in answer["text"]
    assert answer["notes"][0] == "its encoding is taken for gb18030"
    assert sgf("hello")["error"] == "expected a game, '(;' to ')', got 'hello'"


def test_the_program_answers_line_by_line_until_its_input_ends():
    asked = [{"id": k, "ask": "sgf", "data": ""} for k in (1, 2)]
    done = subprocess.run(
        [sys.executable, "-m", "goban.solver.questions"],
        input="\n".join(map(json.dumps, asked)), capture_output=True, text=True,
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="shown by Linux only")
def test_no_library_waits_for_its_input():
    """On Windows numpy looks at standard input while it is imported, and waits as long as a thread reads there."""
    process = subprocess.Popen([sys.executable, "-m", "goban.solver.questions"], stdin=PIPE, stdout=PIPE, text=True)
    with process:
        print(json.dumps({"id": 1, "ask": "sgf", "data": ""}), file=process.stdin, flush=True)
        assert json.loads(process.stdout.readline())["id"] == 1
        assert os.readlink(f"/proc/{process.pid}/fd/0") == os.devnull
        process.stdin.close()
