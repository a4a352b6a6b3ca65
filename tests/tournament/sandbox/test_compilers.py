"""Where compiled programs are kept, and under which name."""

import os
import tempfile
from pathlib import Path

import pytest

from tests.support import programs
from tests.support.missing import skip_if
from tests.support.stale_names import stale_name
from tournament.sandbox import bubblewrap, compilers
from tournament.sandbox.tiers import best_tier

RECIPE = compilers.Recipe(("true",), ("true",), ("true",), "")
GOOD = '#include <fstream>\nint main() { std::ofstream("output.txt") << "2,2"; }\n'


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


def test_compiled_programs_are_kept_in_the_users_cache(tmp_path, temporary, monkeypatch):
    assert compilers.cache_folder() == tmp_path / "home/.cache/go-competition-harness/compiled"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert compilers.cache_folder() == tmp_path / "cache/go-competition-harness/compiled"
    assert not list(temporary.iterdir())


@pytest.mark.parametrize("lose_home", WITHOUT_HOME)
def test_without_a_home_to_write_to_they_are_kept_below_the_temporary_folder(lose_home, tmp_path, temporary, monkeypatch):
    lose_home(monkeypatch, tmp_path)
    assert compilers.cache_folder() == compilers.cache_folder() == private(temporary) / "compiled"
    assert private(temporary).stat().st_mode & 0o777 == 0o700
    (tmp_path / "alice").mkdir()
    kept = compilers.keep("0" * 64, tmp_path / "alice", {"my_player": "Zm9v"})
    assert kept == private(temporary) / "compiled" / ("0" * 64)
    assert (kept / compilers.BUILT / "my_player").read_bytes() == b"foo"


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
        compilers.cache_folder()


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


def test_the_same_contents_have_one_name_others_another(tmp_path):
    for name, text in (("ann", "x"), ("bob", "x"), ("cy", "y")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "my_player.cpp").write_text(text)
    ann, bob, cy = (compilers.cache_key(tmp_path / name, RECIPE) for name in ("ann", "bob", "cy"))
    assert ann == bob != cy
    assert ann != compilers.cache_key(tmp_path / "ann", compilers.Recipe(("false",), ("true",), ("true",), ""))


def test_what_a_killed_run_has_half_kept_is_removed(tmp_path):
    (tmp_path / "alice").mkdir()
    half = compilers.cache_folder() / stale_name(".0123456789ab")
    half.mkdir()
    kept = compilers.keep("1" * 64, tmp_path / "alice", {"my_player": "Zm9v"})
    assert list(compilers.cache_folder().iterdir()) == [kept]


@pytest.mark.parametrize("name", ["../my_player", "/tmp/my_player", "a/../../b", "a//b", ""])
def test_what_was_built_lies_in_its_own_folder_whoever_says_its_name(tmp_path, name):
    (tmp_path / "alice").mkdir()
    with pytest.raises(OSError, match="expected the name of a file"):
        compilers.keep("2" * 64, tmp_path / "alice", {name: "Zm9v"})
    assert not list(compilers.cache_folder().iterdir())


def test_without_a_locale_of_utf_8_java_programs_are_told_so_and_no_other(monkeypatch):
    skip_if(compilers.why_not_here("my_player.java"))
    monkeypatch.setattr(bubblewrap, "_LOCALES", ("xx_XX.UTF-8",))
    bubblewrap.utf8_locale.cache_clear()
    try:
        assert compilers.why_not_here("my_player.java").startswith("Java programs need a locale of UTF-8, and none")
        assert [compilers.why_not_here(entry) for entry in ("my_player3.py", "my_player.cpp")] == ["", ""]
        assert bubblewrap.environment("/tmp")["LANG"] == "C"
    finally:
        bubblewrap.utf8_locale.cache_clear()


def test_an_old_system_s_locale_does_as_well(monkeypatch):
    monkeypatch.setattr(bubblewrap, "_LOCALES", ("xx_XX.UTF-8", bubblewrap.utf8_locale()))
    bubblewrap.utf8_locale.cache_clear()
    try:
        assert bubblewrap.environment("/tmp")["LANG"] == bubblewrap._LOCALES[1]
    finally:
        bubblewrap.utf8_locale.cache_clear()
