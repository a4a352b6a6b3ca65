"""Random games: every legal move is as likely as any other, seeds decide everything, threads and compilers nothing."""

import json
import random
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from goban.kernels.playouts.array_rules import ENDINGS
from goban.kernels.playouts.random_games import Policy, play_games
from goban.moves import PASS, RESIGN
from goban.rulesets import Ending, ruleset
from goban.states import new_game, state_from_rows
from tests.support.chances import chi_square
from tests.support.missing import needs, no_package
from tests.support.positions_file import load_all_cases
from tests.support.scripts import run_script
from tests.support.states import WITHOUT_SUICIDE

ROOT = Path(__file__).parents[4]

# Black may play on the two lower rows only: everywhere else is an eye of White's.
EYES = """
O . O . O . O
. O . O . O .
O . O . O . O
. O . O . O .
O O O O O O O
. . . . . . .
. . . . X . .
"""
ENGINES = [("littlego", False), ("course", False), ("course", True), ("alphago7", True), ("aga", True)]


def position(drawing, preset, to_move=1):
    rows = [[".XO".index(stone) for stone in line.split()] for line in drawing.split("\n") if line]
    return state_from_rows(ruleset(preset), rows, to_move)


def moves_of(state, policy):
    """What a policy draws from, as play_games numbers it."""
    size, grid = state.grid.size, state.grid
    points = grid.points_of(state.placements())
    if policy is Policy.NO_OWN_EYES:
        open_points = [p for p in points if not grid.is_eye(grid.bit[p], state.colours()[0])]
        points = open_points or ([] if state.rules.passing else points)
    moves = [size * i + j for i, j in points]
    if state.rules.passing and (policy is Policy.ALL_MOVES or not moves):
        moves.append(size * size)
    return moves


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize(("preset", "arrays"), ENGINES)
def test_every_legal_move_is_as_likely_as_any_other(preset, arrays, policy):
    state = position(EYES, preset)
    games = play_games(state, 60_000, seed=1, policy=policy, most=1, arrays=arrays)
    moves = moves_of(state, policy)
    assert len(moves) in (13, 14)
    statistic, bound = chi_square(Counter(games.first_moves.tolist()), dict.fromkeys(moves, 1 / len(moves)))
    assert statistic < bound


def test_going_on_from_a_random_point_to_the_next_legal_one_would_be_found_out():
    """The classic mistake: points after a run of illegal ones come up too often."""
    state = position(EYES, "course")
    legal, rng = moves_of(state, Policy.PLACEMENTS), random.Random(1)
    empty = [7 * i + j for i, j in state.grid.points_of(state.empty)]
    drawn: Counter = Counter()
    for _ in range(60_000):
        k = rng.randrange(len(empty))
        while empty[k] not in legal:
            k = (k + 1) % len(empty)
        drawn[empty[k]] += 1
    statistic, bound = chi_square(drawn, dict.fromkeys(legal, 1 / len(legal)))
    assert statistic > 100 * bound


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("preset", WITHOUT_SUICIDE)
def test_only_what_the_policy_allows_is_drawn_and_all_of_it(preset, policy):
    rng = random.Random(f"{preset} {policy}")
    for _ in range(25):
        state = new_game(ruleset(preset), rng.randint(2, 5))
        for _ in range(rng.randint(0, 2 * state.grid.size**2)):
            moves = [move for move in state.legal_moves() if move is not RESIGN]
            if moves:
                state = state.play(rng.choice(moves))
        expected = [-1] if state.is_over else moves_of(state, policy)
        for arrays in (False, True):
            drawn = play_games(state, 1200, seed=5, policy=policy, most=1, arrays=arrays).first_moves
            assert sorted(set(drawn.tolist())) == sorted(expected)


def test_in_drawn_positions_only_legal_moves_are_drawn_and_all_of_them():
    """Ko in all its forms, on both kinds of board."""
    banned = 0
    for case in (case for case in load_all_cases() if case.rules in WITHOUT_SUICIDE):
        state = state_from_rows(ruleset(case.rules), case.board, case.to_move)
        for move in case.moves:
            state = state.play(move)
        banned += case.why_illegal == "repetition"
        expected = [-1] if state.is_over else moves_of(state, Policy.PLACEMENTS)
        for arrays in (False, True):
            drawn = play_games(state, 40 * len(expected), seed=6, most=1, arrays=arrays).first_moves
            assert sorted(set(drawn.tolist())) == sorted(expected), case
    assert banned >= 10


def odds(state, policy, most, moves=0, chance=1.0, found=None):
    """The exact odds of every (moves, ending, Black's points, White's, winner), by walking the tree with goban."""
    found = defaultdict(float) if found is None else found
    if state.is_over or moves == most:
        winner = state.outcome.winner if state.is_over else state.leader()
        found[moves, ENDINGS.index(state.ending), *state.points(), winner] += chance
        return found
    drawn = moves_of(state, policy)
    size = state.grid.size
    for move in drawn:
        after = state.play(PASS if move == size * size else divmod(move, size))
        odds(after, policy, most, moves + 1, chance / len(drawn), found)
    return found


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("preset", WITHOUT_SUICIDE)
def test_games_end_as_often_as_the_tree_of_moves_says(preset, policy):
    state = new_game(ruleset(preset), 2)
    most = 5 if policy is Policy.ALL_MOVES else 8
    expected = odds(state, policy, most)
    assert sum(expected.values()) == pytest.approx(1)
    for arrays in (False, True):
        games = play_games(state, 40_000, seed=3, policy=policy, most=most, arrays=arrays)
        ends = zip(games.moves.tolist(), games.endings.tolist(), *games.points.T.tolist(), games.winners.tolist(), strict=True)
        statistic, bound = chi_square(Counter(ends), expected)
        assert statistic < bound


@pytest.mark.parametrize(("preset", "winner"), [("tromp-taylor-pgx", {1, 2}), ("tromp-taylor-openspiel", {0})])
def test_a_repeated_board_ends_the_game_as_the_rules_say(preset, winner):
    games = play_games(new_game(ruleset(preset), 3), 20_000, seed=4)
    repeated = games.endings == ENDINGS.index(Ending.REPETITION)
    assert repeated.any()
    assert set(games.winners[repeated].tolist()) == winner


@pytest.mark.parametrize(("preset", "arrays"), ENGINES)
def test_the_same_seed_gives_the_same_games_on_any_number_of_threads(preset, arrays):
    state = new_game(ruleset(preset), 7)
    one, two, three = (play_games(state, 500, seed=11, threads=n, arrays=arrays) for n in (1, 2, 3))
    fewer = play_games(state, 120, seed=11, threads=2, arrays=arrays)
    other = play_games(state, 500, seed=12, arrays=arrays)
    for name in ("moves", "first_moves", "endings", "points", "winners"):
        assert (getattr(one, name) == getattr(two, name)).all()
        assert (getattr(one, name) == getattr(three, name)).all()
        assert (getattr(one, name)[:120] == getattr(fewer, name)).all()
    assert (one.first_moves != other.first_moves).any()


def test_no_games_and_more_threads_than_games_are_fine():
    state = new_game(ruleset("course"))
    assert len(play_games(state, 0, seed=1, threads=4).moves) == 0
    assert len(play_games(state, 2, seed=1, threads=4).moves) == 2


def test_what_cannot_be_played_out_is_refused():
    with pytest.raises(ValueError, match="nobody has resigned"):
        play_games(new_game(ruleset("aga"), 5).play(RESIGN), 1, seed=1)
    with pytest.raises(ValueError, match="at most 32767 moves a game, got 40000"):
        play_games(new_game(ruleset("aga"), 5), 1, seed=1, most=40_000)


def test_bitboards_and_arrays_give_the_same_odds():
    """From one position: how often Black wins, over 40,000 games each, differs by less than five standard errors."""
    for preset in ("course", "littlego"):
        state = new_game(ruleset(preset), 5)
        for policy in Policy:
            wins = [(play_games(state, 40_000, 2, policy, arrays=arrays).winners == 1).mean() for arrays in (False, True)]
            assert abs(wins[0] - wins[1]) < 5 * (2 * 0.25 / 40_000) ** 0.5


def test_a_player_with_nothing_but_eyes_passes_or_fills_one():
    drawing = "X . X\nX X X\nX . X"
    for preset, first in (("littlego", [9]), ("alphago7", [9]), ("course", [1, 7])):
        state = position(drawing, preset)
        for arrays in (False, True):
            games = play_games(state, 100, seed=1, policy=Policy.NO_OWN_EYES, most=1, arrays=arrays)
            assert sorted(set(games.first_moves.tolist())) == first


SCRIPT = """
import sys
if sys.argv[1] == "missing":
    sys.modules["numba"] = None
import json
from goban.rulesets import ruleset
from goban.states import new_game
from goban.kernels.numba_tools import bits
from goban.kernels.playouts.random_games import Policy, play_games
from tests.support.positions_file import load_all_cases
results = []
for preset, size, arrays in [("course", 5, False), ("littlego", 3, False), ("tromp-taylor-strict", 4, True), ("aga", 5, True)]:
    for policy in Policy:
        games = play_games(new_game(ruleset(preset), size), 3, seed=9, policy=policy, arrays=arrays)
        results.append([x.tolist() for x in (games.moves, games.first_moves, games.endings, games.points, games.winners)])
print(json.dumps([hasattr(bits.count, "signatures"), results]))
"""


@pytest.mark.slow
def test_uncompiled_kernels_play_the_same_games():
    compiled = json.loads(run_script(SCRIPT, "there"))
    missing = json.loads(run_script(SCRIPT, "missing"))
    switched_off = json.loads(run_script(SCRIPT, "there", NUMBA_DISABLE_JIT="1"))
    assert not missing[0]
    assert not switched_off[0]
    assert compiled[1] == missing[1] == switched_off[1]


LAZY = """
import importlib, pkgutil
import goban.kernels
compiled, seen = [], 0
for info in pkgutil.walk_packages(goban.kernels.__path__, "goban.kernels."):
    module = importlib.import_module(info.name)
    for name, value in vars(module).items():
        kernel = getattr(value, "kernel", value)
        seen += hasattr(kernel, "signatures")
        compiled += [name] if getattr(kernel, "signatures", []) else []
print(seen > 50, compiled)
"""


@needs(no_package("numba"))
def test_importing_kernels_compiles_nothing():
    assert run_script(LAZY).strip() == "True []"


TOLD = """
from goban.kernels.playouts.arrays import empty_board
from goban.kernels.playouts.array_games import count_points
from goban.kernels.numba_tools.compile import compilation_told
with compilation_told(lambda: print("compiling")):
    count_points(empty_board(5))
    count_points(empty_board(5))
print(len(count_points.kernel.signatures))
"""


@pytest.mark.slow
@needs(no_package("numba"))
def test_compiling_is_told_once_and_only_the_first_time(tmp_path):
    assert run_script(TOLD, NUMBA_CACHE_DIR=str(tmp_path)).split() == ["compiling", "1"]
    assert run_script(TOLD, NUMBA_CACHE_DIR=str(tmp_path)).split() == ["1"]


def test_points_in_the_record_are_those_on_the_board():
    games = play_games(new_game(ruleset("course")), 200, seed=1)
    assert games.points.shape == (200, 2)
    assert (games.points.sum(axis=1) <= 25).all()
    margins = games.points[:, 0] - games.points[:, 1] - 2.5
    assert (games.winners == np.where(margins > 0, 1, 2)).all()
    assert (games.moves[games.endings == ENDINGS.index(Ending.MOVE_LIMIT)] == 24).all()
