"""Games between players of any kind, and what follows of them for scores and ratings."""

import random

import numpy as np
import pytest

from golearn.alphazero.answers import Answers, chance_answers
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.small_games import TicTacToe
from golearn.alphazero.truth import Minimax
from golearn.evaluation import Match, play_match, play_opening, rate_players, results_of
from tests.support.take_away import TakeAway

GAME = CompleteGame(TakeAway())
TICTACTOE = CompleteGame(TicTacToe())


def perfect(game=GAME, seed=1):
    return Minimax(game).answers(random.Random(seed))


def first_action(game=GAME):
    """Plays the first legal action, whatever it is worth."""
    return lambda states: Answers(np.array([game.legal_moves(state)[0] for state in states]))


def test_who_plays_perfectly_wins_what_can_be_won_on_either_side():
    """Of eight matches, the first player takes one."""
    ask, other = perfect(), first_action()
    assert results_of(GAME, [(7, 1), (8, 1), (7, 1)], [(ask, other), (other, ask), (ask, ask)]) == [1, -1, 1]


def test_each_seat_is_asked_about_its_own_states_only():
    asked = {1: [], -1: []}

    def seat(player):
        def ask(states):
            asked[player] += states
            return first_action()(states)

        return ask

    results_of(GAME, [(7, 1), (5, -1)], [(seat(1), seat(-1))] * 2)
    assert all(state[1] == player for player, states in asked.items() for state in states)
    assert sum(map(len, asked.values())) == 7 + 5


def test_a_game_that_is_over_is_not_asked_about():
    assert results_of(GAME, [(0, 1)], [(None, None)]) == [-1]


def test_progress_counts_games_that_are_over():
    told = []
    results_of(GAME, [(2, 1), (7, 1)], [(first_action(), first_action())] * 2, told.append)
    assert told == sorted(told)
    assert told[0] == 0
    assert told[-1] == 2


def test_a_game_without_end_is_a_draw():
    class Endless(TakeAway):
        max_plies = 10

        def apply_move(self, state, action):
            return state[0], -state[1]

    game = CompleteGame(Endless())
    assert results_of(game, [game.initial_state()], [(first_action(game), first_action(game))]) == [0]


def test_equals_share_every_pair_of_games():
    """The same opening with sides changed: what it decides, each player has once."""
    match = play_match(GAME, (first_action(), first_action()), games=40, seed=3, opening=2)
    assert (match.wins, match.draws, match.losses) == (20, 0, 20)


def test_the_better_player_wins_more_and_the_match_seen_from_the_other_side_is_its_mirror():
    players = perfect(TICTACTOE), chance_answers(TICTACTOE, random.Random(2))
    match = play_match(TICTACTOE, players, games=60, seed=5)
    assert match.score > 0.8
    assert match.games == 60


def test_perfect_players_draw_tictactoe_from_the_beginning():
    match = play_match(TICTACTOE, (perfect(TICTACTOE), perfect(TICTACTOE, 9)), games=30, seed=1, opening=0)
    assert match == Match(0, 30, 0)


def test_the_same_seed_gives_the_same_games():
    def played(seed):
        players = chance_answers(TICTACTOE, random.Random(2)), perfect(TICTACTOE)
        return play_match(TICTACTOE, players, games=31, seed=seed)

    assert played(1) == played(1)
    assert len({played(seed) for seed in range(6)}) > 1


def test_openings_differ_and_are_never_over():
    starts = {play_opening(TICTACTOE, 5, f"1 {pair}") for pair in range(50)}
    assert len(starts) > 30
    assert not any(TICTACTOE.is_terminal(start) for start in starts)
    # After nine moves every game is over, so these begin at the beginning.
    assert play_opening(TICTACTOE, 9, "1") == TICTACTOE.initial_state()


def test_a_draw_is_half_a_win():
    match = Match(3, 4, 1)
    assert (match.games, match.points, match.score) == (8, 5, 0.625)
    low, high = match.interval
    assert 0 < low < 0.625 < high < 1


@pytest.mark.parametrize("match", [Match(5, 0, 0), Match(0, 0, 5)])
def test_the_interval_of_a_match_won_or_lost_altogether_stays_within_0_and_1(match):
    low, high = match.interval
    assert 0 <= low <= match.score <= high <= 1
    assert high - low > 0.3


def test_ratings_are_as_far_apart_as_scores_say():
    """Three in four is 191 points; one game more, a tie, hardly changes that."""
    found = {one.name: one for one in rate_players({("a", "b"): Match(300, 0, 100)})}
    assert found["a"].rating - found["b"].rating == pytest.approx(400 * np.log10(3), abs=3)
    assert found["a"].low < found["a"].rating < found["a"].high
    assert found["a"].rating == pytest.approx(-found["b"].rating, abs=1e-3)


def test_ratings_are_listed_from_the_strongest():
    matches = {("weak", "strong"): Match(1, 0, 9), ("weak", "middle"): Match(3, 0, 7), ("middle", "strong"): Match(2, 2, 6)}
    assert [one.name for one in rate_players(matches)] == ["strong", "middle", "weak"]
