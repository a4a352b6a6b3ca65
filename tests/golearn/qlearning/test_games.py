"""Training games: what they record, the targets, and what learning from them does."""

import numpy as np
import pytest

import my_player
from go import GO
from goban.grids import grid_of
from goban.kernels.bitboards import random_states
from goban.kernels.reference_players import RANDOM, SMART
from golearn.qlearning.games import LEARNER, PAST, best_placement, empty_record, learn, outcome, play_games
from golearn.qlearning.patterns import ENTRIES, LAST_STAGE, STAGES, Tables, geometry, no_states, scratch
from my_player import TRACE, QTable, choices, targets
from my_player_table import weights_of

GEO = geometry()
GAMES = 20


def fresh_tables(seed=None, bits=0):
    weights = np.zeros((STAGES, ENTRIES), np.float32)
    if seed is not None:
        weights[:] = np.random.default_rng(seed).normal(0, 0.1, weights.shape)
    return Tables(weights, no_states(bits))


def play(players, tables, exploration=0.0, trace=0.0):
    record = empty_record(GAMES)
    pairs = np.array([players] * GAMES, dtype=np.int32)
    number = play_games(pairs, tables, tables, exploration, trace, GEO, random_states(1, 0, GAMES), scratch(), record)
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
            _, worth = best_placement(record.other[k], record.own[k], ko, last, int(record.stage[k]), tables, GEO, scratch())
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
    errors = [learn(record, number, tables, 0.05, 0, False, GEO, scratch())[0] for _ in range(5)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < errors[0] / 2
    assert not tables.states.keys.any()


def test_known_states_are_early_ones_and_take_over_from_the_patterns():
    tables = fresh_tables(bits=12)
    record, number = play((LEARNER, RANDOM), tables, exploration=0.2)
    error, known = learn(record, number, tables, 0.0, 0, True, GEO, scratch())
    keys = tables.states.keys[tables.states.keys > 0]
    assert error > 0
    assert known == len(keys) == np.count_nonzero(tables.states.visits)
    assert 0 < max(keys // np.uint64(3**25)) <= LAST_STAGE


def test_a_full_table_of_states_takes_in_no_more():
    tables = fresh_tables(bits=4)
    record, number = play((LEARNER, RANDOM), tables, exploration=0.2)
    _, known = learn(record, number, tables, 0.0, 0, True, GEO, scratch())
    assert known == 12


# The same rule as in `my_player.py`


@pytest.fixture
def pieces_only(monkeypatch):
    """The trainer has the 17 pieces alone."""
    monkeypatch.setattr(my_player, "PIECES", my_player.PIECES[:-1])


def readable(tables):
    """The weights of tables as `my_player.QTable` has them."""
    table = QTable(weights_of(None))
    sizes = [3**10, 3**10, 3**9, 3**9, 3**9]
    whole = tables.weights[:, GEO.shared]
    for stage in range(1, STAGES):
        for kind, start in enumerate(np.cumsum([0, *sizes[:-1]])):
            for number in np.flatnonzero(whole[stage, start : start + sizes[kind]]):
                digits = np.base_repr(number, 3).zfill(10 if kind < 2 else 9)
                table.weights[stage][kind][tuple(map(int, digits))] = float(whole[stage, start + number])
    return table


def board_of(record, k):
    return [(int(record.own[k]) >> point & 1) + 2 * (int(record.other[k]) >> point & 1) for point in range(25)]


@pytest.mark.usefixtures("pieces_only")
def test_my_player_learns_the_same_weights_from_the_same_boards():
    tables, table = fresh_tables(), QTable(weights_of(None))
    record, number = play((LEARNER, SMART), tables, exploration=0.3, trace=TRACE)
    learn(record, number, tables, 0.1, 0, False, GEO, scratch())
    for k in range(number):
        if record.stage[k] < STAGES:
            table.learn(board_of(record, k), int(record.stage[k]), float(record.target[k]), 0.1)
    learned = readable(tables)
    assert sum(len(looks) for kinds in table.weights for looks in kinds) > 10_000
    for mine, its in zip(table.weights, learned.weights, strict=True):
        for looks, others in zip(mine, its, strict=True):
            for look in looks.keys() | others.keys():
                assert looks[look] == pytest.approx(others[look], abs=1e-6)


@pytest.mark.usefixtures("pieces_only")
def test_my_player_has_the_same_targets_for_the_same_games():
    tables = fresh_tables()
    record, number = play((LEARNER, SMART), tables, exploration=0.3)
    learn(record, number, tables, 0.1, 0, False, GEO, scratch())
    table = readable(tables)
    record, number = play((SMART, LEARNER), tables, exploration=0.3, trace=TRACE)
    for first, end in games_of(record, number)[:5]:
        state, played = GO(5).position(1), []
        for k in range(first, end):
            found = choices(state, table)
            chosen = next(choice for choice in found if choice.board == board_of(record, k))
            played.append((chosen, max(found, key=lambda choice: choice.value)))
            state = chosen.after
        won = state.leader() != state.to_move
        assert targets(played, won) == pytest.approx(list(record.target[first:end]), abs=1e-5)
