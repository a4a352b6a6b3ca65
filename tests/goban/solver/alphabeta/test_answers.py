"""The kernels that find answers know the same games as the checker, and call the same decided."""

import random

import pytest

from goban.rulesets import ruleset
from goban.solver.alphabeta.answers import BIT, KO, OTHER, OWN, REPLIES, decides, list_replies, new_room, number_of
from goban.solver.alphabeta.boards import WIDTH, ko_point, mask_of_state
from goban.solver.alphabeta.verify_course_proof import Games, SquareBoard, is_decided
from goban.solver.solver import Solver
from tests.support.solving import RULES, random_state

STAGES = [(2, 1), (3, 3), (3, 5), (4, 7), (4, 12), (5, 6), (5, 17), (5, 21)]


def states(rules, size, moves, number=40):
    rng = random.Random(f"{rules} {size} {moves}")
    return [state for _ in range(number) if (state := random_state(rules, size, moves, rng)) is not None]


def narrowed(mask, size):
    """A mask without room between the rows."""
    return sum((mask >> WIDTH * row & (1 << size) - 1) << size * row for row in range(size))


def widened(mask, size):
    return sum((mask >> size * row & (1 << size) - 1) << WIDTH * row for row in range(size))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("size", "moves"), STAGES)
def test_the_same_is_decided(rules, size, moves):
    board, room, passing, said = SquareBoard(size), new_room(0), ruleset(rules).passing, set()
    for state in states(rules, size, moves):
        left, full = size * size - 1 - moves, mask_of_state(state, state.grid.full)
        p, o = (mask_of_state(state, state.stones(colour)) for colour in (3 - state.to_move, state.to_move))
        for wanted in range(-9, 12):
            decided = is_decided(board, narrowed(p, size), narrowed(o, size), left, wanted, passing)
            assert decides(p, o, left, wanted, passing, full, room) == decided
            said.add(decided)
    assert False in said


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("size", "moves"), STAGES)
def test_the_same_comes_of_an_answer(rules, size, moves):
    games, room, engine = Games(size, -25, ruleset(rules).passing), new_room(0), Solver(16).engine
    board = games.board
    for state in states(rules, size, moves, 10):
        left = size * size - 1 - moves
        engine.start(state, None, None)
        space, _, _ = engine.share()
        p, o = (narrowed(mask_of_state(state, state.stones(colour)), size) for colour in (state.to_move, 3 - state.to_move))
        placed = ((point, board.play(p, o, narrowed(ko_point(state), size), point)) for point in range(board.points))
        options = [(1 << point, *after) for point, after in placed if after]
        for bit, mine, theirs, ko in [*options, *[(0, p, o, 0)] * games.passing]:
            expected = set()
            games.reply(mine, theirs, ko, bit == 0, left - 1, expected)
            for place, mask in ((BIT, bit), (OWN, mine), (OTHER, theirs), (KO, ko)):
                room[place] = widened(mask, size)
            number = list_replies(0, left - 1, room, 0, space)
            replies = room[REPLIES : REPLIES + number].tolist()
            positions = [board.position(reply) for reply in sorted(expected)]
            assert sorted(replies) == [
                number_of(*(widened(mask, size) for mask in position[:3]), position[3], size) for position in positions
            ]
