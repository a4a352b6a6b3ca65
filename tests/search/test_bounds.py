"""Positions decided without a search are decided rightly."""

import random

import pytest

from goban.diagrams import parse_diagram
from goban.rulesets import ruleset
from goban.states import state_from_rows
from search.bounds import loses_at_most, surely_misses, surely_reaches
from search.groups import groups_of
from search.smallboards import mask_of_state
from search.spaces import new_space
from tests.search.plain import PlainGame
from tests.search.test_solver import random_state

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


def decision(state, wanted):
    """Whether the margin that the player to move wants is surely reached, and whether it is surely missed."""
    own, other, full = masks(state)
    empty, space = full & ~(own | other), new_space()
    owns = groups_of(other, empty, full, space, 0)
    end = groups_of(own, empty, full, space, owns)
    left = state.grid.size**2 - 1 - state.n_move
    margin = own.bit_count() - other.bit_count()
    passing = state.rules.passing
    return (
        surely_reaches(margin, wanted, left, space, owns, end, passing),
        surely_misses(margin, wanted, left, space, 0, owns, passing),
    )


@pytest.mark.parametrize(("size", "first", "last"), [(3, 2, 5), (4, 8, 12), (5, 17, 21)])
@pytest.mark.parametrize("rules", ["course", "littlego"])
def test_what_is_decided_is_true(rules, size, first, last):
    game, rng = PlainGame(rules, size), random.Random(f"{rules} {size}")
    said = 0
    for _ in range(150):
        state = random_state(rules, size, rng.randint(first, last), rng)
        if state is None:
            continue
        value = game.value(game.position(state)) * (1 if state.to_move == 1 else -1)
        for wanted in range(-size * size, size * size + 1):
            reached, missed = decision(state, wanted)
            assert not (reached and value < wanted)
            assert not (missed and value >= wanted)
            # Who wants a margin no game has ever had is no test.
            said += (reached or missed) and abs(wanted - value) <= size
    assert said > 5


def at_most(stones, drawing, attacks, moves, spare=False, passing=False):
    """Whether Black surely loses no more of his stones in the drawing than so many."""
    state = state_from_rows(ruleset("course"), parse_diagram(drawing))
    own, other, full = masks(state)
    space = new_space()
    end = groups_of(own, full & ~(own | other), full, space, 0)
    return loses_at_most(stones, space, 0, end, attacks, moves, spare, passing)


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


def test_groups_are_lost_together_only_if_the_attacks_suffice_for_all_their_liberties():
    # Each corner falls to one move, both to two; the stone below has three liberties.
    assert at_most(1, TWO_IN_ATARI, 1, 0)
    assert not at_most(0, TWO_IN_ATARI, 1, 0)
    assert at_most(2, TWO_IN_ATARI, 2, 0)
    assert not at_most(1, TWO_IN_ATARI, 2, 0)
    assert not at_most(1, TWO_IN_ATARI, 4, 0)
    assert at_most(3, TWO_IN_ATARI, 5, 0)
