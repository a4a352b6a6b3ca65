"""What moves cost: against solving each position alone, and against the final margin; within limits of time."""

import itertools
from dataclasses import replace

import pytest

from goban.diagrams import parse_diagram
from goban.errors import IllegalMoveError
from goban.grids import BLACK, WHITE
from goban.rulesets import COURSE, LITTLEGO, PRESETS, ruleset
from goban.solver.analysis import (
    QUESTIONS,
    ExactAnalyst,
    Row,
    analyse,
    first_losing_move,
    mistakes_of,
    rank,
    value_with_line,
)  # fmt: skip
from goban.solver.errors import UnsupportedGameError
from goban.solver.reports import summary, table
from goban.solver.solver import Solution, Solver
from goban.states import new_game, state_from_rows
from tests.support.solving import RULES, random_game
from tests.support.states import play_some

# rules, size, and the first move that is analysed: earlier positions of 5x5 take too long for a test
GAMES = [(rules, size, first) for rules in RULES for size, first in [(2, 0), (3, 0), (4, 4), (5, 13)]]


def part(rules, size, first, seed):
    """(the state after `first` moves of a random game, the moves after it, the last state)"""
    moves, final = random_game(rules, size, seed)
    state = new_game(ruleset(rules), size)
    for move in moves[:first]:
        state = state.play(move)
    return state, moves[first:], final


@pytest.fixture(scope="module")
def solver():
    return Solver(16)


@pytest.mark.parametrize(("rules", "size", "first"), GAMES)
def test_values_are_those_of_each_position_alone(rules, size, first, solver):
    for seed in range(3):
        state, moves, _ = part(rules, size, first, seed)
        rows = analyse(moves, ruleset(rules), size, start=state, solver=solver)
        assert [row.move for row in rows] == moves
        for number, row in enumerate(rows, first + 1):
            before, state = Solver(16).best_moves(state), state.play(row.move)
            after = Solver(16).margin(state)
            assert (row.ply, row.colour) == (number, 2 - number % 2)
            assert (row.winner_before, row.margin_before, row.best_moves) == (before.winner, before.margin, before.best_moves)
            assert (row.winner_after, row.margin_after) == (after.winner, after.margin)
            assert (row.cost_stones == 0) == (row.move in row.best_moves)


@pytest.mark.parametrize(("rules", "size", "first"), GAMES)
def test_costs_explain_the_final_margin(rules, size, first, solver):
    for seed in range(10):
        state, moves, final = part(rules, size, first, seed)
        rows = analyse(moves, ruleset(rules), size, start=state, solver=solver)
        if rows:
            assert all(row.cost_stones >= 0 for row in rows)
            margin = rows[0].margin_before - mistakes_of(rows, 1)["stones"] + mistakes_of(rows, 2)["stones"]
            assert margin == final.black.bit_count() - final.white.bit_count()
            assert rows[-1].winner_after == final.outcome.winner


@pytest.mark.parametrize("rules", RULES)
def test_best_play_has_no_mistakes(rules, solver):
    line = solver.line(new_game(ruleset(rules), 4)).line
    rows = analyse(line, ruleset(rules), 4, solver=solver)
    assert len(rows) == len(line)
    assert not any(row.is_mistake for row in rows)
    assert len({row.margin_after for row in rows}) == 1
    assert first_losing_move(rows) is None


def test_a_lost_win_is_found():
    """On 3x3 White wins; after Black's B3 he does not if he plays A2 or C2."""
    rows = analyse([(0, 1), (1, 0), (1, 1)], ruleset("course"), 3)
    assert [row.turns_win for row in rows[:2]] == ["", "win to loss"]
    assert [row.cost_stones for row in rows[:2]] == [0, 1]
    assert rows[1].best_moves == ((0, 0), (0, 2), (1, 1), (2, 0), (2, 1), (2, 2))
    assert first_losing_move(rows) is rows[1]


def row(turns_win, cost=1, colour=1):
    return Row(1, colour, (0, 0), None, None, None, None, cost, turns_win, ())


def test_the_first_losing_move_is_the_first_that_leaves_a_lost_position():
    rows = [row("", 0), row("", 4), row("win to tie"), row("tie to loss"), row("win to loss")]
    assert first_losing_move(rows) is rows[3]
    assert first_losing_move(rows[:3]) is None


def test_mistakes_are_counted_by_colour():
    rows = [row("", 0), row("", 4), row("win to tie", None), row("win to loss", 2, 2), row("", None)]
    assert mistakes_of(rows, 1) == {"moves": 4, "unknown": 2, "mistakes": 2, "stones": 4, "win_lost": 1}
    assert mistakes_of(rows, 2) == {"moves": 1, "unknown": 0, "mistakes": 1, "stones": 2, "win_lost": 1}


def test_ties_are_turns_too(solver):
    """Even boards know ties, and on 4x4 random players find every way to throw something away."""
    turns = set()
    for seed in range(10):
        moves, _ = random_game("course", 4, seed)
        turns |= {row.turns_win for row in analyse(moves, ruleset("course"), 4, solver=solver)}
    assert turns == {"", "win to loss", "win to tie", "tie to loss"}


@pytest.mark.parametrize("rules", RULES)
def test_what_the_book_and_the_next_moves_tell_takes_no_time(rules):
    """Who wins is known of the first moves, everything of the last ones, and of those between nothing is guessed."""
    moves, final = random_game(rules, 5, 1)
    rows = analyse(moves, ruleset(rules), seconds=0, solver=Solver(64))
    assert None not in [found.winner_before for found in rows[:5]]
    assert all(found.best_moves for found in rows[-5:])
    assert rows[-1].winner_after == final.outcome.winner
    between = next(found for found in rows if found.winner_before is None)
    assert (between.margin_before, between.cost_stones, between.turns_win, between.best_moves) == (None, None, "", ())
    assert not between.is_mistake


class WinnersOnly(Solver):
    """One that never has the time for a margin."""

    def margin(self, state, nodes=None, seconds=None, near=None, before=None):
        return self.winner(state)

    def best_moves(self, state, nodes=None, seconds=None):
        return self.winner(state)


def test_where_margins_are_unknown_the_winning_moves_are_given():
    """On 3x3 White wins; after Black's B3 he does not if he plays A2, and then Black does not if he plays B2."""
    rows = analyse([(0, 1), (1, 0), (1, 1)], ruleset("course"), 3, solver=WinnersOnly(16))
    assert {(found.margin_before, found.cost_stones, found.best_moves) for found in rows} == {(None, None, ())}
    assert [found.turns_win for found in rows] == ["", "win to loss", "win to loss"]
    assert [found.winning_moves for found in rows] == [(), ((0, 0), (0, 2), (1, 1), (2, 0), (2, 1), (2, 2)), ((2, 1),)]
    assert "win: B1\n" in table(rows, 1.5, 3) + "\n"
    assert "move 2, white A2 (win to loss); to win: A3 C3 B2 A1 B1 +1 more\n" in summary(rows, 3)


class Noting(Solver):
    """One that notes how it is asked for margins."""

    def __init__(self):
        super().__init__(16, clock=lambda: 100.0)
        self.asked = []

    def margin(self, state, nodes=None, seconds=None, near=None, before=None):
        found = super().margin(state, nodes, seconds, near, before)
        self.asked.append((state.n_move, seconds, near, before, found.margin))
        return found


def test_margins_that_take_time_are_asked_from_the_end_between_those_of_the_moves_around_them():
    """First those that take none, from the beginning; then the others, with three quarters of the time."""
    solver, (moves, _) = Noting(), random_game("course", 4, 1)
    analyse(moves, ruleset("course"), 4, solver=solver, seconds=8)
    plies = list(range(len(moves) + 1))
    free, later = solver.asked[: len(plies)], solver.asked[len(plies) :]
    assert [(ply, *how) for ply, *how, _ in free] == [(ply, 0, None, None) for ply in plies]
    known = {ply: margin for ply, *_, margin in free}
    assert [ply for ply, *_ in later] == [ply for ply in reversed(plies) if known[ply] is None]
    for ply, seconds, near, before, margin in later:
        after = known.get(ply + 1)
        assert (seconds, before) == (6, known.get(ply - 1))
        assert near == (before if after is None else after)
        known[ply] = margin
    assert later


def test_moves_that_may_not_be_played_are_refused():
    with pytest.raises(IllegalMoveError, match="white may not play C3 as move 2: the point is occupied"):
        analyse([(2, 2), (2, 2)], ruleset("course"))
    with pytest.raises(UnsupportedGameError, match="size from 2 to 5, got 6"):
        analyse([], ruleset("course"), 6)


def test_progress_is_told_for_every_question_about_each_position():
    told = []
    analyse([(0, 0), (1, 1)], ruleset("course"), 2, progress=lambda: told.append(1))
    assert len(told) == 3 * QUESTIONS


class Ticking:
    """A clock that goes on by a millisecond whenever it is read."""

    now = 0.0

    def __call__(self):
        self.now += 0.001
        return self.now


def test_a_game_takes_no_longer_than_it_may():
    clock = Ticking()
    state, moves = new_game(ruleset("course"), 5), []
    while not state.is_over:
        moves.append(state.legal_moves()[0])
        state = state.play(moves[-1])
    rows = analyse(moves, ruleset("course"), solver=Solver(16, clock=clock), seconds=0.05)
    assert clock.now < 0.5
    assert rows[-1].best_moves
    assert None in [found.cost_stones for found in rows]


@pytest.fixture(scope="module")
def analyst():
    return ExactAnalyst(16)


def never():
    return False


@pytest.mark.parametrize("preset", ["course", "littlego"])
@pytest.mark.parametrize("seed", range(6))
def test_every_move_has_the_value_that_is_proven_for_the_position_after_it(analyst, preset, seed):
    state = play_some(preset, 4, seed, 5)[-1]
    if state.is_over:
        return
    *_, found = analyst.candidates(state, never)
    assert {one.move for one in found} == set(state.legal_moves())
    solver, sign = Solver(16), 1 if state.to_move == BLACK else -1
    for one in found:
        value = solver.margin(state.after(one.move))
        assert one.winrate == {0: 0.5, state.to_move: 1.0}.get(value.winner, 0.0)
        assert one.lead == sign * (value.margin - 2)
    best = solver.best_moves(state).best_moves
    assert {one.move for one in found if one.visits == found[0].visits} == set(best)
    assert [one.lead for one in found] == sorted((one.lead for one in found), reverse=True)


def test_more_and_more_is_known(analyst):
    state = new_game(LITTLEGO, 3)
    steps = list(analyst.candidates(state, never))
    assert [len(step) for step in steps[:10]] == list(range(1, 11))
    assert [sum(one.lead is not None for one in step) for step in steps] == [0] * 10 + list(range(1, 11))


def test_it_ends_when_it_is_told_to(analyst):
    asked = itertools.count()
    assert len(list(analyst.candidates(new_game(COURSE, 4), lambda: next(asked) > 40))) < 32
    assert list(analyst.candidates(new_game(COURSE, 5), lambda: True)) == []


def test_what_is_not_known_is_left_out_and_a_tie_is_half_a_win():
    state = state_from_rows(COURSE, parse_diagram("..\n.."), to_move=WHITE)
    values = {(0, 0): Solution(winner=0, margin=1), (0, 1): Solution(), (1, 0): Solution(winner=2), (1, 1): Solution(winner=1)}
    found = [(one.move, one.winrate, one.lead) for one in rank(state, values)]
    assert found == [((1, 0), 1.0, None), ((0, 0), 0.5, 0.0), ((1, 1), 0.0, None)]


@pytest.mark.parametrize(("rules", "size"), [*((rules, 6) for rules in PRESETS.values()), (replace(COURSE, fixed_komi=6.5), 5)])
def test_other_games_are_refused_at_once(analyst, rules, size):
    with pytest.raises(UnsupportedGameError, match="expected"):
        analyst.candidates(new_game(rules, size), never)


def test_where_area_counts_every_move_has_its_value_too():
    *_, found = ExactAnalyst().candidates(new_game("aga", 3), never)
    assert {one.move: (one.winrate, one.lead) for one in found}[1, 1] == (1.0, 1.5)
    assert found[0].move == (1, 1)


def test_of_some_moves_no_others_are_solved():
    state = new_game(COURSE, 3)
    *_, all_moves = ExactAnalyst().candidates(state, never)
    *_, some = ExactAnalyst().candidates(state, never, frozenset({(0, 0), (1, 1)}))
    assert {one.move: one.lead for one in some} == {one.move: one.lead for one in all_moves if one.move in {(0, 0), (1, 1)}}


def test_what_a_line_of_best_play_tells_of_a_position_is_told(monkeypatch):
    """It has time of its own, and may find out what was unknown before."""
    monkeypatch.setattr("goban.solver.analysis.values_of", lambda *_: [Solution()])
    found = value_with_line(new_game(COURSE, 3), Solver(16), 3600)
    assert (found.winner, found.margin) == (2, Solver(16).margin(new_game(COURSE, 3)).margin)
    assert found.line
