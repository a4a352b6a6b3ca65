"""Baselines: what each version plays, the players they stand for, chance of their own for every row, and who is refused."""

import hashlib

import numpy as np
import pytest

from goban.kernels.environments.opponents import FINDERS, new_work
from golearn.environments import GoBatch, SettingError, baseline
from golearn.environments.asked_opponents import PlayerOpponent, Positions
from golearn.environments.opponents import BASELINES
from tests.support.missing import needs, no_package
from tests.support.reference_choices import CHOICES
from tests.support.states import WITHOUT_SUICIDE


def drawn(mask, word):
    """A legal action for every game, the same on every machine."""
    numbers = mask.sum(axis=1) * (word % 1009) // 1009
    return (mask.cumsum(axis=1) > numbers[:, None]).argmax(axis=1)


def batches(size, rules, games=6, steps=40, seed=1):
    """A batch before every one of so many steps, games that are over being begun anew."""
    batch = GoBatch(size, games, rules=rules, seed=seed)
    for step in range(steps):
        yield batch
        batch.step(drawn(batch.legal_action_mask, (np.arange(games) + 1) * 7919 * (step + seed)))
        batch.reset(batch.terminated)


# What the versions play

PINNED = {
    (5, "course"): {
        "random-v1": "446d2ee397e641e5",
        "naive-v1": "446d2ee397e641e5",
        "greedy-v1": "eef53f1b184b9390",
        "aggressive-v1": "4e7aa20caf312edb",
        "smart-v1": "bc17e3424065b13d",
        "my-v1": "d39444ced4551159",
        "montecarlo-1000-v7": "e8e8ae018cd0e012",
        "perfect-v2": "704c6acda4adda59",
    },
    (9, "tromp-taylor-pgx"): {
        "random-v1": "3bcdacda86b7346b",
        "naive-v1": "3d261880eae93296",
        "greedy-v1": "d36abd833064c4c8",
        "aggressive-v1": "1237544f477067ab",
        "smart-v1": "7fb933b67b158be7",
        "montecarlo-1000-v7": "fbca321119dcdfde",
    },
}


def digest(name, size, rules):
    """What a baseline plays in fifteen batches of four positions, from the first moves of games to their last."""
    play, every = baseline(name, seed=1), 2 * size - 6
    moves = [play(batch).tolist() for step, batch in enumerate(batches(size, rules, 4, 15 * every)) if step % every == 0]
    return hashlib.sha256(repr(moves).encode()).hexdigest()[:16]


@needs(no_package("numba"))
@pytest.mark.parametrize(("size", "rules", "name"), [(*board, name) for board, pins in PINNED.items() for name in pins])
def test_a_version_plays_what_it_always_has(size, rules, name):
    """A digest that differs is a change of behaviour: give the baseline its next version, and rate it anew."""
    assert digest(name, size, rules) == PINNED[size, rules][name]


def test_every_baseline_is_pinned():
    assert {name for pins in PINNED.values() for name in pins} == set(BASELINES)


def candidates(name, batch):
    """What a player draws from in every game, as actions."""
    rows, counts = np.arange(len(batch)), np.zeros(len(batch), dtype=np.int64)
    found = np.zeros((len(batch), batch.settings.actions), dtype=np.int16)
    FINDERS[name](rows, batch.arrays.plain(), batch.table, new_work(), found, counts)
    return [row[:count].tolist() for row, count in zip(found, counts.tolist(), strict=True)]


def expected(choice, state):
    size = state.grid.size
    return [size * i + j for i, j in state.grid.points_of(choice(state))] or [size * size]


def check_choices(size, rules, games, steps, seed, every=1):
    """Hold the candidates of every reference player in every position against those of the players."""
    for step, batch in enumerate(batches(size, rules, games, steps, seed)):
        if step % every == every - 1:
            states = [batch.rows(game) for game in range(games)]
            for name, choice in CHOICES.items():
                for state, found in zip(states, candidates(name, batch), strict=True):
                    assert found == expected(choice, state), (name, state.rows())


@pytest.mark.parametrize("rules", WITHOUT_SUICIDE)
def test_they_choose_from_what_the_players_of_their_name_choose_from(rules):
    check_choices(2, rules, games=2, steps=20, seed=1)
    check_choices(3, rules, games=2, steps=40, seed=2)
    check_choices(5, rules, games=1, steps=40, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(4, 20))
@pytest.mark.parametrize("rules", WITHOUT_SUICIDE)
def test_they_choose_so_on_larger_boards(rules, size):
    points = size * size
    check_choices(size, rules, games=2, steps=2 * points, seed=size, every=1 if size < 8 else points // 4)


@pytest.mark.parametrize(("size", "rules"), [(9, "tromp-taylor-pgx"), (4, "tromp-taylor-strict"), (3, "aga"), (11, "course")])
@pytest.mark.parametrize("name", ["greedy", "aggressive", "smart"])
def test_above_8x8_and_under_superko_they_draw_as_the_player_object_does(name, size, rules):
    play, asked = baseline(name, seed=7), PlayerOpponent(name, seed=7)
    for step, batch in enumerate(batches(size, rules, games=3, steps=40)):
        if step % (size // 2) == 0:
            assert play(batch).tolist() == asked.choose(batch, np.arange(3)).tolist()


def test_in_a_full_board_they_pass():
    batch = GoBatch(2, 3, rules="littlego", max_terminal_steps=50)
    for actions in ([0, 4, 4], [1, 0, 4]):
        batch.step(actions)
    for name in CHOICES:
        places = [bool(batch.rows(game).placements()) for game in range(3)]
        assert (baseline(name).choose(batch, np.arange(3)) < 4).tolist() == places


@pytest.mark.parametrize("name", ["random", "naive", "greedy", "aggressive", "smart"])
def test_every_choice_has_the_same_chance(name):
    games = 6000
    batch = GoBatch(3, games, rules="littlego")
    for action in (4, 9, 1, 9):
        batch.step(np.full(games, action))
    choice = CHOICES.get(name, CHOICES["random"])(batch.rows(0))
    points = [3 * i + j for i, j in batch.rows(0).grid.points_of(choice)]
    found = np.bincount(baseline(name, seed=3)(batch), minlength=10)
    assert np.flatnonzero(found).tolist() == points
    assert abs(found[points] - games / len(points)).max() < 5 * np.sqrt(games / len(points))


@pytest.mark.parametrize("rules", ["course", "tromp-taylor-pgx"])
def test_naive_fills_an_eye_only_where_it_must(rules):
    play, eyes = baseline("naive"), 0
    for batch in batches(4, rules, steps=60):
        for game, action in enumerate(play(batch).tolist()):
            state = batch.rows(game)
            grid, own = state.grid, state.colours()[0]
            points = grid.points_of(state.placements())
            good = [point for point in points if not grid.is_eye(grid.bit[point], own)]
            eyes += len(points) - len(good)
            assert divmod(action, 4) in (good or (points if rules == "course" else [(4, 0)]))
    assert eyes


# Chance


@pytest.mark.parametrize("name", ["random", "naive", "greedy", "smart", "my"])
def test_a_game_does_not_depend_on_the_games_beside_it(name):
    many, some, play, play_some = GoBatch(4, 9), GoBatch(4, 9), baseline(name, seed=5), baseline(name, seed=5)
    rows = np.array([7, 2])
    for _ in range(6):
        actions = play(many)
        np.testing.assert_array_equal(play_some.choose(some, rows), actions[rows])
        many.step(actions)
        some.step(actions)


def test_the_seed_decides_what_is_drawn():
    batch = GoBatch(9, 20)
    first, again, other = (baseline("random", seed)(batch).tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_games_that_are_over_are_given_any_action():
    batch = GoBatch(3, 2)
    batch.step([9, 0])
    batch.step([9, 1])
    assert baseline("random")(batch)[0] == 0


# Strength, as far as rules can show it


@needs(no_package("numba"))
def test_perfect_never_loses_a_game_that_is_won():
    batch, rng = GoBatch(3, 20, rules="course"), np.random.default_rng(1)
    perfect = baseline("perfect")
    while not batch.terminated.all():
        white = batch.colour[0] == 1
        batch.step(perfect(batch) if white else batch.sample(rng))
    assert (batch.winner == 2).all()


@needs(no_package("numba"))
def test_montecarlo_takes_what_it_can_win_by():
    batch = GoBatch(5, 4, rules="course")
    for _ in range(3):
        actions = baseline("montecarlo-1000", seed=2)(batch)
        assert batch.legal_action_mask[np.arange(4), actions].all()
        batch.step(actions)


# Names


def test_a_name_says_its_version():
    assert baseline("greedy").name == "greedy-v1"
    assert baseline("montecarlo-1000-v7").name == "montecarlo-1000-v7"
    assert [baseline(name).name for name in BASELINES] == list(BASELINES)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("greedy-v2", "expected greedy-v1, the version of this release, got 'greedy-v2'"),
        ("greedy-v01", "expected greedy-v1, the version of this release, got 'greedy-v01'"),
        ("gredy", "expected one of random, naive, greedy, .*, got 'gredy'; did you mean greedy"),
        ("montecarlo-1001", "expected one of .*, got 'montecarlo-1001'"),
        ("", "expected one of .*, got ''"),
    ],
)
def test_other_names_and_versions_are_refused(name, message):
    with pytest.raises(SettingError, match=message):
        baseline(name)


@needs(no_package("numba"))
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 6, "rules": "course"}, "perfect: expected a board size from 2 to 5, got 6"),
        ({"size": 5}, "perfect: expected rules course or littlego, got 'tromp-taylor-pgx'"),
        ({"size": 5, "rules": "course", "komi": 0}, "perfect: expected a komi of 2.5 on 5x5, got 0"),
    ],
    ids=str,
)
def test_perfect_refuses_games_that_cannot_be_solved(settings, message):
    with pytest.raises(SettingError, match=message):
        baseline("perfect")(GoBatch(**settings))


@pytest.mark.parametrize("name", ["perfect", "montecarlo-1000"])
def test_searches_need_numba(name, monkeypatch):
    monkeypatch.setattr("golearn.environments.opponents.HAVE_NUMBA", False)
    with pytest.raises(SettingError, match=f"baseline '{name}' needs numba, which is not installed: make install"):
        baseline(name)(GoBatch(3, rules="course"))


# Games as states


def test_positions_are_those_of_the_batch():
    positions = Positions()
    for size, rules in ((3, "tromp-taylor-pgx"), (4, "tromp-taylor-strict"), (3, "littlego")):
        for batch in batches(size, rules, games=3, steps=50):
            for row in range(3):
                assert positions.of(batch, row) == batch.rows(row)
