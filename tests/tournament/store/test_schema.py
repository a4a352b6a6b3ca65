"""The file of a store: it can be set aside, and one that is missing, damaged or something else is named, not touched."""

import signal
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.stores import EVENT, KEY, game, opened
from tests.support.waiting import PATIENCE
from tournament.errors import OtherEventError, StoreError, StoreVersionError
from tournament.events.schedules import key_of_seed
from tournament.store.store import open_store, read_store

ROOT = Path(__file__).parents[3]


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


# What can go wrong with the file


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


def test_an_empty_file_is_called_so_and_becomes_a_store(tmp_path):
    (tmp_path / "cup.db").touch()
    with pytest.raises(StoreError, match=r"cup\.db: expected a results file, found an empty file"):
        read_store(tmp_path / "cup.db")
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


@pytest.mark.parametrize("version", [0, 1, 99])
def test_another_version_is_refused(tmp_path, version):
    path = tmp_path / "cup.db"
    opened(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {version}")
    for attempt in (lambda: read_store(path), lambda: open_store(path, EVENT)):
        with pytest.raises(StoreVersionError, match=rf"results file of version 2, found version {version}: read it with"):
            attempt()


@pytest.mark.parametrize("place", ["none.db", "no/folder/cup.db", "."])
def test_a_store_that_is_not_there_is_named(tmp_path, place):
    with pytest.raises(StoreError, match="expected a results file, found"):
        read_store(tmp_path / place)


def test_a_store_that_cannot_be_made_is_named(tmp_path):
    with pytest.raises(StoreError, match=r"no/cup\.db: cannot be opened: does its folder exist"):
        open_store(tmp_path / "no/cup.db", EVENT)


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
            with pytest.raises(StoreError, match=r"cup\.db: game 'alice-bob-001' is damaged"):
                store.rows()


def test_a_store_that_does_not_say_of_which_event_it_is_is_damaged(tmp_path):
    opened(tmp_path / "cup.db").close()
    with closing(sqlite3.connect(tmp_path / "cup.db")) as db:
        db.execute("DELETE FROM events")
        db.commit()
    with pytest.raises(StoreError, match="is damaged"):
        read_store(tmp_path / "cup.db")


# Making one


def killed_at(path, moment):
    """Begin to make a store in another process, which is killed at a moment of it."""
    code = f"""
        import os
        from pathlib import Path
        from tests.support.stores import opened
        from tournament.store import store

        def end(*_):
            os.kill(os.getpid(), 9)

        {moment} = end
        opened(Path({str(path)!r}))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=ROOT, capture_output=True, timeout=PATIENCE)
    assert done.returncode == -signal.SIGKILL, done.stderr


MOMENTS = ["store.connect", "store.insertion", "store.checksum", "Path.replace", "store._sync"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_store_whose_maker_is_killed_is_there_whole_or_not_at_all(tmp_path, moment):
    path = tmp_path / "cup.db"
    killed_at(path, moment)
    assert path.exists() == (moment == "store._sync")
    if path.exists():
        with read_store(path) as store:
            assert (store.event, store.key, store.rows()) == (EVENT, KEY, [])
    with opened(path) as store:
        store.add(game("alice-bob-001"))
    assert sorted(found.name for found in tmp_path.iterdir()) == ["cup.db", "cup.db.lock"]


def test_only_its_owner_may_read_a_store_since_it_holds_the_key(tmp_path):
    with opened(tmp_path / "cup.db") as store:
        store.add(game("alice-bob-001"))
        modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("cup.db", "cup.db-wal")]
    assert modes == [0o600, 0o600]


def test_the_journal_of_a_file_that_is_gone_is_not_taken_for_the_new_ones(tmp_path):
    path = tmp_path / "cup.db"
    with opened(path) as store:
        store.add(game("alice-bob-001"))
        journal = path.with_name("cup.db-wal").read_bytes()
    path.unlink()
    path.with_name("cup.db-wal").write_bytes(journal)
    with opened(path) as store:
        assert store.rows() == []


def test_each_new_store_has_a_key_of_its_own_and_keeps_it(tmp_path):
    keys = []
    for name in ("one.db", "other.db", "one.db", "other.db"):
        with open_store(tmp_path / name, EVENT) as store:
            keys.append(store.key)
    assert keys[:2] == keys[2:]
    assert keys[0] != keys[1]


def test_a_store_is_not_gone_on_with_under_another_key(tmp_path):
    path = tmp_path / "cup.db"
    opened(path).close()
    with open_store(path, EVENT) as store:
        assert store.key == KEY
    with pytest.raises(OtherEventError, match=r"cup\.db: its key is another than that of the seed given; leave the seed out"):
        open_store(path, EVENT, key=key_of_seed(8))
