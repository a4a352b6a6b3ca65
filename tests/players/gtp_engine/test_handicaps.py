"""Handicap stones stand where the protocol says."""

import pytest

from goban.open_games import OpenGame
from goban.points import vertex
from goban.rulesets import ruleset
from players.gtp_engine.board_commands import fixed_handicap, free_handicap

# GTP 2, draft 2, section 4.1.1.
FIXED = [
    (19, 2, "D4 Q16"),
    (19, 3, "D4 Q16 D16"),
    (19, 4, "D4 Q16 D16 Q4"),
    (19, 5, "D4 Q16 D16 Q4 K10"),
    (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
    (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
    (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
    (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
    (13, 5, "D4 K10 D10 K4 G7"),
    (9, 5, "C3 G7 C7 G3 E5"),
    (12, 4, "C3 K10 C10 K3"),
    (7, 4, "C3 E5 C5 E3"),
    (19, 1, ""),
    (19, 10, ""),
    (12, 5, ""),
    (7, 5, ""),
    (6, 2, ""),
]


@pytest.mark.parametrize(("size", "stones", "vertices"), FIXED)
def test_fixed_handicap(size, stones, vertices):
    assert " ".join(vertex(point, size) for point in fixed_handicap(size, stones)) == vertices


@pytest.mark.parametrize("size", range(2, 20))
def test_free_handicap_is_as_many_stones_as_asked_for_and_all_live(size):
    for stones in range(2, size * size):
        points = free_handicap(size, stones)
        assert len(set(points)) == stones
        game = OpenGame(ruleset("aga"), size)
        game.set_handicap(points)
        assert game.state.black.bit_count() == stones
        assert not game.state.grid.dead(game.state.black, game.state.empty)
