"""Perfect play: every win is kept, and lost games are made hard."""

import random

import pytest

from goban.grids import BLACK, WHITE
from goban.rulesets import ruleset
from goban.states import new_game
from search.solver import Solver
from search.strategy import COUNTED_FROM, hardest_moves, perfect_moves, winning_replies
from tests.support.hosts import host
from tests.support.plain_search import PlainGame
from tests.support.solving import RULES, random_state, winner_of


@pytest.mark.slow
@pytest.mark.parametrize(("size", "first", "last"), [(2, 0, 2), (3, 0, 7), (4, 8, 14), (5, 18, 23)])
@pytest.mark.parametrize("rules", RULES)
def test_the_result_is_kept(rules, size, first, last):
    game, solver, rng = PlainGame(rules, size), Solver(16), random.Random(f"{rules} {size}")
    for _ in range(40):
        state = random_state(rules, size, rng.randint(first, last), rng)
        if state is None:
            continue
        winner = winner_of(game.value(game.position(state)), size)
        for move in perfect_moves(state, solver):
            after = state.after(move)
            outcome = after.outcome
            found = outcome.winner if outcome else winner_of(game.value(game.position(after)), size)
            assert found == winner


def value_after(game, state, move):
    """What the oracle says of the position after a move; the count of the stones if that ends the game."""
    after = state.after(move)
    board = game.position(after)[0]
    return board.count("X") - board.count("O") if after.is_over else game.value(game.position(after))


@pytest.mark.parametrize("rules", RULES)
def test_of_the_moves_that_give_nothing_away_the_hardest_leave_the_fewest_winning_replies(rules):
    game, solver, rng = PlainGame(rules, 4), Solver(16), random.Random(rules)
    seen = 0
    while seen < 15:
        state = random_state(rules, 4, rng.randint(COUNTED_FROM, 13), rng)
        if state is None or winner_of(game.value(game.position(state)), 4) != 3 - state.to_move:
            continue
        seen += 1
        values = {move: value_after(game, state, move) for move in state.legal_moves()}
        best = (max if state.to_move == BLACK else min)(values.values())
        replies = {move: winning_replies(state.after(move), solver) for move in values if values[move] == best}
        chosen = hardest_moves(state, solver)
        assert chosen
        assert all(replies[move] == min(replies.values()) for move in chosen)


def test_a_lost_game_is_lost_by_no_more_than_it_must_be():
    drawn = """
        . O O X .
        X O X . X
        . O X X .
        . O X . O
        O X X X .
    """
    state, solver = host(drawn, n_move=19).position(WHITE), Solver(16)
    # A5 leaves Black one winning reply of several, and five more stones to it than A2 does, which leaves three.
    assert winning_replies(state.play((0, 0)), solver) == 1
    assert solver.margin(state.play((0, 0))).margin == 9
    assert winning_replies(state.play((3, 0)), solver) == 3
    assert solver.margin(state.play((3, 0))).margin == 4
    assert perfect_moves(state, solver) == [(3, 0)]


def test_the_first_moves_of_a_lost_game_look_best():
    lost = new_game(ruleset("course"), 3).play((1, 1))
    # White may take a corner or a side: at the side his stone has more liberties.
    assert hardest_moves(lost, Solver(16)) == [(0, 1), (1, 0), (1, 2), (2, 1)]
