"""championship: exact where there is time for it, else `my`; the same answer to the same position, always."""

import random

import pytest

from go import GO
from goban.rulesets import AGA, COURSE, LITTLEGO
from goban.solver.solver import Solver
from players import championship_player
from players.registry import make_player


@pytest.fixture(scope="module")
def solver():
    return Solver(64)


@pytest.fixture(autouse=True)
def _small_budget(monkeypatch):
    monkeypatch.setattr(championship_player, "NODES", 300_000)


def played(rules, moves, seed, size=5):
    """A host after so many random moves, none of them a pass."""
    rng, go = random.Random(seed), GO(size, rules)
    state = go.position(1)
    while state.n_move < moves and not state.is_over:
        state = state.play(rng.choice([move for move in state.legal_moves() if move is not None] or [None]))
    go.adopt_state(state)
    return go


def answer(name, go, seed=1):
    return make_player(name, random.Random(seed)).get_input(go, 1 + go.n_move % 2)


@pytest.mark.parametrize("rules", [COURSE, LITTLEGO])
def test_a_won_position_stays_won(rules, solver):
    won = 0
    for seed in range(12):
        go = played(rules, 15, seed)
        state = go.position(1 + go.n_move % 2)
        if not state.is_over and solver.winner(state).winner == state.to_move:
            move = answer("championship", go)
            won += 1
            assert solver.winner(state.play(None if move == "PASS" else move)).winner == state.to_move
    assert won >= 3


@pytest.mark.parametrize("rules", [COURSE, LITTLEGO])
def test_of_lost_moves_the_one_with_fewest_winning_replies(rules, solver):
    lost = 0
    for seed in range(30):
        go = played(rules, 17, seed)
        state = go.position(1 + go.n_move % 2)
        if state.is_over or solver.winner(state).winner == state.to_move:
            continue

        def replies(move, state=state):
            after = state.after(move)
            return 26 if after.is_over else len(solver.winning_moves(after).winning_moves)

        move = answer("championship", go)
        assert replies(None if move == "PASS" else move) == min(map(replies, state.legal_moves()))
        lost += 1
    assert lost >= 3


@pytest.mark.slow
def test_what_was_asked_before_changes_nothing():
    """So a program that is started anew for every move plays the same."""
    player = make_player("championship", random.Random(1))
    go = GO(5, LITTLEGO)
    go.play(player, make_player("random", random.Random(2)))
    state, moves = go.record.start, go.record.moves
    for move in moves:
        if state.to_move == 1:
            go.adopt_state(state)
            assert answer("championship", go, seed=9) == ("PASS" if move is None else move)
        state = state.after(move)


@pytest.mark.parametrize(("rules", "size", "moves"), [(LITTLEGO, 5, 2), (LITTLEGO, 7, 4), (AGA, 5, 4), (COURSE, 6, 3)])
def test_what_cannot_be_solved_is_left_to_my(rules, size, moves, monkeypatch):
    # One position is too few to solve anything that the rules would let it solve.
    monkeypatch.setattr(championship_player, "NODES", 1)
    go = played(rules, moves, 3, size)
    assert answer("championship", go) == answer("my", go)


def test_without_numba_it_is_my(monkeypatch):
    monkeypatch.setattr(championship_player, "find_spec", lambda name: None)
    go = played(LITTLEGO, 19, 1)
    assert championship_player.ChampionshipPlayer(random.Random(1))._solver is None
    assert answer("championship", go) == answer("my", go)
