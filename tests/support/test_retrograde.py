"""The solver on 4x4, against the values of all positions, computed backwards."""

import random

import pytest

from goban.moves import PASS
from goban.rulesets import ruleset
from goban.solver.solver import Solver
from goban.states import new_game
from tests.support.plain_search import plain_game
from tests.support.retrograde import all_values, value
from tests.support.solving import RULES, black_reaches, random_state

SIZE = 4


class Backwards:
    """The value of any 4x4 state, Black's stones less White's."""

    def __init__(self, rules):
        self.passing = rules == "littlego"
        self.tables, self.powers = all_values(self.passing)

    def __call__(self, state):
        masks = [self._mask(state, stones) for stones in (state.black, state.white)]
        own, other = masks if state.to_move == 1 else reversed(masks)
        banned = 0
        for i, j in state.grid.points_of(state.empty):
            breach = state.why_illegal((i, j))
            if breach is not None and breach.repeats is not None:
                banned = 1 << SIZE * i + j
        ends = self.passing and state.previous == (state.black, state.white)
        left = SIZE * SIZE - 1 - state.n_move
        worth = value(own, other, banned, ends, left, self.passing, self.tables, self.powers)
        return worth if state.to_move == 1 else -worth

    @staticmethod
    def _mask(state, stones):
        return sum(1 << SIZE * i + j for i, j in state.grid.points_of(stones))


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
def test_all_of_4x4(rules):
    backwards, solver, rng = Backwards(rules), Solver(64), random.Random(rules)
    game = plain_game(rules, SIZE)
    start = new_game(ruleset(rules), SIZE)
    assert solver.margin(start).margin == backwards(start)
    for move in start.legal_moves():
        if move is not PASS:
            assert solver.margin(start.play(move)).margin == backwards(start.play(move))
    for k in range(10_000):
        state = None
        while state is None:
            state = random_state(rules, SIZE, rng.randint(1, 14), rng)
        margin = backwards(state)
        # The two oracles share no code, so they check each other.
        if k % 50 == 0 and state.n_move >= 9:
            assert game.value(game.position(state)) == margin
        answers = [black_reaches(solver, state, wanted) for wanted in range(-16, 17)]
        assert answers == [wanted <= margin for wanted in range(-16, 17)]
