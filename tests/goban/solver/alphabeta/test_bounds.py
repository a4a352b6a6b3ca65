"""Positions decided without a search are decided rightly."""

import random

import pytest

from goban.diagrams import parse_diagram
from goban.kernels.numba_tools.compile import kernel
from goban.kernels.numba_tools.vectors import eightfold, signs
from goban.moves import PASS
from goban.rulesets import ruleset
from goban.solver.alphabeta import stack as at
from goban.solver.alphabeta.boards import groups_of, ko_point, mask_of_state, point_mask
from goban.solver.alphabeta.bounds import judge_moves, loses_at_most, lost_by_mover, lost_by_opponent
from goban.solver.alphabeta.moves import list_moves
from goban.solver.alphabeta.stack import new_space, row_of
from goban.states import state_from_rows
from tests.support.plain_search import plain_game
from tests.support.solving import random_state

FIVE_AND_ONE = """
    . . . . .
    . X X . .
    . . O O O
    . . . O X
    . . . O .
"""


def masks(state):
    own, other = state.stones(state.to_move), state.stones(3 - state.to_move)
    return [mask_of_state(state, stones) for stones in (own, other, state.grid.full)]


def judged(state, wanted):
    """The moves that surely reach the margin the player to move wants, and those that surely do not."""
    own, other, full = masks(state)
    left = state.grid.size**2 - 1 - state.n_move
    space, row = new_space(), row_of(left)
    space[at.FULL], space[at.PASSING], space[row + at.WANTED] = full, state.rules.passing, wanted
    put_groups(own, other, full, row, space)
    number = list_moves(own, other, ko_point(state), state.passed, left, space)
    bits = [int(space[row + at.MOVES + at.BIT + k]) for k in range(number)]
    winning, hopeless = [], []
    for start in range(0, number, 8):
        found = judge_moves(start, left, space)
        if found:
            winning += [bits[start + k] for k in range(8) if found >> k & 1]
        else:
            hopeless += [bits[k] for k in range(start, min(start + 8, number)) if space[row + at.MOVES + at.HOPELESS + k]]
    return winning, hopeless


def put_groups(own, other, full, row, space):
    empty = full & ~(own | other)
    space[row + at.OWNS] = groups_of(own, empty, full, space, row + at.OWN_GROUPS)
    space[row + at.OTHERS] = groups_of(other, empty, full, space, row + at.OTHER_GROUPS)


@pytest.mark.parametrize(
    ("size", "first", "last", "games"),
    [(3, 2, 5, 150), pytest.param(4, 8, 12, 25, marks=pytest.mark.slow), pytest.param(5, 18, 21, 40, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("rules", ["course", "littlego"])
def test_what_is_decided_is_true(rules, size, first, last, games):
    game, rng = plain_game(rules, size), random.Random(f"{rules} {size}")
    said = {"winning": 0, "hopeless": 0}
    for _ in range(games):
        state = random_state(rules, size, rng.randint(first, last), rng)
        if state is None:
            continue
        if state.is_over:
            continue
        values = {}
        for move in state.legal_moves():
            value = game.value(game.position(state.after(move)))
            values[0 if move is PASS else point_mask(move)] = value if state.to_move == 1 else -value
        # Who wants a margin no game has ever had is no test.
        for wanted in range(min(values.values()) - 3, max(values.values()) + 4):
            winning, hopeless = judged(state, wanted)
            assert all(values[bit] >= wanted for bit in winning)
            assert all(values[bit] < wanted for bit in hopeless)
            said["winning"] += len(winning)
            said["hopeless"] += len(hopeless)
    assert min(said.values()) > 50


@kernel
def lost_at_most(stones, attacks, moves, spare, passing, space):
    """Whether the bound says so of the player who makes a move that changes nothing, and of his opponent."""
    nothing = eightfold(0)
    lost, most = lost_by_mover(nothing, nothing, attacks, row_of(0), space)
    mine = signs(loses_at_most(eightfold(stones), lost, most, attacks, moves, spare, passing))
    lost, most = lost_by_opponent(nothing, attacks, row_of(0), space)
    return mine, signs(loses_at_most(eightfold(stones), lost, most, attacks, moves, spare, passing))


def at_most(stones, drawing, attacks, moves, spare=False, passing=False):
    """Whether Black surely loses no more of his stones in the drawing than so many."""
    state = state_from_rows(ruleset("course"), parse_diagram(drawing))
    own, other, full = masks(state)
    answers = []
    for mine, theirs in ((own, other), (other, own)):
        space = new_space()
        space[at.FULL], space[row_of(0) + at.MINE], space[row_of(0) + at.THEIRS] = full, mine, theirs
        put_groups(mine, theirs, full, row_of(0), space)
        answers.append(lost_at_most(stones, attacks, moves, spare, passing, space))
    # Black as the one who moves, and as his opponent: all eight lanes say the same.
    assert answers[0][0] == answers[1][1]
    assert answers[0][0] in (0, 255)
    return answers[0][0] == 255


NEVER = 25

# The drawing: two black stones with five liberties, one with a single liberty.


@pytest.mark.parametrize(
    ("attacks", "moves", "spare", "passing", "stones"),
    [
        (0, 4, False, False, 0),
        (1, 3, False, False, 1),  # five liberties less one attack less one to live by: three to fill
        (1, 4, False, False, NEVER),
        (1, 4, True, False, 2),  # the fourth move need not be made
        (1, 4, False, True, 2),  # nor if it can be passed by
        (4, 0, False, False, 1),
        (5, 2, True, False, NEVER),
        (5, 2, True, True, 4),  # two passes, and the two stones; the third would be a sixth attack
        (6, 2, True, True, 5),  # two passes, and all three stones
    ],
)
def test_stones_that_may_be_lost(attacks, moves, spare, passing, stones):
    assert at_most(stones, FIVE_AND_ONE, attacks, moves, spare, passing) == (stones != NEVER)
    assert not at_most(stones - 1, FIVE_AND_ONE, attacks, moves, spare, passing)


TWO_IN_ATARI = """
    X O . O X
    . O . O .
    O O . O O
    . . . . .
    . . X . .
"""


def test_groups_are_not_all_lost_if_the_attacks_do_not_suffice_for_all_their_liberties():
    # Each corner falls to one move, both to two; the stone below has three liberties.
    assert at_most(1, TWO_IN_ATARI, 1, 0)
    assert not at_most(0, TWO_IN_ATARI, 1, 0)
    assert at_most(2, TWO_IN_ATARI, 2, 0)
    assert not at_most(1, TWO_IN_ATARI, 2, 0)
    assert not at_most(1, TWO_IN_ATARI, 4, 0)
    assert at_most(3, TWO_IN_ATARI, 5, 0)
