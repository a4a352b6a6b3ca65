"""What the reference players look at, against the definitions spelled out with whole boards."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from goban.rulesets import COURSE, LITTLEGO
from goban.states import state_from_rows
from players.tactics import fewest_losses, most_captures, most_captures_by_two
from tests.support.boards import boards
from tests.support.states import games, play_some


def dying(grid, stones, empty):
    return grid.dead(stones, empty).bit_count()


def best_of(grid, candidates, value):
    values = {bit: value(bit) for bit in grid.singles(candidates)}
    return sum(bit for bit in values if values[bit] == max(values.values()))


def captures(state, bit):
    return dying(state.grid, state.colours()[1], state.empty ^ bit)


def captures_by_two(state, first):
    """Most stones that die by this placement and a second one, and whether there is a second one at all."""
    grid, (own, other), free = state.grid, state.colours(), state.empty ^ first
    near = grid.singles(free & grid.adjacent(other))
    most = max((dying(grid, other, free ^ second) for second in near), default=0)
    return most, most > 0 or any(not grid.is_suicide(second, own | first, other, free) for second in grid.singles(free))


def stones_left(state, bit):
    after = state.after(state.grid.point[bit])
    mine = after.colours()[1]
    left = [mine.bit_count()]
    for reply in state.grid.singles(after.empty & state.grid.adjacent(mine)):
        if after.why_illegal_placement(state.grid.point[reply]) is None:
            left.append(mine.bit_count() - dying(state.grid, mine, after.empty ^ reply))
    return min(left)


def check(state):
    grid, legal = state.grid, state.placements()
    best, most = most_captures(state, legal)
    assert best == best_of(grid, legal, lambda bit: captures(state, bit))
    assert most == max((captures(state, bit) for bit in grid.singles(legal)), default=0)
    assert most_captures_by_two(state, legal) == best_of(grid, legal, lambda bit: captures_by_two(state, bit))
    assert fewest_losses(state, legal) == best_of(grid, legal, lambda bit: stones_left(state, bit))


@settings(max_examples=60)
@given(boards(5), st.sampled_from([1, 2]), st.sampled_from([COURSE, LITTLEGO]))
def test_on_any_board(rows, mover, rules):
    state = state_from_rows(rules, rows, mover)
    if state.placements():
        check(state)


@settings(max_examples=40)
@example(("tromp-taylor-suicide", 3, 192, 9))
@given(games)
def test_in_play(game):
    check(play_some(*game)[-1])
