import pytest

from goban.grids import BLACK, WHITE
from goban.solver.candidates import cost_stones, is_mistake, loses, turn_of

#        mover, before, after: winners    margins     cost  turn            mistake  loses
MOVES = [
    (BLACK, (1, 1), (3, 3), 0, "", False, False),
    (BLACK, (1, 1), (5, 3), 2, "", True, False),
    (WHITE, (1, 1), (3, 5), 2, "", True, False),
    (BLACK, (1, 2), (None, -1), None, "win to loss", True, True),
    (WHITE, (2, 1), (None, None), None, "win to loss", True, True),
    (WHITE, (2, 0), (None, None), None, "win to tie", True, False),
    (BLACK, (0, 2), (0, -2), 2, "tie to loss", True, True),
    (BLACK, (None, 2), (1, None), None, "", False, False),
]


@pytest.mark.parametrize(("mover", "winners", "margins", "cost", "turn", "mistake", "lost"), MOVES)
def test_a_mistake_costs_stones_or_the_result(mover, winners, margins, cost, turn, mistake, lost):
    assert cost_stones(mover, *margins) == cost
    assert turn_of(mover, *winners) == turn
    assert is_mistake(cost, turn) is mistake
    assert loses(turn) is lost
