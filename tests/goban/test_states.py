"""The rules: drawn positions, random games of every preset against the slow oracle, and what must always hold."""

import copy
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban.errors import BadPointError, IllegalMoveError
from goban.grids import grid_of
from goban.moves import PASS, RESIGN
from goban.rulesets import PRESETS, ruleset
from goban.states import State, new_game, state_from_rows
from goban.zobrist import board_hash
from tests.support.oracle import NaiveGame, count_sequences
from tests.support.positions_file import load_all_cases

CASES = load_all_cases()
RULES_OF_BREACH = {"the point is occupied": "occupied", "suicide, the stone would have no liberty": "suicide"}


def why(state, point):
    breach = state.why_illegal_placement(point)
    return None if breach is None else RULES_OF_BREACH.get(breach.rule, "repetition")


def ending(state):
    return None if state.ending is None else state.ending.value


@pytest.mark.parametrize("case", CASES, ids=str)
def test_drawn_position(case):
    state = state_from_rows(ruleset(case.rules), case.board, case.to_move)
    for move in case.moves:
        state = state.play(move)
    assert why(state, case.play) == case.why_illegal
    if case.why_illegal is not None:
        with pytest.raises(IllegalMoveError):
            state.play(case.play)
        return
    after = state.play(case.play)
    if case.captures is not None:
        assert tuple(after.grid.points_of(after.captured)) == case.captures
    if case.after is not None:
        assert tuple(map(tuple, after.rows())) == case.after
    if case.ends is not None:
        assert (ending(after) or "-") == case.ends
    if case.winner is not None:
        assert after.outcome.winner == case.winner


def assert_same(state, game):
    assert state.rows() == game.board
    assert state.to_move == game.to_move
    assert state.grid.rows(*state.previous) == game.previous_board
    assert state.grid.points_of(state.captured) == sorted(game.died_pieces)
    assert ending(state) == game.ending()
    assert state.scores() == game.scores()
    assert state.hash == board_hash(state.grid.size, state.black, state.white)
    points = [(i, j) for i in range(state.grid.size) for j in range(state.grid.size)]
    assert {p: why(state, p) for p in points} == {p: game.why_illegal(p) for p in points}
    assert set(state.grid.points_of(state.placements())) == game.legal_placements()
    if state.is_over:
        assert state.outcome.winner == game.winner()


def random_move(state, rng, passes):
    placements = state.grid.points_of(state.placements())
    if state.rules.passing and (not placements or rng.random() < passes):
        return PASS
    return rng.choice(placements)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("preset", PRESETS)
def test_random_games_agree_with_the_slow_oracle(preset, size):
    rng = random.Random(f"{preset} {size}")
    for _ in range(4):
        state, game = new_game(ruleset(preset), size), NaiveGame(preset, size)
        assert_same(state, game)
        passes = rng.choice([0.02, 0.3])
        while not state.is_over and state.n_move < 3 * size * size:
            move = random_move(state, rng, passes)
            state = state.play(move)
            game.play(move)
            assert_same(state, game)


@pytest.mark.parametrize(("size", "depth"), [(2, 8), (3, 3), (4, 2)])
@pytest.mark.parametrize("preset", PRESETS)
def test_move_trees_have_as_many_leaves_as_the_oracle_counts(preset, size, depth):
    assert leaves(new_game(ruleset(preset), size), depth) == count_sequences(NaiveGame(preset, size), depth)


def leaves(state, depth):
    if depth == 0:
        return 1
    return sum(leaves(state.play(move), depth - 1) for move in state.legal_moves() if move is not RESIGN)


def test_the_whole_course_game_on_2x2_has_as_many_lines_as_the_oracle_counts():
    for depth in range(1, 4):
        assert leaves(new_game(ruleset("course"), 2), depth) == count_sequences(NaiveGame("course", 2), depth)
    assert leaves(new_game(ruleset("course"), 2), 4) == 0


games = st.tuples(st.sampled_from(list(PRESETS)), st.integers(2, 7), st.integers(0, 10**9), st.integers(0, 60))


def play_some(preset, size, seed, moves):
    rng = random.Random(seed)
    states = [new_game(ruleset(preset), size)]
    while len(states) <= moves and not states[-1].is_over:
        states.append(states[-1].play(random_move(states[-1], rng, 0.05)))
    return states


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
@settings(max_examples=50)
def test_branches_know_their_own_past_only(game):
    """The states of a game share their history; playing other branches in between must not be seen."""
    preset, size, seed, moves = game
    rng = random.Random(seed)
    state, alone = new_game(ruleset(preset), size), NaiveGame(preset, size)
    while state.n_move < moves and not state.is_over:
        for move in rng.sample(state.legal_moves(), k=min(2, len(state.legal_moves()))):
            sideline = state.play(move)
            while not sideline.is_over and rng.random() < 0.6:
                sideline = sideline.play(random_move(sideline, rng, 0.1))
        move = random_move(state, rng, 0.05)
        state = state.play(move)
        alone.play(move)
        assert {p: why(state, p) for p in state.grid.points} == {p: alone.why_illegal(p) for p in state.grid.points}
        assert ending(state) == alone.ending()


@given(games)
def test_a_game_played_backwards_is_the_game_that_was_stored(game):
    """Taking each stone off again and putting back what it captured leads to the boards there were."""
    states = play_some(*game)
    for before, after in pairwise(states):
        assert after.previous == (before.black, before.white)
        boards = {1: after.black, 2: after.white}
        if after.last_point is not None:
            boards[before.to_move] ^= after.grid.bit[after.last_point]
        boards[after.to_move] |= after.captured
        assert boards == {1: before.black, 2: before.white}
        assert before.n_move == after.n_move - 1


TURNS = [lambda i, j, n: (i, j), lambda i, j, n: (j, n - i), lambda i, j, n: (n - i, n - j), lambda i, j, n: (n - j, i)]
SYMMETRIES = [*TURNS, *(lambda i, j, n, t=turn: t(j, i, n) for turn in TURNS)]


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


def test_nothing_may_be_played_after_the_end():
    state = new_game(ruleset("aga"), 9).play(PASS).play(PASS)
    assert state.legal_moves() == []
    with pytest.raises(IllegalMoveError, match="the game is over"):
        state.play((0, 0))


def test_resigning_loses():
    state = new_game(ruleset("aga"), 9).play((4, 4)).play(RESIGN)
    assert (ending(state), state.outcome.winner, state.outcome.result()) == ("resignation", 1, "B+R")


def test_an_opening_pass_ends_littlego_only():
    assert ending(new_game(ruleset("littlego")).play(PASS)) == "two passes"
    for preset in PRESETS.keys() - {"littlego", "course"}:
        assert not new_game(ruleset(preset), 5).play(PASS).is_over


PASSES = [
    ("littlego", [], True),
    ("littlego", [(0, 0)], False),
    ("littlego", [(0, 0), PASS], True),
    ("littlego", [(0, 0), PASS, (1, 1)], False),
    ("aga", [], False),
    ("aga", [(0, 0), PASS], True),
    ("tromp-taylor-pgx", [PASS], True),
    ("tromp-taylor-pgx", [PASS, (0, 0)], False),
    ("course", [], False),
    ("course", [(0, 0)], False),
]


@pytest.mark.parametrize(("preset", "moves", "ends"), PASSES)
def test_whether_a_pass_would_end_the_game(preset, moves, ends):
    state = new_game(ruleset(preset), 5)
    for move in moves:
        state = state.play(move)
    assert state.pass_ends is ends
    if state.rules.passing:
        assert state.play(PASS).is_over is ends


def test_an_unchanged_board_alone_ends_only_where_the_rules_say_so():
    grid = grid_of(5)
    for preset, ends in (("littlego", True), ("aga", False), ("course", False)):
        state = State(ruleset(preset), grid, 1, 2, grid.full ^ 3, n_move=2, previous=(1, 2))
        assert state.pass_ends is ends


@pytest.mark.parametrize("size", range(2, 20))
def test_the_course_ends_after_one_move_less_than_points(size):
    rules = ruleset("course")
    grid = grid_of(size)
    last_but_one = State(rules, grid, 0, 0, grid.full, n_move=size * size - 2)
    assert not last_but_one.is_over
    assert ending(last_but_one.play((0, 0))) == "move limit"


def test_the_course_ends_when_nothing_is_legal():
    state = state_from_rows(ruleset("course"), [[0, 1], [1, 0]], to_move=2)
    assert ending(state) == "no legal placement"
    assert state.outcome.winner == 1
    assert ending(state_from_rows(ruleset("littlego"), [[0, 1], [1, 0]], to_move=2)) is None


def test_equal_stones_tie_on_an_even_board():
    state = state_from_rows(ruleset("course"), [[1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 2]], n_move=15)
    assert state.outcome.winner == 0
    assert state.outcome.result() == "0"


def test_a_group_knows_its_stones_and_liberties():
    state = state_from_rows(ruleset("aga"), [[1, 1, 0], [2, 0, 0], [0, 0, 0]])
    stones, liberties = state.group_at((0, 0))
    assert state.grid.points_of(stones) == [(0, 0), (0, 1)]
    assert state.grid.points_of(liberties) == [(0, 2), (1, 1)]
    assert state.group_at((2, 2)) == (0, 0)
