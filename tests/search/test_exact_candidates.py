"""Exact values as candidates: what is said of a move is what the solver proves, and the search stops when it is told to."""

import itertools
from dataclasses import replace

import pytest

from goban.diagrams import parse_diagram
from goban.grids import BLACK, WHITE
from goban.rulesets import COURSE, LITTLEGO, PRESETS
from goban.states import new_game, state_from_rows
from search.errors import UnsupportedGameError
from search.exact_candidates import ExactAnalyst, ranked
from search.solver import Solution, Solver
from tests.support.states import play_some


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
    found = [(one.move, one.winrate, one.lead) for one in ranked(state, values)]
    assert found == [((1, 0), 1.0, None), ((0, 0), 0.5, 0.0), ((1, 1), 0.0, None)]


UNSOLVED = [rules for name, rules in PRESETS.items() if name not in ("course", "littlego")]


@pytest.mark.parametrize("rules", [*UNSOLVED, replace(COURSE, fixed_komi=6.5)])
def test_other_games_are_refused_at_once(analyst, rules):
    with pytest.raises(UnsupportedGameError, match="expected"):
        analyst.candidates(new_game(rules, 5), never)


def test_of_some_moves_no_others_are_solved():
    state = new_game(COURSE, 3)
    *_, all_moves = ExactAnalyst().candidates(state, never)
    *_, some = ExactAnalyst().candidates(state, never, frozenset({(0, 0), (1, 1)}))
    assert {one.move: one.lead for one in some} == {one.move: one.lead for one in all_moves if one.move in {(0, 0), (1, 1)}}
