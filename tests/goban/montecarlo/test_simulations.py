"""Guesses: which move a tree looks at first, before it has played any game."""

from functools import cache

import numpy as np

from goban.diagrams import parse_diagram
from goban.grids import BLACK, WHITE
from goban.kernels.patterns.boards import point_of
from goban.kernels.patterns.neighbourhoods import CLASSES, class_of_code
from goban.kernels.patterns.pattern_games import PatternGame
from goban.kernels.patterns.tables import make_tables, swapped_codes
from goban.montecarlo.pattern_sets import set_named
from goban.montecarlo.trees import Tree, TreeSettings
from goban.rulesets import ruleset
from goban.states import state_from_rows
from tests.support.missing import needs, no_package

# isort: off
from goban.montecarlo.guesses import (
    ANSWER, BEFORE, BESIDE, CONTACT_BITS, FEATURES, LAST, LIBERTIES, LINE, MOST_FEATURES, RESCUE, SURROUNDINGS, TAKE, WEIGHTS,
    features_of, surroundings_of, terms, weight_of_term,
)  # fmt: skip
# isort: on

pytestmark = needs(no_package("numba"))

ESCAPE = """
. . . . . . .
. . . . . . .
. . . O . . .
. . O X . . .
. . . O . . .
. . . . . . .
. . . . . . .
"""
"""The black stone comes to three liberties."""
NO_ESCAPE = """
. . . . . . .
. . . . . . .
. . . O . . .
. . O X . O .
. . . O O . .
. . . . . . .
. . . . . . .
"""
"""Here it comes to one."""
TWO_STONES = """
. . . . . . .
. . X . . . .
. X O . . . .
. X O X . . .
. . X . . . .
. . . . . . .
. . . . . . .
"""


def first_look(state, patterns="montegnu_classic", **options):
    """The move that the first game of a tree goes to."""
    tree = Tree(TreeSettings(table=set_named(patterns), memory=16, **options))
    tree.stand(state)
    tree.grow(1, seed=1)
    return tree.best()


def position(drawing, to_move=BLACK):
    """No move before is known."""
    return state_from_rows(ruleset("aga"), parse_diagram(drawing), to_move, 0)


def priors(state):
    """The share of each move in what is guessed of all."""
    tree = Tree(TreeSettings(table=set_named("montegnu_classic"), memory=16))
    tree.stand(state)
    tree.grow(1, seed=1)
    return tree.priors()


def test_without_guesses_all_moves_are_alike():
    for drawing in (ESCAPE, TWO_STONES):
        assert first_look(position(drawing), priors=0) == (0, 0)


def test_a_stone_is_saved_wherever_the_last_move_was():
    assert first_look(position(ESCAPE)) == (3, 4)
    assert first_look(position(NO_ESCAPE)) != (3, 4)


def test_stones_are_taken():
    assert first_look(position(TWO_STONES)) == (2, 3)


@cache
def tables():
    """The tables of a board of 7x7: to make them takes longer than to ask about a move."""
    return make_tables(7, set_named("montegnu_classic").values)


def features(drawing, point, last=None, before=None):
    """What a move of Black's on 7x7 has."""
    game = PatternGame(position(drawing), tables())
    p, after, earlier = (0 if pair is None else point_of(*pair, 7) for pair in (point, last, before))
    noted = np.zeros(MOST_FEATURES, dtype=np.int64)
    number = features_of(game.board, game.words, game.tables, game.span, p, after, earlier, noted)
    return set(noted[:number].tolist())


def test_features_say_what_a_move_does_and_where():
    assert features(ESCAPE, (3, 4)) == {LINE + 4 + 2, RESCUE + 1, LIBERTIES + 2}
    assert {LINE + 4 + 2, TAKE + 1} <= features(TWO_STONES, (2, 3))
    assert {LAST, BEFORE + 1} <= features(ESCAPE, (3, 4), last=(3, 5), before=(2, 5))
    assert features(ESCAPE, (6, 0)) == {LINE, LIBERTIES + 1}


def test_features_say_what_the_last_move_touched():
    assert ANSWER in features(ESCAPE, (3, 4), last=(2, 3))
    assert BESIDE in features(ESCAPE, (2, 4), last=(2, 3))
    assert not {ANSWER, BESIDE} & features(ESCAPE, (3, 4), last=(6, 6))


def test_features_are_the_same_from_whichever_side_the_last_move_touched():
    """The board is turned by a quarter at a time."""
    rows, move, last = np.array(parse_diagram(ESCAPE)), (3, 4), (2, 3)
    wanted = features(ESCAPE, move, last)
    for _ in range(3):
        rows = np.rot90(rows)
        move, last = ((6 - col, row) for row, col in (move, last))
        drawing = "\n".join(" ".join(".XO"[stone] for stone in row) for row in rows)
        assert features(drawing, move, last) == wanted


def surroundings(rows, point, to_move=BLACK):
    """Where the weights of a move's surroundings stand in `terms`: of its shape, contacts and reach."""
    game = PatternGame(state_from_rows(ruleset("aga"), rows, to_move, 0), tables())
    noted = np.zeros(MOST_FEATURES, dtype=np.int64)
    surroundings_of(game.board, game.words, game.tables, game.span, point_of(*point, 7), noted)
    return noted[:SURROUNDINGS]


def test_contacts_and_reach_are_codes_of_points_down_left_up_and_right():
    shapes = FEATURES + 2 * len(class_of_code())
    # Left of the move an own stone with one liberty, and behind it one of the opponent's.
    _, contacts, reach = surroundings(parse_diagram(ESCAPE), (3, 4))
    assert contacts - shapes == 0o0010
    assert reach - shapes - (1 << CONTACT_BITS) == 0b_00_00_10_00_00_00_01_00
    # Below and left the edge, and nothing else.
    _, contacts, reach = surroundings(parse_diagram(TWO_STONES), (6, 0))
    assert contacts - shapes == 0o0077
    assert reach - shapes - (1 << CONTACT_BITS) == 0b_00_00_11_11_00_00_11_11


def test_surroundings_are_the_same_turned_mirrored_and_with_colours_changed():
    weights = weight_of_term()
    for drawing in (ESCAPE, NO_ESCAPE, TWO_STONES):
        grid = np.array(parse_diagram(drawing))
        for point in map(tuple, np.argwhere(grid == 0).tolist()):
            here = np.zeros_like(grid)
            here[point] = 1
            wanted = weights[surroundings(grid.tolist(), point)].tolist()
            assert WEIGHTS not in wanted
            for turned, there in ((np.rot90(grid), np.rot90(here)), (grid.T, here.T), (grid[::-1], here[::-1])):
                (moved,) = np.argwhere(there).tolist()
                assert weights[surroundings(turned.tolist(), moved)].tolist() == wanted
            swapped = np.where(grid == 0, 0, BLACK + WHITE - grid)
            assert weights[surroundings(swapped.tolist(), point, WHITE)].tolist() == wanted


def test_every_feature_and_shape_has_a_weight():
    assert len(terms()) == len(weight_of_term())
    assert {*range(WEIGHTS)} <= {*weight_of_term().tolist()} <= {*range(WEIGHTS + 1)}
    shapes = terms()[FEATURES : FEATURES + 2 * len(class_of_code())].reshape(2, -1)
    assert len(shapes[BLACK - 1]) == len(class_of_code())
    # The players see each other's shapes, and which way round a shape stands does not matter.
    assert (shapes[1] == shapes[0][swapped_codes()]).all()
    weights = {(kind, weight) for kind, weight in zip(class_of_code().tolist(), shapes[0].tolist(), strict=True)}
    assert len(weights) == CLASSES + 1
    assert (CLASSES, 0.0) in weights


def test_white_guesses_what_black_guesses_with_colours_changed():
    swapped = str.maketrans("XO", "OX")
    for drawing in (ESCAPE, NO_ESCAPE, TWO_STONES):
        assert priors(position(drawing.translate(swapped), WHITE)) == priors(position(drawing))
