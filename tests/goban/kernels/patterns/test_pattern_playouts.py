"""Playouts by patterns: what is drawn how often, how they end and score, and that seeds decide everything, threads nothing."""

import json
from collections import Counter

import numpy as np
import pytest

from goban.kernels.patterns.neighbourhoods import CLASSES, COMBINATIONS, class_of_code
from goban.kernels.patterns.pattern_games import PatternGame, play_patterns
from goban.kernels.patterns.playouts import MOST_MOVES, MOST_TURNS
from goban.kernels.patterns.tables import make_tables
from goban.kernels.playouts.random_games import Policy, play_games
from goban.montecarlo.pattern_sets import set_named
from goban.rulesets import ruleset
from goban.states import new_game, state_from_rows
from tests.support.chances import chi_square
from tests.support.scripts import run_script
from tests.support.weight_cases import weight_cases

RULES = ruleset("alphago7")

# Of playouts of GNU Go 3.8 from the empty board: their number, mean and standard deviation of turns and of White's score less
# Black's, and the share in which Black is ahead.
MEASURED = {
    ("uniform", 9): (20_000, 112.13, 15.98, -2.48, 38.97, 0.5293),
    ("montegnu_classic", 9): (20_000, 104.67, 12.89, -2.44, 36.68, 0.5315),
    ("mogo_classic", 9): (20_000, 111.85, 14.80, -3.16, 44.69, 0.5309),
    ("uniform", 5): (40_000, 43.41, 6.58, -1.56, 23.55, 0.5345),
    ("montegnu_classic", 5): (40_000, 39.94, 6.04, -1.92, 22.63, 0.5417),
    ("mogo_classic", 5): (40_000, 41.79, 5.54, -2.83, 23.61, 0.5589),
}
GAMES = {9: 8_000, 5: 20_000}


def tables_of(name, size, flat=None):
    made = make_tables(size, set_named(name).values)
    return made if flat is None else made._replace(flat=flat)


def even(value=1):
    return np.full((CLASSES, COMBINATIONS), value, dtype=np.uint32)


@pytest.mark.parametrize("flat", [None, 0])
@pytest.mark.parametrize(("name", "size"), MEASURED)
def test_playouts_are_those_of_gnu_go_on_the_average(name, size, flat):
    games, turns, turns_sd, score, score_sd, black = MEASURED[name, size]
    ours = play_patterns(new_game(RULES, size), tables_of(name, size, flat), GAMES[size], seed=size, last_move=False)
    scale = (1 / games + 1 / GAMES[size]) ** 0.5
    assert abs(ours.turns.mean() - turns) < 4 * turns_sd * scale
    assert abs(-ours.scores.mean() - score) < 4 * score_sd * scale
    assert abs((ours.scores > 0).mean() - black) < 4 * (black * (1 - black)) ** 0.5 * scale
    assert ours.turns.std() == pytest.approx(turns_sd, rel=0.06)


@pytest.mark.parametrize("case", weight_cases()[::7], ids=str)
def test_moves_are_drawn_in_proportion_to_their_weights(case):
    size, n = len(case.board), 4000
    state = state_from_rows(RULES, case.before or case.board, 3 - case.to_play)
    state = state.play(case.move) if case.move else state_from_rows(RULES, case.board, case.to_play)
    total = sum(case.weights.values())
    expected = {size * i + j: weight / total for (i, j), weight in case.weights.items() if weight} or {size * size: 1.0}
    drawn = play_patterns(state, tables_of(case.pattern_set, size), n, seed=3).first_moves
    statistic, bound = chi_square(Counter(drawn.tolist()), expected)
    assert statistic < bound


@pytest.mark.slow
def test_weights_that_sum_up_beyond_32_bits_are_drawn_in_proportion():
    values = np.random.default_rng(4).choice(np.array([1, 2**30, 2**31, 2**32 - 1], dtype=np.uint32), (CLASSES, COMBINATIONS))
    tables, state = make_tables(5, values), new_game(RULES, 5)
    for move in ((2, 2), (2, 3), (1, 3), (3, 3)):
        state = state.play(move)
    game = PatternGame(state, tables)
    weights = {5 * i + j: game.weight((i, j)) for i in range(5) for j in range(5) if game.weight((i, j))}
    assert sum(weights.values()) > 2**32
    drawn = play_patterns(state, tables, 20_000, seed=1).first_moves
    total = sum(weights.values())
    statistic, bound = chi_square(Counter(drawn.tolist()), {key: weight / total for key, weight in weights.items()})
    assert statistic < bound


def test_near_points_that_are_worth_much_less_than_far_ones_are_drawn_in_proportion():
    """On 3x3 all points are near after a move in the middle, and drawing until one is drawn as near would take for ever."""
    values = even(2**32 - 1)
    values[:, 1::2] = 1 + np.arange(CLASSES)[:, None] % 5
    tables, state = make_tables(3, values), new_game(RULES, 3).play((1, 1))
    game = PatternGame(state, tables)
    weights = {k: game.weight((k // 3, k % 3)) for k in range(9) if k != 4}
    assert max(weights.values()) <= 5
    drawn = play_patterns(state, tables, 5000, seed=2).first_moves
    statistic, bound = chi_square(Counter(drawn.tolist()), {k: w / sum(weights.values()) for k, w in weights.items()})
    assert statistic < bound


def test_a_flat_table_has_the_same_playouts_on_the_average_as_if_it_were_none():
    values = np.repeat(np.random.default_rng(2).integers(1, 9, CLASSES, dtype=np.uint32)[:, None], COMBINATIONS, axis=1)
    values[set_named("uniform").values == 0] = 0
    tables, state = make_tables(5, values), new_game(RULES, 5).play((1, 2)).play((2, 2))
    assert tables.flat == 8
    one, other = (play_patterns(state, known, 20_000, seed=3) for known in (tables, tables._replace(flat=0)))
    for a, b in ((one.turns, other.turns), (one.scores, other.scores)):
        assert abs(a.mean() - b.mean()) < 4 * ((a.var() + b.var()) / 20_000) ** 0.5
    game = PatternGame(state, tables)
    weights = {k: game.weight((k // 5, k % 5)) for k in range(25) if game.weight((k // 5, k % 5))}
    for played in (one, other):
        expected = {k: weight / sum(weights.values()) for k, weight in weights.items()}
        statistic, bound = chi_square(Counter(played.first_moves.tolist()), expected)
        assert statistic < bound


@pytest.mark.parametrize("values", [even(), np.tile(np.arange(1, 257, dtype=np.uint32), (CLASSES, 1))])
def test_without_worthless_eyes_playouts_run_to_their_limit(values):
    turns = play_patterns(new_game(RULES, 4), make_tables(4, values), 50, seed=1).turns
    assert turns.max() == MOST_MOVES + 4 == MOST_TURNS


def test_three_passes_end_a_playout():
    tables = make_tables(9, even(0))
    played = play_patterns(new_game(RULES, 9), tables, 5, seed=1)
    assert played.turns.tolist() == [3] * 5
    assert played.first_moves.tolist() == [81] * 5
    assert played.scores.tolist() == [0] * 5


def test_an_end_has_no_playout():
    state = new_game(ruleset("tromp-taylor-strict"), 3).play(None).play(None)
    with pytest.raises(ValueError, match="expected a game that goes on"):
        play_patterns(state, make_tables(3, even()), 1, seed=1)


@pytest.mark.parametrize("name", ["uniform", "montegnu_classic"])
def test_a_seed_decides_everything_and_threads_nothing(name):
    state, tables = new_game(RULES, 9).play((4, 4)), tables_of(name, 9)
    one = play_patterns(state, tables, 60, seed=-5)
    for other in (play_patterns(state, tables, 60, seed=2**64 - 5, threads=3), play_patterns(state, tables, 17, seed=-5)):
        for field in ("turns", "first_moves", "scores"):
            k = len(other.turns)
            assert getattr(other, field).tolist() == getattr(one, field)[:k].tolist()
    assert play_patterns(state, tables, 60, seed=6).scores.tolist() != one.scores.tolist()


@pytest.mark.parametrize("preset", ["course", "littlego"])
@pytest.mark.parametrize("name", ["uniform", "montegnu_classic"])
def test_playouts_of_the_course_end_with_its_move_limit_and_count_stones(preset, name):
    state = new_game(ruleset(preset), 5)
    for moves in range(3):
        played = play_patterns(state, tables_of(name, 5), 500, seed=2)
        assert played.turns.max() == 24 - moves
        assert abs(played.scores).max() <= 24
        state = state.play((moves, 2))


def test_only_tables_that_see_nothing_but_closed_points_are_even():
    assert [make_tables(5, set_named(name).values).even for name in ("uniform", "mogo_classic")] == [1, 0]
    values, closed, open_ = even(3), 0x0055, 0x0015
    for code, is_even in ((closed, 1), (open_, 0)):
        values[class_of_code()[code]] = 2
        assert make_tables(5, values).even == is_even


@pytest.mark.slow
def test_who_may_not_pass_and_finds_all_moves_worthless_draws_any_legal_one():
    """Random games of the course, then, played by kernels that know no patterns."""
    state, games = new_game(ruleset("course"), 4), 20_000
    ours = play_patterns(state, make_tables(4, even(0)), games, seed=1)
    theirs = play_games(state, games, seed=1, policy=Policy.PLACEMENTS)
    points = theirs.points[:, 0] - theirs.points[:, 1]
    for one, other in ((ours.turns, theirs.moves), (ours.scores, points)):
        assert abs(one.mean() - other.mean()) < 4 * (2 * other.var() / games) ** 0.5
    statistic, bound = chi_square(Counter(ours.first_moves.tolist()), dict.fromkeys(range(16), 1 / 16))
    assert statistic < bound


@pytest.mark.parametrize("size", [5, 9])
def test_at_the_last_move_all_that_is_legal_is_drawn(size):
    """Also beyond the first 64 points, and nothing else: White may not fill the corners."""
    rows, last = [[0] * size for _ in range(size)], ruleset("course").max_move(size) - 1
    for i, j in ((0, 1), (1, 0), (size - 1, size - 2), (size - 2, size - 1)):
        rows[i][j] = 1
    state = state_from_rows(ruleset("course"), rows, 1 + last % 2, last)
    played = play_patterns(state, make_tables(size, even(0)), 4000, seed=1)
    legal = [size * i + j for i, j in state.grid.points_of(state.placements())]
    assert set(played.turns.tolist()) == {1}
    statistic, bound = chi_square(Counter(played.first_moves.tolist()), dict.fromkeys(legal, 1 / len(legal)))
    assert statistic < bound


SCRIPT = """
import json
from goban.rulesets import ruleset
from goban.states import new_game
from goban.kernels.patterns.pattern_games import play_patterns
from goban.kernels.patterns.tables import make_tables
from goban.montecarlo.pattern_sets import set_named
results = []
for preset, size, name in [("course", 5, "mogo_classic"), ("aga", 4, "uniform"), ("aga", 5, "montegnu_classic")]:
    played = play_patterns(new_game(ruleset(preset), size), make_tables(size, set_named(name).values), 2, seed=9)
    results.append([x.tolist() for x in (played.turns, played.first_moves, played.scores)])
print(json.dumps(results))
"""


@pytest.mark.slow
def test_uncompiled_kernels_play_the_same_playouts():
    assert json.loads(run_script(SCRIPT)) == json.loads(run_script(SCRIPT, NUMBA_DISABLE_JIT="1"))
