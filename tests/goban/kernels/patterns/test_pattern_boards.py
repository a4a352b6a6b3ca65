"""Pattern boards: all that is kept move by move, against a count from scratch, on random games and on measured positions."""

import random
from functools import cache

import numpy as np
import pytest

from goban.kernels.patterns import boards as b
from goban.kernels.patterns.neighbourhoods import class_of_code, includes
from goban.kernels.patterns.pattern_games import PatternGame
from goban.kernels.patterns.strings import weight_sum
from goban.kernels.patterns.tables import kind_of, make_tables
from goban.montecarlo.pattern_sets import NAMES, set_named
from goban.open_games import OpenGame
from goban.rulesets import ruleset
from goban.states import new_game, state_from_rows
from tests.support import plain_patterns as plain
from tests.support.near_drawings import NEAR, drawn
from tests.support.oracle import area
from tests.support.weight_cases import board_of, weight_cases

SIZES = {2: 60, 3: 120, 4: 200, 5: 250, 7: 200, 9: 300, 10: 200, 11: 200, 13: 150, 19: 60}
CASES = weight_cases()
RULES = ruleset("alphago7")


@pytest.fixture(scope="module")
def tables():
    """Tables whose every cell is a value of its own, so that no two combinations are taken for each other."""
    rng = np.random.default_rng(1)
    values = rng.integers(1, 2**32, (1107, 256), dtype=np.uint32)
    return lambda size: make_tables(size, values), values


def points(size):
    return [(i, j) for i in range(size) for j in range(size)]


def set_at(game, start):
    return {p for p in points(game.size) if includes(game.words, start, b.point_of(*p, game.size))}


def number(game, point, field):
    return b.get(game.board, b.point_of(*point, game.size), field)


def assert_kept(game, board, colour, ko, near, value):
    """Everything the arrays hold, against the bare board."""
    size = game.size
    empty = {p for p in points(size) if board[p[0]][p[1]] == 0}
    assert set_at(game, b.EMPTIES) == empty
    assert set_at(game, b.NEAR) == near | ({ko} - {None})
    assert int(game.board[b.KO]) == (b.point_of(*ko, size) if ko else 0)
    assert int(game.board[b.TO_MOVE]) == colour
    for point in points(size):
        assert number(game, point, b.COLOUR) == board[point[0]][point[1]]
        assert number(game, point, b.CODE) == plain.code(board, point, 1)
        if point in empty:
            assert number(game, point, b.FACTS) == facts_of(board, point)
        else:
            assert_string_kept(game, board, point)
    assert game.hash == state_from_rows(RULES, board).hash
    assert_weights_kept(game, board, colour, ko, near, value)


def facts_of(board, point):
    own = plain.combination(board, point, 1, False)
    return own | plain.effect(board, point, 1)[2]


def assert_string_kept(game, board, point):
    size = game.size
    stones, liberties = plain.string(board, point)
    head = number(game, point, b.STRING)
    assert b.pair_of(head, size) in stones
    circle = [head]
    while (p := b.get(game.board, circle[-1], b.NEXT)) != head:
        circle.append(int(p))
    assert {b.pair_of(p, size) for p in circle} == stones
    assert len(circle) == len(stones) == b.get(game.board, head, b.STONES)
    assert set_at(game, b.liberties_of(game.span, head)) == liberties
    assert b.get(game.board, head, b.LIBERTIES) == len(liberties)
    assert b.get(game.board, head, b.KIND) == kind_of(board[point[0]][point[1]], len(liberties), len(stones))
    if len(liberties) <= 2:
        assert {b.pair_of(b.get(game.board, head, field), size) for field in (b.FIRST, b.SECOND)} == liberties


def assert_weights_kept(game, board, colour, ko, near, value):
    expected = plain.weights(board, colour, ko, near, value)
    assert {p: game.weight(p) for p in points(game.size)} == {p: expected.get(p, 0) for p in points(game.size)}
    with np.errstate(over="ignore"):
        assert int(weight_sum(game.board, game.words)) == sum(expected.values())
    for own in (1, 2):
        far = plain.weights(board, own, None, set(), value)
        assert int(game.words[b.TOTALS + own]) == sum(far.values())
        for point in points(game.size):
            place = b.weight_of(game.span, b.point_of(*point, game.size), own)
            assert int(game.words[place]) == far.get(point, 0)


@pytest.mark.parametrize("size", [pytest.param(size, marks=[pytest.mark.slow] * (size > 5)) for size in SIZES])
def test_everything_is_kept_in_random_games(size, tables):
    made, values = tables
    known = made(size)
    rng, value = random.Random(size), lambda code, combination: int(values[class_of_code()[code], combination])
    moves = 0
    while moves < SIZES[size]:
        game = PatternGame(new_game(RULES, size), known)
        slow = plain.PlainPlayout(((0,) * size,) * size, 1, value)
        while not slow.over() and moves < SIZES[size]:
            legal = list(slow.weights())
            point = rng.choice(legal) if legal and rng.random() < 0.97 else None
            expected = None if point is None else game.hash_after(point)
            game.play(point)
            slow.play(point)
            assert expected in (None, game.hash)
            moves += 1
            # What a move gets wrong is still wrong two moves later; to look takes long on large boards.
            if size <= 5 or moves % 3 == 0:
                assert_kept(game, slow.board, slow.colour, slow.ko, slow.near, value)
                assert game.score == area(slow.board, 1) - area(slow.board, 2)


def after(board, move, colour):
    """The state after a move on a board of tuples, or of the board with `colour` having passed."""
    if move is None:
        return state_from_rows(RULES, board, 3 - colour)
    return state_from_rows(RULES, board, colour).play(move)


@cache
def tables_named(size, name):
    return make_tables(size, set_named(name).values)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_weights_are_those_of_gnu_go(case):
    state = after(case.before or case.board, case.move, 3 - case.to_play)
    game = PatternGame(state, tables_named(len(case.board), case.pattern_set))
    assert {p: game.weight(p) for p in points(game.size)} == {p: case.weights.get(p, 0) for p in points(game.size)}
    near = {p for p, letters in case.properties.items() if letters[0] == "n"}
    assert near == set_at(game, b.NEAR) & set(case.properties)


@pytest.mark.parametrize("what", NEAR)
def test_near_points_are(what, tables):
    board, move, near = drawn(NEAR[what])
    game = PatternGame(after(board, move, 1), tables[0](len(board)))
    assert set_at(game, b.NEAR) == near


def test_without_the_last_move_nothing_is_near_but_a_ko_stands(tables):
    board = board_of(".XO.XO.O.XO.....", 4)
    state = after(board, (1, 2), 1)
    with_last, without = (PatternGame(state, tables[0](4), last_move=last) for last in (True, False))
    assert set_at(with_last, b.NEAR) > set_at(without, b.NEAR) == {(1, 1)}
    assert with_last.weight((1, 1)) == without.weight((1, 1)) == 0
    assert with_last.weight((3, 3)) == without.weight((3, 3)) > 0
    without.play(None)
    assert without.weight((1, 1)) > 0


# Boards of 13 lines are compiled apart.
@pytest.mark.parametrize("size", [5, pytest.param(13, marks=pytest.mark.slow)])
def test_a_player_who_moves_twice_keeps_both_stones(size, tables):
    made, values = tables
    game = OpenGame(RULES, size)
    game.play(1, (2, 2))
    state = game.position(1)
    board = tuple(map(tuple, state.rows()))
    assert_kept(
        PatternGame(state, made(size)), board, 1, None, set(), lambda code, column: int(values[class_of_code()[code], column])
    )


def test_a_table_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="expected weights of shape"):
        make_tables(9, np.ones((1108, 256), dtype=np.uint32))


def test_flat_tables_read_no_properties_and_hold_no_very_different_weights():
    assert [make_tables(9, set_named(name).values).flat for name in NAMES] == [1, 0, 0, 0]
    values = np.full((1107, 256), 10, dtype=np.uint32)
    for number, flat in ((0, 10), (70, 70), (80, 80), (81, 0)):
        values[5] = number
        assert make_tables(9, values).flat == flat
    values[:] = 1
    values[5, 7] = 0
    assert make_tables(9, values).flat == 0
    assert make_tables(9, np.zeros_like(values)).flat == 0
