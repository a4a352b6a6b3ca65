"""The lists of a GO are made when somebody looks; nobody can tell, but by the time it takes."""

import copy
import pickle
import random

import numpy as np
import pytest

from go import GO
from goban.diagrams import parse_diagram
from goban.rulesets import COURSE, LITTLEGO, PRESETS, ruleset
from goban.states import new_game, state_from_rows
from players.naive_player import NaivePlayer
from players.random_player import RandomPlayer
from tests.support.hosts import host
from tests.support.scripted import attributes
from tests.support.states import random_move

LISTS = ("board", "previous_board", "died_pieces")


def look(go):
    """Have all lists made."""
    for name in LISTS:
        getattr(go, name)


def rewrite(go):
    """Put equal lists in place of all lists."""
    for name in LISTS:
        setattr(go, name, copy.deepcopy(getattr(go, name)))


def look_at_some(go):
    go.previous_board, go.died_pieces = go.previous_board, list(go.died_pieces)


def made_of_arrays(go):
    go.board, go.previous_board = np.array(go.board), np.array(go.previous_board)


WAYS = [look, rewrite, look_at_some, made_of_arrays]


def facts(position):
    """All that one may ask of a position, for a comparison that sees more than `==`."""
    return [
        position.made_of()[:-1], position.placements(), position.can_place(), position.ending, position.hash, position.points(),
        [position.why_illegal_placement(point) for point in position.grid.points],
    ]  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
def test_a_position_is_after_a_pass_only_where_players_may_pass(preset):
    rules = ruleset(preset)
    go = GO(7, rules)
    GO.adopt_state(go, new_game(rules, 7).play((1, 1)).play(None if rules.passing else (2, 2)))
    assert go.position(1).passed == rules.passing


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 9, 13, 19])
@pytest.mark.parametrize("preset", PRESETS)
def test_looking_changes_no_position(preset, size):
    rng = random.Random(f"{preset} {size}")
    state = new_game(ruleset(preset), size)
    while not state.is_over and state.n_move < 2 * size * size:
        if rng.random() < 5 / (size * size):
            for way in WAYS:
                unseen, seen = GO(2), GO(3)
                GO.adopt_state(unseen, state)
                GO.adopt_state(seen, state)
                if rng.random() < 0.5:
                    seen.position(rng.choice([1, 2]))
                way(seen)
                for piece_type in (state.to_move, 3 - state.to_move, state.to_move):
                    assert facts(seen.position(piece_type)) == facts(unseen.position(piece_type))
                assert not set(LISTS) & unseen.__dict__.keys()
        state = state.play(random_move(state, rng, 0.05))


def test_a_list_stays_the_same_list_until_the_next_turn():
    state, go = new_game(COURSE, 3).play((0, 0)), GO(3)
    GO.adopt_state(go, state)
    board = go.board
    assert go.board is board
    GO.adopt_state(go, state)
    assert go.board is not board


def test_what_is_written_into_a_list_counts_at_once():
    go = host(". X .\nX . .\n. . .")
    assert not go.valid_place_check(0, 0, 2)
    go.init_board(3)
    assert go.valid_place_check(0, 0, 2)
    go.board[0][1] = go.board[1][0] = 1
    assert not go.valid_place_check(0, 0, 2)
    go.board[1][0] = 0
    assert go.valid_place_check(0, 0, 2)
    go.board[0][0] = 2
    assert not go.valid_place_check(0, 0, 2)


def test_a_mark_on_the_last_liberty_of_a_group_is_no_liberty():
    go = GO(3)
    GO.adopt_state(go, state_from_rows(COURSE, parse_diagram("O X .\nO X .\n. X ."), 1))
    assert go.position(1).placements().bit_count() == 4
    assert go.valid_place_check(0, 2, 1)
    go.board[2][0] = 9
    assert go.find_died_pieces(2) == [(0, 0), (1, 0)]
    # The two dead stones leave the board with any placement of Black's, wherever that is.
    test = go.copy_board()
    assert test.place_chess(0, 2, 1)
    assert test.position(2).why_illegal_placement((2, 0)).rule == "the point is occupied"
    state = go.position(1)
    assert state.after((0, 2)).captured == state.grid.mask_of([(0, 0), (1, 0)])


def test_another_turn_number_or_rule_set_makes_another_position():
    go = GO(3)
    first = go.position(1)
    assert go.position(1) is first
    go.n_move = 8
    assert (go.position(1).n_move, go.position(1).is_over) == (8, True)
    go.rules = LITTLEGO
    assert go.position(1).rules is LITTLEGO


def test_a_player_cannot_reach_the_judges_state():
    state, go = new_game(LITTLEGO, 3).play((1, 1)), GO(3)
    GO.adopt_state(go, state)
    go.position(2).black = 0
    assert state.stone_at((1, 1)) == 1


@pytest.mark.parametrize("looked", [False, True])
@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, GO.copy_board, lambda go: pickle.loads(pickle.dumps(go))])
def test_copies_show_the_same(twin, looked):
    state, go = new_game(COURSE, 3), GO(3)
    for move in [(0, 1), (0, 0), (1, 0)]:
        state = state.play(move)
    GO.adopt_state(go, state)
    if looked:
        look(go)
    other = twin(go)
    assert attributes(other) == attributes(go)
    assert other.died_pieces == [(0, 0)]
    assert facts(other.position(2)) == facts(go.position(2))
    other.board[2][2] = 1
    assert (go.board[2][2] == 1) is (twin is copy.copy)


# Where games have no limit, two that never pass hardly come to an end.
READERS = [(NaivePlayer, rules) for rules in PRESETS.values()] + [(RandomPlayer, COURSE), (RandomPlayer, LITTLEGO)]


@pytest.mark.parametrize(("made_of", "rules"), READERS)
def test_who_only_reads_is_shown_the_same(made_of, rules):
    """A class of one's own does not inherit the promise, whatever its base gave."""

    class Looking(made_of):
        def get_input(self, go, piece_type):
            state = go.position(piece_type)
            assert go.board == state.rows()
            assert (go.n_move, go.X_move) == (state.n_move, piece_type == 1)
            return super().get_input(go, piece_type)

    class Promising(Looking):
        only_reads = True

    records = []
    for kind in (made_of, Looking, Promising):
        go = GO(4, rules)
        go.play(kind(random.Random(5)), kind(random.Random(6)))
        records.append((go.record.moves, go.record.outcome, go.board))
    assert records[0] == records[1] == records[2]


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_who_only_reads_is_given_the_true_state(rules):
    """What they find out about a move, the judge knows."""
    view, states = GO(4, rules), [new_game(rules, 4)]
    for point in [(0, 1), (0, 0), (1, 0)]:
        states.append(states[-1].play(point))
    for state in states:
        view.follow(state)
        assert view.position(state.to_move) is state
        assert view.stones() == (state.empty, state.black, state.white)


def test_what_a_player_without_the_promise_does_to_a_state_changes_nothing():
    class Scribbler(NaivePlayer):
        def get_input(self, go, piece_type):
            answer = super().get_input(go, piece_type)
            state = go.position(piece_type)
            state.black = state.white = 0
            state._leads_to = state._taken = (state.grid.bit[0, 0], 1)
            return answer

    games = []
    for kind in (NaivePlayer, Scribbler):
        go = GO(5, ruleset("aga"))
        go.play(kind(random.Random(5)), kind(random.Random(6)))
        games.append((go.record.moves, go.record.outcome))
    assert games[0] == games[1]
