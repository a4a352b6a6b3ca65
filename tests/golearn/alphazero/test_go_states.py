"""Compiled rows of Go say what the plug-in itself says of the same positions."""

import numpy as np
import pytest

from goban.rulesets import ruleset
from golearn.alphazero.games import CompleteGame, PlainStates, beginnings
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.go_states import GoStates

GAMES = [("alphago7", 3), ("alphago7", 7), ("course", 3), ("course", 5), ("littlego", 5), ("tromp-taylor-pgx", 3), ("aga", 4)]
AT_ONCE = 12


def assert_same(one, other, rows):
    for mine, theirs in zip(one.facts(rows), other.facts(rows), strict=True):
        assert mine.dtype == theirs.dtype
        assert np.array_equal(mine, theirs)
    assert np.array_equal(one.encode(rows), other.encode(rows))


@pytest.mark.parametrize(("preset", "size"), GAMES)
def test_rows_agree_with_the_plug_in_to_the_end_of_every_game(preset, size):
    game = CompleteGame(GoGame(ruleset(preset), size))
    compiled, plain = beginnings(game, AT_ONCE), PlainStates(game, AT_ONCE)
    assert type(compiled) is GoStates
    rng, going = np.random.default_rng(size), np.arange(AT_ONCE)
    for row in going:
        plain.put(row, game.initial_state())
    finished = 0
    while len(going):
        assert_same(compiled, plain, going)
        facts = plain.facts(going)
        finished += facts.over.sum()
        legal, going = facts.legal[~facts.over], going[~facts.over]
        actions = np.where(legal, rng.random(legal.shape), -1).argmax(axis=1)
        compiled.play(going, actions, going)
        plain.play(going, actions, going)
    assert finished == AT_ONCE


@pytest.mark.parametrize(("preset", "size"), GAMES)
def test_a_position_put_in_goes_on_alike(preset, size):
    """Wherever a game is taken over: with a ko to be seen, after a pass, at the end."""
    game, rng = CompleteGame(GoGame(ruleset(preset), size)), np.random.default_rng(1)
    states = [game.initial_state()]
    while not game.is_terminal(states[-1]):
        states.append(game.apply_move(states[-1], int(rng.choice(game.legal_moves(states[-1])))))
    compiled, plain, rows = game.states(len(states)), PlainStates(game, len(states)), np.arange(len(states))
    for row, state in enumerate(states):
        compiled.put(row, state)
        plain.put(row, state)
    assert_same(compiled, plain, rows)
    going = rows[:-1]
    actions = plain.facts(going).legal.argmax(axis=1)
    compiled.play(going, actions, going)
    plain.play(going, actions, going)
    assert_same(compiled, plain, going)


@pytest.mark.parametrize(("preset", "size"), GAMES)
def test_a_row_can_be_taken_out_again(preset, size):
    """All but what earlier boards forbid."""
    rules, rng, kos, passes = ruleset(preset), np.random.default_rng(2), 0, 0
    game = CompleteGame(GoGame(rules, size))
    for _ in range(500 // size**2):
        rows, state = game.states(1), game.initial_state()
        while not game.is_terminal(state):
            rows.put(0, state)
            again = rows.state(0)
            assert np.array_equal(game.encode(again), game.encode(state))
            assert (again.n_move, again.pass_ends, again.passed) == (state.n_move, state.pass_ends, state.passed)
            if not rules.needs_history:
                assert again.legal_moves() == state.legal_moves()
                kos, passes = kos + bool(again.captured), passes + state.passed
            legal = game.legal_moves(state)
            # Passes end games before there are kos.
            state = game.apply_move(state, int(rng.choice(legal[:-1] if len(legal) > 1 and rng.random() < 0.9 else legal)))
    assert rules.needs_history or kos > 0
    assert rules.needs_history or passes > 0 or not rules.passing


def test_children_leave_their_parents_as_they_are():
    game = CompleteGame(GoGame(ruleset("course"), 5))
    roots, nodes = beginnings(game, 2), game.states(6)
    nodes.copy(roots, np.array([0, 1]), np.array([0, 3]))
    before = nodes.encode(np.array([0, 3]))
    nodes.play(np.array([0, 0, 3]), np.array([4, 7, 7]), np.array([1, 2, 4]))
    assert np.array_equal(nodes.encode(np.array([0, 3])), before)
    assert [np.flatnonzero(planes[1]).tolist() for planes in nodes.encode(np.array([1, 2, 4]))] == [[4], [7], [7]]


def test_rules_without_a_limit_have_no_rows():
    with pytest.raises(ValueError, match="with a move limit, got alphago7"):
        GoStates(ruleset("alphago7"), 7, 8, 1)


@pytest.mark.parametrize("kind", [0, 1])
def test_rows_are_copied_from_rows_of_their_own_kind(kind):
    game = CompleteGame(GoGame(ruleset("course"), 5))
    pair = [PlainStates(game, 1), game.states(1)]
    with pytest.raises(TypeError, match="to copy from, got"):
        pair[kind].copy(pair[1 - kind], np.array([0]), np.array([0]))
