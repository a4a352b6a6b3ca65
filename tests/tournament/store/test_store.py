import multiprocessing
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.errors import BadRosterError, OtherEventError, StoreBusyError, StoreError, StoreVersionError
from tournament.events.event_files import make_event
from tournament.events.machines import Machine
from tournament.records import Entrant, GameResult, GameRow, GameSpec, Tier, Turn
from tournament.store.store import Run, open_store, read_store
from tournament.verdicts import Termination

ROOT = Path(__file__).parents[3]
EVENT = make_event({"kind": "round-robin", "name": "cup", "games": 2})
RUN = Run("2026-05-01T10:00:00+00:00", "host", "Python 3")
ALICE, BOB = Entrant("alice", ("Alice A.",), digest="a1"), Entrant("bob", digest="b1", kind="program", entry="my_player.cpp")
SECONDS = st.integers(0, 10**9).map(lambda number: round(number * 1e-6, 6))
TURNS = st.builds(Turn, st.sampled_from(["C3", "A1", "T19", "pass", "resign"]), SECONDS, SECONDS)
RESULTS = st.builds(
    GameResult,
    st.builds(GameSpec, st.just("alice-bob-001"), st.just("alice"), st.just("bob"), st.integers(0, 2**63 - 1)),
    st.integers(0, 2),
    st.integers(0, 400).map(float),
    st.integers(0, 800).map(lambda number: number / 2),
    st.sampled_from([ending for ending in Termination if ending is not Termination.VOID]),
    st.integers(0, 2),
    st.text(max_size=20),
    st.text(max_size=20),
    st.lists(TURNS, max_size=30).map(tuple),
    st.none() | st.builds(Turn, st.text(max_size=9), SECONDS, SECONDS),
    st.text(max_size=20),
    st.text(max_size=20),
    st.sampled_from(["", "T0", "T3"]),
    st.integers(0, 3),
    st.lists(st.text(max_size=9), max_size=2).map(tuple),
)


def game(game_id, black="alice", white="bob", winner=1, **fields):
    turns = (Turn("C3", 0.25, 0.125), Turn("B2", 0.5, 0.25))
    return GameResult(GameSpec(game_id, black, white, 7), winner, 13, 12, Termination.SCORE, turns=turns, **fields)


def opened(path, *entrants, **options):
    store = open_store(path, EVENT, **options)
    store.begin_run(entrants or (ALICE, BOB), RUN)
    return store


@given(result=RESULTS)
def test_a_game_comes_back_as_it_was_put_in(tmp_path_factory, result):
    path = tmp_path_factory.mktemp("store") / "cup.db"
    with opened(path) as store:
        store.add(result)
        assert store.result("alice-bob-001") == result
    with read_store(path) as store:
        assert list(store.results()) == [result]


def test_a_row_sums_up_what_the_players_used(tmp_path):
    turns = tuple(Turn("C3", seconds, 0) for seconds in (1, 2, 4, 8, 16))
    last = Turn("(0, 0)", 32, 0)
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


def test_a_void_game_is_not_kept(tmp_path):
    with opened(tmp_path / "cup.db") as store, pytest.raises(ValueError, match="void"):
        store.add(game("alice-bob-001", winner=None))


def test_a_game_is_kept_once(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001"))
        with pytest.raises(StoreError):
            store.add(game("alice-bob-001", winner=2))
        assert [row.winner for row in store.rows()] == [1]


# Submissions handed in anew


def test_changed_contents_are_refused_unless_their_games_are_to_be_played_again(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001"))
        with pytest.raises(BadRosterError, match=r"alice: 1 games in .* were played by other contents .*--rerun changed"):
            store.begin_run([replace(ALICE, digest="a2"), BOB], RUN)
        assert store.entrants() == [ALICE, BOB]
        assert len(store.rows()) == 1


def test_exactly_the_games_of_changed_submissions_are_played_again_and_the_old_ones_kept(tmp_path):
    carol = Entrant("carol", digest="c1")
    with opened(tmp_path / "cup.db", ALICE, BOB, carol) as store:
        store.add(game("alice-bob-001"))
        store.add(game("alice-carol-001", white="carol"))
        store.add(game("bob-carol-001", "bob", "carol"))
        assert store.begin_run([replace(ALICE, digest="a2"), BOB, carol], RUN, rerun_changed=True) == {"alice": 2}
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
        store.begin_run([changed, BOB], RUN, rerun_changed=True)
        store.add(game("alice-bob-001", winner=2))
        assert store.begin_run([ALICE, BOB], RUN, rerun_changed=True) == {"alice": 1}
        assert store.rows() == []
        assert len(list(store.results(superseded=True))) == 2


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
    with pytest.raises(OtherEventError, match="what the rubric says"):
        open_store(path, EVENT, "digest")


def test_interpreter_and_sandbox_are_no_part_of_the_event(tmp_path):
    opened(tmp_path / "cup.db").close()
    with open_store(tmp_path / "cup.db", EVENT, machine=Machine(Tier.T3, "/usr/bin/python3")) as store:
        assert store.event == EVENT


def test_the_machine_a_store_was_begun_with_is_kept(tmp_path):
    machine = Machine(Tier.T3, "/usr/bin/python3")
    open_store(tmp_path / "cup.db", EVENT, machine=machine).close()
    opened(tmp_path / "cup.db").close()
    with read_store(tmp_path / "cup.db") as store:
        assert (store.event, store.machine) == (EVENT, machine)


@pytest.mark.parametrize("torn", [False, True])
def test_force_new_renames_the_old_file(tmp_path, torn):
    path = tmp_path / "cup.db"
    with opened(path) as store:
        store.add(game("alice-bob-001"))
    if torn:
        path.write_bytes(path.read_bytes()[:5000])
    old = path.read_bytes()
    for number in (1, 2):
        with open_store(path, replace(EVENT, games=4), force_new=True) as store:
            assert store.rows() == []
        assert (tmp_path / f"cup.old-{number}.db").exists()
    assert (tmp_path / "cup.old-1.db").read_bytes() == old


def test_force_new_keeps_what_a_killed_run_left_in_its_journal(tmp_path):
    path = tmp_path / "cup.db"
    run_and_kill(f"store = opened(Path({str(path)!r})); store.add(game('alice-bob-001')); os.kill(os.getpid(), 9)")
    open_store(path, EVENT, force_new=True).close()
    with read_store(tmp_path / "cup.old-1.db") as old:
        assert [row.id for row in old.rows()] == ["alice-bob-001"]


# What can go wrong with the file


def run_and_kill(code):
    lines = f"import os\nfrom pathlib import Path\nfrom tests.tournament.store.test_store import *\n{code}"
    done = subprocess.run([sys.executable, "-c", lines], cwd=ROOT, check=False, timeout=60, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


def test_a_game_that_was_added_survives_kill_9(tmp_path):
    path = tmp_path / "cup.db"
    run_and_kill(f"store = opened(Path({str(path)!r})); store.add(game('alice-bob-001')); os.kill(os.getpid(), 9)")
    with opened(path) as store:
        assert [row.id for row in store.rows()] == ["alice-bob-001"]


@pytest.mark.parametrize("contents", [b"", b"not a database, but long enough to be taken for one" * 100])
def test_a_file_that_is_no_store_cannot_be_read(tmp_path, contents):
    path = tmp_path / "cup.db"
    path.write_bytes(contents)
    with pytest.raises(StoreError, match=r"cup\.db: expected a results file"):
        read_store(path)


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "cup.db"
    path.write_bytes(b"notes of the lecture" * 500)
    with pytest.raises(StoreError, match="found something else"):
        open_store(path, EVENT)
    assert path.read_bytes() == b"notes of the lecture" * 500


def test_another_programs_database_is_left_alone(tmp_path):
    path = tmp_path / "cup.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE songs (title TEXT)")
    with pytest.raises(StoreError, match="another kind of SQLite database"):
        open_store(path, EVENT)


def test_an_empty_file_becomes_a_store(tmp_path):
    (tmp_path / "cup.db").touch()
    opened(tmp_path / "cup.db").close()
    with read_store(tmp_path / "cup.db") as store:
        assert store.event == EVENT


def test_a_damaged_file_is_called_so(tmp_path):
    path = tmp_path / "cup.db"
    with opened(path) as store:
        for number in range(100):
            store.add(game(f"alice-bob-{number:03d}"))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(StoreError, match=r"cup\.db: is damaged"), read_store(path) as store:
        store.rows()


@pytest.mark.parametrize("version", [0, 2, 99])
def test_another_version_is_refused(tmp_path, version):
    path = tmp_path / "cup.db"
    opened(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {version}")
    for attempt in (lambda: read_store(path), lambda: open_store(path, EVENT)):
        with pytest.raises(StoreVersionError, match=rf"expected a results file of version 1, found version {version}"):
            attempt()


@pytest.mark.parametrize("place", ["none.db", "no/folder/cup.db", "."])
def test_a_store_that_is_not_there_is_named(tmp_path, place):
    with pytest.raises(StoreError, match="expected a results file, found"):
        read_store(tmp_path / place)


def test_a_store_that_cannot_be_made_is_named(tmp_path):
    with pytest.raises(StoreError, match=r"no/cup\.db: cannot be opened: does its folder exist"):
        open_store(tmp_path / "no/cup.db", EVENT)


# Two at a time


def test_one_run_at_a_time_writes(tmp_path):
    with opened(tmp_path / "cup.db"):
        with pytest.raises(StoreBusyError, match="another run is writing to it"):
            open_store(tmp_path / "cup.db", EVENT)
        with pytest.raises(StoreBusyError, match="another run is writing to it"):
            open_store(tmp_path / "cup.db", EVENT, force_new=True)
    opened(tmp_path / "cup.db").close()


def test_a_child_process_does_not_keep_the_store_locked(tmp_path):
    store = opened(tmp_path / "cup.db")
    child = multiprocessing.get_context("fork").Process(target=signal.pause)
    child.start()
    store.close()
    opened(tmp_path / "cup.db").close()
    child.kill()
    child.join()


def test_results_can_be_read_while_they_come_in(tmp_path):
    with opened(tmp_path / "cup.db") as writer, read_store(tmp_path / "cup.db") as reader:
        assert reader.rows() == []
        writer.add(game("alice-bob-001"))
        slowly = reader.results()
        assert next(slowly).spec.id == "alice-bob-001"
        writer.add(game("alice-bob-002"))
        assert list(slowly) == []
        assert len(reader.rows()) == 2


def test_a_database_tool_that_keeps_the_file_locked_is_waited_for_then_named(tmp_path):
    with opened(tmp_path / "cup.db", lock_seconds=0.05) as store, closing(sqlite3.connect(tmp_path / "cup.db")) as other:
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError, match="another program keeps it locked"):
            store.add(game("alice-bob-001"))
        other.execute("ROLLBACK")
        store.add(game("alice-bob-001"))


# A full disk


@pytest.fixture
def small_disk():
    """No file of this process may grow beyond 100 kB while the function returned has been called; undone at the end."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, ignored)


def test_a_full_disk_loses_nothing_that_was_saved(tmp_path, small_disk):
    saved = []
    with opened(tmp_path / "cup.db") as store:
        small_disk()
        with pytest.raises(StoreError, match="what was saved before is safe"):  # noqa: PT012 (the number of games is open)
            for number in range(1000):
                store.add(game(f"alice-bob-{number:03d}", evidence=os.urandom(2000).hex()))
                saved.append(f"alice-bob-{number:03d}")
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert saved
    with opened(tmp_path / "cup.db") as store:
        assert [row.id for row in store.rows()] == saved
        store.add(game("alice-bob-999"))


@pytest.mark.skipif(os.geteuid() != 0, reason="root may write anywhere")
def test_results_on_a_read_only_disk_can_be_read(tmp_path, monkeypatch):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001"))
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with read_store(tmp_path / "cup.db") as store:
        assert len(store.rows()) == 1
    assert not list(tmp_path.glob("*-shm"))


@pytest.mark.parametrize("change", ["times = x'00'", "texts = x'00'", "termination = 'boredom'", "black = 99", "notes = '['"])
def test_a_game_that_makes_no_sense_is_named(tmp_path, change):
    path = tmp_path / "cup.db"
    with opened(path) as store:
        store.add(game("alice-bob-001"))
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"UPDATE games SET {change}")
        db.commit()
    with read_store(path) as store:
        with pytest.raises(StoreError, match=r"cup\.db: game 'alice-bob-001' is damaged"):
            store.result("alice-bob-001")
        if change in ("termination = 'boredom'", "black = 99"):
            with pytest.raises(StoreError, match=r"cup\.db: is damaged: a game of ('boredom'|99), which is unknown"):
                store.rows()


def test_a_store_that_does_not_say_of_which_event_it_is_is_damaged(tmp_path):
    opened(tmp_path / "cup.db").close()
    with closing(sqlite3.connect(tmp_path / "cup.db")) as db:
        db.execute("DELETE FROM events")
        db.commit()
    with pytest.raises(StoreError, match="is damaged"):
        read_store(tmp_path / "cup.db")
