"""What always holds of the states of a game, which of them are equal, and the words for illegal moves."""

import copy
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban import states
from goban.diagrams import parse_diagram
from goban.errors import BadPointError, IllegalMoveError, UnknownRuleSetError
from goban.grids import BLACK, WHITE, grid_of
from goban.moves import PASS, RESIGN
from goban.rulesets import COURSE, TROMP_TAYLOR_SUICIDE, Scoring, ruleset
from goban.states import (
    is_sound,
    is_suicide,
    lost_by,
    new_game,
    placeable,
    points_on_board,
    state_from_diagram,
    state_from_rows,
    taken_by,
)
from tests.support.boards import boards
from tests.support.oracle import area as slow_area
from tests.support.oracle import board_after, has_liberty, played, region, stones_without_liberty
from tests.support.states import games, play_some
from tests.support.symmetries import SYMMETRIES


@given(games)
def test_no_group_is_ever_left_without_a_liberty(game):
    for state in play_some(*game):
        grid = state.grid
        assert not grid.dead(state.black, state.empty)
        assert not grid.dead(state.white, state.empty)
        assert state.black | state.white | state.empty == grid.full
        assert not state.black & state.white


@given(games)
def test_playing_on_leaves_earlier_states_as_they_were(game):
    states = play_some(*game)
    seen = [(s.rows(), s.legal_moves(), hash(s), s.hash, s.ending) for s in states]
    branch = states[len(states) // 2]
    for move in branch.legal_moves():
        branch.play(move)
    assert [(s.rows(), s.legal_moves(), hash(s), s.hash, s.ending) for s in states] == seen


@given(games)
def test_a_game_played_backwards_is_the_game_that_was_stored(game):
    """Taking each stone off again and putting back what it removed leads to the boards there were."""
    states = play_some(*game)
    for before, after in pairwise(states):
        assert after.previous == (before.black, before.white)
        boards = {1: after.black, 2: after.white}
        bit = 0 if after.last_point is None else after.grid.bit[after.last_point]
        suicide = bool(after.captured & bit)
        boards[before.to_move if suicide else after.to_move] |= after.captured
        boards[before.to_move] ^= bit
        assert boards == {1: before.black, 2: before.white}
        assert before.n_move == after.n_move - 1


@given(games, st.sampled_from(SYMMETRIES))
def test_symmetric_games_have_symmetric_legal_moves(game, symmetry):
    states = play_some(*game)
    last = states[0].grid.size - 1

    def turned(move):
        return move if move is PASS or move is RESIGN else symmetry(*move, last)

    mirror = states[0]
    for before, state in pairwise(states):
        move = state.last_point
        assert {turned(m) for m in before.legal_moves()} == set(mirror.legal_moves())
        mirror = mirror.play(PASS if move is None else turned(move))
    assert mirror.ending is states[-1].ending


@given(games)
def test_states_are_equal_when_they_came_about_alike(game):
    one, two = play_some(*game), play_some(*game)
    # Having looked whether a state is an end must not make it another state.
    looked = [state.ending for state in one]
    assert one == two
    assert looked == [state.ending for state in two]
    assert [hash(s) for s in one] == [hash(s) for s in two]
    assert len(set(one)) == len(one)


def test_the_past_tells_states_apart_only_where_the_rules_ask_for_it():
    def by(preset, *points):
        state = new_game(ruleset(preset), 5)
        for point in points:
            state = state.play(point)
        return state

    one = (0, 0), (0, 1), (1, 1), (4, 4), (2, 2), (4, 3)
    other = (1, 1), (0, 1), (0, 0), (4, 4), (2, 2), (4, 3)
    assert by("alphago7", *one) == by("alphago7", *other)
    assert by("aga", *one) != by("aga", *other)


def test_copies_of_a_state_are_the_state():
    state = new_game(ruleset("aga"), 9)
    assert copy.deepcopy(state) is state


def test_illegal_moves_say_who_what_when_and_which_rule():
    state = new_game(ruleset("course"), 5).play((2, 2))
    with pytest.raises(IllegalMoveError, match=r"^white may not play C3 as move 2: the point is occupied$"):
        state.play((2, 2))
    with pytest.raises(IllegalMoveError, match="pass as move 2: these rules know no passing"):
        state.play(PASS)
    with pytest.raises(IllegalMoveError, match="resign as move 2: these rules know no resigning"):
        state.play(RESIGN)
    with pytest.raises(BadPointError, match=r"\(5, 0\) is off the 5x5 board"):
        state.play((5, 0))


def test_repetition_names_the_move_after_which_the_board_stood():
    ko = [(0, 1), (0, 2), (1, 0), (1, 3), (2, 1), (2, 2), (1, 2), (1, 1)]
    for preset in ("course", "aga", "tromp-taylor-strict"):
        state = new_game(ruleset(preset), 5)
        for point in ko:
            state = state.play(point)
        with pytest.raises(IllegalMoveError, match=r"C4 as move 9: .*again what it was after move 7$"):
            state.play((1, 2))


def test_a_group_knows_its_stones_and_liberties():
    state = state_from_rows(ruleset("aga"), [[1, 1, 0], [2, 0, 0], [0, 0, 0]])
    stones, liberties = state.group_at((0, 0))
    assert state.grid.points_of(stones) == [(0, 0), (0, 1)]
    assert state.grid.points_of(liberties) == [(0, 2), (1, 1)]
    assert state.group_at((2, 2)) == (0, 0)


def test_moves_are_taken_by_their_names():
    state = new_game("littlego", 5)
    assert state.play("c3") == state.play((2, 2))
    assert state.play("pass") == state.play(PASS)
    assert str(state.play("C3").why_illegal("C3")) == "the point is occupied"
    assert new_game("aga", 5).play("resign").outcome.winner == WHITE
    with pytest.raises(IllegalMoveError, match="white may not play C3 as move 2: the point is occupied"):
        state.play("C3").play("C3")
    for text in ("F1", "3C", ""):
        with pytest.raises(BadPointError, match="vertex"):
            state.play(text)
        with pytest.raises(BadPointError, match="vertex"):
            state.why_illegal(text)


def test_rules_are_taken_by_their_names():
    assert new_game("tromp-taylor", 7) == new_game(ruleset("tromp-taylor-strict"), 7)
    assert new_game("course").grid.size == 5
    assert state_from_rows("aga", [[0, 1], [2, 0]]).rules is ruleset("aga")
    with pytest.raises(UnknownRuleSetError, match="got 'chess'"):
        new_game("chess")


def test_a_printed_board_is_read_back():
    state = new_game("course", 5).play("C3").play("B2")
    assert str(state).splitlines()[3] == " 3 . . X . .  3"
    again = state_from_diagram("course", str(state), to_move=BLACK, n_move=2)
    assert again.rows() == state.rows()


def test_the_same_position_but_for_what_is_changed():
    state = new_game("course", 5).play("C3").play("B2")
    turned = state.with_(to_move=WHITE)
    assert (turned.to_move, turned.rows(), turned.n_move, turned.previous) == (WHITE, state.rows(), 2, state.previous)
    assert state.to_move == BLACK
    assert state.with_() == state
    assert state.with_(rules=ruleset("aga")).play("pass").passed
    with pytest.raises(TypeError, match="colour"):
        state.with_(colour=WHITE)


def sparse(rows, mover):
    """The board with fewer stones, so that most groups have liberties, and both kinds of boards are met."""
    return [[stone if (i + 2 * j + mover) % 3 else 0 for j, stone in enumerate(row)] for i, row in enumerate(rows)]


@settings(max_examples=150)
@given(boards(6), st.sampled_from([1, 2]), st.booleans(), st.randoms(use_true_random=False))
def test_what_a_placement_takes_and_whether_it_lives(rows, mover, thin, rng):
    state = state_from_rows(COURSE, sparse(rows, mover) if thin else rows, mover)
    assert_agrees(state, rng)
    if placements := state.grid.points_of(state.placements()):
        # Groups of the player who moves may still be without liberties afterwards.
        assert_agrees(state.after(rng.choice(placements)), rng)


def assert_agrees(state, rng):
    board, mover, grid = tuple(map(tuple, state.rows())), state.to_move, state.grid
    empty = [point for point in grid.points if not board[point[0]][point[1]]]
    alive = []
    for point in rng.sample(empty, len(empty)):
        after, captured = board_after(board, point, mover)
        assert grid.points_of(taken_by(state, grid.bit[point])) == captured
        assert is_suicide(state, grid.bit[point]) is not has_liberty(after, point)
        alive += [point] if has_liberty(after, point) else []
        allowing = state.with_(rules=TROMP_TAYLOR_SUICIDE)
        assert lost_by(state, grid.bit[point]) == 0
        assert grid.points_of(taken_by(allowing, grid.bit[point]) | lost_by(allowing, grid.bit[point])) == sorted(
            played(board, point, mover)[1]
        )
        assert placeable(allowing) == state.empty
    assert grid.points_of(placeable(state)) == sorted(alive)
    assert is_sound(state) is not any(stones_without_liberty(board, colour) for colour in (1, 2))


@given(boards(7))
def test_groups_by_their_liberties(rows):
    grid = grid_of(len(rows))
    board = tuple(map(tuple, rows))
    masks = grid.masks(rows)
    for colour in (1, 2):
        found = grid.by_liberties(masks[colour], masks[0])
        assert sum(found.values()) == masks[colour]
        assert grid.points_of(found.get(0, 0)) == stones_without_liberty(board, colour)
        for liberties, stones in found.items():
            for stone in grid.points_of(stones):
                group = grid.mask_of(region(board, stone))
                assert grid.liberties(group, masks[0]) == liberties
                assert grid.trapped(grid.bit[stone], masks[colour], masks[0]) == (0 if liberties else group)


@pytest.mark.parametrize(
    ("drawing", "taken"),
    [
        (". O X\nO X .\nX . .", [(0, 1), (1, 0)]),
        (". O .\nO X .\nX . .", [(1, 0)]),
        (". O O\nO O X\nX X X", [(0, 1), (0, 2), (1, 0), (1, 1)]),
        (". X O\nX O .\nO . .", []),
    ],
    ids=["two groups", "one of two groups", "one group met twice", "own stones"],
)
def test_a_stone_in_the_corner_takes(drawing, taken):
    state = state_from_rows(COURSE, parse_diagram(drawing), 1)
    assert state.grid.points_of(taken_by(state, state.grid.bit[0, 0])) == taken


def points(scoring, drawing):
    rows = parse_diagram(drawing)
    grid = grid_of(len(rows))
    return points_on_board(scoring, grid, *grid.masks(rows)[1:])


WALL = """
    . X O . .
    . X O . .
    . X O . .
    X X O O O
    . X O . X
"""


def test_the_course_counts_stones():
    assert points(Scoring.STONES, WALL) == (7, 7)


def test_area_counts_what_only_one_colour_reaches():
    assert points(Scoring.AREA, WALL) == (7 + 4, 7 + 6)


def test_dead_stones_left_on_the_board_count_and_spoil_the_region():
    # The black stone bottom right stands in White's area: both reach the point beside it.
    assert points(Scoring.AREA, ". . O\n. . O\nX . O") == (1, 3)


def test_an_empty_board_belongs_to_nobody():
    assert points(Scoring.AREA, ". .\n. .") == (0, 0)


@given(boards(9))
def test_area_agrees_with_the_slow_count(rows):
    grid = grid_of(len(rows))
    board = tuple(map(tuple, rows))
    assert points_on_board(Scoring.AREA, grid, *grid.masks(rows)[1:]) == (slow_area(board, 1), slow_area(board, 2))


def test_another_thread_sees_legal_moves_all_at_once_or_not_at_all(monkeypatch):
    state, seen = state_from_diagram("aga", ". X O\nX O .\n. O ."), []
    monkeypatch.setattr(states, "is_suicide", lambda now, bit: bool(seen.append(now._free)))
    state.legal_moves()
    assert {*seen} == {None}
