"""Self-play: games by number, what is learned from them, and games that are broken off."""

import numpy as np
import pytest

from golearn.alphazero.games import GAME_CHOICES, CompleteGame, game_from_name
from golearn.alphazero.planners import uniform
from golearn.alphazero.plans import Plan
from golearn.alphazero.selfplay import Replay, SelfPlay, StoppedError
from tests.support.take_away import TakeAway


def played(name, numbers, **fields):
    plan = Plan(name, 100, **{"simulations": 6, "quick_simulations": 2, **fields})
    game = CompleteGame(game_from_name(name))
    return game, SelfPlay(game, uniform(game), plan).play(numbers)


def unpacked(game, positions):
    """All positions in the first symmetry."""
    replay, count = Replay(game, 10**6), len(positions.values)
    replay.add(positions)
    return replay.batch(np.arange(count), np.zeros(count, np.int64))


@pytest.mark.parametrize("name", ["tictactoe", "go5"])
def test_a_game_is_the_same_whatever_is_played_beside_it(name):
    _, together = played(name, range(6))
    ends = np.cumsum(together.plies)
    for number, end in enumerate(ends):
        _, alone = played(name, [number])
        for one, all_of_them in zip(alone.positions, together.positions, strict=True):
            assert np.array_equal(one, all_of_them[end - together.plies[number] : end])
    assert len({together.positions.policies[end - 1].tobytes() for end in ends}) > 1


def test_another_seed_gives_other_games():
    assert not np.array_equal(played("go5", [0])[1].positions.values, played("go5", [0], seed=2)[1].positions.values)


def test_positions_are_those_of_games_from_their_beginnings():
    """Each board follows from the one before by one stone."""
    game, games = played("tictactoe", range(5))
    stones = unpacked(game, games.positions).planes.sum(axis=(1, 2, 3))
    assert stones.tolist() == [ply for plies in games.plies for ply in range(plies)]


def test_values_are_the_result_as_the_player_to_move_sees_it():
    _, games = played("tictactoe", range(20), root_share=0)
    starts = np.cumsum(games.plies) - games.plies
    for start, plies, result in zip(starts, games.plies, games.results, strict=True):
        values = games.positions.values[start : start + plies]
        assert values.tolist() == [result * (-1) ** ply for ply in range(plies)]
    assert {-1, 0, 1} >= set(games.results.tolist()) >= {1}


def test_the_searchs_own_value_is_mixed_in():
    pure, mixed, own = (played("tictactoe", range(5), root_share=share)[1].positions.values for share in (0, 0.25, 1))
    assert np.allclose(mixed, 0.75 * pure + 0.25 * own, atol=1e-6)
    assert not np.allclose(own, pure)


def test_the_planned_share_of_moves_is_searched_in_full():
    _, games = played("go5", range(40), full_share=0.25)
    assert 0.2 < games.positions.has_policy.mean() < 0.3
    assert np.allclose(games.positions.policies.astype(float).sum(axis=1), 1, atol=0.01)
    assert played("go5", range(2), full_share=1.0)[1].positions.has_policy.all()


@pytest.mark.parametrize("name", GAME_CHOICES)
def test_every_game_is_played_to_its_end(name):
    game, games = played(name, range(2), simulations=2, random_plies=3)
    assert games.finished.all()
    assert len(games.positions.values) == games.plies.sum()
    assert np.isfinite(unpacked(game, games.positions).planes).all()


@pytest.mark.parametrize(("name", "count"), [("go5", 4), ("go", 1)])
def test_go_teaches_margin_and_owners_of_the_last_board(name, count):
    game, games = played(name, range(count), simulations=2)
    positions = games.positions
    assert positions.has_ending.all()
    # Points are stones under the rules of the course, and area under the others: the margin is what the owners come to.
    assert np.array_equal(positions.margins, positions.owners.sum(axis=1))
    for end, plies, result in zip(np.cumsum(games.plies), games.plies, games.results, strict=True):
        margins = positions.margins[end - plies : end]
        assert margins.tolist() == [margins[0] * (-1) ** ply for ply in range(plies)]
        assert np.sign(margins[0] - game.game.komi) == result


def test_a_game_without_a_score_teaches_none():
    _, games = played("tictactoe", range(3))
    assert not games.positions.has_ending.any()


def test_a_game_that_is_broken_off_teaches_no_value_but_policies():
    _, games = played("tictactoe", range(10), max_plies=6, full_share=1.0, simulations=1)
    assert games.plies.max() == 6
    assert 0 < games.finished.sum() < 10
    assert np.array_equal(games.positions.has_value, np.repeat(games.finished, games.plies))
    assert games.positions.has_policy.all()
    assert (games.results[~games.finished] == 0).all()


def test_the_smallest_plug_in_plays():
    game = CompleteGame(TakeAway())
    games = SelfPlay(game, uniform(game), Plan("tictactoe", 100, simulations=8, quick_simulations=2)).play(range(8))
    assert games.finished.all()
    assert games.plies.min() >= 4


def test_a_game_begins_with_as_many_random_moves_as_chance_says():
    game, games = played("go5", range(30), random_plies=3)
    planes, firsts = unpacked(game, games.positions).planes, np.cumsum(games.plies) - games.plies
    assert set(planes[firsts, :2].sum(axis=(1, 2, 3)).tolist()) == {0, 1, 2, 3}
    assert (games.plies + planes[firsts, :2].sum(axis=(1, 2, 3)) <= 24).all()


def test_an_opening_ends_before_the_game_does():
    _, games = played("tictactoe", range(20), random_plies=100)
    assert games.plies.min() >= 1


def test_games_begin_where_one_against_a_rival_stands():
    """`greedy` captures what it can; games by number, 32 from each of its games, do not depend on what is beside them."""
    fields = {"rivals": "greedy smart", "rival_share": 1.0, "turned": True}
    game, games = played("go5", range(40), **fields)
    planes, firsts = unpacked(game, games.positions).planes, np.cumsum(games.plies) - games.plies
    begun = (24 * (1 - planes[firsts, 6, 0, 0])).round().astype(int)
    assert len(set(begun.tolist())) > 8
    assert (begun + games.plies <= 24).all()
    _, alone = played("go5", [35], **fields)
    assert np.array_equal(alone.positions.bits, games.positions.bits[firsts[35] : firsts[35] + games.plies[35]])


def test_games_without_rivals_begin_as_before():
    _, games = played("go5", range(4), rivals="greedy", rival_share=0.0)
    _, others = played("go5", range(4))
    assert [len(games.plies), *games.plies] == [len(others.plies), *others.plies]


def test_who_is_stopped_plays_no_further():
    asked = []
    game = CompleteGame(game_from_name("go5"))
    play = SelfPlay(game, uniform(game), Plan("go5", 10, simulations=2)).play
    with pytest.raises(StoppedError):
        play(range(2), lambda: len(asked) > 3 or asked.append(1))
    assert len(asked) == 4
