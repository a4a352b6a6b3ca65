"""Folders that are kept for the next time: where, and made once."""

import os
import tempfile
from pathlib import Path

import pytest

from gojudge.sandbox import compilers, leftovers
from gojudge.sandbox.tiers import best_tier
from tests.support import programs
from tests.support.missing import skip_if
from tests.support.stale_names import stale_name

GOOD = '#include <fstream>\nint main() { std::ofstream("output.txt") << "2,2"; }\n'
KEY = "0" * 64


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """A temporary folder of the test's own, and a home in it."""
    for name in ("temporary", "home"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return tmp_path / "temporary"


def private(temporary):
    return temporary / f"go-competition-harness-{os.geteuid()}"


def fill(folder):
    (folder / "file").write_text("made")


def no_home(monkeypatch, tmp_path):
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("Could not determine home directory.")))


def home_is_a_file(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))


def home_is_missing_and_may_not_be_made(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", "/proc/nobody")


def home_is_read_only(monkeypatch, tmp_path):
    """Only pretended: root may write even to a folder that is read-only."""
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).startswith(str(tmp_path / "home")) and may(path, mode))


WITHOUT_HOME = [no_home, home_is_a_file, home_is_missing_and_may_not_be_made, home_is_read_only]


def test_what_is_kept_lies_in_the_users_cache(tmp_path, temporary, monkeypatch):
    assert leftovers.cache_folder("odd") == tmp_path / "home/.cache/go-competition-harness/odd"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert leftovers.cache_folder("odd") == tmp_path / "cache/go-competition-harness/odd"
    assert not list(temporary.iterdir())


@pytest.mark.parametrize("lose_home", WITHOUT_HOME)
def test_without_a_home_to_write_to_it_lies_below_the_temporary_folder(lose_home, tmp_path, temporary, monkeypatch):
    lose_home(monkeypatch, tmp_path)
    assert leftovers.cache_folder("odd") == leftovers.cache_folder("odd") == private(temporary) / "odd"
    assert private(temporary).stat().st_mode & 0o777 == 0o700
    kept = leftovers.keep_folder("odd", KEY, fill)
    assert kept == private(temporary) / "odd" / KEY
    assert (kept / "file").read_text() == "made"


def open_to_others(folder, tmp_path):
    folder.mkdir()
    folder.chmod(0o755)


def a_link(folder, tmp_path):
    (tmp_path / "somewhere").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "somewhere")


def a_file(folder, tmp_path):
    folder.touch(mode=0o600)


def somebody_elses(folder, tmp_path):
    if os.geteuid():
        pytest.skip("only root can give a folder away")
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, 12345)


@pytest.mark.parametrize("lay", [open_to_others, a_link, a_file, somebody_elses])
def test_what_somebody_else_may_have_laid_there_is_not_used(lay, tmp_path, temporary, monkeypatch):
    no_home(monkeypatch, tmp_path)
    lay(private(temporary), tmp_path)
    with pytest.raises(PermissionError, match="expected a folder that only this user can open; another can be named by XDG_"):
        leftovers.cache_folder("odd")


def test_a_program_without_a_home_to_be_kept_in_plays(tmp_path, temporary, monkeypatch):
    skip_if(compilers.why_not_here("my_player.cpp"))
    home_is_a_file(monkeypatch, tmp_path)
    seat = programs.seat_for(programs.program(tmp_path / "alice", GOOD, "my_player.cpp"), best_tier())
    try:
        programs.game(seat)
    finally:
        seat.close()
    (kept,) = (private(temporary) / "compiled").iterdir()
    assert (kept / compilers.BUILT / "my_player").exists()


def test_a_folder_is_filled_once():
    kept = leftovers.keep_folder("odd", KEY, fill)
    assert leftovers.keep_folder("odd", KEY, lambda folder: pytest.fail("it is there")) == kept
    assert kept.stat().st_mode & 0o777 == 0o755


def test_of_a_folder_that_cannot_be_filled_nothing_is_left():
    def fail(folder):
        fill(folder)
        raise OSError("no more room")

    with pytest.raises(OSError, match="no more room"):
        leftovers.keep_folder("odd", KEY, fail)
    assert not list(leftovers.cache_folder("odd").iterdir())


def test_whoever_is_faster_has_made_it():
    def lose(folder):
        fill(folder)
        leftovers.keep_folder("odd", KEY, fill)

    kept = leftovers.keep_folder("odd", KEY, lose)
    assert list(leftovers.cache_folder("odd").iterdir()) == [kept]


def test_what_a_killed_run_has_half_kept_is_removed():
    half = leftovers.cache_folder("odd") / stale_name(".0123456789ab")
    half.mkdir()
    kept = leftovers.keep_folder("odd", KEY, fill)
    assert list(leftovers.cache_folder("odd").iterdir()) == [kept]
