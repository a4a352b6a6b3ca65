"""Writing to a store: one run at a time, read meanwhile; what was added stays, whatever becomes of the writer or the disk."""

import multiprocessing
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.stores import EVENT, game, opened
from tests.support.waiting import PATIENCE
from tournament.errors import StoreBusyError, StoreError
from tournament.store.store import open_store, read_store

ROOT = Path(__file__).parents[3]

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


def test_who_plays_is_seen_once_the_run_is_kept_and_never_of_one_that_failed_before(tmp_path):
    with pytest.raises(TypeError), opened(tmp_path / "cup.db"):
        raise TypeError
    with opened(tmp_path / "cup.db") as writer, read_store(tmp_path / "cup.db") as reader:
        assert (reader.entrants(), reader.runs()) == ([], [])
        writer.keep_run()
        assert ([one.name for one in reader.entrants()], len(reader.runs())) == (["alice", "bob"], 1)


def test_a_database_tool_that_keeps_the_file_locked_is_waited_for_then_named(tmp_path):
    with opened(tmp_path / "cup.db", lock_seconds=0.05) as store, closing(sqlite3.connect(tmp_path / "cup.db")) as other:
        other.isolation_level = None
        store.add(game("alice-bob-001"))
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError, match="another program keeps it locked"):
            store.add(game("alice-bob-002"))
        other.execute("ROLLBACK")
        store.add(game("alice-bob-002"))


# A killed run


def run_and_kill(code):
    lines = f"import os\nfrom pathlib import Path\nfrom tests.support.stores import game, opened\n{code}"
    done = subprocess.run([sys.executable, "-c", lines], cwd=ROOT, timeout=PATIENCE, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


def test_a_game_that_was_added_survives_kill_9(tmp_path):
    path = tmp_path / "cup.db"
    run_and_kill(f"store = opened(Path({str(path)!r})); store.add(game('alice-bob-001')); os.kill(os.getpid(), 9)")
    with opened(path) as store:
        assert [row.id for row in store.rows()] == ["alice-bob-001"]


def test_force_new_keeps_what_a_killed_run_left_in_its_journal(tmp_path):
    path = tmp_path / "cup.db"
    run_and_kill(f"store = opened(Path({str(path)!r})); store.add(game('alice-bob-001')); os.kill(os.getpid(), 9)")
    open_store(path, EVENT, force_new=True).close()
    with read_store(tmp_path / "cup.old-1.db") as old:
        assert [row.id for row in old.rows()] == ["alice-bob-001"]


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
