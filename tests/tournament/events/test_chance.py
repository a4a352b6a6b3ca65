"""An event's key: what is drawn by it, that it is secret, and that nothing drawn leads to it or to anything else drawn."""

import hashlib
import hmac
import os
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tournament.events.chance import Key, key_of_seed, new_key
from tournament.records import GameSpec, open_seeds, seed_of

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
    code = f"from tournament.events.chance import Key; print(Key(bytes.fromhex({key.secret.hex()!r})).seeds('ann-bob-001'))"
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
