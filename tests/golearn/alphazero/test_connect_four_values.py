"""The solver of late Connect Four that networks are measured by: as a plain search says, and better than chance."""

import random

import numpy as np

from golearn.alphazero.answers import Answers, chance_answers, search_answers
from golearn.alphazero.planners import GumbelPlanner, uniform
from golearn.alphazero.truth import Minimax
from tests.support.connect_four_values import GAME, Values, kept, late_positions


def test_values_are_those_of_a_plain_search():
    values, solved = Values(), Minimax(GAME)
    for state in late_positions(12, seed=2, most_empty=9):
        assert values.value(state) == solved.value(state) * GAME.current_player(state)
        assert values.best_actions(state) == solved.best_actions(state)


def test_a_search_keeps_more_values_than_chance():
    positions = late_positions(40, seed=3, most_empty=11)
    search = kept(search_answers(GAME, GumbelPlanner(GAME, uniform(GAME), 64)), positions)
    chance = kept(chance_answers(GAME, random.Random(1)), positions)
    assert chance.value < search.value
    assert search.count == 40
    right = np.array([best[0] for best in positions.values()])
    assert kept(lambda states: Answers(right), positions).value == 1
