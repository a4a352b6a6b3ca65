"""qlearner: the best by the table, and nothing else."""

import random

import pytest

from go import GO
from goban.diagrams import parse_diagram
from goban.rulesets import COURSE, LITTLEGO, ruleset
from goban.states import state_from_rows
from my_player import TABLE
from my_player_table import PackedTable
from players.registry import make_player


def host(drawing, n_move, rules=LITTLEGO):
    go = GO(len(parse_diagram(drawing)), rules)
    go.adopt_state(state_from_rows(rules, parse_diagram(drawing), 1 + n_move % 2, n_move))
    return go


def answers(go, piece_type, seeds=20):
    return {make_player("qlearner", random.Random(seed)).get_input(go, piece_type) for seed in range(seeds)}


@pytest.mark.parametrize("rules", [COURSE, LITTLEGO])
def test_it_plays_the_point_with_the_highest_value(rules):
    table = PackedTable.read(TABLE)
    for seed in range(5):
        go = GO(5, rules)
        state = go.position(1)
        rng = random.Random(seed)
        for _ in range(10):
            state = state.play(rng.choice([move for move in state.legal_moves() if move is not None]))
        go.adopt_state(state)
        own = state.to_move
        values = {}
        for point in state.grid.points_of(state.placements()):
            after = state.after(point)
            values[point] = table.value(after.stones(own), after.stones(3 - own), 11)
        best = {point for point in values if values[point] == max(values.values())}
        player = make_player("qlearner", random.Random(seed))
        assert {player.get_input(go, own) for _ in range(40 * len(best))} == best


def test_the_last_move_is_worth_its_stones():
    go = host("""
        O X . X X
        . X X X X
        O O O O O
        O X X O .
        O O O X .
    """, 23)  # fmt: skip
    # White takes two stones rather than none.
    assert len(answers(go, 2)) == 1
    state = go.position(2)
    after = state.after(answers(go, 2).pop())
    most = max(len(state.grid.points_of(state.after(m).captured)) for m in state.grid.points_of(state.placements()))
    assert after.captured.bit_count() == most > 0


def test_it_passes_only_when_nothing_is_legal():
    assert answers(host(". O\nO .", 2), 1) == {"PASS"}


@pytest.mark.parametrize("opponent", ["greedy", "alphabeta"])
def test_it_beats_players_that_have_learned_nothing(opponent):
    games = 0
    for seed in range(10):
        learner, other = (make_player(name, random.Random(seed)) for name in ("qlearner", opponent))
        games += GO(5, ruleset("littlego")).play(learner, other) == 1
        games += GO(5, ruleset("littlego")).play(other, learner) == 2
    assert games >= 18
