"""Training games: what they record, the targets, and what learning from them does."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import my_player
from goban.grids import grid_of
from goban.kernels.bitboards import random_states
from goban.kernels.reference_players import RANDOM, SMART
from golearn.qlearning.checkpoints import table_bytes
from golearn.qlearning.games import LEARNER, PAST, best_placement, empty_record, learn, outcome, play_games
from golearn.qlearning.patterns import (
    CENTRE,
    CORNER,
    EDGE,
    ENTRIES,
    INNER,
    LAST_STAGE,
    PATTERNS,
    STAGES,
    Tables,
    find_entries,
    find_lines,
    geometry,
    no_states,
    scratch,
)
from golearn.qlearning.training import OPPONENTS, RIVAL, Plan, Training
from my_player import TRACE, QTable
from my_player_table import _number as number_of
from my_player_table import weights_of, write_weights
from players.registry import make_player

GEO = geometry()
GAMES, SEED = 20, 3


def fresh_tables(seed=None, bits=0):
    weights = np.zeros((STAGES, ENTRIES), np.float32)
    if seed is not None:
        weights[:] = np.random.default_rng(seed).normal(0, 0.1, weights.shape)
    return Tables(weights, no_states(bits))


def play(players, tables, exploration=0.0, trace=0.0):
    record = empty_record(GAMES, tables.weights)
    pairs = np.array([players] * GAMES, dtype=np.int32)
    states, space = random_states(1, 0, GAMES), scratch(tables.weights)
    number = play_games(pairs, tables, tables, exploration, trace, GEO, states, space, record)
    return record, number


def games_of(record, number):
    """Split a record into (first, end) of its games."""
    starts = [k for k in range(number) if record.stage[k] == 1]
    return list(zip(starts, [*starts[1:], number], strict=True))


def ko_of_step(record, k):
    """Return (ko, last) for the player who answers afterstate k."""
    if record.stage[k] == 1:
        return np.uint64(0), record.own[k]
    # What is `own` now was `other` one afterstate earlier.
    last = record.own[k] & ~record.other[k - 1]
    taken = record.own[k - 1] & ~record.other[k]
    return (taken if int(taken).bit_count() == 1 else np.uint64(0)), last


@pytest.mark.parametrize("players", [(LEARNER, RANDOM), (SMART, LEARNER), (LEARNER, LEARNER), (LEARNER, PAST)])
def test_recorded_boards_follow_each_other_by_one_placement(players):
    record, number = play(players, fresh_tables(1), exploration=0.5)
    grid = grid_of(5)
    for first, end in games_of(record, number):
        for k in range(first + 1, end):
            assert record.stage[k] == record.stage[k - 1] + 1
            placed = int(record.own[k] & ~record.other[k - 1])
            assert placed.bit_count() == 1
            assert not record.own[k] & record.other[k]
    assert number <= GAMES * (grid.size**2 - 1)


@pytest.mark.parametrize("players", [(LEARNER, SMART), (RANDOM, LEARNER), (LEARNER, LEARNER)])
def test_target_without_traces_is_the_best_answer_turned_round(players):
    tables = fresh_tables(2)
    record, number = play(players, tables, exploration=0.3)
    for first, end in games_of(record, number):
        for k in range(first, end - 1):
            ko, last = ko_of_step(record, k)
            space, stage = scratch(tables.weights), int(record.stage[k])
            _, worth = best_placement(record.other[k], record.own[k], ko, last, stage, tables, GEO, space)
            assert record.target[k] == pytest.approx(-worth, abs=1e-6)
        assert record.target[end - 1] == outcome(record.own[end - 1], record.other[end - 1], int(record.stage[end - 1]))


def test_target_with_full_traces_of_greedy_play_is_the_outcome():
    record, number = play((LEARNER, LEARNER), fresh_tables(3), exploration=0.0, trace=1.0)
    for first, end in games_of(record, number):
        last = record.target[end - 1]
        assert [record.target[k] for k in range(first, end)] == [last * (-1) ** (end - 1 - k) for k in range(first, end)]


@pytest.mark.parametrize(("own", "other", "stage", "expected"), [
    (13, 11, 23, -1), (14, 11, 23, 1), (11, 13, 24, 1), (11, 14, 24, -1),
])  # fmt: skip
def test_white_wins_unless_black_has_three_stones_more(own, other, stage, expected):
    points = (1 << own) - 1
    assert outcome(np.uint64(points), np.uint64((1 << other) - 1 << own), stage) == expected


def test_learning_moves_values_towards_their_targets():
    tables = fresh_tables()
    record, number = play((LEARNER, RANDOM), tables, exploration=0.2)
    errors = [learn(record, number, tables, 0.05, 0, False, GEO, scratch(tables.weights))[0] for _ in range(5)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < errors[0] / 2
    assert not tables.states.keys.any()


def test_known_states_are_early_ones_and_take_over_from_the_patterns():
    tables = fresh_tables(bits=12)
    record, number = play((LEARNER, RANDOM), tables, exploration=0.2)
    error, known = learn(record, number, tables, 0.0, 0, True, GEO, scratch(tables.weights))
    keys = tables.states.keys[tables.states.keys > 0]
    assert error > 0
    assert known == len(keys) == np.count_nonzero(tables.states.visits)
    assert 0 < max(keys // np.uint64(3**25)) <= LAST_STAGE


def test_a_full_table_of_states_takes_in_no_more():
    tables = fresh_tables(bits=4)
    record, number = play((LEARNER, RANDOM), tables, exploration=0.2)
    _, known = learn(record, number, tables, 0.0, 0, True, GEO, scratch(tables.weights))
    assert known == 12


# The same rule as in `my_player.py`


class SameChance(random.Random):
    """Draws what the trainer draws in a game."""

    def begin(self, number):
        self.word = int(random_states(SEED, number, 1)[0, 0])

    def below(self, bound):
        self.word ^= self.word << 13 & 2**64 - 1
        self.word ^= self.word >> 7
        self.word ^= self.word << 17 & 2**64 - 1
        return (self.word >> 32) * bound >> 32

    def random(self):
        return self.below(1 << 30) / (1 << 30)

    def choice(self, those):
        return those[self.below(len(those))]


def points_of_entries(weights):
    """For each of the trainer's 17 entries the points that it is looked up by."""
    space = scratch(weights)

    def entries(stones):
        find_lines(np.uint64(stones), np.uint64(0), GEO, space.lines)
        find_entries(space.lines, GEO, space.entries)
        return space.entries[:PATTERNS].tolist()

    changed = [[one != nothing for one, nothing in zip(entries(1 << k), entries(0), strict=True)] for k in range(25)]
    return [frozenset(k for k in range(25) if changed[k][n]) for n in range(PATTERNS)]


@pytest.mark.parametrize("games", [24, pytest.param(400, marks=pytest.mark.slow)])
def test_it_learns_the_table_that_my_player_learns_bit_for_bit(games, monkeypatch, tmp_path):
    opponents = dict.fromkeys(("self", "greedy", "aggressive", "smart"), 1.0)
    plan = Plan(RIVAL, games, SEED, opponents, (0.06, 0.006), (0.15, 0.02), TRACE, 1.0)
    training = Training(plan)
    names = {number: name for name, number in OPPONENTS.items()}
    rivals = [names[pair[0]] for pair in training._pairings(games)[::2].tolist()]
    assert set(rivals) == set(plan.opponents)
    with ThreadPoolExecutor(1) as workers:
        while training.played < games:
            training.step(workers)
    (tmp_path / "trained.bin").write_bytes(table_bytes(training.weights, *training.known_states(), GEO))
    # Floats that are added up in another order may differ in the last bit, and a draw between two moves be broken by it.
    pieces = {frozenset(readings[0](range(25))): (kind, readings) for kind, readings in my_player.PIECES[:-1]}
    in_order = [pieces[points] for points in points_of_entries(training.weights)]
    monkeypatch.setattr(my_player, "PIECES", [*in_order, my_player.PIECES[-1]])
    table, chance = QTable(weights_of(None)), SameChance()
    chance.begin(0)
    players = [None if name == "self" else make_player(name, chance) for name in rivals]
    for played in my_player.learn(table, games, players, chance):
        chance.begin(played)
    write_weights(table.weights, tmp_path / "mine.bin")
    learned, trained = np.zeros_like(training.weights), training.weights
    trained[:, :ENTRIES] = trained[:, GEO.shared]
    for stage, kinds in enumerate(table.weights):
        for first, looks in zip((0, INNER, CORNER, EDGE, CENTRE, ENTRIES), kinds, strict=True):
            for look, weight in looks.items():
                learned[stage, first + number_of(look)] = weight
    assert np.count_nonzero(trained) > 5000
    assert np.array_equal(learned, trained)
    assert (tmp_path / "mine.bin").read_bytes() == (tmp_path / "trained.bin").read_bytes()
