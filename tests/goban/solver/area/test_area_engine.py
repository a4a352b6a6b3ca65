"""What the solver says of positions under `area` rules, held against tables of all positions of a board."""

import random
from dataclasses import replace
from functools import cache

import pytest

from goban.grids import BLACK, WHITE
from goban.moves import PASS
from goban.rulesets import ruleset
from goban.solver.errors import BadBudgetError, BadPositionError
from goban.solver.positions import AREA
from goban.solver.solver import LastMoves, Solver, perfect_moves
from goban.states import new_game, state_from_rows
from tests.support.area_retrograde import all_values


@cache
def solver():
    return Solver(16)


def random_states(number, rules=AREA, size=3):
    """Positions without a ko that random moves lead to, with either player to move."""
    rng = random.Random(7)
    while number:
        state = new_game(rules, size)
        for _ in range(rng.randrange(1, 9)):
            state = state if state.is_over else state.after(rng.choice(state.legal_moves()[:-1] or [PASS]))
        if not state.is_over and not state.captured:
            number -= 1
            yield state_from_rows(rules, state.rows(), state.to_move)


def bounds_in_table(state):
    """(least, most) of Black's points less White's, as exhaustive tables of what each side can force have it."""
    table = all_values(3, 3)
    forced = table.prover_moves if state.to_move == BLACK else table.opponent_moves
    held = table.opponent_moves if state.to_move == BLACK else table.prover_moves
    points = [stone for row in state.rows() for stone in row]
    black, white = (sum(1 << k for k, stone in enumerate(points) if stone == colour) for colour in (BLACK, WHITE))
    return forced(black, white), -held(white, black)


def test_the_bounds_are_those_of_a_table_of_all_positions():
    for state in random_states(25):
        found = solver().margin(state)
        low, high = bounds_in_table(state)
        assert found.bounds == (low, high), str(state)
        assert found.margin == (low if low == high else None)


def test_winner_and_moves_follow_from_the_margins():
    exact = 0
    for state in random_states(25):
        found = solver().best_moves(state)
        if found.margin is None or not found.best_moves:
            continue
        exact += 1
        assert found.winner == (found.margin > 0 and BLACK) or (found.margin < 0 and WHITE) or 0
        better = max if state.to_move == BLACK else min
        margins = {move: solver().margin(state.after(move)).margin for move in found.best_moves}
        assert {better(margins.values())} == {*margins.values()} == {found.margin}
        line = solver().line(state).line
        for move in line:
            state = state.play(move)
        assert not state.is_over or state.points()[0] - state.points()[1] == found.margin
    assert exact > 10


def test_komi_decides_who_wins_and_whether_there_are_ties():
    for komi, winner in ((8.5, BLACK), (9.0, 0), (9.5, WHITE)):
        assert solver().winner(new_game(replace(AREA, fixed_komi=komi), 3)).winner == winner
    pgx = replace(ruleset("tromp-taylor-pgx"), fixed_komi=9.0)
    assert solver().winner(new_game(pgx, 3)).winner == WHITE


def test_what_a_limit_stops_is_unknown_and_never_guessed():
    found = solver().best_moves(new_game(AREA, 5), nodes=2_000)
    assert (found.winner, found.margin, found.best_moves, found.bounds) == (None, None, (), (-25, 25))
    assert found.nodes <= 2_000


def test_bounds_that_were_found_stay_known():
    state = state_from_rows(AREA, [[0, 1, 0, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 2]], WHITE)
    low, high = solver().margin(state, nodes=200_000).bounds
    assert low > 0
    assert solver().winner(state, nodes=0).winner == BLACK
    assert solver().winner(state, nodes=0).bounds == (low, high)


def test_a_pass_that_ends_a_won_game_is_played():
    state = state_from_rows(AREA, [[1, 0, 1], [0, 1, 0], [1, 0, 0]], WHITE).play(PASS)
    assert perfect_moves(state, solver()) == [PASS]


def test_games_with_and_without_suicide_are_told_apart():
    for name in ("tromp-taylor-suicide", "tromp-taylor", "aga", "alphago7"):
        assert solver().margin(new_game(ruleset(name), 3)).margin == 9


def test_impossible_positions_and_limits_are_refused():
    with pytest.raises(BadPositionError, match="every group to have a liberty"):
        solver().winner(state_from_rows(AREA, [[1, 2], [2, 0]]))
    with pytest.raises(BadBudgetError, match="0 or more, got nodes=-1"):
        solver().winner(new_game(AREA, 3), nodes=-1)


def test_searches_do_not_take_the_limit_of_moves_for_the_end_where_area_counts():
    state = new_game(ruleset("tromp-taylor"), 2)
    for _ in range(3):
        state = state.after(state.legal_moves()[0])
    assert LastMoves(50, lambda: 0.0).winning_moves(state, None) == ()
