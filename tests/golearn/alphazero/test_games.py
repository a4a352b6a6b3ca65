"""The board games play by their rules: against slow games written from the rules alone, and known counts of positions."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from golearn.alphazero.games import GAME_CHOICES, GAMES, CompleteGame, game_from_name
from golearn.alphazero.small_games import ConnectFour, Othello, TicTacToe, has_four
from golearn.errors import BadGameError, IllegalActionError, UnknownGameError
from tests.support.plain_games import PlainConnectFour, PlainLines, PlainOthello, lines

PAIRS = {
    "tictactoe": (TicTacToe, PlainLines),
    "connectfour": (ConnectFour, PlainConnectFour),
    "othello4": (lambda: Othello(4), lambda: PlainOthello(4)),
    "othello6": (lambda: Othello(6), lambda: PlainOthello(6)),
    "othello": (Othello, lambda: PlainOthello(8)),
}

choices = st.lists(st.integers(0, 1000), min_size=70, max_size=70)


def board_of(planes, player):
    """What the planes show, as +1, -1 and 0 by point."""
    own, other = planes
    return {(int(i), int(j)): int(player * (own[i, j] - other[i, j])) for i, j in np.ndindex(own.shape)}


def assert_same(game, state, plain):
    assert game.legal_moves(state) == plain.legal()
    assert game.is_terminal(state) == plain.over()
    assert game.winner(state) == plain.winner()
    assert game.current_player(state) == plain.player
    assert board_of(game.encode(state), plain.player) == plain.board


# The largest board is the code of the two smaller ones.
SMALLER = [pytest.param(name, marks=[pytest.mark.slow] * (name == "othello")) for name in PAIRS]


@pytest.mark.parametrize("name", SMALLER)
@given(drawn=choices)
def test_random_games_agree_with_the_plain_ones_move_by_move(name, drawn):
    game, plain = (make() for make in PAIRS[name])
    state = game.initial_state()
    assert_same(game, state, plain)
    for number in drawn:
        legal = plain.legal()
        if not legal:
            break
        action = legal[number % len(legal)]
        state = game.apply_move(state, action)
        plain.play(action)
        assert_same(game, state, plain)


@pytest.mark.parametrize("name", SMALLER)
@given(drawn=choices)
def test_what_is_not_listed_is_refused(name, drawn):
    game = PAIRS[name][0]()
    state = game.initial_state()
    for number in drawn[: drawn[0] % 60]:
        legal = game.legal_moves(state)
        state = game.apply_move(state, legal[number % len(legal)]) if legal else state
    for action in {-1, game.action_size, *range(game.action_size)} - set(game.legal_moves(state)):
        with pytest.raises(IllegalActionError):
            game.apply_move(state, action)


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 6)), min_size=4, max_size=20))
def test_four_in_a_row_is_four_points_of_a_line(points):
    assert has_four(sum(1 << 7 * i + j for i, j in points)) == any(points.issuperset(line) for line in lines(6, 7, 4))


def positions_by_ply(game, plies):
    """How many different positions there are after each number of actions; those of finished games count."""
    level = {game.initial_state()}
    yield len(level)
    for _ in range(plies):
        level = {game.apply_move(state, action) for state in level for action in game.legal_moves(state)}
        yield len(level)


def count_lines(game, state, depth):
    """How many sequences of so many actions there are."""
    if depth == 0:
        return 1
    return sum(count_lines(game, game.apply_move(state, action), depth - 1) for action in game.legal_moves(state))


def test_tic_tac_toe_has_5478_positions_4520_of_them_in_play():
    """The number that everybody finds; by ply it is 1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78."""
    game, found, level = TicTacToe(), set(), {TicTacToe().initial_state()}
    while level:
        found |= level
        level = {game.apply_move(state, action) for state in level for action in game.legal_moves(state)}
    assert (len(found), sum(not game.is_terminal(state) for state in found)) == (5478, 4520)


def test_tic_tac_toe_has_255168_games():
    """131,184 of them won by the first player, 77,904 by the second, 46,080 drawn."""
    game, ends = TicTacToe(), Counter()
    level = Counter([game.initial_state()])
    while level:
        following = Counter()
        for state, ways in level.items():
            if game.is_terminal(state):
                ends[game.winner(state)] += ways
            for action in game.legal_moves(state):
                following[game.apply_move(state, action)] += ways
        level = following
    assert ends == {1: 131_184, -1: 77_904, 0: 46_080}


def test_connect_four_positions_by_ply():
    """https://oeis.org/A212693."""
    assert list(positions_by_ply(ConnectFour(), 6)) == [1, 7, 49, 238, 1120, 4263, 16422]


def test_othello_lines_by_depth():
    """The perft of 8x8 Othello, as programs publish it."""
    game = Othello()
    assert [count_lines(game, game.initial_state(), depth) for depth in range(1, 6)] == [4, 12, 56, 244, 1396]


def best_margin(game, state, known):
    """The margin that both sides can reach, by looking at everything."""
    if state not in known:
        if game.is_terminal(state):
            known[state] = game.margin(state)
        else:
            reached = [best_margin(game, game.apply_move(state, action), known) for action in game.legal_moves(state)]
            known[state] = max(reached) if state.player == 1 else min(reached)
    return known[state]


def test_on_4x4_othello_the_second_player_wins_by_eight():
    """3 discs against 11, as has long been known; five squares count for nobody while they are empty."""
    game = Othello(4)
    assert best_margin(game, game.initial_state(), {}) == -8


def test_othello_may_end_with_empty_points_and_passes_only_when_it_must():
    game, rng = Othello(4), random.Random(1)
    passes = empty = 0
    for _ in range(50):
        state = game.initial_state()
        while not game.is_terminal(state):
            legal = game.legal_moves(state)
            passes += legal == [16]
            assert legal == [16] or 16 not in legal
            state = game.apply_move(state, rng.choice(legal))
        assert game.legal_moves(state) == []
        assert game.ownership(state).sum() == game.margin(state)
        empty += not game.ownership(state).all()
    assert passes > 0
    assert empty > 0


@pytest.mark.parametrize("size", [-2, 0, 2, 5, 18])
def test_othello_knows_even_sizes_only(size):
    with pytest.raises(BadGameError, match=f"even size from 4 to 16 for othello, got {size}"):
        Othello(size)
    assert [Othello(size).size for size in range(4, 17, 2)] == [4, 6, 8, 10, 12, 14, 16]


def test_othello_is_turned_only_as_its_first_four_discs_allow():
    game = Othello(6)
    start = game.encode(game.initial_state()).reshape(2, -1)
    turns = game.symmetries()
    assert len({tuple(turn.points) for turn in turns}) == len(turns) == 4
    assert all((start[:, turn.points] == start).all() for turn in turns)


def test_games_are_found_by_name():
    go = {"go", "go-komi9.5", "go5", "go5-littlego", "go9"}
    assert {"tictactoe", "connectfour", "othello", "othello6"} | go == set(GAME_CHOICES)
    assert tuple(GAMES) == GAME_CHOICES
    assert type(game_from_name("connectfour")) is ConnectFour


def test_an_unknown_game_is_refused_with_the_choices():
    with pytest.raises(UnknownGameError, match=r"expected one of tictactoe, .*go9 as game, got 'chess'"):
        game_from_name("chess")


def test_a_drawing_shows_a_state():
    game = TicTacToe()
    state = game.apply_move(game.apply_move(game.initial_state(), 4), 2)
    assert CompleteGame(game).text(state) == ". . O\n. X .\n. . ."


REFUSED = [
    (TicTacToe(), [4], 4, "occupied"),
    (TicTacToe(), [], 9, "out of range"),
    (TicTacToe(), [0, 3, 1, 4, 2], 5, "terminal"),
    (ConnectFour(), [3] * 6, 3, "full"),
    (Othello(), [], 0, "turn no other"),
    (Othello(), [], 27, "occupied"),
    (Othello(), [], 64, "passing"),
]


@pytest.mark.parametrize(("game", "played", "action", "reason"), REFUSED)
def test_a_refusal_says_why(game, played, action, reason):
    state = game.initial_state()
    for earlier in played:
        state = game.apply_move(state, earlier)
    with pytest.raises(ValueError, match=reason):
        game.apply_move(state, action)
