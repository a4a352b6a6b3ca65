"""Submissions at a worker: kept once, whole, and never taken away from others who share the folder."""

import os
from dataclasses import replace

import pytest

from gojudge.cluster import at_worker
from gojudge.cluster.replies import unpack_reply
from gojudge.errors import HarnessFaultError
from gojudge.intake.archives import read_files
from gojudge.intake.copies import digest_of
from gojudge.records import Entrant
from tests.support.stubs import conditions

FILES = {"my_player.py": b"# ann\n", "table.txt": b"1 2\n"}


@pytest.fixture(autouse=True)
def own_caches(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    at_worker._is_whole.cache_clear()
    yield
    at_worker._is_whole.cache_clear()


@pytest.fixture
def ann(tmp_path):
    return Entrant("ann", folder=tmp_path / "elsewhere", digest=digest_of(FILES))


def missing(entrant):
    """What a worker asks for, when it is to play no game of a submission."""
    return unpack_reply(at_worker.play(conditions(size=3), (), (entrant,), ())).get("missing", [])


def bring(entrant):
    return unpack_reply(at_worker.keep(entrant.digest, at_worker.parcel_of(FILES)))


def kept(entrant):
    return at_worker._at_home(entrant).folder


def test_a_submission_is_asked_for_until_it_is_there(ann):
    assert missing(ann) == [ann.digest] == missing(ann)
    assert bring(ann) == {}
    assert missing(ann) == []
    assert read_files(kept(ann)) == FILES


def test_a_damaged_one_is_replaced_and_nothing_else_stays(ann):
    bring(ann)
    (kept(ann) / "table.txt").unlink()
    at_worker._is_whole.cache_clear()
    assert missing(ann) == [ann.digest]
    bring(ann)
    assert missing(ann) == []
    assert sorted(os.listdir(kept(ann).parent)) == [ann.digest]


def test_what_another_one_brings_while_it_is_looked_for_stays(ann, monkeypatch):
    """Whoever looked too early asks again, and finds it; others may be playing it by then."""
    looked = at_worker._is_whole

    def too_early(folder, digest):
        found = looked(folder, digest)
        bring(ann)
        return found

    too_early.cache_clear = looked.cache_clear
    with monkeypatch.context() as patched:
        patched.setattr(at_worker, "_is_whole", too_early)
        assert missing(ann) == [ann.digest]
    assert read_files(kept(ann)) == FILES
    assert missing(ann) == []


def test_where_one_cannot_be_kept_the_machine_is_at_fault(ann):
    kept(ann).parent.mkdir(parents=True, exist_ok=True)
    kept(ann).write_text("in the way")
    with pytest.raises(HarnessFaultError, match=f"a submission cannot be kept in .*{ann.digest}"):
        at_worker._put(ann.digest, FILES)


def test_one_that_changed_on_its_way_is_not_kept(ann):
    other = replace(ann, digest="0" * 64)
    assert "changed on its way" in bring(other)["failed"]
    assert missing(other) == [other.digest]
