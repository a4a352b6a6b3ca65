"""A game that a controller leads: alternating moves make `goban`'s game, and all else goes on from the board there is."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.diagrams import parse_diagram
from goban.errors import GtpError
from goban.grids import BLACK, WHITE
from goban.moves import PASS
from goban.open_games import OpenGame
from goban.rulesets import PRESETS, Ending, opponent, ruleset
from goban.states import new_game
from tests.support.oracle import SUICIDE, played
from tests.support.states import games, play_some, random_move

seeds = st.integers(0, 10**9)
sizes = st.integers(2, 7)
presets = st.sampled_from(list(PRESETS))

KO = """
. X O .
X . X O
. X O .
. . . .
"""


def ko_game(preset="aga"):
    """White has just taken the stone on C3 by B3; Black may not take back."""
    game = OpenGame(ruleset(preset), 4)
    game.set_start(parse_diagram(KO), WHITE)
    game.play(WHITE, (1, 1))
    return game


@given(presets, sizes, seeds)
def test_moves_in_turn_with_undos_between_are_the_same_as_in_goban(preset, size, seed):
    rng = random.Random(seed)
    game, states = OpenGame(ruleset(preset), size), [new_game(ruleset(preset), size)]
    for _ in range(60):
        state = states[-1]
        if state.is_over or (rng.random() < 0.3 and len(states) > 1):
            states.pop()
            game.undo()
        else:
            move = random_move(state, rng, 0.1)
            states.append(state.play(move))
            game.play(state.to_move, move)
        assert game.state == states[-1]
        assert game.state.outcome == states[-1].outcome
        assert game.position(game.state.to_move).legal_moves() == states[-1].legal_moves() or game.state.is_over


@given(presets, sizes, seeds)
def test_either_colour_at_any_time_on_after_the_end_and_back(preset, size, seed):
    """The boards are those of a second opinion that knows nothing but captures."""
    rng = random.Random(seed)
    game = OpenGame(ruleset(preset), size)
    boards = [tuple((0,) * size for _ in range(size))]
    for _ in range(60):
        colour, point = rng.choice((BLACK, WHITE)), (rng.randrange(size), rng.randrange(size))
        if rng.random() < 0.2 and len(boards) > 1:
            boards.pop()
            game.undo()
        elif game.why_illegal(colour, point) is None:
            boards.append(played(boards[-1], point, colour)[0])
            game.play(colour, point)
        elif rng.random() < 0.3 and game.why_illegal(colour, PASS) is None:
            boards.append(boards[-1])
            game.play(colour, PASS)
        assert tuple(map(tuple, game.state.rows())) == boards[-1]
        assert game.state.n_move == len(boards) - 1
    while len(boards) > 1:
        boards.pop()
        game.undo()
        assert tuple(map(tuple, game.state.rows())) == boards[-1]
    assert game.state == new_game(ruleset(preset), size)


@given(presets, sizes, seeds)
def test_what_is_refused_is_occupied_or_suicide_or_repeats(preset, size, seed):
    rng = random.Random(seed)
    game, seen = OpenGame(ruleset(preset), size), set()
    for _ in range(40):
        colour, point = rng.choice((BLACK, WHITE)), (rng.randrange(size), rng.randrange(size))
        board = tuple(map(tuple, game.state.rows()))
        seen.add(board)
        breach = game.why_illegal(colour, point)
        if board[point[0]][point[1]]:
            assert breach is not None
            continue
        after, _ = played(board, point, colour)
        suicide = not after[point[0]][point[1]] and preset != SUICIDE
        if breach is None:
            assert not suicide
            game.play(colour, point)
        else:
            assert suicide or after in seen


@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_can_be_undone_at_the_start(preset):
    game = OpenGame(ruleset(preset), 5)
    game.play(BLACK, (2, 2))
    game.undo()
    for _ in range(2):
        with pytest.raises(GtpError, match=r"^cannot undo$"):
            game.undo()
    assert game.state == new_game(ruleset(preset), 5)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_ko_holds_for_the_colour_whose_stone_was_taken(preset):
    game = ko_game(preset)
    with pytest.raises(GtpError, match=r"^illegal move: (ko|positional superko|situational superko), the board would be again"):
        game.play(BLACK, (1, 2))
    assert game.why_illegal(WHITE, (1, 2)) is None


@pytest.mark.parametrize("preset", ["course", "littlego", "alphago7", "tromp-taylor-pgx"])
def test_a_ko_lasts_one_play_of_whichever_colour(preset):
    game = ko_game(preset)
    game.play(WHITE, (3, 3))
    assert game.why_illegal(BLACK, (1, 2)) is None


def test_a_refused_move_changes_nothing():
    game = OpenGame(ruleset("aga"), 5)
    game.play(BLACK, (2, 2))
    before = game.state
    for colour in (BLACK, WHITE):
        with pytest.raises(GtpError, match=r"^illegal move: the point is occupied$"):
            game.play(colour, (2, 2))
    assert game.state is before


@pytest.mark.parametrize("preset", [name for name, rules in PRESETS.items() if rules.passing])
def test_the_game_goes_on_after_two_passes(preset):
    game = OpenGame(ruleset(preset), 5)
    game.play(BLACK, (2, 2))
    game.play(WHITE, PASS)
    game.play(BLACK, PASS)
    assert game.state.ending is Ending.TWO_PASSES
    assert not game.position(WHITE).is_over
    game.play(WHITE, (1, 1))
    assert not game.state.is_over
    assert [game.state.stone_at(point) for point in ((2, 2), (1, 1))] == [BLACK, WHITE]


def test_where_nobody_may_pass_they_may_once_the_game_is_over():
    game = OpenGame(ruleset("course"), 2)
    with pytest.raises(GtpError, match=r"^illegal move: these rules know no passing$"):
        game.play(BLACK, PASS)
    for colour, point in ((BLACK, (0, 0)), (WHITE, (1, 1)), (BLACK, (0, 1))):
        game.play(colour, point)
    assert game.state.ending is Ending.MOVE_LIMIT
    game.play(WHITE, PASS)
    game.play(WHITE, (1, 0))
    assert game.position(BLACK).is_over


@given(games, st.floats(-400, 400))
def test_komi_may_be_set_at_any_time(game_of, komi):
    states = play_some(*game_of)
    game = OpenGame(ruleset(game_of[0]), game_of[1])
    for before, after in pairwise(states):
        move = PASS if after.passed else after.last_point
        game.play(before.to_move, move)
    game.set_komi(komi)
    assert game.komi == game.state.rules.komi(game.size) == komi
    assert (game.state.rows(), game.state.n_move, game.state.to_move) == (
        states[-1].rows(),
        states[-1].n_move,
        states[-1].to_move,
    )
    for state in reversed(states[:-1]):
        game.undo()
        assert game.state.rows() == state.rows()


def test_komi_stays_when_the_board_is_cleared():
    game = OpenGame(ruleset("aga"), 9)
    game.set_komi(0.5)
    game.clear(13)
    assert (game.komi, game.size) == (0.5, 13)


def test_after_a_handicap_white_moves_and_nothing_can_be_undone():
    game = OpenGame(ruleset("aga"), 9)
    game.set_handicap([(2, 2), (6, 6)])
    assert (game.state.to_move, game.state.n_move) == (WHITE, 0)
    with pytest.raises(GtpError, match="cannot undo"):
        game.undo()
    assert opponent(game.state.stone_at((2, 2))) == WHITE
