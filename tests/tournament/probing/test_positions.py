"""The positions that come with the project: they are what their probe says, and their values are exact."""

import random
from collections import Counter

import pytest

from goban.grids import BLACK
from goban.ideas import BY_NAME, SAMPLE, SYMMETRIC, phases, probes_for
from goban.rulesets import AGA, ruleset
from goban.solver.solver import Solver
from gojudge.errors import JudgeError
from tournament.probing.positions import IMAGES, RULES, SIZE, boards, file_text, read_lines, read_shipped, shipped_path


@pytest.fixture(scope="module", params=RULES)
def positions(request):
    return read_shipped(ruleset(request.param), SIZE)


def of(positions, group):
    return [position for position in positions if position.group == group]


def test_each_probe_has_ten_positions_that_show_it(positions):
    rules = positions[0].rules
    wanted = [probe.name for probe in probes_for(rules)]
    assert len(wanted) >= 12
    counted = Counter(position.group for position in positions)
    assert counted == {**dict.fromkeys([*wanted, SYMMETRIC], 10), SAMPLE: 72}
    for position in positions:
        state = position.state()
        assert list(position.margins) == state.legal_moves()
        assert state.to_move == position.to_move
        if position.group in BY_NAME:
            assert BY_NAME[position.group].shows(state, position.winning), position.line()


def test_no_set_has_a_position_twice_not_even_turned(positions):
    keys = [(position.group, position.to_move, boards(position.state())) for position in positions]
    assert len(set(keys)) == len(keys)


def test_symmetric_positions_have_eight_images_and_one_move_that_wins(positions):
    for position in of(positions, SYMMETRIC):
        assert len({tuple(map(tuple, position.state(number).rows())) for number in IMAGES}) == 8
        assert len(position.winning) == 1


def test_the_sample_is_from_all_phases_alike(positions):
    plies = [len(position.moves) for position in of(positions, SAMPLE)]
    assert [sum(ply in part for ply in plies) for part in phases(positions[0].rules)] == [24, 24, 24]


def minimax(state):
    """Black's stones less White's at the end with best play, by trying everything."""
    if state.is_over:
        black, white = state.points()
        return black - white
    values = [minimax(state.play(move)) for move in state.legal_moves()]
    return max(values) if state.to_move == BLACK else min(values)


def test_the_last_moves_are_worth_what_trying_everything_finds(positions):
    late = [position for position in positions if len(position.moves) >= SIZE**2 - 4]
    for position in random.Random(1).sample(late, 8):
        state = position.state()
        assert {move: minimax(state.play(move)) for move in position.margins} == position.margins


def test_earlier_moves_are_worth_what_the_solver_finds(positions):
    solver = Solver(16)
    for position in random.Random(2).sample([one for one in positions if len(one.moves) >= 14], 6):
        state = position.state()
        for move, margin in random.Random(3).sample([*position.margins.items()], 3):
            assert solver.margin(state.play(move)).margin == margin


def test_a_file_is_read_as_it_was_written(positions):
    text = shipped_path(positions[0].rules).read_text("ascii")
    assert file_text(positions) == text
    assert read_lines(positions[0].rules, text) == positions


@pytest.mark.parametrize(("rules", "size"), [(AGA, 5), (ruleset("course"), 7)])
def test_other_games_have_none_and_that_is_said(rules, size):
    with pytest.raises(JudgeError, match=rf"expected course or littlego on 5x5, .*, got {rules.name} on {size}x{size}"):
        read_shipped(rules, size)
