"""A course that is killed at any write goes on, and ends as one that was not; nothing is done or published twice."""

import os
import re
from pathlib import Path

import pytest

from tests.support.courses import course, hand_in, play_with_stubs, tree, write_course
from tournament.store.store import Store, read_store

pytestmark = pytest.mark.slow


class KilledError(BaseException):
    """As if the process had ended here."""


class Writes:
    """Ends a run at each write at which it has not ended before, if it is to kill. Pages of a folder are one."""

    def __init__(self, monkeypatch):
        self.kills = False
        self.seen = set()
        for owner, name in ((Path, "replace"), (os, "replace"), (Store, "add"), (Store, "begin_run")):
            monkeypatch.setattr(owner, name, self._watched(getattr(owner, name), name))

    def _watched(self, write, name):
        def watched(first, *rest, **options):
            target = str(rest[0]) if name == "replace" else f"{name} {first.path}"
            target = re.sub(r"/pages/(\w+/\w+)/.*", r"/pages/\1", target)
            if self.kills and target not in self.seen:
                self.seen.add(target)
                raise KilledError
            return write(first, *rest, **options)

        return watched


@pytest.fixture
def writes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play_with_stubs(monkeypatch)
    return Writes(monkeypatch)


def in_folder(path, monkeypatch):
    path.mkdir()
    monkeypatch.chdir(path)
    write_course(path)
    assert course() == 0
    hand_in(path, "bob", 2)
    hand_in(path, "dee")
    (path / "first/cy.py").write_text("class MyPlayer[\n")


def outcome():
    """Pages, ledger and rubric to the byte; games and entrants of the stores as they count, and the old ones."""
    found = {path: text for path, text in tree().items() if not path.endswith((".db", ".part")) and ".submissions/" not in path}
    # It names files in full.
    found["kept/files.json"] = found["kept/files.json"].replace(os.fsencode(Path.cwd()), b".")
    for path in sorted(Path("kept").glob("*.db")):
        with read_store(path) as store:
            found[path.name] = [result.spec for result in store.results()], store.entrants()
            found[f"{path.name}, old"] = [(old.spec, old.turns) for old in store.results(superseded=True)]
    return found


def written_runs(found):
    """The same without the numbers of runs, of which a killed course has more, and what follows from them."""
    found = dict(found)
    ledger = found.pop("kept/published.jsonl").decode()
    del found["kept/pages.json"]
    return found, re.sub(r'"(before":"\w*|run":\d+)', "", ledger)


def test_a_course_killed_at_every_write_ends_as_one_that_was_not(writes, tmp_path, monkeypatch, capsys):
    in_folder(tmp_path / "whole", monkeypatch)
    assert course() == 0
    expected = written_runs(outcome())

    in_folder(tmp_path / "killed", monkeypatch)
    writes.kills, ended = True, False
    while not ended:
        try:
            assert course() == 0
            ended = True
        except KilledError:
            pass
    writes.kills = False
    names = {Path(target).name for target in writes.seen}
    assert {"first.db", "ladder.db", "first.rubric.toml", "first.db.refused.json", "published.jsonl", "pages.json"} <= names
    assert len(writes.seen) > 14, sorted(writes.seen)
    assert written_runs(outcome()) == expected
    capsys.readouterr()
    assert course() == 0
    assert capsys.readouterr().out == "nothing is due\n"
