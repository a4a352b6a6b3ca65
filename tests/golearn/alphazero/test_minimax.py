"""Games small enough to look at everything: known results, and what of them players keep."""

import random

import numpy as np
import pytest

from golearn.alphazero import truth
from golearn.alphazero.answers import Answers
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.small_games import ConnectFour, Othello, TicTacToe
from golearn.alphazero.truth import Minimax, every_state, measure_values
from golearn.errors import TooLargeGameError
from tests.support.take_away import TakeAway

TICTACTOE = CompleteGame(TicTacToe())


def test_tictactoe_is_a_draw_after_each_first_move():
    solved, start = Minimax(TICTACTOE), TICTACTOE.initial_state()
    assert solved.value(start) == 0
    assert solved.best_actions(start) == list(range(9))


def test_tictactoe_has_4520_states_in_which_the_game_goes_on():
    """Of 5,478 in all."""
    states = list(every_state(TICTACTOE))
    assert len(states) == len(set(states)) == 4520


def test_on_othello_4x4_white_wins_by_11_to_3():
    """Known of the game; the rules could hardly be wrong and give the same."""
    game = CompleteGame(Othello(4))
    assert Minimax(game, game.margin).value(game.initial_state()) == 3 - 11


@pytest.mark.parametrize("matches", range(1, 8))
def test_three_matches_lose(matches):
    """Whoever moves with a multiple of three left loses; else the rest by three is to be taken."""
    game = CompleteGame(TakeAway())
    solved, state = Minimax(game), (matches, -1)
    assert solved.value(state) == (1 if matches % 3 == 0 else -1)
    if matches % 3:
        assert solved.best_actions(state) == [matches % 3 - 1]


def test_perfect_answers_keep_every_value():
    solved, states = Minimax(TICTACTOE), list(every_state(TICTACTOE))
    found = measure_values(solved, states, solved.answers(random.Random(1))(states))
    assert (found["kept values"].value, found["kept values"].count, found["value error"].value) == (1, 4520, 0)


def test_a_safe_move_is_one_after_which_a_draw_or_a_win_is_still_to_be_had():
    """X at 0, O at 4: X may play anything; O, with X at 0 and 8, must not play a corner."""
    solved = Minimax(TICTACTOE)
    state = TICTACTOE.initial_state()
    for action in (0, 4):
        state = TICTACTOE.apply_move(state, action)
    assert solved.losing_actions(state) == []
    state = TICTACTOE.apply_move(state, 8)
    assert solved.losing_actions(state) == [2, 6]
    for action, safe in ((2, 0), (1, 1)):
        found = measure_values(solved, [state], Answers(np.array([action])))
        assert (found["safe moves"].value, found["safe moves"].count) == (safe, 1)
    lost = TICTACTOE.apply_move(state, 2)
    lost = TICTACTOE.apply_move(lost, 6)
    assert solved.value(lost) == 1
    assert solved.losing_actions(lost) == []
    assert "safe moves" not in measure_values(solved, [lost], Answers(np.array([1])))


def test_one_mistake_in_four_thousand_is_counted():
    """And a value of 0 for all is wrong wherever somebody wins."""
    solved, states = Minimax(TICTACTOE), list(every_state(TICTACTOE))
    actions = solved.answers(random.Random(1))(states).actions
    number = next(k for k, state in enumerate(states) if len(solved.best_actions(state)) < len(TICTACTOE.legal_moves(state)))
    actions[number] = next(a for a in TICTACTOE.legal_moves(states[number]) if a not in solved.best_actions(states[number]))
    found = measure_values(solved, states, Answers(actions, values=np.zeros(len(states))))
    assert found["kept values"].value == 4519 / 4520
    decided = sum(solved.value(state) != 0 for state in states)
    assert found["value error"].value == pytest.approx(decided / 4520)


def test_a_game_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(truth, "MOST_STATES", 1000)
    game = CompleteGame(ConnectFour())
    with pytest.raises(TooLargeGameError, match="more than 1,000 states"):
        Minimax(game).value(game.initial_state())
