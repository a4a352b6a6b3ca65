"""The submission's folder: copied without compiled files, made anew for every game, removed whatever it holds."""

import os

import pytest

from gojudge.inside import workdirs
from gojudge.inside.workdirs import CopiedFolder, copy_submission, hide_processes, remove_tree


def tree(folder):
    return {
        os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names
    }


def test_compiled_files_and_links_are_not_copied(tmp_path):
    source = tmp_path / "source"
    (source / "__pycache__").mkdir(parents=True)
    (source / "__pycache__/my_player.cpython-311.pyc").write_bytes(b"something else")
    (source / "tables").mkdir()
    (source / "tables/table.bin").write_bytes(b"\0")
    (source / "my_player.py").write_text("")
    (source / "link").symlink_to("/etc/passwd")
    copy_submission(source, tmp_path / "copy", -1)
    assert tree(tmp_path / "copy") == {"my_player.py", "tables/table.bin"}


def test_a_copy_can_be_written_to_even_if_the_original_cannot(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "table").write_text("1")
    (source / "table").chmod(0o400)
    copy_submission(source, tmp_path / "copy", -1)
    assert (tmp_path / "copy/table").stat().st_mode & 0o700 == 0o600


def test_a_closed_deep_and_odd_folder_can_be_removed(tmp_path):
    top = tmp_path / "top"
    for name in ("closed", "-rf", "new\nline", "a" * 255):
        (top / name / "inner").mkdir(parents=True)
        (top / name / "inner/file").write_text("")
        (top / name / "link").symlink_to(tmp_path)
        os.mkfifo(top / name / "pipe")
        (top / name).chmod(0)
    top.chmod(0)
    (tmp_path / "bystander").write_text("")
    remove_tree(top)
    assert tree(tmp_path) == {"bystander"}


def nest(folder, depth, name):
    """Make folders in each other, whatever the length of the path, with a file in the last."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("file", os.O_CREAT, dir_fd=here))
    os.close(here)


# The second has a path that is longer than the system allows.
DEEP = [(1100, "d"), (40, "a" * 255)]


@pytest.mark.parametrize(("depth", "name"), [*DEEP, (20, "0")], ids=["deep", "long", "names as it gives itself"])
def test_a_folder_of_any_depth_can_be_removed(tmp_path, depth, name):
    top = tmp_path / "top"
    (top / "1").mkdir(parents=True)
    nest(top, depth, name)
    nest(top / "1", 20, name)
    (top / "2").write_text("")
    remove_tree(top)
    assert tree(tmp_path) == set()


def test_a_submission_of_any_depth_can_be_copied(tmp_path):
    (tmp_path / "source").mkdir()
    nest(tmp_path / "source", 1100, "d")
    copy_submission(tmp_path / "source", tmp_path / "copy", -1)
    assert (tmp_path / "copy" / "/".join(["d"] * 1100) / "file").is_file()
    remove_tree(tmp_path / "source")
    remove_tree(tmp_path / "copy")


def test_what_counts_is_hidden_and_no_other_mount_is_left(tmp_path, monkeypatch):
    mounted = set()
    monkeypatch.setattr(workdirs, "mount", lambda source, target, *_: mounted.add(str(target)))
    monkeypatch.setattr(workdirs, "unmount", lambda target: mounted.remove(str(target)))
    hide_processes(tmp_path)
    assert {"/proc", "/proc/stat", "/proc/meminfo", "/proc/uptime"} <= mounted
    assert str(tmp_path) not in mounted


def test_a_link_is_removed_and_not_what_it_points_to(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/file").write_text("")
    (tmp_path / "link").symlink_to("folder")
    remove_tree(tmp_path / "link")
    assert tree(tmp_path) == {"folder/file"}


def test_every_game_finds_what_the_import_left(tmp_path):
    source, top = tmp_path / "source", tmp_path / "top"
    home = top / "space/player"
    source.mkdir()
    (source / "table").write_text("as handed in")
    home.parent.mkdir(parents=True)
    folder = CopiedFolder(source, top, home)
    folder.for_import()
    (home / "table").write_text("as imported")
    os.mkfifo(home / "pipe")
    folder.keep_import()
    for _ in range(2):
        folder.for_game()
        assert tree(home) == {"table"}
        assert (home / "table").read_text() == "as imported"
        (home / "table").write_text("as played")
        (home / "more").write_text("")
    folder.for_import()
    assert (home / "table").read_text() == "as handed in"
    folder.remove()
    assert not top.exists()


@pytest.fixture
def copied(tmp_path):
    """A copied folder, whose submission has a table, and its home."""
    source, top = tmp_path / "source", tmp_path / "top"
    source.mkdir()
    (source / "table").write_text("")
    (top / "space").mkdir(parents=True)
    yield CopiedFolder(source, top, top / "space/player"), top / "space/player"
    remove_tree(top)


@pytest.mark.parametrize(("depth", "name"), DEEP, ids=["deep", "long"])
def test_an_import_may_leave_folders_of_any_depth(copied, depth, name):
    """Those that no path can name are left out."""
    folder, home = copied
    folder.for_import()
    nest(home, depth, name)
    folder.keep_import()
    nest(home, 20, "game")
    folder.for_game()
    assert (home / "table").is_file()
    assert name != "d" or (home / "/".join([name] * depth) / "file").is_file()
    assert not (home / "game").exists()
    folder.remove()
    assert not home.parent.parent.exists()


def test_links_and_closed_folders_of_an_import_are_the_same_in_every_game(copied):
    folder, home = copied
    folder.for_import()
    (home / "closed").mkdir()
    (home / "closed/file").touch()
    (home / "link").symlink_to("table")
    (home / "closed").chmod(0o500)
    folder.keep_import()
    assert tree(home) == {"table", "link", "closed/file"}
    assert os.readlink(home / "link") == "table"
    assert (home / "closed").stat().st_mode & 0o777 == 0o500
