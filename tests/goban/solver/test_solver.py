"""The solver against plain recursion, against its own successors, and under symmetry."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from goban.grids import BLACK, WHITE
from goban.moves import PASS
from goban.rulesets import ruleset
from goban.solver.book import no_book
from goban.solver.solver import COUNTED_FROM, Solution, Solver, hardest_moves, perfect_moves, winning_replies
from goban.states import new_game, state_from_rows
from tests.support.hosts import host
from tests.support.plain_search import plain_game
from tests.support.solving import RULES, black_reaches, random_state, winner_of
from tests.support.symmetries import SYMMETRIES

ROOT = Path(__file__).parents[3]


def plain_moves(game, position, wanted):
    """The moves to positions whose value satisfies `wanted`, as (row, column) or PASS."""
    now = position[0].count("X") - position[0].count("O")
    return tuple(
        PASS if point is None else divmod(point, game.size)
        for point, after in game.successors(position)
        if wanted(now if after is None else game.value(after))
    )


def assert_solved(solver, game, state):
    """Value, winner, winning and best moves of a state are what plain recursion finds."""
    position = game.position(state)
    value = game.value(position)
    found = solver.best_moves(state)
    assert found.margin == value
    assert found.winner == winner_of(value, game.size)
    assert found.best_moves == plain_moves(game, position, lambda after: after == value)
    wins = plain_moves(game, position, lambda after: winner_of(after, game.size) == state.to_move)
    assert found.winning_moves == wins


def assert_all_margins(solver, game, state):
    value, points = game.value(game.position(state)), state.grid.size**2
    answers = [black_reaches(solver, state, margin) for margin in range(-points, points + 1)]
    assert answers == [margin <= value for margin in range(-points, points + 1)]


def reachable(rules, size):
    """Every state that differs in the board, the player to move, the ban or the moves left."""
    game = plain_game(rules, size)
    first = new_game(ruleset(rules), size)
    seen, todo = {game.position(first)}, [first]
    while todo:
        state = todo.pop()
        yield state
        for move in state.legal_moves():
            after = state.after(move)
            if not after.is_over and game.position(after) not in seen:
                seen.add(game.position(after))
                todo.append(after)


@pytest.mark.parametrize("rules", RULES)
def test_every_position_of_2x2(rules):
    game, solver = plain_game(rules, 2), Solver(16)
    for state in reachable(rules, 2):
        assert_all_margins(solver, game, state)
        assert_solved(solver, game, state)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_every_tenth_position_of_3x3(rules):
    game, solver = plain_game(rules, 3), Solver(16)
    for state in list(reachable(rules, 3))[::10]:
        assert solver.margin(state).margin == game.value(game.position(state))


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
def test_every_position_of_3x3(rules):
    game, solver = plain_game(rules, 3), Solver(16)
    for state in reachable(rules, 3):
        assert_all_margins(solver, game, state)


@pytest.mark.parametrize(("size", "depths"), [(3, range(9)), (4, range(9, 15)), (5, range(19, 24))])
@pytest.mark.parametrize("rules", RULES)
def test_random_positions(rules, size, depths):
    rng = random.Random(f"{rules} {size}")
    game, solver = plain_game(rules, size), Solver(16)
    for depth in depths:
        for _ in range(8):
            state = random_state(rules, size, depth, rng)
            if state is not None:
                assert_all_margins(solver, game, state)
                assert_solved(solver, game, state)


@pytest.mark.long
@pytest.mark.parametrize(("size", "first", "last", "number"), [(5, 15, 23, 1_000)])
@pytest.mark.parametrize("rules", RULES)
def test_many_random_positions(rules, size, first, last, number):
    rng, solver = random.Random(f"many {rules} {size}"), Solver(64)
    game = plain_game(rules, size)
    for k in range(number):
        state = None
        while state is None:
            state = random_state(rules, size, rng.randint(first, last), rng)
        assert_all_margins(solver, game, state)
        if k % 20 == 0:
            game.values.clear()


@pytest.mark.parametrize(("size", "first"), [(3, 0), (4, 2), (5, 13)])
@pytest.mark.parametrize("rules", RULES)
def test_a_value_is_that_of_the_best_successor(rules, size, first):
    rng, solver = random.Random(f"successors {rules} {size}"), Solver(64)
    for depth in range(first, size * size - 1):
        state = random_state(rules, size, depth, rng)
        if state is not None:
            after = [solver.margin(state.after(move)).margin for move in state.legal_moves()]
            assert solver.margin(state).margin == (max(after) if state.to_move == 1 else min(after))


@pytest.mark.parametrize(("size", "first", "number"), [(2, 0, 30), (3, 3, 60), (5, 20, 100)])
@pytest.mark.parametrize("rules", RULES)
def test_a_margin_is_the_same_wherever_the_search_for_it_begins(rules, size, first, number):
    """Also far from it, and beyond what a board can hold."""
    rng, game, solver = random.Random(f"near {rules} {size}"), plain_game(rules, size), Solver(16)
    solver.engine.start(new_game(ruleset(rules), size), None, None)
    for k in range(number):
        state = random_state(rules, size, rng.randrange(first, size * size - 1), rng)
        if state is None:
            continue
        if k % 10 == 0:
            game.values.clear()
            solver.forget()
        value = game.value(game.position(state))
        for near in (value, value + rng.choice([-1, 1]), rng.randint(-30, 30), None):
            assert solver.margin(state, near=near).margin == value


@pytest.mark.parametrize(("size", "first", "number"), [(2, 0, 30), (3, 3, 40), (4, 9, 30)])
@pytest.mark.parametrize("rules", RULES)
def test_a_margin_is_the_same_if_that_of_the_position_before_is_known(rules, size, first, number):
    rng, solver, other = random.Random(f"before {rules} {size}"), Solver(16), Solver(16)
    for _ in range(number):
        state = random_state(rules, size, rng.randrange(first, size * size - 2), rng)
        if state is None:
            continue
        after = state.after(rng.choice(state.legal_moves()))
        before, value = solver.margin(state).margin, solver.margin(after).margin
        other.forget()
        assert other.margin(after, near=rng.choice([None, before]), before=before).margin == value


@pytest.mark.parametrize(("size", "first"), [(3, 0), (4, 4), (5, 13)])
@pytest.mark.parametrize("rules", RULES)
def test_the_winning_move_that_is_remembered_wins(rules, size, first):
    """Also where the table has been asked about other margins, and has the position in another of its eight symmetries."""
    rng, solver, other, wins = random.Random(f"{rules} {size}"), Solver(16), Solver(16), 0
    for k in range(150):
        state = random_state(rules, size, rng.randrange(first, size * size - 1), rng)
        if state is None:
            continue
        if k % 2:
            solver.margin(state)
        found = solver.winning_move(state)
        winning = other.winning_moves(state).winning_moves
        assert len(found.winning_moves) == bool(winning)
        assert set(found.winning_moves) <= set(winning)
        wins += bool(winning)
    assert wins > 40


def test_a_pass_that_ends_a_won_game_takes_no_search():
    """A stone each, and Black passes; another pass, and White has won by komi."""
    state = new_game(ruleset("littlego"), 5).play((2, 2)).play((1, 2)).play(PASS)
    solver = Solver(16, book=no_book)
    assert solver.winning_move(state, nodes=2) == Solution(winner=2, winning_moves=(PASS,), nodes=1)
    assert solver.winning_move(state.play(PASS)) == Solution(winner=2)


@pytest.mark.parametrize(("size", "depth"), [(3, 4), (4, 5), (5, 14)])
@pytest.mark.parametrize("rules", RULES)
def test_symmetric_positions_have_the_same_value(rules, size, depth):
    rng = random.Random(f"symmetric {rules} {size}")
    for _ in range(3):
        moves, state = [], new_game(ruleset(rules), size)
        while len(moves) < depth and not state.is_over:
            moves.append(rng.choice(state.legal_moves()))
            state = state.play(moves[-1])
        margins = set()
        for turn in SYMMETRIES:
            state = new_game(ruleset(rules), size)
            for move in moves:
                state = state.play(PASS if move is PASS else turn(*move, size - 1))
            margins.add(Solver(16).margin(state).margin)
        assert len(margins) == 1


@pytest.mark.parametrize("rules", RULES)
def test_what_is_proven_of_a_position_is_known_of_those_symmetric_to_it(rules):
    rng, solver = random.Random(f"known {rules}"), Solver(16, book=no_book)
    moves, state = [], new_game(ruleset(rules), 5)
    # Of 24 moves, eight left are the fewest for which this holds.
    while len(moves) < 16:
        moves.append(rng.choice([move for move in state.legal_moves() if move is not PASS]))
        state = state.play(moves[-1])
    first, *others = SYMMETRIES
    assert solver.winner(turned(rules, moves, first)).nodes > 100
    for turn in others:
        assert solver.winner(turned(rules, moves, turn)).nodes == 1


def turned(rules, moves, turn):
    state = new_game(ruleset(rules), 5)
    for move in moves:
        state = state.play(PASS if move is PASS else turn(*move, 4))
    return state


@pytest.mark.parametrize("rules", RULES)
def test_the_last_move_is_worth_nothing_or_more(rules):
    """The one bound the search relies on: who moves last reaches what he reaches in the game without that move."""
    rng, game = random.Random(f"last {rules}"), plain_game(rules, 4)
    for _ in range(300):
        state = random_state(rules, 4, 12, rng)
        if state is not None:
            board, colour, banned, pass_ends, left = game.position(state)
            assert left == 3
            sign = 1 if colour == "X" else -1
            shorter = game.value((board, colour, banned, pass_ends, 2))
            assert sign * game.value((board, colour, banned, pass_ends, 3)) >= sign * shorter


@pytest.mark.parametrize("rules", RULES)
def test_a_line_is_best_play_to_the_end(rules):
    state = new_game(ruleset(rules), 4)
    solver = Solver(64)
    found = solver.line(state)
    assert found.line[0] == solver.best_moves(state).best_moves[0]
    for move in found.line:
        state = state.play(move)
    assert state.is_over
    assert state.black.bit_count() - state.white.bit_count() == found.margin


def test_a_finished_game_has_the_value_of_its_board():
    state = state_from_rows(ruleset("course"), [[0, 1], [1, 0]], to_move=2)
    assert Solver(16).best_moves(state) == Solver(16).line(state) == Solution(winner=1, margin=2)


def test_ties_are_told_from_wins():
    state = state_from_rows(ruleset("course"), [[1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 2]], n_move=14)
    assert Solver(16).margin(state).margin == 3
    state = state_from_rows(ruleset("course"), [[1, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 2]], n_move=14)
    found = Solver(16).best_moves(state)
    assert (found.winner, found.margin, found.winning_moves) == (0, 2, ())
    assert len(found.best_moves) == 11


@pytest.mark.slow
def test_the_solver_runs_uncompiled():
    program = """
from goban.rulesets import ruleset
from goban.states import new_game
from goban.solver.solver import Solver
for rules in ("course", "littlego"):
    print(rules, Solver(16).margin(new_game(ruleset(rules), 3)).margin)
"""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("course 1\nlittlego 1\n", "")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "first", "last"), [(2, 0, 2), (3, 0, 7), (4, 8, 14), (5, 18, 23)])
@pytest.mark.parametrize("rules", RULES)
def test_the_result_is_kept(rules, size, first, last):
    game, solver, rng = plain_game(rules, size), Solver(16), random.Random(f"{rules} {size}")
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
    game, solver, rng = plain_game(rules, 4), Solver(16), random.Random(rules)
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
