"""Players who work alone, and copies, in games of which the truth is known: see `lab.similarity`."""

import math
import random
from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from benchmarks import made_up_events
from goban.points import parse_vertex
from goban.rulesets import COURSE, PRESETS
from goban.states import new_game
from gojudge.errors import JudgeError
from gojudge.records import Spent, Turn
from lab.similarity import Habits, round_robin
from tests.support.habits import PLAYERS
from tournament.similarity.choices import board_before, gather, play_as_taught, same_moves, state_before
from tournament.similarity.playing_alike import LEVEL, _Counts, playing_alike

NAMES = [*PLAYERS, "copy"]


@pytest.fixture(scope="module")
def games():
    return round_robin({**PLAYERS, "copy": PLAYERS["p2"]}, 1)


@pytest.fixture(scope="module")
def choices(games):
    return gather(games, "course", 5)


def renamed(game, names):
    return replace(game, spec=replace(game.spec, black=names[game.spec.black], white=names[game.spec.white]))


def table(pairs, names=None):
    """What is said of every pair, under other names."""
    names = names or {name: name for name in NAMES}
    return {
        frozenset((names[pair.one], names[pair.other])): (
            pair.shared, pair.enough, *np.round([pair.agreed, pair.expected, np.log(pair.chance), np.log(pair.adjusted)], 6)
        )
        for pair in pairs
    }  # fmt: skip


def test_a_copy_is_found_and_nobody_else(choices):
    found = playing_alike(choices, {}, NAMES)
    assert [{pair.one, pair.other} for pair in found if pair.marked] == [{"p2", "copy"}]
    first = found[0]
    assert (first.agreed, first.enough) == (first.shared, True)
    assert first.expected < 0.8 * first.shared
    assert len(found) == len(NAMES) * (len(NAMES) - 1) // 2


def test_neither_the_order_of_games_nor_names_matter(games):
    """Names decide the order of players inside, and games which visit of a position comes first."""
    ratings = {name: 1400 + 40 * place for place, name in enumerate(NAMES)}
    found = table(playing_alike(gather(games, "course", 5), ratings, NAMES))
    shuffled, others = list(games), dict(zip(NAMES, ["x", "zoe", "a", "m9", "bo", "B", "q", "dee"], strict=True))
    random.Random(3).shuffle(shuffled)
    again = gather([renamed(game, others) for game in shuffled], "course", 5)
    pairs = playing_alike(again, {others[name]: rating for name, rating in ratings.items()}, list(others.values()))
    assert table(pairs, {name: own for own, name in others.items()}) == found


def test_games_that_are_repeated_say_nothing_new(games, choices):
    twice = playing_alike(gather([*games, *games], "course", 5), {}, NAMES)
    assert table(twice) == table(playing_alike(choices, {}, NAMES))


def test_players_who_move_at_random_are_not_marked():
    players = {f"r{k}": Habits((0.0,) * 8, "random", 1.0) for k in range(8)}
    for seed in range(3):
        found = playing_alike(gather(round_robin(players, seed), "course", 5), {}, list(players))
        assert not any(pair.marked for pair in found)


def test_a_move_that_everybody_makes_is_no_sign():
    """All of one mind: nobody plays like anybody more than like the rest."""
    players = {f"s{k}": PLAYERS["p2"] for k in range(6)}
    found = playing_alike(gather(round_robin(players, 1), "course", 5), {}, list(players))
    assert not any(pair.marked for pair in found)


def test_those_who_share_too_few_positions_cannot_be_compared(games):
    few = gather([game for game in games if "p2" in game.spec.id and "copy" in game.spec.id], "course", 5)
    (pair,) = playing_alike(few, {}, ["p2", "copy"])
    assert not pair.enough
    assert not pair.marked


def test_only_those_asked_for_are_compared_and_all_say_what_is_usual(choices):
    found = playing_alike(choices, {}, ["p2", "copy"])
    assert [(pair.one, pair.other) for pair in found] == [("copy", "p2")]
    everybody = next(pair for pair in playing_alike(choices, {}, NAMES) if {pair.one, pair.other} == {"p2", "copy"})
    assert (found[0].expected, found[0].chance) == (everybody.expected, everybody.chance)
    assert found[0].adjusted == found[0].chance <= everybody.adjusted


@pytest.mark.parametrize("games", [[], None])
def test_events_in_which_nobody_met_are_compared_in_vain(games):
    players = {"a": PLAYERS["p1"], "b": PLAYERS["p2"]}
    found = playing_alike(gather(round_robin(players, 1) if games is None else [], "course", 5), {}, ["a", "b"])
    assert not any(pair.enough or pair.marked for pair in found)


def tail(agreed, shared, rate):
    """The chance of so many successes or more."""
    return sum(math.comb(shared, k) * rate**k * (1 - rate) ** (shared - k) for k in range(agreed, shared + 1))


@pytest.mark.parametrize(("agreed", "shared", "rate"), [(5, 9, 0.3), (9, 9, 0.6), (0, 4, 0.5), (30, 60, 0.25)])
def test_without_styles_a_chance_is_the_tail_of_a_binomial_distribution(agreed, shared, rate):
    square = np.array([[0.0, 1.0], [1.0, 0.0]])
    counts = _Counts(shared * square, agreed * square, shared * rate * square)
    exact = (tail(agreed, shared, rate) + tail(agreed + 1, shared, rate)) / 2
    assert counts.chances(counts.agreed, 0.0)[0, 1] == pytest.approx(exact, rel=1e-6)
    if exact < 0.2:
        assert counts.chances(counts.agreed, 0.6)[0, 1] > exact


def test_holms_method_adjusts_chances(choices):
    found = playing_alike(choices, {}, NAMES)
    adjusted = [pair.adjusted for pair in found]
    assert adjusted == sorted(adjusted)
    assert adjusted[0] == pytest.approx(found[0].chance * len(found))
    assert all(pair.adjusted >= pair.chance for pair in found)
    assert all(pair.adjusted > LEVEL for pair in found[1:])


# What is gathered


def test_positions_are_gathered_as_a_replay_meets_them(games, choices):
    """The slow way: whole positions in place of hashes."""
    met = {}
    for game in games:
        state = new_game(COURSE, 5)
        for place, turn in enumerate(game.turns):
            name = (game.spec.black, game.spec.white)[place % 2]
            position = (state.black, state.white, state.to_move, state.n_move, state.placements())
            met.setdefault(position, Counter())[name, turn.move] += 1
            state = state.play(parse_vertex(turn.move, 5))
    wanted = Counter()
    for position, moves in met.items():
        visits = Counter(name for name, move in moves.elements())
        legal = position[-1].bit_count()
        if len(visits) > 1 and legal > 1:
            wanted[legal, frozenset((name, move, count / visits[name]) for (name, move), count in moves.items())] += 1
    found = Counter()
    for position in choices.find_shared():
        cells = ((row, column, float(share)) for (row, column), share in np.ndenumerate(position.shares) if share)
        names = [choices.players[player] for player in position.players]
        found[position.legal, frozenset((names[row], position.moves[column], share) for row, column, share in cells)] += 1
    assert found == wanted


@pytest.mark.parametrize("rules", PRESETS)
def test_games_of_all_rules_can_be_compared(rules):
    games = [made_up_events.game(spec, rules, 4) for spec in made_up_events.pair_specs(["ann", "bob", "cy"], 4)]
    choices = gather(games, rules, 4)
    assert choices.table[:, 3].sum() == sum(turn.move != "resign" for one in games for turn in one.turns)
    assert len(playing_alike(choices, {}, choices.players)) == 3


def test_a_resignation_is_no_choice(games):
    game = games[0]
    turns = (*game.turns[:4], Turn("resign", Spent()))
    assert "resign" not in gather([replace(game, turns=turns)], "course", 5).moves


@pytest.mark.parametrize("move", ["Z9", "A9", ""])
def test_a_move_that_is_none_is_named_with_its_game(games, move):
    game = replace(games[0], turns=(*games[0].turns[:2], Turn(move, Spent()), *games[0].turns[3:]))
    with pytest.raises(JudgeError, match=rf"^game {game.spec.id}: move 3: "):
        gather([game], "course", 5)


def test_what_two_share_is_shown_with_its_board(games, choices):
    found = same_moves(choices, "p2", "copy")
    assert found == same_moves(choices, "copy", "p2")
    assert [one.rarity for one in found] == sorted(one.rarity for one in found)
    by_id = {game.spec.id: game for game in games}
    for one in found[:20]:
        turns = by_id[one.game].turns
        board = board_before(turns, one.ply, "course", 5)
        assert board["54321".index(one.move[1])]["ABCDE".index(one.move[0])] == 0
        assert sum(stone > 0 for row in board for stone in row) <= one.ply
        assert 0 <= one.same <= one.others <= len(NAMES) - 2


def test_who_has_not_played_shares_nothing(choices):
    assert same_moves(choices, "p2", "nobody") == []


def test_all_pairs_of_players_have_met(games):
    """The fixture is a round robin."""
    assert {(game.spec.black, game.spec.white) for game in games} == set(permutations(NAMES, 2))


@pytest.mark.parametrize(("scans", "said"), [(("rows", "rows"), True), (("back", "back"), True), (("rows", "back"), False)])
def test_who_both_play_as_the_example_is_told(scans, said):
    greedy = [Habits((1.0,) + (0.0,) * 7, scan, 0.0) for scan in scans]
    players = {**PLAYERS, "ann": greedy[0], "bob": greedy[1]}
    games = round_robin(players, 1)
    turns = {game.spec.id: game.turns for game in games}
    choices = gather(games, "course", 5)

    def state_of(game, ply):
        return state_before(turns[game], ply, "course", 5)

    assert play_as_taught(choices, "ann", "bob", state_of) == said
    for name in PLAYERS:
        assert not play_as_taught(choices, "ann", name, state_of)
