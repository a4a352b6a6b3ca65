"""Last good replies: what is kept of a game, and when it is played."""

import os
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban.diagrams import parse_diagram
from goban.grids import BLACK, WHITE
from goban.kernels.numba_tools.random_numbers import game_stream
from goban.kernels.patterns.boards import cells, pair_of, point_of
from goban.kernels.patterns.pattern_games import PatternGame
from goban.kernels.patterns.playouts import MOST_TURNS, learn_replies, new_replies, play_out, play_replying, stone_lead
from goban.kernels.patterns.tables import make_tables
from goban.montecarlo.pattern_sets import set_named
from goban.rulesets import ruleset
from goban.states import new_game, state_from_rows
from tests.support.missing import needs, no_package

pytestmark = [pytest.mark.slow, needs(no_package("numba"))]

SIZE, CELLS = 5, cells(5)
POINTS = [0, *(point_of(i, j, SIZE) for i in range(2) for j in range(2))]
GAMES = st.lists(st.tuples(st.lists(st.sampled_from(POINTS), max_size=12), st.sampled_from([BLACK, WHITE])), max_size=8)
CORNER = point_of(0, 0, SIZE)
SEEDS = 6 if os.environ.get("NUMBA_DISABLE_JIT") else 40


@cache
def tables(size=SIZE):
    return make_tables(size, set_named("montegnu_classic").values)


def record_of(moves, first=BLACK):
    return np.array([4 * p + (first if k % 2 == 0 else 3 - first) for k, p in enumerate(moves)], dtype=np.int64)


def kept(replies):
    """What is known, as {(colour, last): reply} and {(colour, before, last): reply}."""
    found = {}
    for place in np.flatnonzero(replies).tolist():
        (colour, last), before = divmod(place // (CELLS + 1), CELLS), place % (CELLS + 1)
        found[(colour + 1, last) if before == 0 else (colour + 1, before - 1, last)] = int(replies[place])
    return found


def plainly_learned(games):
    """The same by dictionaries, from the rule."""
    known = {}
    for moves, loser in games:
        for k in range(1, len(moves)):
            colour = BLACK if k % 2 == 0 else WHITE
            if not moves[k] or not moves[k - 1]:
                continue
            for key in ((colour, moves[k - 1]), (colour, moves[k - 2] if k > 1 else 0, moves[k - 1])):
                if colour != loser:
                    known[key] = moves[k]
                elif known.get(key) == moves[k]:
                    del known[key]
    return known


@settings(deadline=None)
@given(GAMES)
def test_the_winner_s_replies_are_kept_and_the_loser_s_forgotten(games):
    replies = new_replies(SIZE)
    for moves, loser in games:
        learn_replies(replies, CELLS, record_of(moves), len(moves), loser)
    assert kept(replies) == plainly_learned(games)


def position(drawing):
    return state_from_rows(ruleset("aga"), parse_diagram(drawing.replace("/", "\n")), BLACK, 0)


def played(state, replies=None, before=0, last=0, seed=1, mercy=0):
    """The moves of a playout, with replies or without."""
    game, moves = PatternGame(state, tables(state.grid.size)), np.zeros(MOST_TURNS, dtype=np.uint16)
    board = game.board, game.words, game.tables, game.span
    # Machine words wrap; numpy's own, where nothing is compiled, warn.
    with np.errstate(over="ignore"):
        stream = np.uint64(game_stream(np.uint64(seed), 0))
        if replies is None:
            _, turns = play_out(*board, moves, stream)
        else:
            _, turns = play_replying(*board, replies, moves, before, last, mercy, stream)
    return moves[:turns].tolist()


@pytest.mark.parametrize("rules", ["course", "littlego", "aga"])
def test_where_no_reply_is_known_moves_are_drawn_as_ever(rules):
    state = new_game(ruleset(rules), SIZE)
    for seed in range(SEEDS // 2):
        assert played(state, new_replies(SIZE), seed=seed) == played(state, seed=seed)


def test_a_reply_to_both_moves_goes_before_one_to_the_last():
    state = new_game(ruleset("aga"), SIZE)
    before, last, narrow, wide = (point_of(i, j, SIZE) for i, j in ((1, 1), (2, 2), (3, 3), (1, 3)))
    replies = new_replies(SIZE)
    learn_replies(replies, CELLS, record_of([before, last, narrow]), 3, WHITE)
    learn_replies(replies, CELLS, record_of([0, last, wide]), 3, WHITE)
    assert {played(state, replies, before, last, seed)[0] for seed in range(SEEDS // 2)} == {narrow}
    assert {played(state, replies, CORNER, last, seed)[0] for seed in range(SEEDS // 2)} == {wide}
    # Neither was a reply of White's, nor to another move.
    assert len({played(state, replies, before, CORNER, seed)[0] for seed in range(SEEDS // 2)}) > 2


FREE = ". . . . ./. . . . ./. . O . ./. . . . ./. . . . ."
UNSOUND = {
    "a stone": "X . . . ./. . . . ./. . O . ./. . . . ./. . . . .",
    "suicide": ". O . . ./O O . . ./. . O . ./. . . . ./. . . . .",
    "an own eye": ". X . . ./X X . . ./. . O . ./. . . . ./. . . . .",
    "atari": ". O . . ./. . . . ./. . O . ./. . . . ./. . . . .",
}


@pytest.mark.parametrize("drawing", UNSOUND.values(), ids=UNSOUND)
def test_a_reply_that_makes_no_sense_is_not_given(drawing):
    state = position(drawing)
    last, replies = point_of(2, 2, SIZE), new_replies(SIZE)
    learn_replies(replies, CELLS, record_of([0, last, CORNER]), 3, WHITE)
    given = [played(state, replies, 0, last, seed)[0] for seed in range(SEEDS)]
    assert given == [played(state, seed=seed)[0] for seed in range(SEEDS)]
    assert set(given) != {CORNER}


def test_a_reply_that_makes_sense_is_given_in_the_same_place():
    state = position(FREE)
    last, replies = point_of(2, 2, SIZE), new_replies(SIZE)
    learn_replies(replies, CELLS, record_of([0, last, CORNER]), 3, WHITE)
    assert {played(state, replies, 0, last, seed)[0] for seed in range(SEEDS)} == {CORNER}


def leads(state, moves):
    """Black's stones less White's, before the first move and after each."""
    game, found = PatternGame(state, tables(state.grid.size)), []
    for move in [None, *moves]:
        if move is not None:
            game.play(pair_of(move, state.grid.size) if move else None)
        found.append(int(stone_lead(game.board)))
    return found


@pytest.mark.parametrize(("drawing", "most"), [(FREE, 6), ("X X X . ./X X . . ./X . . . ./. . . . ./. . . . .", 9)])
def test_mercy_ends_a_playout_at_a_lead_and_changes_no_move_before(drawing, most):
    state, ended = position(drawing), 0
    for seed in range(SEEDS):
        whole = played(state, new_replies(SIZE), seed=seed)
        cut = played(state, new_replies(SIZE), seed=seed, mercy=6)
        assert cut == whole[: len(cut)]
        found = leads(state, cut)
        assert all(abs(lead) < most for lead in found[:-1])
        assert abs(found[-1]) >= most or cut == whole
        ended += cut != whole
    assert ended > 0
