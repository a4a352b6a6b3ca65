from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tournament.errors import BadRosterError, OtherEventError
from tournament.events.chance import key_of_seed
from tournament.events.event_files import make_event
from tournament.events.schedules import Batch, Pairing, in_turns, open_batches, pairings, reference_entrants
from tournament.records import Entrant

NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,9}", fullmatch=True)


KEY = key_of_seed(5)


def event(kind="round-robin", **fields):
    return make_event({"kind": kind, **fields})


def people(*names):
    return [Entrant(name, digest=name) for name in names]


def games(event, entrants, points=None, key=KEY):
    return [
        pairing.game(number, key)
        for pairing in pairings(event, entrants, key, points)
        for number in range(1, pairing.games + 1)
    ]


def test_an_id_is_the_two_names_and_a_number():
    assert [game.id for game in games(event(games=2), people("bob", "alice"))] == ["alice-bob-001", "alice-bob-002"]


def test_where_a_name_has_a_hyphen_the_names_are_parted_by_another_sign():
    assert Pairing("anna-lena", "bob", "bob", 11).id_of(3) == "anna-lena~bob-003"


def test_numbers_have_as_many_digits_as_the_last_one_needs():
    assert Pairing("a", "b", "a", 2000).id_of(7) == "a-b-0007"


@given(st.integers(1, 3000), st.integers(1, 3000), st.integers(1, 3000))
def test_a_games_id_does_not_depend_on_how_many_are_due(games, due, number):
    pairing = Pairing("a", "b", "a", games)
    later = pairing.due(due)
    assert (later.id_of(number), later.colours(number), later.games) == (pairing.id_of(number), pairing.colours(number), due)
    assert later.due(games).id_of(number) == pairing.id_of(number)


@given(st.lists(NAMES, min_size=2, max_size=8, unique=True))
def test_no_two_games_share_an_id(names):
    ids = [game.id for game in games(event(games=3), people(*names))]
    assert len(set(ids)) == len(ids)


def test_the_seeds_are_made_of_the_key_and_the_id():
    (first, _) = games(event(games=2), people("alice", "bob"))
    assert first.seeds == KEY.seeds("alice-bob-001")


@given(st.lists(NAMES, min_size=3, max_size=6, unique=True), st.integers(1, 12), st.integers(0, 9), st.randoms())
def test_games_of_a_pair_do_not_depend_on_who_else_plays_or_in_which_order(names, number, seed, rng):
    cup, key = event(games=number), key_of_seed(seed)
    small = set(games(cup, people(*names[:-1]), key=key))
    rng.shuffle(names)
    assert small <= set(games(cup, people(*names), key=key))


def test_in_a_grade_every_submission_meets_every_reference_player_as_often_with_each_colour():
    found = games(event("grade", games=4), [*people("bob", "alice"), *reference_entrants(["random", "greedy"])])
    assert Counter((game.black, game.white) for game in found) == {
        pair: 2
        for student in ("alice", "bob")
        for reference in ("random", "greedy")
        for pair in ((student, reference), (reference, student))
    }


def test_in_a_round_robin_everyone_meets_everyone():
    found = games(event(games=11), people("a", "b", "c", "d"))
    assert Counter(frozenset((game.black, game.white)) for game in found) == {
        frozenset(pair): 11 for pair in ("ab", "ac", "ad", "bc", "bd", "cd")
    }


@given(st.integers(1, 15), st.integers(0, 100))
def test_colours_of_a_pair_are_balanced(number, seed):
    blacks = Counter(game.black for game in games(event(games=number), people("a", "b"), key=key_of_seed(seed)))
    assert abs(blacks["a"] - blacks["b"]) == number % 2


@pytest.mark.parametrize(("points", "black"), [({"a": 90, "b": 85}, "a"), ({"a": 85, "b": 90.5}, "b"), ({"b": 80}, "b")])
def test_the_extra_first_move_goes_to_the_one_with_more_points(points, black):
    found = games(event(games=11), people("a", "b"), points)
    assert Counter(game.black for game in found)[black] == 6
    assert found[0].black == black


def test_at_equal_points_a_draw_by_the_key_decides():
    equal, keys = {"a": 80, "b": 80}, [key_of_seed(seed) for seed in range(40)]
    draws = [games(event(games=1), people("a", "b"), equal, key)[0].black for key in keys]
    again = [games(event(games=1), people("b", "a"), equal, key)[0].black for key in keys]
    assert draws == again
    assert 10 <= draws.count("a") <= 30


def test_a_match_begins_with_the_first_player_as_black():
    assert [game.black for game in games(event("match", games=3), people("zoe", "al"))] == ["zoe", "al", "zoe"]


def test_in_a_gauntlet_one_player_meets_the_others():
    found = games(event("gauntlet", games=2), people("me", "x", "y"))
    assert [game.id for game in found] == ["me-x-001", "me-x-002", "me-y-001", "me-y-002"]


@pytest.mark.parametrize(
    ("kind", "entrants", "said"),
    [
        ("grade", people("a"), "expected at least one reference player, got none"),
        ("grade", reference_entrants(["random"]), "expected at least one submission, got none"),
        ("round-robin", people("a"), "expected at least two entrants, got a"),
        ("match", people("a", "b", "c"), r"expected two entrants for a match \(.* take more\), got a, b, c"),
        ("gauntlet", people("a"), "expected one entrant and at least one opponent, got a"),
        ("round-robin", people("a", "b", "a"), "expected entrants of different names, got 'a' twice"),
    ],
)
def test_too_few_too_many_or_two_of_one_name(kind, entrants, said):
    with pytest.raises(BadRosterError, match=said):
        pairings(event(kind), entrants, KEY)


def test_a_student_may_not_be_called_like_a_reference_player():
    with pytest.raises(BadRosterError, match="the reference player random"):
        pairings(event("grade"), [*people("random"), *reference_entrants(["random"])], KEY)


@given(st.lists(NAMES, min_size=2, max_size=5, unique=True), st.integers(1, 6), st.data())
def test_open_batches_are_what_is_not_finished(names, number, data):
    cup = event(games=number)
    pairs = pairings(cup, people(*names), KEY)
    every = {game.id: game for game in games(cup, people(*names))}
    finished = data.draw(st.sets(st.sampled_from(sorted(every))))
    left = [game for batch in open_batches(pairs, {id: every[id].black for id in finished}) for game in batch.games(KEY)]
    assert {game.id for game in left} == every.keys() - finished
    assert all(game == every[game.id] for game in left)


def test_a_finished_pair_makes_no_batch():
    pairs = [Pairing("a", "b", "a", 1), Pairing("a", "c", "c", 2)]
    assert open_batches(pairs, {"a-b-001": "a", "a-c-002": "a"}) == [Batch(pairs[1], (1,))]


@given(NAMES, NAMES)
def test_a_game_played_with_other_colours_is_not_taken_for_the_same(one, other):
    assume(one != other)
    pairing = Pairing(one, other, one, 1)
    with pytest.raises(OtherEventError, match=f"was played with {other} as Black, now it would be {one}"):
        open_batches([pairing], {pairing.id_of(1): other})


def test_opponents_may_take_turns_game_by_game():
    pairs = [Pairing("ann", other, "ann", 4) for other in ("greedy", "random", "smart")]
    turns = in_turns(open_batches(pairs, {"ann-random-001": "ann", "ann-smart-003": "ann"}))
    assert [(batch.pairing.other, *batch.numbers) for batch in turns] == [
        ("greedy", 1), ("random", 2), ("smart", 1),
        ("greedy", 2), ("random", 3), ("smart", 2),
        ("greedy", 3), ("random", 4), ("smart", 4),
        ("greedy", 4),
    ]  # fmt: skip
    assert in_turns([]) == []
