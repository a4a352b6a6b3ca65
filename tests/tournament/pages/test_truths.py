"""What moves were worth: kept, read back, and never guessed."""

import json
import random
from dataclasses import replace

import pytest

from benchmarks.made_up_events import play_moves
from goban.rulesets import ruleset
from goban.solver import analysis
from goban.solver.analysis import Row
from goban.solver.solver import Solution
from gojudge.records import GameResult, GameSpec, Spent, Termination, Turn
from tournament.pages.truths import (
    Accuracy,
    Truth,
    analyser,
    append_truth,
    count_accuracy,
    game_key,
    has_solver,
    missing,
    phase_of,
    read_truths,
    truth_of,
)
from tournament.pages.words import turning_point

#        start  1B  2W    3B    4W
WINNERS = (1, 1, 1, 2, None)
MARGINS = (3, 3, 5, -1, None)
TRUTH = Truth(WINNERS, MARGINS, {2: "C3", 3: "A1 B1 C1 D1"}, 1.0)
TURNS = tuple(Turn(move, Spent(0.1, 0.1)) for move in ("C3", "B2", "D4", "A1"))


def test_a_cost_is_what_the_movers_margin_lost():
    assert [TRUTH.cost(ply) for ply in (1, 2, 3, 4)] == [0, 2, 6, None]
    assert [TRUTH.turn(ply) for ply in (1, 2, 3, 4)] == ["", "", "win to loss", ""]
    assert [TRUTH.is_mistake(ply) for ply in (1, 2, 3, 4)] == [False, True, True, False]
    assert TRUTH.first_losing_move == 3


def test_where_only_the_winner_is_known_keeping_the_result_is_right():
    truth = Truth((1, 1, 1, 1, 2), (None,) * 5, {}, 1.0)
    # White, who had lost, cannot be judged by the winner alone.
    assert [truth.known(ply) for ply in (1, 2, 3, 4)] == [True, False, True, False]


def test_accuracy_is_counted_by_thirds_of_the_game():
    assert [phase_of(ply, 5) for ply in (1, 8, 9, 16, 17, 24)] == [0, 0, 1, 1, 2, 2]
    black, white = [Accuracy()], [Accuracy()]
    for phases, colour in ((black, 1), (white, 2)):
        count_accuracy(phases, TRUTH, colour, 5)
    assert black == [Accuracy(known=2, right=1, stones=6, unknown=0)]
    assert white == [Accuracy(known=1, right=0, stones=2, unknown=1)]


def test_the_first_losing_move_is_said_with_what_was_best():
    result = GameResult(GameSpec("a-b-001", "a", "b", (1, 0)), 2, 1, 2.5, Termination.SCORE, turns=TURNS)
    assert turning_point(TRUTH, result) == (
        "First losing move: Black D4, move 3; A1 or B1 or C1 was best among others."
    )
    assert turning_point(None, result) == ""
    unknown = replace(TRUTH, best={}, winning={3: "A1 B1"})
    assert turning_point(unknown, result) == "First losing move: Black D4, move 3; A1 or B1 would have won."


def test_lines_are_added_and_read_back(tmp_path):
    path = tmp_path / "cup.db.truth.jsonl"
    assert read_truths(path) == {}
    append_truth(path, "k1", TRUTH)
    with path.open("ab") as file:
        file.write(b'{"key": "half')
    other = replace(TRUTH, best={}, winning={3: "A1 B1"})
    append_truth(path, "k2", other)
    assert read_truths(path) == {"k1": TRUTH, "k2": other}


def test_lines_from_before_winning_moves_were_kept_are_read(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"key": "k", "seconds": 1.0, "winners": [1, 2], "margins": [null, null], "best": {"1": "A1"}}\n')
    assert read_truths(path) == {"k": Truth((1, 2), (None, None), {1: "A1"}, 1.0)}


BAD = [
    "[]",
    "{}",
    "nonsense",
    '{"key": "k", "seconds": 1.0, "winners": [], "margins": []}',
    '{"key": "k", "seconds": null, "winners": [], "margins": [], "best": {}}',
]


@pytest.mark.parametrize("line", BAD)
def test_lines_that_cannot_be_read_are_passed_over(tmp_path, line):
    path = tmp_path / "t.jsonl"
    path.write_text(f"{line}\n")
    assert read_truths(path) == {}


ODD = [
    ("winners", [1, 1, 3, 2, None]), ("winners", [1]), ("winners", [[], 1, 1, 1, 1]), ("margins", ["3", 3, 5, 1, None]),
    ("margins", [0.5, 3, 5, 1, None]), ("seconds", 10**400), ("seconds", None), ("best", {"x": "A1"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), ODD)
def test_a_line_with_other_values_than_a_truth_has_is_passed_over(tmp_path, name, value):
    append_truth(tmp_path / "t.jsonl", "k", TRUTH)
    line = json.loads((tmp_path / "t.jsonl").read_bytes())
    (tmp_path / "odd.jsonl").write_text(json.dumps({**line, name: value}) + "\n" + "[" * 100_000)
    assert len(read_truths(tmp_path / "t.jsonl")) == 1
    assert read_truths(tmp_path / "odd.jsonl") == {}


def test_a_truth_of_another_length_than_the_game_is_none():
    key = game_key("course", 5, TURNS)
    assert truth_of(TURNS, "course", 5, {key: TRUTH}) is TRUTH
    shorter = Truth(WINNERS[:-1], MARGINS[:-1], {}, 1.0)
    assert truth_of(TURNS, "course", 5, {key: shorter}) is truth_of(TURNS, "course", 5, {}) is None
    assert list(missing([TURNS], "course", 5, {key: shorter}, 0.5)) == [key]


def test_only_what_is_unknown_is_computed_again():
    key = game_key("course", 5, TURNS)
    assert list(missing([TURNS, TURNS], "course", 5, {}, 1.0)) == [key]
    assert not missing([TURNS], "course", 5, {key: TRUTH}, 1.0)
    assert list(missing([TURNS], "course", 5, {key: TRUTH}, 2.0)) == [key]
    assert not missing([()], "course", 5, {}, 1.0)


def test_there_is_a_solver_for_the_course_only():
    events = ("course", 5), ("littlego", 5), ("course", 7), ("aga", 5)
    assert [has_solver(*one) for one in events] == [True, True, False, False]


@pytest.mark.parametrize("rules", ["course", "littlego"])
def test_the_solver_is_asked(rules):
    turns, state = play_moves(rules, 5, random.Random(4))
    truth = analyser(ruleset(rules), 5, 0.5)(turns)
    assert len(truth.winners) == len(turns) + 1
    black, white = state.points()
    assert truth.margins[-1] == black - white
    assert truth.winners[-1] == state.outcome.winner
    assert all(truth.is_mistake(ply) for ply in (*truth.best, *truth.winning))
    assert not truth.best.keys() & truth.winning.keys()


def test_where_the_best_moves_are_unknown_the_winning_ones_are_told(monkeypatch):
    """Three moves lost a win: one of which the best is known, one of which only what wins, one of which neither."""
    rows = [
        Row(1, 1, (0, 0), 1, None, 2, None, None, "win to loss", (), ((2, 2),)),
        Row(2, 2, (2, 2), 2, 1, 1, 5, 4, "win to loss", ((1, 1),), ((1, 1), (2, 1))),
        Row(3, 1, (1, 3), 1, None, 2, None, None, "win to loss", (), ()),
        Row(4, 2, (3, 3), 2, None, 2, None, None, "", (), ((1, 1), (3, 3))),
    ]
    monkeypatch.setattr(analysis, "analyse", lambda *_, **__: rows)
    turns = tuple(Turn(move, Spent(0.1, 0.1)) for move in ("A5", "C3", "D4", "D2"))
    truth = analyser(ruleset("course"), 5, 1.0)(turns)
    assert truth.best == {2: "B4"}
    assert truth.winning == {1: "C3"}


def test_winners_and_margins_are_those_before_each_move_and_after_the_last(monkeypatch):
    rows = [
        Row(1, 1, (0, 0), 1, 3, 2, -1, 4, "win to loss", ((2, 2),)),
        Row(2, 2, (2, 1), 2, -1, 1, 2, 3, "win to loss", ((2, 2),)),
    ]
    monkeypatch.setattr(analysis, "analyse", lambda *_, **__: rows)
    turns = tuple(Turn(move, Spent(0.1, 0.1)) for move in ("A5", "B3", "resign"))
    truth = analyser(ruleset("course"), 5, 1.0)(turns)
    assert (truth.winners, truth.margins) == ((1, 2, 1, None), (3, -1, 2, None))


class OneMoveWins:
    """A solver that knows of one move after which its player wins, and of nothing else."""

    def __init__(self, memory):
        pass

    def clock(self):
        return 0.0

    def winner(self, state, seconds):
        assert seconds > 0
        return Solution(winner=1 if state.rows()[2][2] == 1 else None)


def test_where_a_win_was_given_away_one_winning_move_is_named(monkeypatch):
    """Where a tie was, no move would have won, and none is named."""
    rows = [
        Row(1, 1, (0, 0), 1, None, 2, None, None, "win to loss", (), ()),
        Row(2, 2, (2, 1), 0, None, 1, None, None, "tie to loss", (), ()),
    ]
    monkeypatch.setattr(analysis, "analyse", lambda *_, **__: rows)
    monkeypatch.setattr("goban.solver.solver.Solver", OneMoveWins)
    turns = tuple(Turn(move, Spent(0.1, 0.1)) for move in ("A5", "B3"))
    assert analyser(ruleset("course"), 5, 1.0)(turns).winning == {1: "C3"}
