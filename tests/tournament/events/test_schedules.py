import hashlib
import hmac
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gojudge.errors import BadRosterError
from gojudge.records import Entrant, GameSpec, open_seeds, seed_of
from tournament.errors import OtherEventError
from tournament.events.event_files import make_event
from tournament.events.schedules import (
    Batch,
    Key,
    Pairing,
    in_groups,
    in_turns,
    key_of_seed,
    new_key,
    open_batches,
    pairings,
    reference_entrants,
)

# An event's key: what is drawn by it, that it is secret, and that nothing drawn leads to it or to anything else drawn.


ROOT = Path(__file__).parents[3]
SECRETS = st.binary(min_size=32, max_size=32)
IDS = st.from_regex(r"[a-z0-9._~-]{1,20}", fullmatch=True)


@given(SECRETS, IDS)
def test_a_players_seed_is_the_hmac_of_key_id_and_colour_cut_to_128_bits(secret, game_id):
    def by_hand(colour):
        digest = hmac.new(secret, f"player\x1f{game_id}\x1f{colour}".encode(), hashlib.sha256).hexdigest()
        return int(digest[:32], 16)

    assert Key(secret).seeds(game_id) == (by_hand(1), by_hand(2))


def test_the_seeds_of_a_known_key_are_the_same_everywhere():
    """If these change, no stored game comes out the same any more."""
    key = key_of_seed(7)
    assert key.secret.hex() == "b5366f8fa86a95820c7a14dfaefdfc662ddc410b1f395e46e607f584379d7aef"
    assert key.seeds("ann-bob-001") == (
        8502846532954507919902911543314391016, 258169106669980771759398197464965045453,
    )  # fmt: skip


@given(SECRETS, st.integers(0, 255), IDS)
def test_every_bit_of_the_key_counts(secret, bit, game_id):
    other = (int.from_bytes(secret, "big") ^ 1 << bit).to_bytes(32, "big")
    assert not set(Key(secret).seeds(game_id)) & set(Key(other).seeds(game_id))


def test_no_two_players_of_an_event_have_the_same_seed():
    key = key_of_seed(1)
    ids = [f"p{one}-p{other}-{number:03}" for one, other in combinations(range(40), 2) for number in range(5)]
    seeds = [seed for game_id in ids for seed in key.seeds(game_id)]
    assert len(set(seeds)) == len(seeds)
    # 128 bits are used, each about half of the time.
    for bit in range(128):
        assert 0.4 < sum(seed >> bit & 1 for seed in seeds) / len(seeds) < 0.6


def test_a_new_key_has_256_bits_that_nobody_has_seen():
    keys = {new_key().secret for _ in range(100)}
    assert len(keys) == 100
    assert {len(secret) for secret in keys} == {32}


def test_the_key_of_a_seed_is_the_hash_of_a_label_and_the_number():
    assert key_of_seed(12).secret == hashlib.sha256(b"go-competition-harness event key 12").digest()


def test_a_key_copied_to_another_machine_gives_the_same_seeds():
    key = new_key()
    code = f"from tournament.events.schedules import Key; print(Key(bytes.fromhex({key.secret.hex()!r})).seeds('ann-bob-001'))"
    for hash_seed in ("1", "2"):
        surroundings = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=surroundings, capture_output=True, text=True)
        assert done.stdout == f"{key.seeds('ann-bob-001')}\n"


def test_neither_keys_nor_seeds_are_in_what_messages_quote():
    key = new_key()
    spec = GameSpec("ann-bob-001", "ann", "bob", key.seeds("ann-bob-001"))
    for shown in (repr(key), repr(spec), repr(replace(spec, id="x"))):
        assert key.secret.hex() not in shown
        assert repr(key.secret) not in shown
        assert not any(str(seed) in shown for seed in spec.seeds)


def test_seeds_of_games_that_give_no_marks_differ_too():
    assert open_seeds("a", 1) == (seed_of(seed_of("a", 1), 1), seed_of(seed_of("a", 1), 2))
    assert len({*open_seeds("a", 1), *open_seeds("a", 2)}) == 4


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


@given(st.sampled_from(["bob", "b-9"]), st.integers(1, 10_000), st.integers(1, 3000), st.data())
def test_a_round_stands_before_the_number_and_is_read_from_the_id(name, rounds, games, data):
    pairing = Pairing("ann", name, name, games, round=rounds)
    number = data.draw(st.integers(1, games))
    assert pairing.id_of(number).endswith(f"-{rounds}{number:0{max(3, len(str(games)))}d}")
    assert pairing.round_of(pairing.id_of(number)) == rounds
    assert Pairing("ann", name, name, games).round_of(Pairing("ann", name, name, games).id_of(number)) == 0


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
    assert [(batch.pairing.other, *batch.numbers) for [batch] in turns] == [
        ("greedy", 1), ("random", 2), ("smart", 1),
        ("greedy", 2), ("random", 3), ("smart", 2),
        ("greedy", 3), ("random", 4), ("smart", 4),
        ("greedy", 4),
    ]  # fmt: skip
    assert in_turns([]) == []


def pairs_of(groups):
    return [[(batch.pairing.one, batch.pairing.other) for batch in group] for group in groups]


def test_everyone_in_turn_meets_the_same_three():
    pairs = pairings(event(games=2), people(*"abcdef"), KEY)
    assert pairs_of(in_groups(open_batches(pairs, {}), (), seats=5)) == [
        [("a", "b")],
        [("a", "c"), ("b", "c")],
        [("a", "d"), ("b", "d"), ("c", "d")],
        [("a", "e"), ("b", "e"), ("c", "e")],
        [("a", "f"), ("b", "f"), ("c", "f")],
        [("d", "e")],
        [("d", "f"), ("e", "f")],
    ]


def test_a_submission_meets_all_reference_players_at_once():
    pairs = pairings(event("grade"), [*people(*"abcd"), *reference_entrants(["greedy", "random"])], KEY)
    groups = in_groups(open_batches(pairs, {}), {"greedy", "random"}, seats=5)
    assert pairs_of(groups) == [[(name, "greedy"), (name, "random")] for name in "abcd"]


@given(st.lists(NAMES, min_size=2, max_size=9, unique=True), st.sets(st.integers(0, 8)), st.integers(3, 6))
def test_groups_are_the_same_games_and_each_has_a_player_in_common(names, numbers, seats):
    references = {name for number, name in enumerate(names) if number in numbers}
    batches = open_batches(pairings(event(games=2), people(*names), KEY), {})
    groups = in_groups(batches, references, seats)
    assert sorted((batch for group in groups for batch in group), key=batches.index) == batches
    for group in pairs_of(groups):
        assert set.intersection(*map(set, group))
        assert len(set().union(*group) - references) < seats
