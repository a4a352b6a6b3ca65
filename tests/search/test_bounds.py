"""Positions decided without a search are decided rightly."""

import random

import pytest

from goban.diagrams import parse_diagram
from goban.rulesets import ruleset
from goban.states import state_from_rows
from search.bounds import ANY_NUMBER, decided, most_lost
from search.proof import new_space
from search.smallboards import groups_of, mask_of_state
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
    """What `decided` says of the margin that the player to move wants."""
    own, other, full = masks(state)
    empty, space = full & ~(own | other), new_space()
    owns = groups_of(other, empty, full, space, 0)
    end = groups_of(own, empty, full, space, owns)
    left = state.grid.size**2 - 1 - state.n_move
    margin = own.bit_count() - other.bit_count()
    return decided(margin, wanted, left, space, 0, owns, end, state.rules.passing)


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


def lost(attacks, moves, spare=False, passing=False):
    """How many of Black's stones in the drawing may be lost: two with five liberties, one with a single liberty."""
    state = state_from_rows(ruleset("course"), parse_diagram(FIVE_AND_ONE))
    own, other, full = masks(state)
    space = new_space()
    end = groups_of(own, full & ~(own | other), full, space, 0)
    return most_lost(space, 0, end, attacks, moves, spare, passing)


@pytest.mark.parametrize(
    ("attacks", "moves", "spare", "passing", "stones"),
    [
        (0, 4, False, False, 0),
        (1, 3, False, False, 1),  # five liberties less one attack less one to live by: three to fill
        (1, 4, False, False, ANY_NUMBER),
        (1, 4, True, False, 2),  # the fourth move need not be made
        (1, 4, False, True, 2),  # nor if it can be passed by
        (4, 0, False, False, 1),
        (5, 2, True, False, ANY_NUMBER),
        (5, 2, True, True, 5),  # all three stones, and two passes
    ],
)
def test_stones_that_may_be_lost(attacks, moves, spare, passing, stones):
    assert lost(attacks, moves, spare, passing) == stones
