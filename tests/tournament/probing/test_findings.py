"""What answers add up to, from answers made by hand; and how they are shown."""

import json

import pytest

from goban.ideas import SAMPLE, SYMMETRIC
from goban.points import parse_vertex
from goban.solver.positions import start_of
from goban.solver.sgf_files import read_game
from gojudge.records import Fault, Spent, Termination
from tournament.probing.asking import ProbeAnswer, Question
from tournament.probing.findings import document, findings, missed_text, remarks, sgf, table
from tournament.probing.positions import Position

A1, B1, C1 = ((4, column) for column in range(3))
CRASH = Fault(Termination.CRASH, "ZeroDivisionError: division by zero")
# Black to move after these: A1 wins by most, B1 wins, C1 loses.
MOVES = tuple(parse_vertex(name, 5) for name in ("C3", "D4", "B4", "E5", "D2", "E1"))
MARGINS = {A1: 7, B1: 4, C1: -3}


def position(group="capture", moves=6, number=0):
    return Position("course", group, (*MOVES, *[(0, number)] * (moves - 6)), MARGINS)


def answer(move, group="capture", moves=6, seconds=0.1, **values):
    return ProbeAnswer(Question(position(group, moves)), move, Spent(1.0, seconds), **values)


def found(*answers, name="ann"):
    return findings(name, "abc", "T2", answers)


def test_who_keeps_the_win_passes_and_what_a_miss_cost_is_told():
    (probe,) = found(answer(A1), answer(B1), answer(C1), answer(None, fault=CRASH)).probes
    assert (probe.probe.name, probe.passed, probe.of) == ("capture", 2, 4)
    assert [(miss.played, miss.better, miss.cost) for miss in probe.misses] == [
        ("C1", "A1 B1", 10), ("crash: ZeroDivisionError: division by zero", "A1 B1", None),
    ]  # fmt: skip


def test_stones_lost_are_counted_by_phase_for_a_player_of_one_colour():
    answers = [answer(A1, SAMPLE), answer(B1, SAMPLE, 10), answer(C1, SAMPLE, 18), answer(C1, SAMPLE, 20)]
    early, middle, late = found(*answers, answer(None, SAMPLE, 22, fault=CRASH)).phases
    assert (early.stones, early.moved, early.best, early.a_game) == (3, 2, 1, pytest.approx(4.5))
    assert (middle.moved, middle.a_game) == (0, None)
    assert (late.stones, late.moved, late.without, late.a_game) == (20, 2, 1, pytest.approx(30))
    assert [phase.name for phase in (early, middle, late)] == ["moves 7 to 12", "moves 13 to 18", "the last 6 moves"]


def test_what_could_not_be_asked_counts_nowhere():
    one = found(answer(None, void="no worker"), answer(A1), answer(None, SAMPLE, void="no worker"))
    assert (one.passed, one.of, one.void, one.faults) == (1, 1, 2, {})
    assert one.phases[0].moved == 0
    assert remarks(one) == ["ann: 2 positions could not be asked, which is not its fault"]


def images(plain, others, again):
    one = position(SYMMETRIC)
    moves = [ProbeAnswer(Question(one, number), move) for number, move in enumerate([plain, *others])]
    return [*moves, ProbeAnswer(Question(one, draw=1), again)]


def test_images_are_held_against_the_position_and_chance_against_itself():
    one = found(*images(A1, [A1] * 5 + [B1] * 2, B1))
    assert (one.alike, one.images, one.by_chance, one.symmetric) == (5, 7, 1, 1)
    steady = found(*images(C1, [C1] * 7, C1))
    assert (steady.alike, steady.images, steady.by_chance) == (7, 7, 0)


def test_times_are_those_of_moves():
    one = found(answer(A1, seconds=0.1), answer(A1, seconds=0.2), answer(C1, seconds=0.6), answer(None, seconds=5, fault=CRASH))
    assert (one.median_seconds, one.longest_seconds) == (pytest.approx(0.2), pytest.approx(0.6))
    assert found(answer(None, fault=CRASH)).median_seconds is None


def test_faults_are_counted_by_kind_with_the_first_of_each():
    late = Fault(Termination.TIME_OUT, "no answer within 5 s")
    answers = [answer(None, fault=CRASH), answer(None, fault=Fault(Termination.CRASH, "another")), answer(None, fault=late)]
    assert remarks(found(*answers)) == [
        "ann: crash in 2 positions, the first: ZeroDivisionError: division by zero",
        "ann: time-out in 1 position, the first: no answer within 5 s",
    ]


def test_a_table_has_a_column_for_each_player_and_not_too_many_abreast():
    players = [found(answer(A1), answer(C1), answer(B1, SAMPLE), name=f"p{number}") for number in range(8)]
    first, second = table(players).split("\n\n")
    assert first.splitlines()[0].split() == ["the", "player", "...", *(f"p{number}" for number in range(6))]
    assert second.splitlines()[0].split()[-2:] == ["p6", "p7"]
    rows = {line.split("  ")[0]: line.split() for line in second.splitlines()}
    assert rows["capture"][-2:] == ["1/2", "1/2"]
    assert rows["stones lost"][-1] == "-"
    assert "9.0" in second


def test_a_missed_position_is_drawn_and_can_be_replayed():
    one = found(answer(C1), answer(A1))
    text = missed_text(one.probes[0])
    assert text.startswith("capture: black to move played C1, 10 stones worse; what wins: A1 B1\n   A B C D E\n")
    assert " 1 . . . .(O) 1" in text
    file = sgf([one])
    game = read_game(file.encode(), None)
    assert [(move.colour, move.move) for move in game.moves] == list(zip((1, 2) * 3, MOVES, strict=True))
    assert "C[capture: black to move played C1, 10 stones worse; what wins: A1 B1])" in file
    assert start_of(game).rules.name == "course"
    assert (game.black, game.white, game.komi) == ("ann", "probe", 2.5)


def test_the_document_says_all_of_it():
    data = json.loads(document([found(answer(C1), answer(C1, SAMPLE, 20))], "course", 7))
    assert (data["rules"], data["size"], data["seed"]) == ("course", 5, 7)
    (profile,) = data["profiles"]
    assert (profile["name"], profile["digest"], profile["tier"], profile["passed"], profile["of"]) == ("ann", "abc", "T2", 0, 1)
    assert profile["probes"][0]["missed"] == [{"moves": "C3 D4 B4 E5 D2 E1", "played": "C1", "wins": "A1 B1", "cost": 10}]
    assert profile["phases"][2] == {
        "name": "the last 6 moves", "positions": 1, "faults": 0, "stones": 10, "best_moves": 0, "stones_a_game": 30.0,
    }  # fmt: skip
