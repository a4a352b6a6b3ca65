"""What a store keeps comes back as it was put in: games, entrants, runs, the event; changed submissions play anew."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gojudge.records import Engine, Entrant, GameResult, GameRow, GameSpec, Spent, Termination, Tier, Turn, engine_entrant
from tests.support.stores import ALICE, BOB, EVENT, KEY, RUN, game, opened
from tournament.errors import OtherEventError, StoreError
from tournament.events.events import Machine
from tournament.events.schedules import key_of_seed
from tournament.store.store import open_store, read_store

SECONDS = st.integers(0, 10**9).map(lambda number: round(number * 1e-6, 6))
SPENT = st.builds(Spent, SECONDS, SECONDS, SECONDS, SECONDS)
TURNS = st.builds(Turn, st.sampled_from(["C3", "A1", "T19", "pass", "resign"]), SPENT)
RESULTS = st.builds(
    GameResult,
    st.just(GameSpec("alice-bob-001", "alice", "bob", KEY.seeds("alice-bob-001"))),
    st.integers(0, 2),
    st.integers(0, 400).map(float),
    st.integers(0, 800).map(lambda number: number / 2),
    st.sampled_from([ending for ending in Termination if ending is not Termination.VOID]),
    st.integers(0, 2),
    st.text(max_size=20),
    st.text(max_size=20),
    st.lists(TURNS, max_size=30).map(tuple),
    st.none() | st.builds(Turn, st.text(max_size=9), SPENT),
    st.text(max_size=20),
    st.text(max_size=20),
    st.sampled_from(["", "T0", "T3"]),
    st.integers(0, 3),
    st.lists(st.text(max_size=9), max_size=2).map(tuple),
)


@given(result=RESULTS)
def test_a_game_comes_back_as_it_was_put_in(tmp_path_factory, result):
    path = tmp_path_factory.mktemp("store") / "cup.db"
    with opened(path) as store:
        store.add(result)
        assert store.result("alice-bob-001") == result
    with read_store(path) as store:
        assert list(store.results()) == [result]


def test_a_row_sums_up_what_the_players_used(tmp_path):
    turns = tuple(Turn("C3", Spent(9, seconds - 1, 1, 7)) for seconds in (1, 2, 4, 8, 16))
    last = Turn("(0, 0)", Spent(90, 30, 2, 58))
    lost = game("alice-bob-001", winner=1, forfeited_by=2, last=last)
    with opened(tmp_path / "cup.db") as store:
        store.add(replace(lost, turns=turns, termination=Termination.ILLEGAL_MOVE))
        assert store.rows() == [
            GameRow("alice-bob-001", "alice", "bob", 1, Termination.ILLEGAL_MOVE, 2, 3, 3, 21, 42, 16, 32)
        ]  # fmt: skip


def test_rows_and_results_come_by_id_in_whatever_order_games_end(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        for number in (3, 1, 2):
            store.add(game(f"alice-bob-00{number}"))
        assert [row.id for row in store.rows()] == [result.spec.id for result in store.results()]
        assert [row.id for row in store.rows()] == ["alice-bob-001", "alice-bob-002", "alice-bob-003"]
        assert store.finished() == {row.id: "alice" for row in store.rows()}


def test_what_is_asked_of_a_store(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001", tier="T2"))
        assert store.entrants() == [ALICE, BOB]
        assert store.runs() == [RUN]
        assert store.tiers() == {"T2": 1}
        with pytest.raises(StoreError, match="expected the id of a finished game, got 'alice-bob-009'"):
            store.result("alice-bob-009")


def test_what_a_roster_says_of_an_entrant_is_kept_and_the_last_roster_counts(tmp_path):
    said = (("email", "alice@example.org"), ("section", ""))
    for fields in (said, (), said[1:]):
        with opened(tmp_path / "cup.db") as store:
            store.begin_run([replace(ALICE, fields=fields), BOB], RUN)
            assert store.entrants() == [replace(ALICE, fields=fields), BOB]


@pytest.mark.parametrize("other", [{"entry": "agent.py"}, {"class_name": "Agent"}, {"kind": "program"}])
def test_another_file_or_class_of_the_same_contents_plays_anew(tmp_path, other):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001"))
    with opened(tmp_path / "cup.db") as store:
        assert store.begin_run([replace(ALICE, **other), BOB], RUN) == {"alice": 1}
        assert store.rows() == []
        store.add(game("alice-bob-001"))
        assert store.begin_run([replace(ALICE, **other), BOB], RUN) == {}
        assert len(store.rows()) == 1


def test_a_void_game_is_not_kept(tmp_path):
    with opened(tmp_path / "cup.db") as store, pytest.raises(ValueError, match="void"):
        store.add(game("alice-bob-001", winner=None))


def test_a_game_is_kept_once(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001"))
        with pytest.raises(StoreError):
            store.add(game("alice-bob-001", winner=2))
        assert [row.winner for row in store.rows()] == [1]


def test_games_that_are_added_together_are_kept_all_or_none(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001"), game("alice-bob-002"))
        with pytest.raises(StoreError):
            store.add(game("alice-bob-003"), game("alice-bob-002"))
        assert [row.id for row in store.rows()] == ["alice-bob-001", "alice-bob-002"]


# Submissions handed in anew


def test_exactly_the_games_of_changed_submissions_are_played_again_and_the_old_ones_kept(tmp_path):
    carol = Entrant("carol", digest="c1")
    with opened(tmp_path / "cup.db", ALICE, BOB, carol) as store:
        store.add(game("alice-bob-001"))
        store.add(game("alice-carol-001", white="carol"))
        store.add(game("bob-carol-001", "bob", "carol"))
        assert store.begin_run([replace(ALICE, digest="a2"), BOB, carol], RUN) == {"alice": 2}
        assert store.finished() == {"bob-carol-001": "bob"}
        store.add(game("alice-bob-001", winner=2))
        assert store.result("alice-bob-001").winner == 2
        assert [(old.spec.id, old.winner) for old in store.results(superseded=True)] == [
            ("alice-bob-001", 1), ("alice-carol-001", 1),
        ]  # fmt: skip
        assert [entrant.digest for entrant in store.entrants()] == ["a2", "b1", "c1"]


def test_going_back_to_the_old_contents_is_a_change_too(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001"))
        changed = replace(ALICE, digest="a2")
        store.begin_run([changed, BOB], RUN)
        store.add(game("alice-bob-001", winner=2))
        assert store.begin_run([ALICE, BOB], RUN) == {"alice": 1}
        assert store.rows() == []
        assert len(list(store.results(superseded=True))) == 2


def test_what_counted_after_a_run_is_known_for_good(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        assert store.run_number() == 1
        store.add(game("alice-bob-001"))
        store.begin_run([ALICE, BOB], RUN)
        store.add(game("alice-bob-002"))
        store.begin_run([replace(ALICE, digest="a2"), BOB], RUN)
        store.add(game("alice-bob-001", winner=2))
        counted = {run: [(row.id, row.winner) for row in store.rows_after(run)] for run in range(4)}
        assert store.run_number() == 3
    one, two = ("alice-bob-001", 1), ("alice-bob-002", 1)
    assert counted == {0: [], 1: [one], 2: [one, two], 3: [("alice-bob-001", 2)]}


def test_an_engine_that_has_not_changed_goes_on(tmp_path):
    engine = engine_entrant("gnu", Engine(("gnugo", "--mode", "gtp")))
    with opened(tmp_path / "cup.db", ALICE, engine) as store:
        store.add(game("alice-gnu-001", white="gnu"))
        assert store.begin_run([ALICE, engine], RUN) == {}
        other = engine_entrant("gnu", Engine(("gnugo", "--level", "1")))
        assert store.begin_run([ALICE, other], RUN) == {"gnu": 1}


def test_contents_may_change_before_their_first_game(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        assert store.begin_run([replace(ALICE, digest="a2"), BOB], RUN) == {}


# Events


def test_a_store_goes_on_with_its_own_event_only(tmp_path):
    path = tmp_path / "cup.db"
    opened(path).close()
    opened(path).close()
    with pytest.raises(OtherEventError, match=r"another event, 'cup': games \(2 there, 4 here\)"):
        open_store(path, replace(EVENT, games=4))
    with pytest.raises(OtherEventError, match=r"size \(5 there, 7 here\)"):
        open_store(path, replace(EVENT, size=7))


def test_the_way_out_is_the_parameter_that_named_the_file(tmp_path):
    path = tmp_path / "cup.db"
    with opened(path), pytest.raises(StoreError, match=r"give the event another `store`$"):
        open_store(path, EVENT, named_by="store")
    for event, key in ((replace(EVENT, games=4), KEY), (EVENT, key_of_seed(8))):
        with pytest.raises(OtherEventError, match="give it another `store`, or"):
            open_store(path, event, key=key, named_by="store")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    attempts = {"store": partial(open_store, path, EVENT, named_by="store"), "name": partial(read_store, path)}
    for parameter, open_it in attempts.items():
        with pytest.raises(StoreError, match=f"give the event another `{parameter}`$"):
            open_it()


def test_interpreter_and_sandbox_are_no_part_of_the_event(tmp_path):
    opened(tmp_path / "cup.db").close()
    with open_store(tmp_path / "cup.db", EVENT, machine=Machine(Tier.T3, "/usr/bin/python3")) as store:
        assert store.event == EVENT


def test_the_machine_a_store_was_begun_with_is_kept(tmp_path):
    machine = Machine(Tier.T3, "/usr/bin/python3")
    open_store(tmp_path / "cup.db", EVENT, key=KEY, machine=machine).close()
    opened(tmp_path / "cup.db").close()
    with read_store(tmp_path / "cup.db") as store:
        assert (store.event, store.machine) == (EVENT, machine)


# A cluster's workers


def test_what_a_worker_has_played_is_known_in_later_runs(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001"), game("alice-bob-002", worker="tls://a:1"), game("alice-bob-003", worker="tls://b:1"))
        store.add(game("alice-bob-004", worker="tls://a:1"))
        assert [run.host for run in store.runs()] == ["host", "worker tls://a:1", "worker tls://b:1"]
        assert {run.started for run in store.runs()} == {RUN.started}
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-005", worker="tls://a:1"))
    with read_store(tmp_path / "cup.db") as store:
        assert store.workers() == {
            "alice-bob-002": "tls://a:1", "alice-bob-003": "tls://b:1", "alice-bob-004": "tls://a:1", "alice-bob-005": "tls://a:1",
        }  # fmt: skip


def test_an_expelled_worker_leaves_nothing_that_counts_and_nothing_is_deleted(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001"), game("alice-bob-002", worker="tls://a:1"), game("alice-bob-003", worker="tls://b:1"))
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-004", worker="tls://a:1"), game("alice-bob-005"))
        gone = ["alice-bob-002", "alice-bob-004", "alice-bob-005"]
        store.expel(["tls://a:1"], gone)
        assert [row.id for row in store.rows()] == ["alice-bob-001", "alice-bob-003"]
        store.add(game("alice-bob-002", winner=2, worker="tls://b:1"), game("alice-bob-004"))
    with read_store(tmp_path / "cup.db") as store:
        assert store.workers() == {"alice-bob-002": "tls://b:1", "alice-bob-003": "tls://b:1"}
        assert store.result("alice-bob-002").winner == 2
        assert [old.spec.id for old in store.results(superseded=True)] == gone


def test_a_run_that_is_killed_while_it_expels_has_expelled_nobody(tmp_path):
    def killed():
        yield "alice-bob-001"
        raise KeyboardInterrupt

    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001", worker="tls://a:1"))
        with pytest.raises(KeyboardInterrupt):
            store.expel(["tls://a:1"], killed())
    with read_store(tmp_path / "cup.db") as store:
        assert store.workers() == {"alice-bob-001": "tls://a:1"}


def test_the_marks_of_an_earlier_time_are_those_of_before_a_worker_was_expelled(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001", worker="tls://a:1"))
        then = store.run_number()
        store.expel(["tls://a:1"], ["alice-bob-001"])
        store.add(game("alice-bob-001", winner=2))
        assert [row.winner for row in store.rows_after(then)] == [1]
        assert [row.winner for row in store.rows()] == [2]
