import random

import pytest

from go import GO
from goban.diagrams import parse_diagram
from goban.grids import BLACK
from goban.rulesets import COURSE, LITTLEGO
from goban.states import state_from_rows
from players.alphabeta_player import BRANCHES, AlphaBetaPlayer


class Shown:
    """A host that shows one position."""

    def __init__(self, state):
        self.state = state

    def position(self, piece_type):
        assert piece_type == self.state.to_move
        return self.state


def played(drawing, rules=COURSE, n_move=0):
    host = Shown(state_from_rows(rules, parse_diagram(drawing), BLACK, n_move))
    return {AlphaBetaPlayer(random.Random(seed)).get_input(host, BLACK) for seed in range(30)}


# Black can take the white stone in the corner, or save the two black ones that White threatens to take on (3, 3).
TAKE_ONE_OR_SAVE_TWO = """
    O X . X X
    . X X X X
    O O O O O
    O X X . .
    O O O . .
"""


def test_it_takes_more_stones_rather_than_fewer():
    assert played("X O O . .\n. X X . .\n. . . . .\n. . . X O\n. . . . X") == {(0, 3)}


def test_it_sees_the_reply():
    assert played(TAKE_ONE_OR_SAVE_TWO) == {(3, 3)}


def test_on_the_last_move_there_is_no_reply_to_see():
    assert played(TAKE_ONE_OR_SAVE_TWO, n_move=23) == {(1, 0)}


def plain_minimax(state, depth, branches):
    """The value for the player to move without cut-offs."""
    points = branches(state) if depth and not state.is_over else []
    if not points:
        own, other = state.colours()
        return own.bit_count() - other.bit_count()
    return max(-plain_minimax(state.after(point), depth - 1, branches) for point in points)


@pytest.mark.parametrize("seed", range(20))
def test_cut_offs_do_not_change_the_choice(seed):
    """With branches in a fixed order, alpha-beta plays what plain minimax plays."""
    rng = random.Random(seed)
    go, player = GO(5), AlphaBetaPlayer(rng)
    order = list(go.grid.points)
    rng.shuffle(order)
    player._branches = lambda state: [p for p in order if state.why_illegal_placement(p) is None][:BRANCHES]
    state = go.position(BLACK)
    while not state.is_over:
        values = {p: -plain_minimax(state.after(p), 1, player._branches) for p in player._branches(state)}
        answer = player.get_input(Shown(state), state.to_move)
        assert answer == max(values, key=values.get)
        state = state.play(rng.choice(state.legal_moves()))


def test_no_more_than_ten_branches():
    player = AlphaBetaPlayer(random.Random(1))
    assert len(player._branches(GO(5).position(BLACK))) == BRANCHES == 10
    assert (2, 2) in player._branches(GO(5).position(BLACK))


def test_it_passes_only_when_nothing_is_legal():
    assert played(". O\nO .", rules=LITTLEGO) == {"PASS"}
