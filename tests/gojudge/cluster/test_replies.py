"""What a worker sends back is believed in no more than its form allows."""

import json
import random
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gojudge.cluster.replies import (
    NonsenseError,
    Room,
    games_of,
    pack_reply,
    read_played,
    record_of,
    room_of_game,
    unpack_reply,
)
from gojudge.records import GameResult, GameSpec, Spent, Termination, Tier, Turn
from gojudge.refereeing.referee import Played, play
from tests.support.stores import ALICE, BOB, RUN, opened
from tests.support.stubs import StubSeat, conditions

SPEC = GameSpec("alice-bob-001", "alice", "bob", (1, 2))
AT = replace(conditions(size=5), tier="T3")
PLAYED = play(SPEC, AT.start(), StubSeat(ALICE), StubSeat(BOB))
LOST = Played(
    GameResult(
        SPEC, 2, 3.0, 6.5, Termination.TIME_OUT, 1, "Black (alice) forfeits", "Traceback", (Turn("C3", Spent(1.0, 0.5)),),
        Turn("", Spent(5.0)), "printed\n", "", Tier.T3,
    ), 0.25,
)  # fmt: skip
VOID = Played(GameResult(SPEC, None, 0.0, 2.5, Termination.VOID, detail="game alice-bob-001 is void: OSError"))


def travelled(played):
    return json.loads(json.dumps(record_of(played)))


@pytest.mark.parametrize("played", [PLAYED, LOST, VOID])
def test_a_game_arrives_as_it_was_played(played):
    assert read_played(travelled(played), SPEC, AT) == replace(played, fault=None)


def test_what_players_have_printed_arrives_to_the_last_byte():
    full = "x" * (AT.limits.log_kib << 10)
    result = replace(LOST.result, black_log=full, white_log=full)
    assert read_played(travelled(Played(result)), SPEC, AT).result == result
    with pytest.raises(NonsenseError, match="expected a text"):
        read_played(travelled(Played(replace(result, white_log=9 * full))), SPEC, AT)


def test_there_is_room_for_all_that_a_game_can_have():
    """Printed to the last byte, in characters of which JSON makes most; a traceback, and moves as slow as they may be."""
    turn = Turn("resign", Spent(86_400.0, 86_400.0, 86_400.0, 86_400.0))
    result = replace(
        LOST.result, turns=(turn,) * 24, last=replace(turn, move="\U0001f600" * 20_000), evidence="\U0001f600" * 20_000,
        detail="\U0001f600" * 20_000, black_log="\0" * (AT.limits.log_kib << 10), white_log="\x7f" * (AT.limits.log_kib << 10),
    )  # fmt: skip
    reply = pack_reply(games=[record_of(Played(result, 1e5))] * 8, seconds=1e6)
    assert unpack_reply(reply, room_of_game(AT).of_games(8))["seconds"] == 1e6


@pytest.mark.parametrize("data", [b'{"a":"%s"}' % (b"x" * 100), b'{"a":[[],[],[],[],[],[]]}', b'{"a":"\\"",[[],[],[],[]]}'])
def test_nothing_is_made_of_a_reply_that_is_larger_than_it_can_be(data):
    with pytest.raises(NonsenseError, match=r"expected a reply (of|with) at most"):
        unpack_reply(data, Room(100, 16))
    assert unpack_reply(b'{"a":"%s"}' % (b"x" * 80), Room(100, 16)) == {"a": "x" * 80}
    # Looked at from each quotation mark to the end, this would take hours.
    for data in (b'\\"' * 10**6, b'\\"' * 10**6 + b"\\\n\\"):
        with pytest.raises(NonsenseError):
            unpack_reply(data, Room(10**7, 16))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["C3", "", "T3", "score", "\ud800"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(field=st.integers(0, 14), value=ANYTHING, of=st.sampled_from([PLAYED, LOST, VOID]))
@settings(max_examples=300, deadline=None)
def test_whatever_stands_in_a_field_is_refused_or_can_be_stored(tmp_path_factory, field, value, of):
    record = travelled(of)
    record[field] = value
    try:
        found = read_played(record, SPEC, AT).result
    except NonsenseError:
        return
    assert found.spec == SPEC
    if found.winner is not None:
        with opened(tmp_path_factory.mktemp("store") / "cup.db") as store:
            store.begin_run([ALICE, BOB], RUN)
            store.add(found)
            assert store.result(SPEC.id).winner == found.winner


@pytest.mark.parametrize(("field", "value"), [
    (0, "alice-bob-002"), (1, 3), (1, None), (1, True), (2, float("inf")), (2, "7"), (4, "won"), (4, "void"), (4, "crash"),
    (5, 1), (6, "two\nlines"), (6, "\ud800"), (6, "x" * 30_000), (8, ["Z9"]), (8, ["A6"] * 24), (8, []), (9, [[1, 2, 3]] * 24),
    (9, [[0, 0, 0, -1]] * 24), (9, [[0, 0, 0, 1e300]] * 24), (10, ["C3"]), (11, "x" * 10**6), (13, "T2"), (13, "T9"),
    (14, float("nan")), (14, None),
])  # fmt: skip
def test_what_no_game_has_is_refused(field, value):
    record = travelled(PLAYED)
    record[field] = value
    with pytest.raises(NonsenseError):
        read_played(record, SPEC, AT)


def test_the_games_must_be_those_that_were_asked_for():
    other = replace(SPEC, id="alice-bob-002")
    record = travelled(PLAYED)
    for records in ([], [record], [record, record], {}, None, [[], []]):
        with pytest.raises(NonsenseError):
            games_of(records, [SPEC, other], AT)


@given(st.binary(max_size=50) | ANYTHING.map(lambda value: json.dumps(value).encode()) | ANYTHING)
def test_a_reply_is_a_table_in_json_or_nonsense(data):
    with suppress(NonsenseError):
        assert isinstance(unpack_reply(data), dict)


def test_a_pickle_is_not_opened():
    opened_one = []

    class Trap:
        def __reduce__(self):
            return opened_one.append, (1,)

    import pickle

    with pytest.raises(NonsenseError):
        unpack_reply(pickle.dumps(Trap()))
    assert opened_one == []


def test_deep_nesting_is_nonsense():
    with pytest.raises(NonsenseError):
        unpack_reply(b"[" * 100_000)
    assert unpack_reply(pack_reply(games=[])) == {"games": []}


def test_half_a_record_is_refused():
    record = travelled(LOST)
    rng = random.Random(1)
    for _ in range(50):
        with pytest.raises(NonsenseError):
            read_played(record[: rng.randrange(15)], SPEC, AT)
